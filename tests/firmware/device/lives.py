"""Lives of a device, one after the other, on the flash in the folder of the question: how each starts and ends."""

import asyncio
import builtins
import os
import time

import esp32
import machine
from answer import answer, question

from firmware.device_link import device as device_module
from firmware.supervision.crash_record import CrashRecord
from firmware.supervision.telemetry import Telemetry
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import HANDHELD_DIE, SLEEP_IDLE, TABLE_CONTROLLER, decode, encode

time.drive_asyncio()
home = question()
results = {}
CONN = 3
KEY = bytes(range(16))


class EndError(BaseException):
    """Somebody pulls the plug."""


class Life:
    """One start of a device whose application does what `build` says, until something ends it."""

    def __init__(self, cause, build=None, kind=TABLE_CONTROLLER, alive=None):
        machine.cause = cause
        self.built = False
        self.device = None
        self._build = build
        self._alive = alive
        asyncio.new_event_loop()
        try:
            device_module.start(self.build, kind, "Cabstand", sockets=2)
            self.end = "over"
        except machine.ResetError:
            self.end = "reset"
        except machine.SleepError:
            self.end = "asleep"
        except EndError:
            self.end = "unplugged"

    def build(self, device):
        self.built = True
        self.device = device
        device.snapshot = lambda: [("SNAPSHOT_BEGIN", {"tags": 0, "troubles": 0})]
        return self._build(device), self._alive


def later(ms, what, error=None):
    async def work():
        await asyncio.sleep_ms(ms)
        if error is not None:
            raise error
        what()

    return work()


def unplug():
    raise EndError


def lasting(ms):
    """An application that works well until the plug is pulled."""
    return lambda device: (later(ms, unplug),)


def failing(ms, error):
    return lambda device: (lasting_for_ever(), later(ms, None, error))


async def lasting_for_ever():
    while True:
        await asyncio.sleep_ms(100)


def write(device, name, seq=0, ref=0, fields=None):
    ble = device._ble
    ble.values[ble.buffer[0]] = encode(name, seq, ref, fields)
    ble.handler(3, (CONN, ble.buffer[0]))


def sent(device):
    """Names of what was notified since the last call; of events with their numbers, of results with their status."""
    told = []
    for _conn, _handle, packet in device._ble.sent:
        message = decode(packet, TO_COMPANION)
        if message.name == "RESULT":
            told.append(f"RESULT {message.fields['status']}")
        elif message.is_event:
            told.append(f"{message.name} {message.seq}")
        elif message.name == "LOG_TEXT":
            told.append(message.fields["text"])
        else:
            told.append(message.name)
    device._ble.sent = []
    return told


def resume(device, boot=0, last=0):
    device._ble.handler(1, (CONN, 0, b""))
    write(device, "RESUME", 0, 0, {"boot_id": boot, "last_seq": last, "companion_id": 9})


def hello(device):
    return decode(device._ble.values[device._air._info], TO_COMPANION).fields


def about(life):
    device = life.device
    return [life.end, device.reset_cause, device.boot_id, device.outbox.waiting, device.mode, device.dim]


def fresh(name):
    os.chdir(home)
    os.mkdir(name)
    os.chdir(name)


def some_events(device):
    for socket in range(3):
        device.report("SEVERAL_RESOLVED", {"socket": socket})
    device.outbox.acknowledge(1)


def a_task_fails():
    fresh("fails")

    def build(device):
        some_events(device)
        return failing(50, ValueError("of a kind"))(device)

    first = Life(machine.PWRON_RESET, build)
    files = sorted(os.listdir())
    last = []

    def look(device):
        last.append([device.outbox.oldest, decode(device.outbox.packet(device.outbox.newest), TO_COMPANION)])
        return lasting(50)(device)

    second = Life(machine.HARD_RESET, look)
    third = Life(machine.HARD_RESET, lasting(50))
    oldest, message = last[0]
    log = CrashRecord().text().decode()
    telemetry = second.device.telemetry()
    return [
        about(first),
        files,
        about(second),
        [oldest, message.seq, message.name, message.fields["task"], message.fields["error"]],
        about(third),
        ["task 1 after 0 s" in log, "ValueError: of a kind" in log],
        telemetry["faults"],
    ]


def nobody_waits_for_it():
    fresh("orphan")

    def build(device):
        async def begin():
            asyncio.create_task(later(20, None, KeyError("orphan")))
            await lasting_for_ever()

        return (begin(),)

    first = Life(machine.PWRON_RESET, build)
    second = Life(machine.HARD_RESET, lasting(20))
    message = decode(second.device.outbox.packet(1), TO_COMPANION)
    return [first.end, message.name, message.fields["task"], message.fields["error"]]


