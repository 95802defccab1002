"""A table die: a button and a ring of twelve lights, for the commands SET_FACE_MAP, ARM_DIE and DISARM_DIE.

A press makes the lights tumble and then rest on one of twelve faces, all equally likely. What a face means is said by a
face map from the companion; the die reports the physical face and the map it went by. Chance comes from `os.urandom`,
which on an ESP32 is fed by noise only while the radio is on: without it the die refuses.
"""

import asyncio
import os
import time

from firmware.die.face_maps import FACES, FaceMaps
from firmware.die.seat_looks import colour, is_seat, winks
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import (
    BAD_FIELD,
    DIE_AT_REST,
    DIE_INVITES,
    DIE_TUMBLES,
    DONE,
    NOT_NOW,
    REFUSED_NO_FACE_MAP,
    REFUSED_RADIO_OFF,
    STYLE_PIPS,
)

MYPY = False
if MYPY:  # only type checkers come here
    import machine

DEBOUNCE_MS = 30
SHINE_MS = 500
TUMBLE_MS = 50  # the first step; each one is longer by `SLOWER_MS`
SLOWER_MS = 12
FEWEST_TUMBLES = 8
_BIASED = 252  # the bytes from here on would favour the first four faces

_WHITE = (30, 30, 30)
_GREEN = (0, 50, 0)
_INVITE = (0, 12, 40)
_DARK = (0, 0, 0)


class NoEntropyError(Exception):
    """There is no true randomness now: the radio is off."""


def draw_face(radio_is_on) -> int:
    """A face from 1 to 12, each with the same probability; `NoEntropyError` unless `radio_is_on()`."""
    while True:
        if not radio_is_on():
            raise NoEntropyError
        byte = os.urandom(1)[0]
        if byte < _BIASED:
            return byte % FACES + 1


