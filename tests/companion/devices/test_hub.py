"""Many devices, one companion, on a radio that fails in every way: nobody is missed, nothing leaks, nothing counts
twice."""

import asyncio
import logging

import pytest
from bleak.exc import BleakDBusError, BleakError
from paper_devices import DIE, Companion, PaperDevice, PaperRadio, in_virtual_time

from companion.devices import facts
from companion.devices.device_state import DeviceError
from companion.devices.table_output import RED, FaceTable, Show

TAXI = "04a1b2c3"
D6 = FaceTable(1, 0, (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6))


def table_of(number):
    return PaperDevice(f"0000000000{number:02x}")


def dice(*names):
    return [PaperDevice(f"d1ce000000{name:02x}", DIE) for name in names]


def test_never_two_searches_nor_a_search_and_a_connect_at_once():
    async def work():
        devices = [table_of(1), table_of(2), *dice(1, 2, 3)]
        radio = PaperRadio(*devices)
        async with Companion(radio) as companion:
            await companion.until_connected(*devices)
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
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            for turn in range(5):
                radio.drop(table.id)
                await asyncio.sleep(0.05)
                await companion.until_connected(table)
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


def test_a_changed_device_is_asked_anew_and_never_written_to_blindly():
    """A phone kept the old GATT table after a firmware update."""

    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            before = len(table.commands), table.resumes
            radio.moved = True
            radio.drop(table.id)
            await companion.until(lambda: companion.state(table) == "refused")
            sentence = companion.hub.devices()[0].error
            after = len(table.commands), table.resumes
            radio.moved = False
            await companion.until_connected(table)
            return before, after, sentence

    before, after, sentence = in_virtual_time(work)
    assert before == after
    assert "another version of the protocol" in sentence
    assert "Update" in sentence


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
        return table

    table = in_virtual_time(work)
    assert sorted({fields["map_id"] for fields in table.did("SET_FACE_MAP")}) == [1, 2, 3, 4]
    assert table.did("ARM_DIE")[-1]["map_id"] == 2
    assert sorted(led for fields in table.did("SET_LIGHTS") for led in fields["leds"])[-1] == 39


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


def test_half_an_hour_without_anybody_at_the_pages_drops_nobody():
    async def work():
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        async with Companion(radio) as companion:
            await companion.until_connected(table, die)
            await asyncio.sleep(1800)
            return companion.link, companion.state(table), companion.state(die), radio

    link, table, die, radio = in_virtual_time(work)
    assert (table, die) == ("connected", "connected")
    assert link.counters.get("losses", 0) == 0
    assert radio.connects == 2


def test_a_forgotten_device_is_left_alone_until_it_is_wanted_again():
    async def work():
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        async with Companion(radio) as companion:
            await companion.until_connected(table, die)
            await companion.hub.forget(die.id)
            assert companion.state(die) != "connected"
            await asyncio.sleep(60)
            listed = [state.id for state in companion.hub.devices()]
            connects = radio.connects
        async with Companion(radio, companion.desk) as later:
            await later.until_connected(table)
            await asyncio.sleep(30)
            still = [state.id for state in later.hub.forgotten()]
            await later.hub.remember(die.id)
            await later.until_connected(die)
            return listed, connects, still, radio

    listed, connects, still, radio = in_virtual_time(work)
    assert listed == ["000000000001"]
    assert connects == 2
    assert still == ["d1ce00000001"]
    assert radio.open_handles == 0


def test_controllers_are_numbered_as_they_are_met_and_can_change_places():
    async def work():
        one, two = table_of(1), table_of(2)
        radio = PaperRadio(one)
        async with Companion(radio) as companion:
            told = []
            companion.hub.on_controllers = lambda: told.append(companion.hub.controllers())
            await companion.until_connected(one)
            radio.devices[two.id] = two
            await companion.until_connected(two)
            one.place(TAXI, 5)
            await asyncio.sleep(1)
            two.place("04d4e5f6", 5)
            await asyncio.sleep(1)
            companion.hub.output.show(Show({3: RED, 67: RED}))
            await asyncio.sleep(1)
            lit = [device.did("SET_LIGHTS")[-1]["leds"] for device in (one, two)]
            await companion.hub.set_number(two.id, 0)
            await asyncio.sleep(1)
            swapped = {state.id: state.number for state in companion.hub.devices()}
            snapshots = companion.desk.snapshots[-2:]
            with pytest.raises(DeviceError):
                await companion.hub.set_number(two.id, 99)
            radio.drop(two.id)
            await asyncio.sleep(0.1)
            return told, companion.desk, lit, swapped, snapshots, companion.hub.controllers()

    told, desk, lit, swapped, snapshots, at_last = in_virtual_time(work)
    assert {0: True, 1: True} in told
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == [5, 37]
    assert lit == [[3], [3]]
    assert swapped == {"000000000001": 1, "000000000002": 0}
    assert {(snapshot.covers.start, *snapshot.tags.values()) for snapshot in snapshots} == {(0, 5), (32, 37)}
    assert at_last == {0: False, 1: True}


