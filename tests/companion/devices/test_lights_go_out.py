"""No light shines and no die invites for a game that is over: an evening that closes, a companion that goes in order,
one that was killed."""

import asyncio

from paper_companion import D6, Companion, in_virtual_time, met
from paper_devices import RING, PaperDevice, dice, table_of
from paper_radio import PaperRadio

from companion.devices.table_output import GATE, GREEN, RED, FaceTable, Show
from companion.titles.taxi.table import D6_MAP, DICE
from companion.virtual_table.table import VirtualTable

GAME = Show({2: RED, 40: GATE}, 1, (D6,), throw=3)
MAPS = tuple(FaceTable(one.map_id, one.style, one.values) for one in DICE.values())
DARK = (0, 0, 0)


def shining(device):
    """Light → look, as a device's commands add up."""
    lights = {}
    for name, fields in device.commands:
        if name == "SET_LIGHTS" and fields["seconds"] == 0:
            lights.update(dict.fromkeys(fields["leds"], fields["look"]))
        elif name == "CLEAR_LIGHTS":
            lights.clear()
    return {led: look for led, look in lights.items() if look}


def invites(device):
    last = [name for name, _ in device.commands if name in ("ARM_DIE", "DISARM_DIE")]
    return last[-1:] == ["ARM_DIE"]


def test_an_evening_that_closes_leaves_the_table_dark():
    async def work():
        table, (die,) = table_of(1), dice(1)
        async with met(table, die) as companion:
            companion.hub.output.show(GAME)
            companion.hub.output.flash(GREEN, 200, [3])
            await asyncio.sleep(2)
            before = shining(table), invites(die)
            companion.hub.output.show(Show())
            await asyncio.sleep(2)
            return before, shining(table), invites(die), table.did("CLEAR_LIGHTS")[-1], die.did("CLEAR_LIGHTS")

    before, after, still, cleared, no_lights = in_virtual_time(work)
    assert before == ({2: RED, 40: GATE}, True)
    assert (after, still) == ({}, False)
    assert cleared == {"look": 255}  # what is being passed ends, too
    assert no_lights == []


def test_a_companion_that_goes_switches_off_its_game_and_nothing_is_shown_after_that():
    async def work():
        table, ring, (die,) = table_of(1), PaperDevice("00000000a1b2", RING), dice(1)
        async with met(table, ring, die) as companion:
            companion.hub.output.show(GAME)
            await asyncio.sleep(2)
            before = shining(table), invites(table), invites(ring), invites(die)
            companion.tasks[0].cancel()
            await asyncio.sleep(0.1)
            companion.hub.output.show(GAME)  # whatever still happens while everything ends
            await asyncio.wait(companion.tasks[:1])
            return before, (shining(table), invites(table), invites(ring), invites(die))

    before, after = in_virtual_time(work)
    assert before == ({2: RED, 40: GATE}, True, True, True)
    assert after == ({}, False, False, False)


def test_a_device_that_does_not_answer_keeps_nobody_from_going():
    async def work():
        table, other = table_of(1), table_of(2)
        async with met(table, other) as companion:
            companion.hub.output.show(Show({2: RED, 66: RED}))
            await asyncio.sleep(2)
            table.deaf = True
            begun = asyncio.get_running_loop().time()
            companion.tasks[0].cancel()
            await asyncio.wait(companion.tasks[:1])
            return asyncio.get_running_loop().time() - begun, shining(other)

    seconds, dark = in_virtual_time(work)
    assert seconds <= 0.9  # what closing has for it
    assert dark == {}


def test_lights_of_a_companion_that_was_killed_go_out_with_the_next_one():
    """It comes back without the evening, or with one in which other lights shine."""

    async def work(wanted):
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        async with Companion(radio) as killed:
            killed.hub.output.show(GAME)
            await killed.until(lambda: shining(table) and invites(die))
            radio.fail = _dead  # from here on nothing that it says arrives
        radio.fail = lambda step, device: None
        left = shining(table), invites(die)
        die.die_state = 1
        async with Companion(radio) as companion:
            companion.hub.output.show(wanted)
            await companion.until_connected(table, die)
            await asyncio.sleep(3)
            return left, shining(table), invites(die)

    for wanted in (Show(), Show({5: RED})):
        left, after, still = in_virtual_time(lambda wanted=wanted: work(wanted))
        assert left == ({2: RED, 40: GATE}, True)
        assert after == wanted.rest
        assert not still


def _dead(step, device):
    raise OSError("the process is dead")


class Air:
    def __init__(self, table):
        self.scanner, self.client = table.backend()

    async def hearts(self):
        """The firmware has a heart of its own."""


def test_the_real_board_is_dark_after_the_companion_has_gone():
    async def work():
        async with VirtualTable(devices=("table", "ring")) as table:
            async with Companion(Air(table)) as companion:
                companion.hub.output.show(Show({2: RED, 9: RED}, D6_MAP, MAPS, throw=1))
                await companion.until(lambda: any(table.lights()[2]) and _lit(table, "ring"), 30)
                companion.hub.output.flash(GREEN, 200, [4])
                await companion.until(lambda: any(table.lights()[4]))
            await asyncio.sleep(1)
            before = len(table.led_frames("die", device="ring"))
            await asyncio.sleep(4)
            return set(table.lights()), _lit(table, "ring", before), table.model_errors()

    lights, invited, errors = in_virtual_time(work)
    assert lights == {DARK}
    assert not invited
    assert errors == []


def _lit(table, device, since=0):
    return any(any(light) for frame in table.led_frames("die", device=device)[since:] for light in frame.lights)
