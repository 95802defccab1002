"""Lives of a device that end without a fault: hung, without power, restarted on purpose, asleep; what it measures."""

import asyncio
import os
import time

import esp32
import machine
from answer import answer
from life_rig import (
    KEY,
    EndError,
    Instead,
    Life,
    about,
    fresh,
    lasting,
    lasting_for_ever,
    later,
    resume,
    sent,
    some_events,
    unplug,
    write,
)

from firmware.device_link import device as device_module
from firmware.supervision.telemetry import Telemetry
from shared_rules.wire.messages import HANDHELD_DIE, SLEEP_IDLE


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
    logs = []
    for cause in (machine.WDT_RESET,) * 4 + (machine.PWRON_RESET,):

        async def run(device, watchdog, tasks=(), is_alive=None):
            modes.append([device.reset_cause, device.mode])
            logs.append([device._crashes.text().decode(), device.telemetry()["faults"]])
            raise EndError

        with Instead(device_module.Device, "run", run):
            Life(cause, lasting(10))
    return [fed, modes, logs]


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

    async def run(device, watchdog, tasks=(), is_alive=None):
        modes.append([device.mode, device.reset_cause, device.boot_id == kept, device.outbox.waiting])
        raise EndError

    with Instead(device_module.Device, "run", run):
        Life(machine.HARD_RESET, lasting(10))
        Life(machine.HARD_RESET, lasting(10))
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


results = {}
for chapter in (
    hangs,
    powered_on_again_and_again,
    planned_reset,
    deep_sleep,
    telemetry,
):
    results[chapter.__name__] = chapter()
answer(results)
