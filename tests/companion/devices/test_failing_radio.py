"""A radio that fails in every way: nothing leaks, nothing overlaps, what is lost is noticed and comes back."""

import asyncio
import logging

import pytest
from bleak.exc import BleakDBusError, BleakError
from paper_companion import D6, Companion, in_virtual_time, met
from paper_devices import dice, table_of
from paper_radio import PaperRadio

from companion.devices import facts
from companion.devices.table_output import DARK, RED, FaceTable, Show

TAXI = "04a1b2c3"


def test_never_two_searches_nor_a_search_and_a_connect_at_once():
    async def work():
        devices = [table_of(1), table_of(2), *dice(1, 2, 3)]
        async with met(*devices) as companion:
            radio = companion.radio
            for turn in range(30):
                radio.drop(devices[turn % 5].id)
                radio.drop(devices[(turn + 2) % 5].id)
                await asyncio.sleep(0.05)
                await companion.until_connected(*devices)
        return radio

    radio = in_virtual_time(work)
    assert radio.connects >= 65
    assert radio.overlaps == []
    assert radio.open_handles == 0


def failing(step, error, hang=False):
    def fail(at, device):
        if at == step:
            raise error

    return fail


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("open", BleakError("no slot")),
        ("services", BleakError("le-connection-abort-by-local")),
        ("services", BrokenPipeError()),
        ("services", EOFError()),
        ("services", KeyError("org.bluez.GattService1")),
        ("notify", BleakError("Not Permitted")),
        ("write", BleakError("disconnected before the answer came")),
    ],
)
def test_five_hundred_failed_connects_leave_nothing_open(step, error):
    """Connection slots leaked until nothing connected any more."""

    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        radio.fail = failing(step, error)
        async with Companion(radio) as companion:
            await companion.until(lambda: radio.connects >= 500, seconds=9000)
            radio.fail = lambda at, device: None
            await companion.until_connected(table)
            handles = radio.open_handles
        return handles, radio

    handles, radio = in_virtual_time(work)
    assert handles == 1
    assert radio.open_handles == 0
    assert radio.handlers == {}


def test_a_connect_that_hangs_holds_up_nobody_for_long():
    async def work():
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        radio.hang.add(die.id)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            await companion.until(lambda: radio.connects >= 4, seconds=300)
            radio.drop(table.id)
            since = asyncio.get_running_loop().time()
            await companion.until_connected(table)
            took = asyncio.get_running_loop().time() - since
            radio.hang.clear()
            await companion.until_connected(die)
        return took, radio

    took, radio = in_virtual_time(work)
    assert took <= 14
    assert radio.open_handles == 0


def test_a_connect_that_is_aborted_once_is_one_line(caplog):
    """BlueZ: le-connection-abort-by-local."""

    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        errors = [BleakDBusError("org.bluez.Error.Failed", ["le-connection-abort-by-local"])]

        def once(step, device):
            if step == "open" and errors:
                raise errors.pop()

        radio.fail = once
        async with Companion(radio) as companion:
            await companion.until_connected(table)
        return radio

    with caplog.at_level(logging.INFO):
        radio = in_virtual_time(work)
    assert radio.connects == 2
    assert len([row for row in caplog.records if row.name.startswith("companion.")]) <= 1


def test_after_a_reconnect_there_is_one_handler_and_closing_a_dead_link_is_no_error():
    """BlueZ remembers notifications, and to stop one on a dead link is an error."""

    async def work():
        table = table_of(1)
        async with met(table) as companion:
            radio = companion.radio
            for turn in range(5):
                await companion.reconnected(table)
                assert radio.handlers == {table.id: 1}
                table.place(TAXI, turn)
                await asyncio.sleep(1)
        return companion.desk, radio

    desk, radio = in_virtual_time(work)
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == [0, 1, 2, 3, 4]
    assert radio.open_handles == 0


