"""Both dice, compiled, on the virtual table: thrown, held, turned, cocked, pressed, out of reach."""

import asyncio
import math

import pytest

from companion.virtual_table import missing

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from die_companion import D6, ONE_TO_THREE, TABLETS, DieRig, play, run

from companion.virtual_table import motion
from firmware.die.face_normals import normal
from shared_rules.wire.messages import (
    DIE_AT_REST,
    DIE_COCKED,
    DIE_INVITES,
    DONE,
    HANDHELD_DIE,
    TABLE_DIE,
)


@pytest.fixture
def ring_code(compiled):
    return compiled("table_die")


def test_an_invited_throw(flash, handheld_code, chip):
    async def story(rig):
        for seed in (1, 2, 3):
            before = len(rig.events)
            thrown = motion.throw(seed)
            assert await rig.command("ARM_DIE", map_id=1, seat=17) == (DONE, 0)
            armed = rig.number
            await asyncio.sleep(8)  # long enough to be calm
            rig.move(thrown)
            moved = rig.now
            settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5, before)
            at = next(at for at, message in rig.events if message is settled)
            assert rig.names(before) == ["DIE_ARMED", "ROLL_STARTED", "ROLL_SETTLED"]
            assert [message.ref for _at, message in rig.events[before:]] == [armed] * 3
            fields = settled.fields
            assert (fields["face"], fields["value"]) == (thrown.truth.face, D6[thrown.truth.face - 1])
            assert fields["roll"] == seed
            assert fields["digest"] != 0
            assert at - moved - thrown.truth.last_motion / 1000 < 0.5

    play(flash, handheld_code, story, accelerometer=chip)


def test_what_is_true_when_a_companion_comes(flash, handheld_code):
    async def story(rig):
        snapshot = next(message for message in rig.others if message.name == "SNAPSHOT_DIE")
        assert (snapshot.fields["state"], snapshot.fields["face"]) == (DIE_AT_REST, 1)
        await rig.command("ARM_DIE", map_id=3, seat=0)
        rig.move(motion.placed(7))
        await rig.until("DIE_PLACED", 10)
        rig.table.drop_link()
        await asyncio.sleep(1)
        hello = await rig.connect()
        assert (hello["device_kind"], hello["die_faces"]) == (HANDHELD_DIE, 12)
        snapshot = [message for message in rig.others if message.name == "SNAPSHOT_DIE"][-1]
        assert snapshot.fields == {"state": DIE_INVITES, "face": 7, "map_id": 3, "roll": 0}

    play(flash, handheld_code, story)


def test_held_in_the_hand_is_no_roll(flash, handheld_code):
    async def story(rig):
        await rig.command("ARM_DIE", map_id=1, seat=0)
        held = motion.wobble(5, 30)
        rig.move(held)
        await asyncio.sleep(held.seconds + 2)
        assert "ROLL_STARTED" not in rig.names()
        thrown = motion.throw(4)
        rig.move(thrown)
        await rig.until("ROLL_SETTLED", thrown.seconds + 5)
        assert rig.names().count("ROLL_SETTLED") == rig.names().count("ROLL_STARTED") == 1

    play(flash, handheld_code, story)


def test_cocked_is_told_shown_in_red_and_asked_for_again(flash, handheld_code):
    async def story(rig):
        await rig.command("ARM_DIE", map_id=1, seat=18)
        armed = rig.number
        aslant = motion.cocked(1)
        rig.move(aslant)
        cocked = await rig.until("DIE_COCKED", aslant.seconds + 5)
        assert "ROLL_SETTLED" not in rig.names()
        assert (cocked.ref, cocked.fields["map_id"]) == (armed, 1)
        assert cocked.fields["tilt"] > 10
        await asyncio.sleep(4)
        assert {light for light in rig.frames(3) if any(light)} == {(60, 0, 0)}
        rig.table.drop_link()
        await asyncio.sleep(1)
        await rig.connect()
        snapshot = [message for message in rig.others if message.name == "SNAPSHOT_DIE"][-1]
        assert (snapshot.fields["state"], snapshot.fields["face"]) == (DIE_COCKED, 0)
        thrown = motion.throw(6)
        rig.move(thrown)
        settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5)
        assert settled.ref == armed

    play(flash, handheld_code, story)


def test_dropped_twice_is_one_roll(flash, handheld_code):
    async def story(rig):
        for seed in (2, 3, 4):
            before = len(rig.events)
            thrown = motion.dropped_twice(seed)
            rig.move(thrown)
            settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5, before)
            await asyncio.sleep(2)
            names = [name for name in rig.names(before) if name != "DIE_PLACED"]  # where somebody has taken it from
            assert names == ["ROLL_STARTED", "ROLL_SETTLED"]
            assert settled.fields["face"] == thrown.truth.face

    play(flash, handheld_code, story)


def test_a_link_that_drops_in_mid_roll_loses_nothing_and_doubles_nothing(flash, handheld_code):
    async def story(rig):
        await rig.command("ARM_DIE", map_id=1, seat=0)
        thrown = motion.throw(8)
        rig.move(thrown)
        started = await rig.until("ROLL_STARTED", thrown.seconds + 2)
        rig.table.drop_link(out_of_range_s=6)
        await asyncio.sleep(thrown.seconds + 8)
        assert "ROLL_SETTLED" not in rig.names()
        await rig.connect()
        settled = await rig.until("ROLL_SETTLED", 5)
        assert settled.seq == started.seq + 1
        assert settled.fields["roll"] == started.fields["roll"]
        assert rig.names().count("ROLL_SETTLED") == 1
        assert "NEW_BOOT" not in [message.name for message in rig.others[5:]]

    play(flash, handheld_code, story)


