"""What pages say of a device goes with the newest that is known of it: battery, die, safe mode, readers, refusals."""

import asyncio

import pytest
from paper_companion import D6, Companion, in_virtual_time, met
from paper_devices import DIE, PaperDevice
from paper_radio import PaperRadio

from companion.devices.device_state import DeviceError
from companion.devices.known_device import level_of
from companion.devices.table_output import RED, Show
from shared_rules.wire.messages import NO_BATTERY, NOT_NOW, NOT_PAIRED, decode, encode

INVITE, NOBODY = Show({}, 1, (D6,), throw=3), Show({}, None, (D6,), throw=3)
HEALTH = {"reader": 1, "version": 0x92, "state": 0, "polls": 9, "corrupt": 0, "restarts": 0, "crosstalk": 0}


class MovingDevice(PaperDevice):
    """A paper device that also reports that it was invited, and can be in safe mode."""

    mode = 0

    def hello(self):
        message = decode(super().hello())
        return encode("HELLO", message.seq, 0, {**message.fields, "mode": self.mode})

    def _snapshot(self):
        if not self.mode:
            super()._snapshot()

    def _command(self, message):
        answered = message.seq in self.results
        super()._command(message)
        if message.name == "ARM_DIE" and not answered and self.results[message.seq] == 0:
            self.report("DIE_ARMED", {"map_id": message.fields["map_id"]}, message.seq)
            self.die_state = 1
        elif message.name == "DISARM_DIE" and self.results[message.seq] == 0:
            self.die_state = 0


def a_die(name=1, **more):
    return MovingDevice(f"d1ce000000{name:02x}", DIE, **more)


def telemetry(device, percent):
    fields = {"heap_low": 1, "loop_worst": 1, "lost_writes": 0, "faults": 0, "battery": percent, "millivolts": 3900}
    device.say("TELEMETRY", fields)


def kinds(companion):
    return [note.kind for note in companion.hub.notes()]


@pytest.mark.parametrize(
    ("before", "percent", "after"),
    [
        ("low", 20, "low"),
        ("low", 21, "good"),
        ("critical", 8, "critical"),
        ("critical", 9, "low"),
        ("critical", 60, "good"),
        ("good", 16, "good"),
        ("good", 15, "low"),
        ("", 3, "critical"),
        ("", 90, "good"),
    ],
)
def test_a_battery_is_better_when_it_is_clearly_better(before, percent, after):
    assert level_of(percent, before) == after


def test_a_charged_battery_is_no_note_any_more_also_after_a_restart():
    async def work():
        die = a_die()
        async with met(die) as companion:
            radio = companion.radio
            die.report("BATTERY", {"level": 1, "percent": 14, "millivolts": 3500})
            await companion.until(lambda: kinds(companion))
            telemetry(die, 18)
            await asyncio.sleep(1)
            nearly = kinds(companion)
        async with Companion(radio, companion.desk) as later:
            await later.until_connected(die)  # it was charged meanwhile, and never said so by itself
            remembered = kinds(later)
            telemetry(die, 80)
            await later.until(lambda: not kinds(later), 5)
            await later.until(lambda: later.desk.rows[die.id]["battery_level"] == "good", 5)
            die.report("BATTERY", {"level": 2, "percent": 2, "millivolts": 3300})
            await later.until(lambda: kinds(later))
            telemetry(die, NO_BATTERY)
            await later.until(lambda: not kinds(later), 5)
            return nearly, remembered

    assert in_virtual_time(work) == (["battery"], ["battery"])


def test_a_die_whose_invitation_is_taken_back_does_not_ask_for_a_throw():
    async def work():
        die, other = a_die(1), a_die(2)
        async with met(die, other) as companion:
            mine = companion.hub.known[die.id].state
            theirs = companion.hub.known[other.id].state
            companion.hub.output.show(INVITE)
            await companion.until(lambda: mine.die == theirs.die == "invites", 5)
            companion.hub.output.show(NOBODY)
            await companion.until(lambda: mine.die == theirs.die == "at_rest", 5)
            companion.hub.output.show(INVITE)
            await companion.until(lambda: mine.die == theirs.die == "invites", 5)
            die.report("DIE_PLACED", {"face": 4})
            await asyncio.sleep(1)
            placed = mine.die
            other.roll(2, 1, 2)
            companion.hub.output.show(Show({}, None, (D6,), throw=4))
            await companion.until(lambda: mine.die == theirs.die == "at_rest", 5)
            return placed

    assert in_virtual_time(work) == "invites"