def test_the_same_advertisement_fifty_times_is_one_device():
    """A repeated beacon fired the last press again."""

    async def work():
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        radio.advertised = 50
        async with Companion(radio) as companion:
            await companion.until_connected(table, die)
            table.place(TAXI, 4)
            await asyncio.sleep(30)
            return len(companion.hub.devices()), radio.connects, companion.desk.of(facts.TagAppeared)

    devices, connects, appeared = in_virtual_time(work)
    assert (devices, connects, len(appeared)) == (2, 2, 1)


@pytest.mark.parametrize("when", range(12))
def test_the_link_may_break_at_every_write_of_a_set_up(when):
    """An app hung when the die died during an upload: each write is cut once, and all is told again."""
    maps = tuple(FaceTable(n, 0, D6.values) for n in (1, 2, 3, 4))
    wanted = Show(dict.fromkeys(range(40), RED), 2, maps)

    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        writes = []

        def cut(step, device):
            if step == "write":
                writes.append(1)
                if len(writes) == when + 1:
                    table.commands.clear()
                    radio.drop(table.id)

        radio.fail = cut
        async with Companion(radio) as companion:
            companion.hub.output.show(wanted)
            await asyncio.sleep(6)
            await companion.until_connected(table)
            await asyncio.sleep(2)
            radio.fail = lambda step, device: None
        return table

    table = in_virtual_time(work)
    assert sorted({fields["map_id"] for fields in table.did("SET_FACE_MAP")}) == [1, 2, 3, 4]
    assert table.did("ARM_DIE")[-1]["map_id"] == 2
    shining = {}
    for fields in table.did("SET_LIGHTS"):
        shining.update(dict.fromkeys(fields["leds"], fields["look"]))
    assert sorted(led for led, look in shining.items() if look != DARK) == list(range(40))


def test_losses_are_noticed_at_once_and_silence_within_three_seconds():
    async def work():
        loop = asyncio.get_running_loop()
        table = table_of(1)
        radio = PaperRadio(table)
        noticed, back = [], []
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            for _ in range(100):
                since = loop.time()
                radio.drop(table.id)
                await companion.until(lambda: companion.state(table) == "lost")
                noticed.append(loop.time() - since)
                await companion.until_connected(table)
                back.append(loop.time() - since - noticed[-1])
            await asyncio.sleep(2)
            table.silent = True
            since = loop.time()
            await companion.until(lambda: companion.state(table) == "lost")
            silence = loop.time() - since
        return noticed, sorted(back), silence

    noticed, back, silence = in_virtual_time(work)
    assert max(noticed) <= 0.5
    assert back[94] <= 3
    assert silence <= 3.1


def test_without_a_radio_there_is_one_sentence_and_it_is_tried_again():
    async def work():
        table = table_of(1)
        radio = PaperRadio(table)

        def off(step, device):
            if step == "scan":
                raise FileNotFoundError(2, "no D-Bus")

        radio.fail = off
        async with Companion(radio) as companion:
            await asyncio.sleep(30)
            said = companion.link.error, companion.link.state
            radio.fail = lambda step, device: None
            await companion.until_connected(table)
            return said, companion.link.error

    (error, state), later = in_virtual_time(work)
    assert "service does not run" in error
    assert state == "searching"
    assert later == ""


def test_nobody_in_sight_is_said_after_a_whole_search():
    async def work():
        async with Companion(PaperRadio()) as companion:
            await asyncio.sleep(10)
            return companion.link.state, companion.link.error

    assert in_virtual_time(work) == ("searching", "No table is in sight. Is it switched on and near?")


def test_a_device_that_leaves_while_it_is_being_reached_is_met_later():
    """A disconnect came before the connect was told of, and its state was never reset."""

    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        at = []

        def leaves(step, device):
            at.append(step)
            if step in ("notify", "write") and len(at) < 20 and device.id in radio.clients:
                radio.drop(device.id)

        radio.fail = leaves
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            table.place(TAXI, 3)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            return radio.open_handles, dict(radio.handlers)

    handles, handlers = in_virtual_time(work)
    assert handles == 1
    assert handlers == {"000000000001": 1}