def test_what_a_new_controller_reports_at_once_has_its_own_numbers():
    """Events and snapshot come right behind its first answer, before its number is on disk."""

    async def work():
        one, two = table_of(1), table_of(2)
        two.place(TAXI, 4)
        radio = PaperRadio(one)
        async with Companion(radio) as companion:
            await companion.until_connected(one)
            save = companion.desk.save

            async def slow(row):
                await asyncio.sleep(1)
                await save(row)

            companion.hub.registry.save = slow
            radio.devices[two.id] = two
            await companion.until_connected(two)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            await asyncio.sleep(1)
            (appeared,) = companion.desk.of(facts.TagAppeared)
            return appeared.socket, [(shot.device_id, shot.covers.start) for shot in companion.desk.snapshots]

    socket, snapshots = in_virtual_time(work)
    assert socket == 36
    assert snapshots == [("000000000001", 0), ("000000000002", 32)]


def test_a_device_that_is_refused_says_what_to_do():
    async def work():
        table, (die,) = table_of(1), dice(1)
        radio = PaperRadio(table, die)
        async with Companion(radio) as companion:
            await companion.until_connected(table, die)
            said = []
            for work in (
                lambda: companion.hub.calibrate(table.id, "start"),
                lambda: companion.hub.calibrate(die.id, "dance"),
                lambda: companion.hub.sleep(table.id),
                lambda: companion.hub.identify("ffffffffffff"),
                lambda: companion.hub.rename(die.id, "  "),
                lambda: companion.hub.set_number(die.id, 0),
                lambda: companion.hub.unpair(die.id),
            ):
                with pytest.raises(DeviceError) as caught:
                    await work()
                said.append(str(caught.value))
            die.statuses = {"IDENTIFY": 3, "RESTART": 1}
            for work in (lambda: companion.hub.identify(die.id), lambda: companion.hub.restart(die.id)):
                with pytest.raises(DeviceError) as caught:
                    await work()
                said.append(str(caught.value))
            radio.out_of_sight.add(die.id)
            radio.drop(die.id)
            await asyncio.sleep(1)
            with pytest.raises(DeviceError) as caught:
                await companion.hub.identify(die.id)
            said.append(str(caught.value))
            await companion.hub.rename(die.id, "  Grandma’s \t die ")
            return said, companion.hub.devices()[1].name

    said, name = in_virtual_time(work)
    assert len(set(said)) == len(said)
    assert all(sentence.endswith(".") for sentence in said)
    assert name == "Grandma’s die"


def test_the_log_of_a_fault_comes_whole():
    async def work():
        table = table_of(1)
        table.log = "Traceback (most recent call last):\n" + "  File reader_bank.py\n" * 30 + "OSError: 5\n"
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            text = await companion.hub.read_log(table.id)
            table.log = ""
            return text, await companion.hub.read_log(table.id)

    text, empty = in_virtual_time(work)
    assert text.startswith("Traceback")
    assert text.endswith("OSError: 5\n")
    assert empty == ""


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


def test_a_command_whose_answer_is_lost_is_done_once():
    async def work():
        table = table_of(1)
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            table.lost_results = 1
            await companion.hub.identify(table.id)
            table.deaf = True
            with pytest.raises(DeviceError) as caught:
                await companion.hub.identify(table.id)
            table.deaf = False
            await companion.hub.identify(table.id)
            return table.did("IDENTIFY"), str(caught.value), table.numbers

    done, said, numbers_used = in_virtual_time(work)
    assert len(done) == 2
    assert "does not answer" in said
    assert len(set(numbers_used)) == len(numbers_used)


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


def test_a_new_device_of_another_protocol_is_listed_with_what_to_do():
    async def work():
        table = table_of(7)
        radio = PaperRadio(table)
        radio.moved = True
        async with Companion(radio) as companion:
            await companion.until(lambda: companion.hub.devices())
            nameless = companion.hub.devices()[0].name, companion.link.error
            radio.moved = False
            await companion.until_connected(table)
            return nameless, companion.hub.devices()[0].name

    (name, error), later = in_virtual_time(work)
    assert name == "Device 0007"
    assert "Update its firmware" in error
    assert later == "Table 0007"
