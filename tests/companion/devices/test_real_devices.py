"""Several devices whose firmware really runs, in one air and on a real port: found, numbered, invited, paired."""

import asyncio

from paper_companion import Companion, in_virtual_time

from companion.devices import facts
from companion.devices.device_state import DeviceError
from companion.devices.table_output import RED, FaceTable, Show
from companion.titles.taxi.table import D6_MAP, DICE
from companion.virtual_table.table import VirtualTable

TAXI = "04a1b2c3"
MAPS = tuple(FaceTable(one.map_id, one.style, one.values) for one in DICE.values())


class Air:
    """The virtual table's radio, as a companion of these tests takes it."""

    def __init__(self, table):
        self.scanner, self.client = table.backend()

    async def hearts(self):
        """The firmware has a heart of its own."""


def states(companion):
    return {state.kind + str(state.number or ""): state for state in companion.hub.devices()}


def all_there(companion, count):
    found = companion.hub.devices()
    return len(found) == count and all(state.state == "connected" for state in found)


def test_two_controllers_a_die_and_a_ring_are_one_table():
    async def work():
        async with (
            VirtualTable(devices=("table", "table2", "die", "ring")) as table,
            Companion(Air(table)) as companion,
        ):
            companion.hub.output.show(Show({2: RED, 70: RED}, D6_MAP, MAPS, throw=3))
            await companion.until(lambda: all_there(companion, 4))
            await asyncio.sleep(4)
            numbers = {state.id: state.number for state in companion.hub.devices()}
            first = companion.hub.controllers()
            # Whichever was met first may be the one that is the layout's second: exactly that is changed on a page.
            one = next(state for state in companion.hub.devices() if state.number == 0)
            if one.id != table.device("table").setup.device_id.hex():
                await companion.hub.set_number(one.id, 1)
            await asyncio.sleep(2)
            lit = [[led for led, light in enumerate(table.lights(device=name)) if any(light)] for name in TABLES]
            table.place_tag(TAXI, 40)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            table.press_button(device="ring")
            await companion.until(lambda: len(companion.desk.of(facts.DieSettled)) == 1)
            table.throw_die(seed=5)
            await companion.until(lambda: len(companion.desk.of(facts.DieSettled)) == 2, 30)
            return numbers, first, lit, companion, table.model_errors()

    numbers, controllers, lit, companion, errors = in_virtual_time(work)
    assert sorted(filter(lambda n: n is not None, numbers.values())) == [0, 1]
    assert controllers == {0: True, 1: True}
    assert lit == [[2], [6]]
    assert [fact.socket for fact in companion.desk.of(facts.TagAppeared)] == [40]
    rolls = companion.desk.of(facts.DieSettled)
    assert len({fact.origin.device_id for fact in rolls}) == 2
    assert [fact.invited_to for fact in rolls] == [3, 3]
    assert rolls[1].digest
    assert all(fact.value == (fact.face - 1) % 6 + 1 for fact in rolls)
    assert errors == []


TABLES = ("table", "table2")


def test_a_pairing_holds_over_breaks_and_a_stranger_is_refused_and_shown():
    async def work():
        async with VirtualTable() as table:
            async with Companion(Air(table)) as companion:
                await companion.until(lambda: all_there(companion, 1))
                (state,) = companion.hub.devices()
                await companion.hub.pair(state.id)
                table.drop_link()
                await asyncio.sleep(0.2)
                await companion.until(lambda: all_there(companion, 1))
                proved = companion.hub.known[state.id].dialogue.proved
            async with Companion(Air(table)) as stranger:
                await stranger.until(lambda: any(one.state == "refused" for one in stranger.hub.devices()), 30)
                refused = stranger.hub.devices()[0].error
            async with Companion(Air(table), companion.desk) as again:
                await again.until(lambda: all_there(again, 1))
                await again.hub.unpair(state.id)
            async with Companion(Air(table)) as anybody:
                await anybody.until(lambda: all_there(anybody, 1))
            return proved, refused

    proved, refused = in_virtual_time(work)
    assert proved
    assert "paired with another companion" in refused


def test_health_and_telemetry_are_there_for_the_page():
    async def work():
        async with VirtualTable() as table, Companion(Air(table)) as companion:
            await companion.until(lambda: all_there(companion, 1))
            table.mute_reader(3, "dead")
            await asyncio.sleep(75)
            (state,) = companion.hub.devices()
            await companion.hub.identify(state.id)
            return state

    state = in_virtual_time(work)
    assert len(state.sockets) == 32
    assert {one.reader for one in state.sockets if one.socket != 3} == {"mfrc522"}
    assert state.sockets[3].state == "mute"
    assert state.uptime >= 70
    assert state.heap_free > 0
    assert state.heap_low > 0


def test_the_same_firmware_is_reached_over_a_real_port():
    async def work():
        async with VirtualTable() as table:
            path = table.serial_port()
            async with Companion(ports=(path,)) as companion:
                companion.hub.output.show(Show({2: RED}))
                await companion.until(lambda: all_there(companion, 1), 20)
                table.place_tag(TAXI, 7)
                await companion.until(lambda: companion.desk.of(facts.TagAppeared), 20)
                await companion.until(lambda: any(table.lights()[2]), 10)
                (state,) = companion.hub.devices()
                return state, companion.desk.of(facts.TagAppeared)

    state, appeared = asyncio.run(work())
    assert state.way == "cable"
    assert [fact.socket for fact in appeared] == [7]


def test_what_a_real_device_cannot_do_is_a_sentence():
    async def work():
        async with VirtualTable() as table, Companion(Air(table)) as companion:
            await companion.until(lambda: all_there(companion, 1))
            (state,) = companion.hub.devices()
            log = await companion.hub.read_log(state.id)
            try:
                await companion.hub.restart(state.id)
                said = ""
            except DeviceError as error:
                said = str(error)
            await asyncio.sleep(10)
            return log, said, companion.hub.devices()[0]

    log, said, state = in_virtual_time(work)
    assert log == ""
    assert said == "" or said.endswith(".")
    assert state.state == "connected"
