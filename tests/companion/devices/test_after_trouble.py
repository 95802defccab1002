"""What stays right when something was given up, failed or fell silent: forgotten devices, safe mode, readers that are
missing after a restart, names that changed, a calibration on its way, refusals that come too late."""

import asyncio

import pytest
from paper_companion import Companion, in_virtual_time, met
from paper_devices import DIE, PaperDevice
from paper_radio import PaperRadio

from companion.devices.device_state import DeviceError
from companion.web.screens.device_words import cards
from companion.web.texts import Texts
from shared_rules.wire.messages import NOT_NOW, decode, encode

HEALTH = {"reader": 1, "version": 0x92, "state": 0, "polls": 9, "corrupt": 0, "restarts": 0, "crosstalk": 0}
NO_READER = {**HEALTH, "reader": 0, "version": 0, "state": 2, "polls": 0}
MINE, TABLE = "d1ce00000001", "000000000001"


class SafeDevice(PaperDevice):
    """One that may be in safe mode; RESTART with mode 0 ends that."""

    mode = 0

    def hello(self):
        message = decode(super().hello())
        return encode("HELLO", message.seq, 0, {**message.fields, "mode": self.mode})

    def _snapshot(self):
        if not self.mode:
            super()._snapshot()


def words(companion):
    return cards(companion.hub.devices(), companion.hub.notes(), Texts("en"))


@pytest.mark.parametrize("how", ["there", "there, and takes no other key", "away", "set up anew meanwhile"])
def test_a_paired_device_that_was_forgotten_can_be_used_again(how):
    async def work():
        die = PaperDevice(MINE, DIE)
        radio = PaperRadio(die)
        async with Companion(radio) as companion:
            await companion.until_connected(die)
            await companion.hub.pair(MINE)
            if how == "there, and takes no other key":
                die.statuses["UNPAIR"] = NOT_NOW
            elif how != "there":
                radio.out_of_sight.add(MINE)
                radio.drop(MINE)
                await companion.until(lambda: companion.state(die) == "lost")
            await companion.hub.forget(MINE)
            has_key = bool(die.key)
            radio.out_of_sight.clear()
        if how == "set up anew meanwhile":
            die.key = b""
        async with Companion(radio, companion.desk) as later:
            await later.hub.remember(MINE)
            await later.until_connected(die)
            return has_key, later.hub.devices()[0].paired, companion.desk.rows[MINE]["key"], die.key.hex()

    has_key, paired, kept, its_own = in_virtual_time(work)
    assert has_key == (how != "there")  # one that is there is unpaired, and free for any other companion
    assert paired == (how in ("away", "there, and takes no other key"))
    assert kept == its_own


def test_safe_mode_is_said_everywhere_and_ends_without_pairing():
    async def work():
        table = SafeDevice(TABLE)
        table.mode = 1
        async with met(table) as companion:
            (card,) = words(companion)
            link, (note,) = companion.link.state, companion.hub.notes()
            await companion.hub.restart(TABLE)
            modes = table.did("RESTART")
            table.mode, table.boot = 0, 78
            await companion.reconnected(table)
            with pytest.raises(DeviceError):
                await companion.hub.restart(TABLE)  # now it has something to lose
            return card, link, note, modes, companion.link.state, words(companion)[0]

    card, link, note, modes, after, well = in_virtual_time(work)
    assert (link, after) == ("safe", "connected")
    assert (card.badge, str(card.state_words)) == ("off", "in safe mode")
    assert (well.badge, str(well.state_words)) == ("on", "connected by air")
    assert "only its link works" in note.sentence
    assert "off and on" in note.sentence
    assert modes == [{"mode": 0}]