def test_one_die_serves_every_game(flash, handheld_code):
    async def story(rig):
        for map_id, faces in ((1, D6), (2, TABLETS), (3, ONE_TO_THREE)):
            before = len(rig.events)
            await rig.command("ARM_DIE", map_id=map_id, seat=0)
            thrown = motion.throw(20 + map_id)
            rig.move(thrown)
            settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5, before)
            assert settled.fields["map_id"] == map_id
            assert settled.fields["value"] == faces[thrown.truth.face - 1]
            await asyncio.sleep(2)

    play(flash, handheld_code, story)


def test_no_map_no_roll(flash, handheld_code):
    async def whole():
        async with DieRig(flash, handheld_code) as rig:
            await rig.connect()
            thrown = motion.throw(4)
            rig.move(thrown)
            refused = await rig.until("DIE_REFUSED", thrown.seconds + 5)
            await asyncio.sleep(3)
            assert rig.names() == ["DIE_REFUSED"]
            assert refused.fields["reason"] == 2

    run(whole())


def test_a_roll_that_nobody_hears_waits(flash, handheld_code):
    async def story(rig):
        rig.table.drop_link(out_of_range_s=30)
        await asyncio.sleep(1)
        thrown = motion.throw(9)
        rig.move(thrown)
        await asyncio.sleep(thrown.seconds + 3)
        faint = [light for light in rig.frames(2) if any(light)]
        assert faint
        assert set(faint) == {(8, 8, 8)}
        await asyncio.sleep(30)
        await rig.connect()
        settled = await rig.until("ROLL_SETTLED", 3)
        assert settled.fields["face"] == thrown.truth.face

    play(flash, handheld_code, story)


class FromTheHand:
    """A throw from the moment on at which it leaves the hand: nobody has shaken the die before."""

    def __init__(self, thrown):
        self._thrown = thrown
        self._skipped_us = (thrown.truth.began - 20) * 1000
        self.seconds = thrown.seconds - self._skipped_us / 1e6

    def acceleration(self, t_us):
        return self._thrown.acceleration(t_us + self._skipped_us)


@pytest.mark.parametrize("asleep", [False, True], ids=["calm", "asleep"])
def test_how_a_throw_began_is_known_though_nobody_looked(flash, handheld_code, chip, asleep):
    async def story(rig):
        for seed in (1, 4):
            if asleep:
                assert await rig.command("SLEEP_DIE") == (DONE, 0)
                await asyncio.sleep(4)
                assert rig.table.device().board.asleep
            else:
                await asyncio.sleep(8)
            thrown = motion.throw(seed)
            before = len(rig.events)
            rig.move(FromTheHand(thrown))
            await asyncio.sleep(thrown.seconds)
            if asleep:
                await rig.connect()
            settled = await rig.until("ROLL_SETTLED", 3, before)
            lasted = thrown.truth.last_motion - thrown.truth.began
            assert settled.fields["face"] == thrown.truth.face
            assert abs(settled.fields["duration"] - lasted) < 150

    play(flash, handheld_code, story, accelerometer=chip)


class TurnedGently:
    """Turned about y, in four seconds, from one face to the one that is opposite."""

    seconds = 5.0

    def acceleration(self, t_us):
        turn = math.pi * min(1.0, max(0.0, t_us / 4e6))
        x, y, z = (n / 1000 for n in normal(1))
        return (x * math.cos(turn) + z * math.sin(turn), y, z * math.cos(turn) - x * math.sin(turn))


def test_turned_too_gently_for_the_interrupt_it_is_noticed_all_the_same(flash, handheld_code, chip):
    async def story(rig):
        await asyncio.sleep(8)
        rig.move(TurnedGently())
        placed = await rig.until("DIE_PLACED", 10)
        assert placed.fields["face"] != 1
        assert "ROLL_STARTED" not in rig.names()

    play(flash, handheld_code, story, accelerometer=chip)


def test_the_stand_alone_table_die(flash, ring_code):
    async def whole():
        async with DieRig(flash, ring_code, name="ring") as rig:
            hello = await rig.connect()
            assert (hello["device_kind"], hello["leds"], hello["sockets"]) == (TABLE_DIE, 12, 0)
            await rig.teach()
            assert await rig.command("ARM_DIE", map_id=1, seat=18) == (DONE, 0)
            await asyncio.sleep(2)
            lit = [light for light in rig.table.lights("die", "ring") if any(light)]
            assert lit == [(0, 50, 0)] * 3  # green is the third seat
            rig.table.press_button(device="ring")
            settled = await rig.until("ROLL_SETTLED", 5)
            assert rig.names() == ["DIE_ARMED", "ROLL_STARTED", "ROLL_SETTLED"]
            await asyncio.sleep(1)
            lit = [light for light in rig.table.lights("die", "ring") if any(light)]
            assert len(lit) == settled.fields["value"]
            assert await rig.command("IDENTIFY", seconds=3) == (DONE, 0)
            await asyncio.sleep(1)
            assert len([light for light in rig.table.lights("die", "ring") if any(light)]) == 6
            assert rig.table.model_errors() == []

    run(whole())