def flash_is_full():
    fresh("full")
    real = builtins.open

    def refuse(name, mode="r"):
        if "w" in mode:
            raise OSError(28)
        return real(name, mode)

    def build(device):
        builtins.open = refuse
        return failing(20, ValueError("when full"))(device)

    try:
        first = Life(machine.PWRON_RESET, build)
        paired = first.device.pairing.pair(KEY)
    finally:
        builtins.open = real
    second = Life(machine.HARD_RESET, lasting(20))
    return [first.end, paired, second.device.boot_id != first.device.boot_id, second.device.outbox.waiting]


def a_kept_outbox_cannot_be_emptied():
    """Numbers that were given must never be given again, so such events are given up."""
    fresh("stuck")

    def build(device):
        some_events(device)
        return failing(20, ValueError("x"))(device)

    first = Life(machine.PWRON_RESET, build)
    real = builtins.open

    def refuse(name, mode="r"):
        if "w" in mode:
            raise OSError(28)
        return real(name, mode)

    builtins.open = refuse
    try:
        second = Life(machine.HARD_RESET, lasting(20))
    finally:
        builtins.open = real
    return [second.device.boot_id != first.device.boot_id, second.device.outbox.waiting]


def fails_before_its_tasks_run():
    """The radio does not take the services, three times: no prompt, but a fault and in the end safe mode."""
    fresh("services")
    real = device_module.BlePeripheral.start
    ends = []

    def refuse(self, info):
        raise OSError(12)

    device_module.BlePeripheral.start = refuse
    try:
        for _ in range(4):
            life = Life(machine.HARD_RESET, lasting(20))
            ends.append([life.end, life.device.mode if life.device else "safe"])
    finally:
        device_module.BlePeripheral.start = real
    return [ends, "OSError" in CrashRecord().text().decode()]


def no_memory_for_records():
    """Whatever a step of the fault's handling throws, the device starts anew."""
    fresh("memory")
    real = builtins.open

    def refuse(name, mode="r"):
        if "w" in mode:
            raise MemoryError
        return real(name, mode)

    def build(device):
        builtins.open = refuse
        return failing(20, ValueError("without memory"))(device)

    try:
        return Life(machine.PWRON_RESET, build).end
    finally:
        builtins.open = real


def safe_mode():
    fresh("safe")

    def broken(device):
        raise ImportError("no module of that name")

    told = []
    for _ in range(3):
        life = Life(machine.PWRON_RESET if not told else machine.HARD_RESET, broken)
        told.append([life.end, life.device.mode])
    asked = []

    class Safe(Life):
        """Nothing is built in safe mode, so somebody from outside talks to it."""

        def __init__(self):
            real = device_module.Device.run

            async def run(device, tasks=(), is_alive=None):
                self.device = device

                async def talk():
                    resume(device)
                    await asyncio.sleep_ms(100)
                    asked.append(sent(device))
                    write(device, "READ_LOG", 1, fields={"offset": 0})
                    await asyncio.sleep_ms(100)
                    asked.append("".join(sent(device)[1:]))
                    write(device, "PAIR", 2, fields={"key": KEY})
                    write(device, "IDENTIFY", 3, fields={"seconds": 1})
                    write(device, "RESTART", 4, fields={"mode": 0})
                    write(device, "ACK", ref=device.outbox.newest)
                    await asyncio.sleep_ms(40)
                    asked.append(sent(device))
                    await asyncio.sleep_ms(60000)

                await real(device, (talk(),), is_alive)

            device_module.Device.run = run
            try:
                super().__init__(machine.HARD_RESET, broken)
            finally:
                device_module.Device.run = real

    safe = Safe()
    tail = asked[1]
    after = Life(machine.HARD_RESET, lasting(20))
    return [
        told,
        [safe.end, safe.built, safe.device.mode, hello(safe.device)["mode"]],
        [asked[0], "ImportError: no module of that name" in tail, tail.count("task 255 after"), asked[2]],
        about(after)[:2] + [after.device.mode, hello(after.device)["paired"]],
    ]


def rare_faults_are_no_reason():
    fresh("rare")
    modes = []
    for n in range(3):
        life = Life(machine.HARD_RESET if n else machine.PWRON_RESET, failing(61000, ValueError("now and then")))
        modes.append(life.device.mode)
    mixed = []
    for ms in (10, 10, 61000, 10, 10):
        mixed.append(Life(machine.HARD_RESET, failing(ms, ValueError("x"))).device.mode)
    return [modes, mixed]


