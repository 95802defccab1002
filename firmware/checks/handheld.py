"""Looks at a handheld die: memory, radio, accelerometer, its interrupt, the light, the cell."""

import asyncio
import time
from array import array

import machine

from firmware import pins_handheld as pins
from firmware.checks import common
from firmware.die.handheld_app import AccelerometerError, accelerometer, cell
from firmware.drivers.accelerometer import FIFO_DEPTH

RATE_HZ = 100
RANGE_G = 4
WATCH_MS = 2000
WAKE_MG = 100


def mean_of(samples, count, axis):
    """One axis of the first `count` samples."""
    total = 0
    for n in range(count):
        total += samples[3 * n + axis]
    return total / count


async def check_accelerometer():
    """Which one it is, what it feels at rest, and whether it keeps its rate."""
    try:
        sensor = accelerometer(pins)
    except AccelerometerError as error:
        common.say("no", "accelerometer", str(error))
        return
    if not await sensor.start(RATE_HZ, RANGE_G):
        common.say("no", "accelerometer", "%s does not keep what is written to it" % sensor.name)
        return
    print("    let the die lie still")
    samples = array("h", [0] * (3 * FIFO_DEPTH))
    await asyncio.sleep_ms(200)
    sensor.read(samples)
    taken = count = 0
    begun = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begun) < WATCH_MS:
        await asyncio.sleep_ms(100)
        count = sensor.read(samples)
        taken += count
    rate = taken * 1000 / time.ticks_diff(time.ticks_ms(), begun)
    close = abs(rate - RATE_HZ) < RATE_HZ / 10
    common.say("ok" if close else "no", "rate", "%s: %.1f samples a second, %d wanted" % (sensor.name, rate, RATE_HZ))
    if count:
        felt = [mean_of(samples, count, axis) * sensor.scale for axis in range(3)]
        size = (felt[0] ** 2 + felt[1] ** 2 + felt[2] ** 2) ** 0.5
        text = "%.0f mg at rest (%.0f, %.0f, %.0f)" % (size, felt[0], felt[1], felt[2])
        common.say("ok" if 850 < size < 1150 else "no", "gravity", text)
    check_interrupt(sensor)


def check_interrupt(sensor):
    """The line that wakes the die: low at rest, high when it is moved."""
    line = machine.Pin(pins.ACCEL_INT, machine.Pin.IN)
    sensor.wake_on_motion(WAKE_MG, RATE_HZ)
    time.sleep_ms(300)
    if line.value():
        common.say("no", "interrupt", "high at rest: is the die moved, or the line not connected?")
        return
    print("    shake the die now")
    if common.became(line, 1):
        common.say("ok", "interrupt", "rose when the die was moved")
    else:
        common.say("no", "interrupt", "did not rise within 5 s")


def check_cell():
    """The cell's voltage; a person compares it with a meter."""
    battery = cell()
    battery.measure()
    text = "%d mV, %d %%%s; does a meter say the same within 50 mV?"
    charging = ", charging" if battery.is_charging() else ""
    plausible = 3000 < battery.millivolts < 4300
    found = text % (battery.millivolts, battery.percent, charging)
    common.say("see" if plausible else "no", "cell", found)


def main():
    """All items."""
    common.check_memory(20000)
    common.check_chance()
    check_cell()
    machine.Pin(pins.LED_POWER, machine.Pin.OUT, value=1)
    common.check_strip("light", pins.LED, 1, pins.LED_CURRENT_LIMIT)
    machine.Pin(pins.LED_POWER, machine.Pin.OUT, value=0)
    asyncio.run(check_accelerometer())
    print("end")
