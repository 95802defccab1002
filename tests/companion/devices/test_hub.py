"""Many devices, one companion: nobody is missed, each has its number, and what cannot be done says what to do."""

import asyncio

import pytest
from paper_companion import Companion, in_virtual_time, met
from paper_devices import dice, table_of
from paper_radio import PaperRadio

from companion.devices import facts
from companion.devices.device_state import DeviceError
from companion.devices.table_output import RED, Show

TAXI = "04a1b2c3"


def test_a_changed_device_is_asked_anew_and_never_written_to_blindly():
    """A phone kept the old GATT table after a firmware update."""

    async def work():
        table = table_of(1)
        async with met(table) as companion:
            radio = companion.radio
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


def test_half_an_hour_without_anybody_at_the_pages_drops_nobody():
    async def work():
        table, (die,) = table_of(1), dice(1)
        async with met(table, die) as companion:
            radio = companion.radio
            await asyncio.sleep(1800)
            return companion.link, companion.state(table), companion.state(die), radio

    link, table, die, radio = in_virtual_time(work)
    assert (table, die) == ("connected", "connected")
    assert link.counters.get("losses", 0) == 0
    assert radio.connects == 2


def test_a_forgotten_device_is_left_alone_until_it_is_wanted_again():
    async def work():
        table, (die,) = table_of(1), dice(1)
        async with met(table, die) as companion:
            radio = companion.radio
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
        async with met(one) as companion:
            radio = companion.radio
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
        async with met(table, die) as companion:
            radio = companion.radio
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
        async with met(table) as companion:
            text = await companion.hub.read_log(table.id)
            table.log = ""
            return text, await companion.hub.read_log(table.id)

    text, empty = in_virtual_time(work)
    assert text.startswith("Traceback")
    assert text.endswith("OSError: 5\n")
    assert empty == ""


def test_a_command_whose_answer_is_lost_is_done_once():
    async def work():
        table = table_of(1)
        async with met(table) as companion:
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
