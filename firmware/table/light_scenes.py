"""Traffic lights, gates, hints and seats on the board's strip, for the commands SET_LIGHTS, CLEAR_LIGHTS and IDENTIFY.

Every light has a look at rest and may have a passing look for some seconds. Looks differ in rhythm, never in colour
alone: a bit of `_RHYTHMS` is an eighth of a second, lowest first, in a circle of two seconds. A seat winks as often as
its colour's place among `SEAT_COLOURS` says, then rests.

The strip stays dark until `release`: after a brown-out lights that come on at once would pull the supply down again.
"""

import asyncio
import time

from firmware.die.seat_looks import COLOURS
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import LOOK_COUNT, LOOK_DARK, LOOK_SEAT, SEAT_COLOURS

TICK_MS = 125
REFRESH_TICKS = 8  # a frame a second even when nothing changes: lights that took a disturbance heal
ALL_LOOKS = 255
_NONE = 255

_SEATS = len(SEAT_COLOURS)
# Red, green, blue of each look: the common ones, then the seats
_COLOURS = b"\x00\x00\x00\x28\x00\x00\x00\x3c\x00\x12\x12\x12\x28\x28\x28\x00\x0a\x46\x50\x28\x00" + COLOURS
_RHYTHMS = (
    0x0000,  # dark
    0xFFFF,  # red: steady
    0x7777,  # green: a wink twice a second
    0xFFFE,  # gate: a wink every two seconds
    0x0F0F,  # gate open: half on, half off, once a second
    0x3F3F,  # route: mostly on, once a second
    0x0505,  # wrong: a double flash once a second
    0x0001,  # seats: one wink in two seconds to seven
    0x0005,
    0x0015,
    0x0055,
    0x0155,
    0x0555,
    0x1555,
)
_IDENTIFY = 60


def _place(look):
    """The look's place in the tables, or -1 when there is none."""
    if look < LOOK_COUNT:
        return look
    return look - LOOK_SEAT + LOOK_COUNT if LOOK_SEAT <= look < LOOK_SEAT + _SEATS else -1


class LightScenes:
    """`strip` is a `LedStrip`."""

    def __init__(self, strip: LedStrip) -> None:
        self._strip = strip
        self._rest = bytearray(strip.count)
        self._passing = bytearray([_NONE] * strip.count)
        self._until = [time.ticks_ms()] * strip.count
        self._identify_until = time.ticks_ms()
        self._identifying = False
        self._tick = 0
        self._share = 0

    def release(self, percent=100):
        """The supply holds: lights may shine, with this share of their brightness."""
        self._share = percent

    def set(self, look, seconds, leds):
        """Gives these lights a look, for good (0 seconds) or for a while. Position of the bad value from 1, or 0."""
        look = _place(look)
        if look < 0:
            return 1
        if max(leds) >= self._strip.count:
            return 3
        until = time.ticks_add(time.ticks_ms(), seconds * 1000)
        for led in leds:
            if seconds:
                self._passing[led] = look
                self._until[led] = until
            else:
                self._rest[led] = look
        return 0

    def clear(self, look):
        """Ends this look everywhere, or every look with `ALL_LOOKS`. Position of the bad value, or 0."""
        if look != ALL_LOOKS:
            look = _place(look)
            if look < 0:
                return 1
        for led in range(self._strip.count):
            if look == ALL_LOOKS or self._passing[led] == look:
                self._passing[led] = _NONE
            if look == ALL_LOOKS or self._rest[led] == look:
                self._rest[led] = LOOK_DARK
        return 0

    def identify(self, seconds):
        """Makes the whole strip blink, every other light at a time, so that people see which table is meant."""
        self._identify_until = time.ticks_add(time.ticks_ms(), seconds * 1000)
        self._identifying = True

    def draw(self):
        """Puts the frame of this moment on the strip."""
        now = time.ticks_ms()
        strip = self._strip
        beat = self._tick & 15
        if self._identifying and time.ticks_diff(self._identify_until, now) <= 0:
            self._identifying = False
        for led in range(strip.count):
            look = self._passing[led]
            if look != _NONE and time.ticks_diff(self._until[led], now) <= 0:
                look = self._passing[led] = _NONE
            if look == _NONE:
                look = self._rest[led]
            if self._identifying:
                r = g = b = 0 if (led + (beat >> 2)) & 1 else _IDENTIFY
            elif _RHYTHMS[look] >> beat & 1:
                r, g, b = _COLOURS[3 * look], _COLOURS[3 * look + 1], _COLOURS[3 * look + 2]
            else:
                r = g = b = 0
            share = self._share
            strip.put(led, (r * share // 100, g * share // 100, b * share // 100))
        strip.show(self._tick % REFRESH_TICKS == 0)
        self._tick += 1

    async def run(self):
        """Draws for ever."""
        while True:
            self.draw()
            await asyncio.sleep_ms(TICK_MS)
