"""Items that more than one device has: memory, radio and its noise, strips of lights, a button."""

import gc
import os
import time

import bluetooth
import machine
import neopixel

from firmware.drivers.led_strip import LedStrip

BITS = 20000
PRESS_MS = 5000


def say(verdict, item, found):
    """One line of the report."""
    print("%-3s %s: %s" % (verdict, item, found))


def check_memory(least):
    """Bytes free after a collection."""
    gc.collect()
    say("ok" if gc.mem_free() > least else "no", "memory", "%d bytes free" % gc.mem_free())


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


def check_strip(name, pin, count, limit_ma):
    """Three colours along a strip, one light at a time; a person sees gaps and wrong colours."""
    strip = LedStrip(neopixel.NeoPixel(machine.Pin(pin, machine.Pin.OUT), count), limit_ma)
    begun = time.ticks_us()
    strip.show(True)
    took = time.ticks_diff(time.ticks_us(), begun)
    for colour in ((40, 0, 0), (0, 40, 0), (0, 0, 40)):
        for led in range(count):
            strip.fill((0, 0, 0))
            strip.put(led, colour)
            strip.show(True)
            time.sleep_ms(40 if count > 1 else 700)
    strip.fill((0, 0, 0))
    strip.show(True)
    say("see", name, "red, green, blue ran over %d lights? a frame took %d us" % (count, took))


def check_button(number):
    """A button's rest level, and a press within five seconds."""
    button = machine.Pin(number, machine.Pin.IN)
    if button.value() == 0:
        say("no", "button", "reads pressed: is the resistor to 3V3 there?")
        return
    print("    press the die's button now")
    if became(button, 0):
        say("ok", "button", "pressed")
    else:
        say("no", "button", "no press within 5 s")


def became(pin, level):
    """Whether a pin comes to a level within five seconds."""
    for _ in range(PRESS_MS // 10):
        if pin.value() == level:
            return True
        time.sleep_ms(10)
    return False
