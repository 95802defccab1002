"""Puts the stand-alone table die together: button, ring of lights, and what every device has."""

import time

import machine
import neopixel

from firmware import pins_table_die as pins
from firmware.device_link.snapshot import framed
from firmware.die.table_die import Die
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import DONE

ALIVE_MS = 5000


class TableDieApp:
    """The whole die; `tasks` are to be run for ever."""

    def __init__(self, device) -> None:
        button = machine.Pin(pins.DIE_BUTTON, machine.Pin.IN)
        ring = neopixel.NeoPixel(machine.Pin(pins.DIE_LED_STRIP, machine.Pin.OUT), pins.DIE_LEDS)
        self.die = Die(button, LedStrip(ring, pins.LED_CURRENT_LIMIT), device.radio_is_on, device.report)
        button.irq(self.die.press, machine.Pin.IRQ_FALLING)
        device.commands["IDENTIFY"] = self._identify
        self.die.attach(device)
        device.snapshot = self._snapshot

    def tasks(self):
        """Coroutines for `Device.run`."""
        return self.die.run(), self.die.shine()

    def is_alive(self) -> bool:
        """Whether the ring is still looked after."""
        return time.ticks_diff(time.ticks_ms(), self.die.shone) < ALIVE_MS

    def _identify(self, fields, number):
        self.die.identify(fields["seconds"])
        return DONE, 0

    def _snapshot(self):
        return framed([("SNAPSHOT_DIE", self.die.seen())])