def test_an_invitation_that_was_withdrawn_while_the_die_was_away_is_taken_back():
    async def work():
        die = a_die()
        radio = PaperRadio(die)
        async with Companion(radio) as companion:
            companion.hub.output.show(INVITE)
            await companion.until(lambda: die.did("ARM_DIE"))
            radio.out_of_sight.add(die.id)
            radio.drop(die.id)
            companion.hub.output.show(NOBODY)
            await asyncio.sleep(2)
            radio.out_of_sight.clear()
            await companion.until_connected(die)
            await companion.until(lambda: die.did("DISARM_DIE"), 10)
            await companion.until(lambda: companion.hub.known[die.id].state.die == "at_rest", 5)
            await asyncio.sleep(3)
            return die.did("DISARM_DIE")

    assert len(in_virtual_time(work)) == 1


def test_what_an_unpaired_device_would_refuse_is_not_sent():
    async def work():
        die = a_die()
        async with met(die) as companion:
            said = []
            for ask in (lambda: companion.hub.calibrate(die.id, "start"), lambda: companion.hub.restart(die.id)):
                with pytest.raises(DeviceError) as caught:
                    await ask()
                said.append(str(caught.value))
            return said, die.commands, kinds(companion)

    said, commands, notes = in_virtual_time(work)
    assert all("Pair it first." in sentence for sentence in said)
    assert commands == []
    assert notes == []


def test_a_refusal_of_our_own_command_is_no_stranger():
    async def work():
        die = a_die()
        async with met(die) as companion:
            await companion.hub.pair(die.id)
            die.statuses["RESTART"] = NOT_PAIRED
            with pytest.raises(DeviceError):
                await companion.hub.restart(die.id)
            die.report("ACCESS_REFUSED", {"command": 0x2A})
            await asyncio.sleep(1)
            own = kinds(companion)
            await asyncio.sleep(60)
            die.report("ACCESS_REFUSED", {"command": 0x2A})
            await companion.until(lambda: kinds(companion), 5)
            companion.hub.understood(die.id, "access")
            del die.statuses["RESTART"]
            await companion.hub.restart(die.id)  # it did that for us: whom it refuses now is somebody else
            die.report("ACCESS_REFUSED", {"command": 0x2A})
            await companion.until(lambda: kinds(companion), 5)
            return own

    assert in_virtual_time(work) == []


def boots(radio, device, mode):
    device.boot += 1
    device.mode = mode
    radio.drop(device.id)


def test_safe_mode_that_was_asked_for_is_no_failure():
    async def work():
        die = a_die()
        radio = PaperRadio(die)
        async with Companion(radio) as companion:

            async def note_in_safe_mode():
                boots(radio, die, 1)
                await companion.until(lambda: kinds(companion) == ["safe_mode"], 20)
                return companion.hub.notes()[0].sentence

            await companion.until_connected(die)
            await companion.hub.pair(die.id)
            await companion.hub.restart(die.id, safe=True)
            asked = await note_in_safe_mode()
            await companion.hub.restart(die.id)
            boots(radio, die, 0)
            await companion.until(lambda: kinds(companion) == [] and companion.state(die) == "connected", 20)
            return asked, await note_in_safe_mode()

    asked, failed = in_virtual_time(work)
    assert "is in safe mode, as you asked: only its link works. Restart it when you are done" in asked
    assert "again and again" not in asked
    assert "failed again and again" in failed


def test_a_device_in_safe_mode_is_asked_for_nothing_that_it_cannot_do(caplog):
    async def work():
        die, table = a_die(), MovingDevice("000000000001")
        radio = PaperRadio(die, table)
        async with Companion(radio) as companion:
            companion.hub.output.show(Show({2: RED}, 1, (D6,), throw=3))
            await companion.until(lambda: die.did("ARM_DIE") and table.did("SET_LIGHTS"))
            table.say("SOCKET_HEALTH", {"socket": 3, **HEALTH})
            state = companion.hub.known[table.id].state
            await companion.until(lambda: state.sockets)
            served = companion.hub.controllers()
            for device in (die, table):
                device.commands.clear()
                device.statuses = {"ARM_DIE": 1, "SET_LIGHTS": 1, "SET_FACE_MAP": 1, "IDENTIFY": 1}
                boots(radio, device, 1)
            await companion.until(lambda: kinds(companion) == ["safe_mode"] * 2, 20)
            results = len(die.results) + len(table.results)
            companion.hub.output.show(Show({4: RED}, 1, (D6,), throw=4))
            companion.hub.output.flash(RED, 2, [4])
            table.say("SOCKET_HEALTH", {"socket": 3, **HEALTH})
            await asyncio.sleep(3)
            said = []
            for ask in (companion.hub.identify(die.id), companion.hub.sleep(die.id), companion.hub.identify(table.id)):
                with pytest.raises(DeviceError) as caught:
                    await ask
                said.append(str(caught.value))
            sent = len(die.results) + len(table.results) - results
            mine = companion.hub.known[die.id].state
            return said, sent, (mine.die, state.die, state.sockets, state.unheard), served, companion.hub.controllers()

    said, sent, shown, served, blind = in_virtual_time(work)
    assert all("it is in safe mode" in sentence for sentence in said)
    assert sent == 0
    assert shown == ("", "", [], 0)
    assert (served, blind) == ({0: True}, {0: False})
    assert "refused an invitation" not in caplog.text