def hangs():
    fresh("hangs")
    fed = []

    def build(device):
        machine.fed = 0
        return (later(20500, unplug),)

    Life(machine.PWRON_RESET, build)
    fed.append(machine.fed)
    begun = time.elapsed()
    Life(machine.PWRON_RESET, build, alive=lambda: time.elapsed() - begun < 5500)
    fed.append(machine.fed)
    modes = []
    for cause in (machine.WDT_RESET,) * 4 + (machine.PWRON_RESET,):
        real = device_module.Device.run

        async def run(device, tasks=(), is_alive=None):
            modes.append([device.reset_cause, device.mode])
            raise EndError

        device_module.Device.run = run
        try:
            Life(cause, lasting(10))
        finally:
            device_module.Device.run = real
    return [fed, modes]


def powered_on_again_and_again():
    fresh("power")
    dims = [Life(machine.PWRON_RESET, lasting(ms)).device.dim for ms in (500, 500, 500, 500, 61000, 500)]
    dims.append(Life(machine.HARD_RESET, lasting(500)).device.dim)
    return dims


def planned_reset():
    fresh("planned")
    told = []

    def build(device):
        async def evening():
            resume(device)
            await asyncio.sleep_ms(50)
            some_events(device)
            write(device, "PAIR", 1, fields={"key": KEY})
            await asyncio.sleep_ms(50)
            sent(device)
            device.calm = lambda: False
            write(device, "RESTART", 2, fields={"mode": 0})
            await asyncio.sleep_ms(20)
            device.calm = lambda: True
            write(device, "RESTART", 3, fields={"mode": 1})
            await asyncio.sleep_ms(40)
            told.append(sent(device))
            await asyncio.sleep_ms(1500)
            told.append("still waits for the events to be acknowledged")
            await asyncio.sleep_ms(5000)
            told.append("too long")

        return (evening(),)

    first = Life(machine.PWRON_RESET, build)
    dropped = first.device._ble.dropped
    kept = first.device.boot_id
    modes = []
    real = device_module.Device.run

    async def run(device, tasks=(), is_alive=None):
        modes.append([device.mode, device.reset_cause, device.boot_id == kept, device.outbox.waiting])
        raise EndError

    device_module.Device.run = run
    try:
        Life(machine.HARD_RESET, lasting(10))
        Life(machine.HARD_RESET, lasting(10))
    finally:
        device_module.Device.run = real
    return [first.end, told, dropped, modes]


def deep_sleep():
    fresh("sleep")
    told = []

    def build(device):
        async def night():
            resume(device)
            await asyncio.sleep_ms(50)
            device.report("DIE_PLACED", {"face": 4})
            asyncio.create_task(device.sleep(SLEEP_IDLE, ["a pin"]))
            await asyncio.sleep_ms(30)
            told.append(sent(device)[-2:])
            write(device, "ACK", ref=2)
            await lasting_for_ever()

        return (night(),)

    first = Life(machine.PWRON_RESET, build, HANDHELD_DIE)
    asleep_at = time.elapsed()
    wake = [esp32.woken_by[0], esp32.woken_by[1]]
    second = Life(machine.DEEPSLEEP_RESET, lasting(100), HANDHELD_DIE)
    os.remove("start.a")
    os.remove("start.b")
    third = Life(machine.DEEPSLEEP_RESET, lasting(61000), HANDHELD_DIE)
    quiet = [name for name in os.listdir() if name.startswith("start")]
    return [
        first.end,
        told,
        wake,
        asleep_at > 0,
        about(second)[:2],
        second.device.boot_id == first.device.boot_id,
        second.device.outbox.newest,
        third.device.boot_id != first.device.boot_id,
        quiet,
    ]


def telemetry():
    fresh("telemetry")
    measured = []

    def build(device):
        async def slow():
            await asyncio.sleep_ms(1000)
            device.telemetry()
            time.sleep_ms(340)  # a task that does not give way
            await asyncio.sleep_ms(500)
            measured.append(device.telemetry())
            measured.append(device.telemetry())
            status = device.status()
            measured.append([status["uptime"], status["heap_free"] > 0, status["sweep"], status["waiting"]])
            unplug()

        return (slow(),)

    Life(machine.PWRON_RESET, build)
    feeling = Telemetry()
    for _ in range(30):
        time.sleep_ms(1 << 27)
        day = feeling.uptime()
    return [measured[0]["loop_worst"], measured[1]["loop_worst"], measured[2], measured[0]["battery"], day]


for chapter in (
    a_task_fails,
    nobody_waits_for_it,
    flash_is_full,
    a_kept_outbox_cannot_be_emptied,
    fails_before_its_tasks_run,
    no_memory_for_records,
    safe_mode,
    rare_faults_are_no_reason,
    hangs,
    powered_on_again_and_again,
    planned_reset,
    deep_sleep,
    telemetry,
):
    results[chapter.__name__] = chapter()
answer(results)