class Die:
    """`button` is a machine.Pin, low when pressed; `strip` a `LedStrip` of twelve; `radio_is_on` answers True or False.

    `report(name, fields, ref)` is called with each event; `ref` is the number of the ARM_DIE command, or 0.
    """

    def __init__(self, button: "machine.Pin", strip: LedStrip, radio_is_on, report) -> None:
        self._button = button
        self._strip = strip
        self._radio_is_on = radio_is_on
        self._report = report
        self._maps = FaceMaps()
        self._armed_by = 0
        self._seat = 0
        self._pressed = asyncio.ThreadSafeFlag()
        self._step = 0
        self._style = STYLE_PIPS
        self._value = -1  # what the last roll gave, shown in this style
        self._identify = 0  # turns of `shine`
        self.shone = time.ticks_ms()  # when the ring was last looked after
        self.state = DIE_AT_REST
        self.face = 0
        self.roll = 0

    def attach(self, device):
        """Takes the commands of a die from a `Device`, and keeps it from planned resets while it tumbles."""
        device.commands["SET_FACE_MAP"] = self._asked_map
        device.commands["ARM_DIE"] = self._asked_arm
        device.commands["DISARM_DIE"] = self._asked_disarm
        device.calm = self._is_calm

    def _asked_map(self, fields, number):
        return self.set_face_map(fields["map_id"], fields["style"], fields["faces"]), 0

    def _asked_arm(self, fields, number):
        return self.arm(fields["map_id"], fields["seat"], number)

    def _asked_disarm(self, fields, number):
        return self.disarm(), 0

    def _is_calm(self):
        return self.state != DIE_TUMBLES

    def set_face_map(self, map_id, style, faces):
        """Learns what the faces mean."""
        self._maps.learn(map_id, style, faces)
        return DONE

    def arm(self, map_id, seat, command):
        """Invites to a roll by this map, in the look of a seat or nobody's (0); (status, position of the bad field)."""
        if self.state == DIE_TUMBLES:
            return NOT_NOW, 0
        if not is_seat(seat):
            return BAD_FIELD, 2
        if not self._maps.choose(map_id):
            return BAD_FIELD, 1
        self._seat = seat
        self._armed_by = command
        self.state = DIE_INVITES
        self._report("DIE_ARMED", {"map_id": map_id}, command)
        return DONE, 0

    def disarm(self):
        """Takes the invitation back."""
        if self.state == DIE_TUMBLES:
            return NOT_NOW
        self.state = DIE_AT_REST
        self._armed_by = 0
        return DONE

    def identify(self, seconds):
        """Blinks, every other light at a time, so that people see which die is meant."""
        self._identify = seconds * 1000 // SHINE_MS

    def seen(self):
        """The fields of SNAPSHOT_DIE."""
        return {"state": self.state, "face": self.face, "map_id": self._maps.map_id, "roll": self.roll}

    def press(self, pin=None):
        """The button's interrupt: only sets a flag."""
        self._pressed.set()

    async def run(self):
        """Waits for presses for ever. A press that bounces counts once, one while the die tumbles not at all."""
        while True:
            await self._pressed.wait()
            await asyncio.sleep_ms(DEBOUNCE_MS)
            if self._button.value() == 0:
                await self._roll()
                self._pressed.clear()

    async def shine(self):
        """Keeps the ring lit for ever: the invitation turns, the last face stays."""
        while True:
            self.shone = time.ticks_ms()
            self._step = (self._step + 1) % FACES
            if self.state == DIE_TUMBLES:
                pass  # `_tumble` has the ring
            elif self._identify:
                self._identify -= 1
                self._strip.fill(_DARK)
                for n in range(self._step & 1, FACES, 2):
                    self._strip.put(n, _WHITE)
                self._strip.show()
            elif self.state == DIE_INVITES:
                self._invite()
            else:
                self._show_face()
            await asyncio.sleep_ms(SHINE_MS)

    def _invite(self) -> None:
        """A turning row of as many lights as the seat's place among the colours; two opposite ones for nobody."""
        self._strip.fill(_DARK)
        if self._seat:
            shade = colour(self._seat)
            for n in range(winks(self._seat)):
                self._strip.put((self._step + n) % FACES, shade)
        else:
            self._strip.put(self._step, _INVITE)
            self._strip.put((self._step + FACES // 2) % FACES, _INVITE)
        self._strip.show()

    async def _roll(self) -> None:
        entry = self._maps.entry
        if not entry:
            self._report("DIE_REFUSED", {"reason": REFUSED_NO_FACE_MAP}, 0)
            return
        if not self._radio_is_on():
            self._report("DIE_REFUSED", {"reason": REFUSED_RADIO_OFF}, self._armed_by)
            return
        armed_by, was = self._armed_by, self.state
        self.state = DIE_TUMBLES
        self.roll = (self.roll + 1) & 0xFFFF
        self._report("ROLL_STARTED", {"roll": self.roll, "map_id": entry[0]}, armed_by)
        try:
            tumbles = FEWEST_TUMBLES + draw_face(self._radio_is_on) // 2
            duration = await self._tumble(tumbles)
            face = draw_face(self._radio_is_on)
        except NoEntropyError:
            self.state = was
            self._report("DIE_REFUSED", {"reason": REFUSED_RADIO_OFF}, armed_by)
            return
        self.face = face
        self.state = DIE_AT_REST
        self._armed_by = 0
        self._style = entry[1]
        self._value = entry[1 + face]
        fields = {"roll": self.roll, "face": face, "map_id": entry[0], "value": entry[1 + face]}
        fields["tumbles"] = tumbles
        fields["duration"] = duration
        self._report("ROLL_SETTLED", fields, armed_by)
        self._show_face()

    async def _tumble(self, tumbles: int) -> int:
        duration = 0
        for n in range(tumbles):
            self._strip.fill(_DARK)
            self._strip.put((self._step + 5 * n) % FACES, _WHITE)
            self._strip.show()
            pause = TUMBLE_MS + SLOWER_MS * n
            duration += pause
            await asyncio.sleep_ms(pause)
        return duration

    def _show_face(self) -> None:
        """The value as a number of lights, so that nobody needs the colour.

        Pips evenly round the ring; six for a green tablet, twelve for a white one, a single one for a blank.
        """
        strip = self._strip
        strip.fill(_DARK)
        value = self._value
        if value >= 0:
            shade = _WHITE
            lights = value
            if self._style != STYLE_PIPS:
                lights = (1, 6, 12)[min(value, 2)]
                shade = _GREEN if value == 1 else _WHITE
            for n in range(lights):
                strip.put(n * FACES // lights, shade)
        strip.show(True)
