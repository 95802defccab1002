"""Puts the stand-alone table die together: button, ring of lights, and what every device has."""

import time

import machine
import neopixel

from firmware import pins_table_die as pins
from firmware.die.table_die import Die
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import DIE_TUMBLES, DONE

ALIVE_MS = 5000


class TableDieApp:
    """The whole die; `tasks` are to be run for ever."""

    def __init__(self, device) -> None:
        button = machine.Pin(pins.DIE_BUTTON, machine.Pin.IN)
        ring = neopixel.NeoPixel(machine.Pin(pins.DIE_LED_STRIP, machine.Pin.OUT), pins.DIE_LEDS)
        self.die = Die(button, LedStrip(ring, pins.LED_CURRENT_LIMIT), device.radio_is_on, device.report)
        button.irq(self.die.press, machine.Pin.IRQ_FALLING)
        device.commands["IDENTIFY"] = self._identify
        device.commands["SET_FACE_MAP"] = self._set_face_map
        device.commands["ARM_DIE"] = self._arm
        device.commands["DISARM_DIE"] = self._disarm
        device.snapshot = self._snapshot
        device.calm = self._is_calm

    def tasks(self):
        """Coroutines for `Device.run`."""
        return self.die.run(), self.die.shine()

    def is_alive(self) -> bool:
        """Whether the ring is still looked after."""
        return time.ticks_diff(time.ticks_ms(), self.die.shone) < ALIVE_MS

    def _is_calm(self):
        return self.die.state != DIE_TUMBLES

    def _identify(self, fields, number):
        self.die.identify(fields["seconds"])
        return DONE, 0

    def _set_face_map(self, fields, number):
        return self.die.set_face_map(fields["map_id"], fields["style"], fields["faces"]), 0

    def _arm(self, fields, number):
        return self.die.arm(fields["map_id"], fields["seat"], number)

    def _disarm(self, fields, number):
        return self.die.disarm(), 0

    def _snapshot(self):
        counts = {"tags": 0, "troubles": 0}
        return [("SNAPSHOT_BEGIN", counts), ("SNAPSHOT_DIE", self.die.seen()), ("SNAPSHOT_END", counts)]
