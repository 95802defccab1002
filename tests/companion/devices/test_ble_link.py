"""The link to a table whose firmware really runs, over a virtual radio, in virtual time: nothing lost, nothing
doubled, back by itself."""

import asyncio

import pytest
from paper_companion import Desk, in_virtual_time

from companion.devices import facts
from companion.devices.hub import DeviceHub
from companion.devices.link_state import LinkState
from companion.devices.table_output import GATE, RED, FaceTable, Show
from companion.settings import Settings
from companion.titles.taxi.table import D6_MAP, D12_MAP, DICE
from companion.virtual_table.table import VirtualTable
from shared_rules.wire.messages import encode

RED_TAXI, BLUE_TAXI = "04a1b2c3", "04d4e5f60718aa"
MAPS = tuple(FaceTable(one.map_id, one.style, one.values) for one in DICE.values())


class Companion:
    """A hub with its desk, as the application puts them together."""

    def __init__(self, table, desk=None):
        scanner, client = table.backend()
        self.desk = desk or Desk()
        self.state = LinkState()
        self.seen_states = []
        settings = Settings(scanner_backend=scanner, client_backend=client)
        self.hub = DeviceHub(settings, self.desk, self.desk, self.state)
        self.desk.hub = self.hub
        self.output = self.hub.output
        self.hub.on_change = lambda: self.seen_states.append(self.state.state)
        self.tasks = [asyncio.create_task(self.hub.run())]

    @property
    def dialogue(self):
        (device,) = self.hub.known.values()
        return device.dialogue

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc_info):
        await self.end()

    async def end(self):
        for task in self.tasks:
            task.cancel()
        async with asyncio.timeout(5):
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def until_connected(self):
        async with asyncio.timeout(60):
            while self.state.state != "connected":
                await asyncio.sleep(0.05)


def numbers(taken):
    return [(fact.origin.boot_id, fact.origin.seq) for fact in taken]


def test_facts_come_once_and_in_order_over_breaks():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            places = []
            for turn in range(8):
                table.place_tag(RED_TAXI, turn)
                places.append(turn)
                await asyncio.sleep(1)
                table.drop_link(0.5 if turn % 2 else 0)
                await asyncio.sleep(1.5)
            table.press_button()
            await asyncio.sleep(5)
            await companion.end()
            return places, companion

    places, companion = in_virtual_time(work)
    desk = companion.desk
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == places
    assert [fact.socket for fact in desk.of(facts.TagGone)] == places[:-1]
    seqs = [seq for _, seq in numbers(desk.taken)]
    assert seqs == list(range(1, len(seqs) + 1))
    assert companion.state.counters["losses"] == 8
    assert companion.seen_states[0] == "searching"
    assert desk.snapshots[-1].tags == {RED_TAXI: 7}


def test_what_the_disk_refuses_comes_again():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            companion.desk.broken = True
            table.place_tag(RED_TAXI, 3)
            await asyncio.sleep(2)
            table.place_tag(RED_TAXI, 4)
            await asyncio.sleep(7)
            refused = companion.state.counters["not_stored"]
            companion.desk.broken = False
            await asyncio.sleep(6)
            await companion.end()
            return refused, companion.desk

    refused, desk = in_virtual_time(work)
    assert refused >= 2
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == [3, 4]
    seqs = [seq for _, seq in numbers(desk.taken)]
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_companion_that_dies_goes_on_where_the_disk_was():
    async def work():
        async with VirtualTable() as table:
            first = Companion(table)
            await first.until_connected()
            table.place_tag(RED_TAXI, 1)
            await asyncio.sleep(1)
            first.desk.broken = True  # from here on nothing reaches the disk
            table.place_tag(RED_TAXI, 2)
            table.place_tag(BLUE_TAXI, 5)
            await asyncio.sleep(1)
            await first.end()
            await asyncio.sleep(1)
            first.desk.broken = False
            second = Companion(table, first.desk)
            await second.until_connected()
            await asyncio.sleep(3)
            await second.end()
            return second.desk

    desk = in_virtual_time(work)
    assert sorted((fact.uid, fact.socket) for fact in desk.of(facts.TagAppeared)) == [
        (RED_TAXI, 1),
        (RED_TAXI, 2),
        (BLUE_TAXI, 5),
    ]
    assert len(set(numbers(desk.taken))) == len(desk.taken)
    assert desk.snapshots[-1].tags == {RED_TAXI: 2, BLUE_TAXI: 5}


