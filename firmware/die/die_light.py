"""The one light of a handheld die: what it asks for, what was rolled, what is wrong.

Looks differ in rhythm, not only in colour; docs/die_power.md lists them for people. The light's supply is switched off
while it is dark: a dark light of this kind still draws more than a sleeping die.
"""

import asyncio

from firmware.die import seat_looks
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import (
    BATTERY_GOOD,
    DIE_COCKED,
    DIE_INVITES,
    DIE_TUMBLES,
    STYLE_PIPS,
)

MYPY = False
if MYPY:  # only type checkers come here
    import machine

    from firmware.die.handheld_die import HandheldDie

TICK_MS = 125
HEARD_TICKS = 8  # steady that long once the roll has been heard

_TOLD_TICKS = 80  # by then the longest value has been winked

_DARK = (0, 0, 0)
_WHITE = (40, 40, 40)
_FAINT = (8, 8, 8)
_RED = (60, 0, 0)
_GREEN = (0, 50, 0)
_BLUE = (0, 12, 60)
_AMBER = (40, 20, 0)
_VIOLET = (40, 0, 50)
_CIRCLE = 16  # ticks; a rhythm is a bit for each, lowest first
_COCKED = 0x0505
_TUMBLES = 0x5555
_UNHEARD = 0x0101
_LONG_WINK = 0x000F
_IDENTIFY = 0x3333
_LOW = 0x0015
_LOW_EVERY = 4  # circles


class DieLight:
    """`strip` is a `LedStrip` of one, `power` the pin that gives it its supply."""

    def __init__(self, strip: LedStrip, power: "machine.Pin") -> None:
        self._strip = strip
        self._power = power
        self._tick = 0
        self._identify_ticks = 0
        self._event: int | None = None
        self._settled_ticks = 0
        self._heard = False

    def identify(self, seconds: int) -> None:
        """Blinks so that people see which die is meant."""
        self._identify_ticks = seconds * 1000 // TICK_MS

    async def draw(self, die: "HandheldDie", heard: bool, battery: int, calibrated: int) -> None:
        """Shows this tick's look. `heard`: whether a companion has acknowledged the last roll; `battery` a level;
        `calibrated` how many faces are done, -1 when none is to be."""
        colour = self._colour(die, heard, battery, calibrated)
        self._tick += 1
        if colour is _DARK:
            if self._power.value():
                self._strip.fill(_DARK)
                self._strip.show()
                self._power.value(0)
            return
        if not self._power.value():
            self._power.value(1)
            await asyncio.sleep_ms(1)  # until it takes data
        self._strip.fill(colour)
        self._strip.show(True)

    def off(self) -> None:
        """Dark and without supply, before a sleep."""
        if self._power.value():
            self._strip.fill(_DARK)
            self._strip.show(True)
            self._power.value(0)

    def _colour(self, die, heard, battery, calibrated):
        beat = self._tick % _CIRCLE
        if self._identify_ticks:
            self._identify_ticks -= 1
            return _lit(_IDENTIFY, beat, _WHITE)
        if calibrated >= 0:
            return _lit((1 << max(calibrated, 1)) - 1, beat, _VIOLET)
        state = die.state
        if state == DIE_COCKED:
            return _lit(_COCKED, beat, _RED)
        if state == DIE_TUMBLES:
            return _lit(_TUMBLES, beat, _WHITE)
        if die.settled_event != self._event:
            self._event = die.settled_event
            self._settled_ticks = 0
            self._heard = False
        tells = die.value is not None and self._settled_ticks < _TOLD_TICKS
        if battery != BATTERY_GOOD and not tells and self._tick // _CIRCLE % _LOW_EVERY == 0:
            return _lit(_LOW, beat, _AMBER)
        if tells:
            return self._settled(die.style, die.value, heard, beat)
        if state == DIE_INVITES:
            if die.seat:
                winks = seat_looks.winks(die.seat)
                return _lit(0x5555 & ((1 << 2 * winks) - 1), beat, seat_looks.colour(die.seat))
            return _lit(_LONG_WINK, beat, _BLUE)
        return _DARK

    def _settled(self, style, value, heard, beat):
        if heard:
            self._heard = True
        if not self._heard:
            return _lit(_UNHEARD, beat, _FAINT)
        ticks = self._settled_ticks
        self._settled_ticks = ticks + 1
        colour = _GREEN if style == STYLE_PIPS or value == 1 else _WHITE
        if ticks < HEARD_TICKS:
            return colour
        ticks -= HEARD_TICKS + 4  # a pause before the winks
        if ticks < 0:
            return _DARK
        if value == 0:
            return _FAINT if ticks < _CIRCLE else _DARK
        return colour if ticks < 4 * value and ticks & 2 == 0 else _DARK


def _lit(rhythm, beat, colour):
    return colour if rhythm >> beat & 1 else _DARK