@pytest.mark.parametrize("companion_too", [False, True])
def test_a_reader_that_is_not_found_after_a_restart_counts_as_silent(companion_too):
    async def work():
        table = PaperDevice(TABLE)
        radio = PaperRadio(table)

        async def later(companion):
            for socket, row in enumerate((HEALTH, HEALTH, NO_READER, NO_READER)):
                table.say("SOCKET_HEALTH", {**row, "socket": socket})
            await companion.until(lambda: len(companion.hub.devices()[0].sockets) == 4)
            (missing,) = words(companion)
            table.say("SOCKET_HEALTH", {**HEALTH, "socket": 2})
            await companion.until(lambda: companion.hub.devices()[0].sockets[2].state == "ok")
            return missing, words(companion)[0]

        async with Companion(radio) as companion:
            await companion.until_connected(table)
            for socket in range(3):
                table.say("SOCKET_HEALTH", {**HEALTH, "socket": socket})
            table.say("SOCKET_HEALTH", {**NO_READER, "socket": 3})  # never had one
            await companion.until(lambda: len(companion.hub.devices()[0].sockets) == 4)
            table.boot = 78
            if not companion_too:
                await companion.reconnected(table)
                return await later(companion)
            await asyncio.sleep(1)
        async with Companion(radio, companion.desk) as second:
            await second.until_connected(table)
            return await later(second)

    missing, back = in_virtual_time(work)
    assert [cell.state for cell in missing.sockets] == ["ok", "ok", "mute", "none"]
    assert "2 of 3 well" in missing.readers_words
    assert any("Reader 2 is silent" in sentence for _, sentence, _ in missing.notes)
    assert "3 of 3 well" in back.readers_words
    assert not any("silent" in sentence for _, sentence, _ in back.notes)


def test_a_device_that_was_renamed_goes_away_by_its_new_name():
    async def work():
        table = PaperDevice(TABLE)
        async with met(table) as companion:
            await companion.hub.rename(TABLE, "Oak table")
            companion.radio.out_of_sight.add(TABLE)
            companion.radio.drop(TABLE)
            await companion.until(lambda: companion.state(table) == "lost")
            return companion.hub.devices()[0].error

    assert in_virtual_time(work).startswith("Oak table went away")


def test_a_calibration_says_how_far_it_is_and_where_the_die_lies():
    async def work():
        die = PaperDevice(MINE, DIE)
        async with met(die) as companion:
            await companion.hub.pair(MINE)
            await companion.hub.calibrate(MINE, "start")
            state = companion.hub.known[MINE].state
            said = [state.calibration]
            for face, faces in ((1, 0b1), (12, 0b1000_0000_0001), (5, 0xFFF)):
                die.report("FACE_MEASURED", {"face": face, "faces": faces})
                await companion.until(lambda: state.die_face == face)  # noqa: B023 - awaited at once
                said.append(state.calibration)
            snapshots = len(companion.desk.snapshots)
            die.report("DIE_CALIBRATED", {"result": 1, "residual": 4, "faces": 0xFFF})
            await companion.until(lambda: len(companion.desk.snapshots) > snapshots, 5)
            return said, state.calibration

    said, done = in_virtual_time(work)
    assert said[0].startswith("0 of 12")
    assert said[1:] == [
        "1 of 12 faces are done. Still missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.",
        "2 of 12 faces are done. Still missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.",
        "12 of 12 faces are done.",
    ]
    assert done.startswith("Calibrated")


def test_the_least_memory_is_never_more_than_what_is_free_now():
    async def work():
        table = PaperDevice(TABLE)
        low = {"loop_worst": 1, "lost_writes": 0, "faults": 0, "battery": 255, "millivolts": 0}
        async with met(table) as companion:
            state = companion.hub.devices()[0]
            seen = []
            for name, fields in (
                ("TELEMETRY", {**low, "heap_low": 50_000}),
                ("HEARTBEAT", {"uptime": 9, "heap_free": 49_000, "waiting": 0, "sweep": 400}),
                ("TELEMETRY", {**low, "heap_low": 49_500}),
            ):
                table.silent = False
                table.say(name, fields)
                table.silent = True  # its own beats say other figures
                await asyncio.sleep(0.1)
                seen.append((state.heap_low, state.heap_free))
            return seen

    assert all(low <= free for low, free in in_virtual_time(work)[1:])


def test_a_refusal_that_comes_after_the_resume_was_given_up_disturbs_nobody():
    async def work():
        complaints = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context["message"]))
        table = PaperDevice(TABLE)
        table.deaf = True
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            for _ in range(200):
                await asyncio.sleep(0.1)
                if (known := companion.hub.known.get(TABLE)) and known.dialogue is not None:
                    dialogue = known.dialogue
                    break
            await asyncio.sleep(3.2)  # its RESUME has timed out by now
            dialogue._give_up(ConnectionError("late"))
            del dialogue, known
            await asyncio.sleep(1)
        import gc

        gc.collect()
        return complaints

    assert in_virtual_time(work) == []