def test_readers_that_have_not_told_how_they_are_are_counted():
    async def work():
        table = MovingDevice("000000000001")
        async with met(table) as companion:
            radio = companion.radio
            state = companion.hub.known[table.id].state
            counts = [state.unheard]
            for socket in range(32):
                table.say("SOCKET_HEALTH", {"socket": socket, **HEALTH})
            await asyncio.sleep(1)
            counts.append(state.unheard)
            boots(radio, table, 0)
            await asyncio.sleep(1)
            await companion.until_connected(table)
            return [*counts, state.unheard]

    assert in_virtual_time(work) == [32, 0, 32]


def test_noise_alone_is_no_sign_of_life():
    async def work():
        table = MovingDevice("000000000001")
        async with met(table) as companion:
            speak = table.speak
            table.silent = True
            noise = asyncio.create_task(_noise(speak))
            await companion.until(lambda: companion.state(table) == "lost", 15)
            noise.cancel()
            return companion.hub.known[table.id].state

    state = in_virtual_time(work)
    assert state.counters["silences"] == 1
    assert state.counters["refused"] > 10


async def _noise(speak):
    while True:
        await asyncio.sleep(0.2)
        speak(b"\x10\x01\x00\x00\x00\x00\x00\x00\x99")


def test_a_slow_disk_is_no_silence():
    async def work():
        table = MovingDevice("000000000001")
        async with met(table) as companion:
            take = companion.desk.take

            async def slowly(fact):
                await asyncio.sleep(20)
                await take(fact)

            companion.desk.take = slowly
            table.place("04a1b2c3", 3)
            await asyncio.sleep(30)
            return companion.hub.known[table.id].state.counters, len(companion.desk.taken)

    counters, taken = in_virtual_time(work)
    assert counters.get("silences", 0) == 0
    assert taken == 1


def test_a_stop_without_a_calibration_says_that_nothing_has_changed():
    async def work():
        die = a_die()
        async with met(die) as companion:
            await companion.hub.pair(die.id)
            state = companion.hub.known[die.id].state
            await companion.hub.calibrate(die.id, "stop")
            said = [state.calibration]
            await companion.hub.calibrate(die.id, "start")
            await companion.hub.calibrate(die.id, "stop")
            die.report("DIE_CALIBRATED", {"result": 0, "residual": 0, "faces": 3})
            await asyncio.sleep(1)
            said.append(state.calibration)
            await companion.hub.calibrate(die.id, "stop")
            return [*said, state.calibration]

    none, stopped, again = in_virtual_time(work)
    assert none == again == "No calibration was running. Nothing has changed."
    assert "Nothing of it counts" in stopped


class InvitedDie(MovingDevice):
    """Calibrates only while nobody waits for its throw, and takes no invitation meanwhile, as the firmware has it."""

    calibrates = False

    def _command(self, message):
        if message.name == "CALIBRATE_DIE":
            start = message.fields["action"] == 1
            self.statuses["CALIBRATE_DIE"] = NOT_NOW if start and self.die_state == 1 else 0
            self.statuses["ARM_DIE"] = NOT_NOW if start else 0
            self.calibrates = start
        if message.name == "ARM_DIE" and self.calibrates:
            self.bothered = True
        super()._command(message)

    bothered = False


def test_a_die_that_is_invited_is_calibrated_and_then_invited_again():
    async def work():
        die = InvitedDie("d1ce00000001", DIE)
        radio = PaperRadio(die)
        async with Companion(radio) as companion:
            companion.hub.output.show(INVITE)
            await companion.until_connected(die)
            await companion.hub.pair(die.id)
            state = companion.hub.known[die.id].state
            await companion.until(lambda: state.die == "invites")
            await companion.hub.calibrate(die.id, "start")
            meanwhile = state.die
            await companion.reconnected(die)
            await asyncio.sleep(5)
            bothered, invitations = die.bothered, len(die.did("ARM_DIE"))
            die.calibrates, die.statuses["ARM_DIE"] = False, 0
            die.report("DIE_CALIBRATED", {"result": 1, "residual": 4, "faces": 0xFFF})
            await companion.until(lambda: state.die == "invites", 5)
            die.statuses["DISARM_DIE"] = NOT_NOW
            with pytest.raises(DeviceError) as caught:
                await companion.hub.calibrate(die.id, "start")
            return meanwhile, bothered, len(die.did("ARM_DIE")) - invitations, str(caught.value)

    meanwhile, bothered, again, rolling = in_virtual_time(work)
    assert (meanwhile, bothered) == ("at_rest", False)
    assert again >= 1
    assert "rolling" in rolling
