"""The one light of a handheld die: every look has a rhythm of its own, whatever the colour."""

import asyncio
from itertools import combinations

import pytest

from firmware.die.die_light import HEARD_TICKS, DieLight
from firmware.die.handheld_die import HandheldDie
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import BATTERY_CRITICAL, BATTERY_GOOD, BATTERY_LOW, LOOK_SEAT, SEAT_COLOURS

D6 = [1, 2, 3, 4, 5, 6] * 2
TABLETS = [1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 2]


class Pixel:
    """A strip of one, and the switch of its supply."""

    def __init__(self):
        self.buf = bytearray(3)
        self.sent = bytes(3)
        self.level = 0

    def __len__(self):
        return 1

    def fill(self, colour):
        self.buf[:] = bytes((colour[1], colour[0], colour[2]))

    def write(self):
        assert self.level, "data for a light without supply"
        self.sent = bytes(self.buf)

    def value(self, level=None):
        if level is None:
            return self.level
        self.level = level
        return None


class Rig:
    def __init__(self):
        self.pixel = Pixel()
        self.light = DieLight(LedStrip(self.pixel, 20), self.pixel)
        self.seq = 0
        self.die = HandheldDie(self.report)
        self.die.set_face_map(1, 0, D6)
        self.die.set_face_map(2, 1, TABLETS)
        self.die.hear(("placed", 1))

    def report(self, name, fields, ref):
        self.seq += 1
        return self.seq

    def roll(self, face, map_id=1):
        self.die.arm(map_id, 0, 1)
        self.die.hear(("handled",))
        self.die.hear(("started",))
        self.die.hear(("settled", face, 5, 500, 1))

    def watch(self, ticks, heard=True, battery=BATTERY_GOOD, calibrated=-1):
        """What is seen each tick: (red, green, blue), dark when the supply is off."""
        seen = []

        async def draw():
            for _ in range(ticks):
                await self.light.draw(self.die, heard, battery, calibrated)
                green, red, blue = self.pixel.sent if self.pixel.level else bytes(3)
                seen.append((red, green, blue))

        asyncio.sleep_ms = lambda ms: asyncio.sleep(0)
        try:
            asyncio.run(draw())
        finally:
            del asyncio.sleep_ms
        return seen


def rhythm(seen):
    return "".join("#" if any(colour) else "." for colour in seen)


def winks(text):
    return len([part for part in text.split(".") if part])


@pytest.fixture
def rig():
    return Rig()


def test_nothing_to_say_is_dark_and_without_supply(rig):
    assert rhythm(rig.watch(40)) == "." * 40
    assert rig.pixel.level == 0


def looks():
    """Rhythm of a circle of two seconds, by look."""
    found = {}
    for n, name in enumerate(SEAT_COLOURS):
        rig = Rig()
        rig.die.arm(1, LOOK_SEAT + n, 1)
        found[name] = rhythm(rig.watch(16))
    rig = Rig()
    rig.die.arm(1, 0, 1)
    found["nobody"] = rhythm(rig.watch(16))
    rig.die.hear(("started",))
    found["tumbles"] = rhythm(rig.watch(16))
    rig.die.hear(("cocked", 3, 20))
    found["cocked"] = rhythm(rig.watch(16))
    rig = Rig()
    rig.roll(3)
    found["not heard"] = rhythm(rig.watch(16, heard=False))
    rig = Rig()
    rig.light.identify(4)
    found["identify"] = rhythm(rig.watch(16))
    rig = Rig()
    found["calibrates"] = rhythm(rig.watch(16, calibrated=7))
    return found


def test_every_look_has_its_own_rhythm():
    found = looks()
    assert len(found) == 13
    for one, other in combinations(found, 2):
        turns = {found[other][n:] + found[other][:n] for n in range(16)}
        assert found[one] not in turns, f"{one} blinks like {other}"


def test_a_seat_winks_as_often_as_its_place_says():
    found = looks()
    for n, name in enumerate(SEAT_COLOURS):
        assert winks(found[name]) == n + 1
        assert found[name].endswith("..")


def test_cocked_is_a_red_double_flash(rig):
    rig.die.hear(("started",))
    rig.die.hear(("cocked", 3, 20))
    seen = rig.watch(16)
    assert rhythm(seen) == "#.#.....#.#....."
    assert {colour for colour in seen if any(colour)} == {(60, 0, 0)}


@pytest.mark.parametrize("face", range(1, 7))
def test_the_value_is_a_number_of_winks_once_it_was_heard(rig, face):
    rig.roll(face)
    assert winks(rhythm(rig.watch(32, heard=False))) == 4  # one a second
    seen = rhythm(rig.watch(100))
    steady = seen[:HEARD_TICKS]
    assert steady == "#" * HEARD_TICKS
    assert winks(seen[HEARD_TICKS:]) == face
    assert seen.endswith("." * 20)


def test_tablets_differ_without_colour(rig):
    told = {}
    for face, value in ((2, 0), (1, 1), (6, 2)):
        rig.roll(face, 2)
        told[value] = rhythm(rig.watch(100))[HEARD_TICKS:]
    assert winks(told[1]) == 1
    assert winks(told[2]) == 2
    assert told[0].count("#") > 2 * told[1].count("#")


def test_the_same_value_twice_is_told_twice(rig):
    for _ in range(2):
        rig.roll(4)
        assert winks(rhythm(rig.watch(100))[HEARD_TICKS:]) == 4


def test_a_low_battery_winks_three_times_every_eight_seconds(rig):
    for level in (BATTERY_LOW, BATTERY_CRITICAL):
        seen = rhythm(rig.watch(64, battery=level))
        assert winks(seen) == 3
    rig.die.arm(1, LOOK_SEAT, 1)
    seen = rig.watch(64, battery=BATTERY_LOW)
    assert winks(rhythm(seen)) == 3 + 3  # the red seat winks once in each of the three other circles


def test_calibration_shows_how_far_it_is(rig):
    assert [rhythm(rig.watch(16, calibrated=n)).count("#") for n in (0, 1, 6, 11)] == [1, 1, 6, 11]


def test_identify_ends_by_itself(rig):
    rig.light.identify(2)
    assert "#" in rhythm(rig.watch(16))
    assert rhythm(rig.watch(16)) == "." * 16


def test_off_is_dark_before_the_supply_goes(rig):
    rig.die.arm(1, 0, 1)
    rig.watch(1)
    assert rig.pixel.level == 1
    rig.light.off()
    assert rig.pixel.sent == bytes(3)
    assert rig.pixel.level == 0
    rig.light.off()  # once more does no harm