def test_a_table_that_restarts_is_found_and_told_everything_again():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            companion.output.show(Show({0: RED, 1: RED, 2: GATE}, D6_MAP, MAPS))
            await companion.until_connected()
            await asyncio.sleep(2)
            before = table.lights("board")[:3]
            table.crash()
            await asyncio.sleep(6)
            after = table.lights("board")[:3]
            table.press_button()
            await asyncio.sleep(4)
            await companion.end()
            return before, after, companion

    before, after, companion = in_virtual_time(work)
    assert before == after
    assert before[0] == before[1] != before[2]
    assert all(any(light) for light in before)
    assert len({boot for boot, _ in numbers(companion.desk.taken)}) == 2
    (roll,) = companion.desk.of(facts.DieSettled)
    assert roll.map_id == D6_MAP
    assert roll.value == (roll.face - 1) % 6 + 1
    assert companion.state.device["reset_cause"] == "watchdog"


def test_the_invitation_follows_the_game():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            values = {"d6": [], "d12": []}
            for map_id, name in ((D6_MAP, "d6"), (D12_MAP, "d12")) * 4:
                companion.output.show(Show({}, map_id, MAPS))
                await asyncio.sleep(1)
                table.press_button()
                await asyncio.sleep(4)
                roll = companion.desk.of(facts.DieSettled)[-1]
                assert roll.map_id == map_id
                values[name].append(roll.value)
            await companion.end()
            return values, companion

    values, companion = in_virtual_time(work)
    assert all(1 <= value <= 6 for value in values["d6"])
    assert all(0 <= value <= 2 for value in values["d12"])
    assert len(companion.desk.of(facts.DieSettled)) == 8


def test_silence_is_a_loss():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            table.set_air_time(9_000)  # the connection stays, nothing comes through
            since = asyncio.get_running_loop().time()
            async with asyncio.timeout(30):
                while companion.state.state == "connected":
                    await asyncio.sleep(0.05)
            silent_for = asyncio.get_running_loop().time() - since
            table.set_air_time(0)
            await asyncio.sleep(9)
            await companion.until_connected()
            await companion.end()
            return silent_for, companion.state

    silent_for, state = in_virtual_time(work)
    assert silent_for <= 3.1
    assert state.counters["losses"] == 1


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"\x00",
        b"\xff" * 200,
        encode(
            "ROLL_SETTLED", 40000, 0, {"roll": 1, "face": 6, "map_id": 1, "value": 6, "tumbles": 9, "duration": 900}
        ),
        encode("ROLL_SETTLED", 1, 0, {"roll": 1, "face": 6, "map_id": 1, "value": 6, "tumbles": 9, "duration": 900}),
        bytes([0x20, *encode("HEARTBEAT", 3, 0, {"uptime": 1, "heap_free": 1, "waiting": 0, "sweep": 1})[1:]]),
        encode("RESUME", 1, 0, {"boot_id": 1, "last_seq": 1, "companion_id": 1}),
    ],
    ids=["empty", "short", "long", "future", "replayed", "other protocol", "wrong way"],
)
def test_garbage_changes_nothing(packet):
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            companion.output.show(Show({}, D6_MAP, MAPS))
            await companion.until_connected()
            table.place_tag(RED_TAXI, 1)
            await asyncio.sleep(2)
            before = len(companion.desk.taken)
            companion.dialogue.feed(packet)
            await asyncio.sleep(2)
            quiet = len(companion.desk.taken)
            table.place_tag(RED_TAXI, 2)
            await asyncio.sleep(2)
            await companion.end()
            return before, quiet, companion

    before, quiet, companion = in_virtual_time(work)
    assert before == quiet
    assert [fact.socket for fact in companion.desk.of(facts.TagAppeared)] == [1, 2]
    counters = companion.state.counters
    assert counters.get("refused", 0) + counters.get("repeats", 0) == 1


def test_bit_flips_never_become_facts():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            await asyncio.sleep(2)
            sound = encode("TAG_APPEARED", 2, 0, {"socket": 3, "uid": bytes.fromhex(RED_TAXI)})
            before = list(companion.desk.taken)
            for bit in range(len(sound) * 8):
                flipped = bytearray(sound)
                flipped[bit // 8] ^= 1 << bit % 8
                companion.dialogue.feed(bytes(flipped))
            for length in range(len(sound)):
                companion.dialogue.feed(sound[:length])
            await asyncio.sleep(2)
            await companion.end()
            return before, companion.desk.taken, companion.state.counters["refused"]

    before, after, refused = in_virtual_time(work)
    assert before == after
    assert refused == 14 * 9


def test_a_burst_with_a_radio_that_runs_out_of_buffers_arrives_whole():
    async def work():
        async with VirtualTable() as table:
            companion = Companion(table)
            await companion.until_connected()
            for turn in range(20):
                table.notify_enomem(3)
                table.place_tag(RED_TAXI, turn % 20)
                await asyncio.sleep(1)
            await asyncio.sleep(5)
            await companion.end()
            return companion.desk

    desk = in_virtual_time(work)
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == list(range(20))
    seqs = [seq for _, seq in numbers(desk.taken)]
    assert seqs == list(range(1, len(seqs) + 1))
