"""Looks at a real board from the inside, for `firmware/tools/self_test.py`: prints one line an item.

Runs on the device, with the table stopped. Each line is `ok`, `no` or `see`, the item, and what was found; `see` asks
the person who watches. Nothing here can be shown by modelled chips: it is about wires, supply, noise and timing.
"""

import asyncio
import gc
import os
import time

import bluetooth
import machine
import neopixel

from firmware import pins
from firmware.drivers.led_strip import LedStrip
from firmware.drivers.reader import CLEAR, probe
from firmware.table.app import DIE_CURRENT_MA, reader_bus
from shared_rules.wire.messages import READER_PN5180

REPEATS = 50  # polls of each reader with nothing on it
BITS = 20000


def say(verdict, item, found):
    print("%-3s %s: %s" % (verdict, item, found))


async def check_readers():
    """Which sockets hold a reader, which of them hear noise, and how long a sweep takes."""
    bus = reader_bus()
    tags: list[bytes] = []
    for socket in range(pins.SOCKETS):
        reader = await probe(bus, socket)
        if reader is None:
            say("no", "socket %d" % socket, "no reader")
            continue
        clean = 0
        begun = time.ticks_ms()
        for _ in range(REPEATS):
            clean += await reader.poll(tags) == CLEAR
        took = time.ticks_diff(time.ticks_ms(), begun) / REPEATS
        name = "PN5180" if reader.kind == READER_PN5180 else "RC522"
        text = "%s, version 0x%02X, %d of %d polls clean, %.1f ms each" % (name, reader.version, clean, REPEATS, took)
        if tags:
            text += ", tags on it: %s" % ", ".join([tag.hex() for tag in tags])
        say("ok" if clean == REPEATS else "no", "socket %d" % socket, text)


def check_lights():
    """Three colours along each strip, one light at a time; a person sees gaps and wrong colours."""
    for name, pin, count, limit in (
        ("lights", pins.LED_STRIP, pins.BOARD_LEDS, pins.LED_CURRENT_LIMIT - DIE_CURRENT_MA),
        ("die", pins.DIE_LED_STRIP, pins.DIE_LEDS, DIE_CURRENT_MA),
    ):
        strip = LedStrip(neopixel.NeoPixel(machine.Pin(pin, machine.Pin.OUT), count), limit)
        begun = time.ticks_us()
        strip.show(True)
        took = time.ticks_diff(time.ticks_us(), begun)
        for colour in ((40, 0, 0), (0, 40, 0), (0, 0, 40)):
            for led in range(count):
                strip.fill((0, 0, 0))
                strip.put(led, colour)
                strip.show(True)
                time.sleep_ms(40)
        strip.fill((0, 0, 0))
        strip.show(True)
        say("see", name, "red, green, blue ran over %d lights? a frame took %d us" % (count, took))


def check_button():
    """The button's rest level, and a press within five seconds."""
    button = machine.Pin(pins.DIE_BUTTON, machine.Pin.IN)
    if button.value() == 0:
        say("no", "button", "reads pressed: is the resistor to 3V3 there?")
        return
    print("    press the die's button now")
    for _ in range(500):
        if button.value() == 0:
            say("ok", "button", "pressed")
            return
        time.sleep_ms(10)
    say("no", "button", "no press within 5 s")


def check_chance():
    """The share of ones in the chip's noise with the radio on: a broken source shows, a good one is not proved."""
    ble = bluetooth.BLE()
    ble.active(True)
    ones = 0
    for byte in os.urandom(BITS // 8):
        while byte:
            ones += byte & 1
            byte >>= 1
    share = ones / BITS
    say("ok" if 0.48 < share < 0.52 else "no", "noise", "%.4f of %d bits are ones" % (share, BITS))
    mac = ble.config("mac")[1]
    say("ok", "radio", "on, address %s" % ":".join(["%02X" % b for b in mac]))


def main():
    """All items."""
    gc.collect()
    say("ok" if gc.mem_free() > 40000 else "no", "memory", "%d bytes free" % gc.mem_free())
    check_chance()
    asyncio.run(check_readers())
    check_lights()
    check_button()
    print("end")
