"""Lives of a device that end in a fault, one after the other: what each leaves behind, and how the next one starts."""

import asyncio
import os

import machine
from answer import answer
from life_rig import (
    KEY,
    Instead,
    Life,
    about,
    allow_writing,
    failing,
    fresh,
    hello,
    lasting,
    lasting_for_ever,
    later,
    refuse_writing,
    resume,
    sent,
    some_events,
    write,
)

from firmware.device_link import device as device_module
from firmware.supervision.crash_record import CrashRecord
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import decode


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

    def build(device):
        refuse_writing(OSError(28))
        return failing(20, ValueError("when full"))(device)

    try:
        first = Life(machine.PWRON_RESET, build)
        paired = first.device.pairing.pair(KEY)
    finally:
        allow_writing()
    second = Life(machine.HARD_RESET, lasting(20))
    return [first.end, paired, second.device.boot_id != first.device.boot_id, second.device.outbox.waiting]


def a_kept_outbox_cannot_be_emptied():
    """Numbers that were given must never be given again, so such events are given up."""
    fresh("stuck")

    def build(device):
        some_events(device)
        return failing(20, ValueError("x"))(device)

    first = Life(machine.PWRON_RESET, build)
    refuse_writing(OSError(28))
    try:
        second = Life(machine.HARD_RESET, lasting(20))
    finally:
        allow_writing()
    return [second.device.boot_id != first.device.boot_id, second.device.outbox.waiting]


def fails_before_its_tasks_run():
    """The radio does not take the services, three times: no prompt, but a fault and in the end safe mode."""
    fresh("services")
    ends = []

    def refuse(self, info):
        raise OSError(12)

    with Instead(device_module.BlePeripheral, "start", refuse):
        for _ in range(4):
            life = Life(machine.HARD_RESET, lasting(20))
            ends.append([life.end, life.device.mode if life.device else "safe"])
    return [ends, "OSError" in CrashRecord().text().decode()]


def no_memory_for_records():
    """Whatever a step of the fault's handling throws, the device starts anew."""
    fresh("memory")

    def build(device):
        refuse_writing(MemoryError())
        return failing(20, ValueError("without memory"))(device)

    try:
        return Life(machine.PWRON_RESET, build).end
    finally:
        allow_writing()


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

            async def run(device, watchdog, tasks=(), is_alive=None):
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

                await real(device, watchdog, (talk(),), is_alive)

            with Instead(device_module.Device, "run", run):
                super().__init__(machine.HARD_RESET, broken)

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


results = {}
for chapter in (
    a_task_fails,
    nobody_waits_for_it,
    flash_is_full,
    a_kept_outbox_cannot_be_emptied,
    fails_before_its_tasks_run,
    no_memory_for_records,
    safe_mode,
    rare_faults_are_no_reason,
):
    results[chapter.__name__] = chapter()
answer(results)
