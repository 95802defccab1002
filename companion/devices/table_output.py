"""What the table should show, sent to every device that has a part in it whenever it differs from what that one was
told: lights at rest, lights that are being passed, the invited dice.

Output only: nothing is ever read back from the lights. After each connect everything is told again, and what shines for
a game of another time goes out. A companion that goes leaves no light on and no die invited. Lights go to the
controller that has them; face maps and invitations to every die, and the first throw that counts makes all other
invitations void.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.devices.device_state import LEDS_EACH, DeviceState
from companion.devices.dialogue import DONE, NO_ANSWER, Dialogue
from shared_rules.wire.messages import (
    LOOK_DARK,
    LOOK_GATE,
    LOOK_GATE_OPEN,
    LOOK_GREEN,
    LOOK_RED,
    LOOK_ROUTE,
    LOOK_WRONG,
    NOT_NOW,
)

logger = logging.getLogger(__name__)

DARK, RED, GREEN, GATE = LOOK_DARK, LOOK_RED, LOOK_GREEN, LOOK_GATE
GATE_OPEN, ROUTE, WRONG = LOOK_GATE_OPEN, LOOK_ROUTE, LOOK_WRONG

MAX_LEDS = 90
"""Lights in one command; a packet has room for 100."""
TUMBLING_PAUSE = 0.5
INVITATIONS_KEPT = 16
ALL_LOOKS = 255
UNKNOWN_LOOK = -1
"""What a light shows of which nobody here knows; no wanted look is like it."""
UNKNOWN_INVITATION = (0, -1, 0)
"""What a die was told that has an invitation of which nobody here knows; no `Show` is like it."""


@dataclass(frozen=True)
class FaceTable:
    """What the die's twelve faces report under the number `map_id`, and how it shows that."""

    map_id: int
    style: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Show:
    """What the table should look like. `rest`: LED → look, by the layout's numbers; `invite`: the face map of the throw
    that is waited for, None for none; `maps`: the face maps of the game that is played, at most four; `throw`: how many
    throws were made before the one that is waited for, so that each invitation belongs to one throw; `seat`: the look
    of the seat that throws, 0 for nobody's."""

    rest: dict[int, int] = field(default_factory=dict)
    invite: int | None = None
    maps: tuple[FaceTable, ...] = ()
    throw: int = 0
    seat: int = 0


class TableOutput:
    """Tells all devices that are connected. `show` and `flash` never wait."""

    def __init__(self) -> None:
        self._wanted = Show()
        self._tellers: dict[str, Teller] = {}
        self._invited: dict[str, dict[int, int]] = {}
        """Device → number of an invitation → the throw that it was for."""
        self._leaving = False

    def joined(self, dialogue: Dialogue, device: DeviceState) -> Teller:
        """A device, or the same after a break: it is told everything again by the teller's `run`."""
        invited = self._invited.setdefault(device.id, {})
        teller = self._tellers[device.id] = Teller(dialogue, device, self._wanted, invited)
        return teller

    def left(self, device_id: str) -> None:
        """A device has gone."""
        self._tellers.pop(device_id, None)

    def renumbered(self, device_id: str) -> None:
        """A controller has other lights of the layout now."""
        if (teller := self._tellers.get(device_id)) is not None:
            teller.renumbered()

    def show(self, wanted: Show) -> None:
        """From now on the table should look like this."""
        if self._leaving:
            return
        self._wanted = wanted
        for teller in self._tellers.values():
            teller.show(wanted)

    async def leave(self, seconds: float) -> None:
        """The companion goes: every device is told that nobody plays, which takes so long at most. Nothing is shown
        after that."""
        self.show(Show())
        self._leaving = True
        told = [asyncio.create_task(teller.caught_up.wait()) for teller in self._tellers.values()]
        if told:
            _, late = await asyncio.wait(told, timeout=seconds)
            for task in late:
                task.cancel()

    def flash(self, look: int, seconds: int, leds: list[int]) -> None:
        """These lights look another way for some seconds."""
        if self._leaving:
            return
        for teller in self._tellers.values():
            teller.flash(look, seconds, leds)

    def thrown(self, device_id: str) -> None:
        """This die was thrown: its invitation is used up, and the next throw needs another."""
        if (teller := self._tellers.get(device_id)) is not None:
            teller.thrown()

    def seen(self, device_id: str) -> None:
        """A snapshot of this device was taken in: an invitation that nobody here knows of is taken back."""
        if (teller := self._tellers.get(device_id)) is not None:
            teller.seen()

    def hold(self, device_id: str, held: bool) -> None:
        """Whether this die is left without invitations for a while, since it is needed for something else."""
        if (teller := self._tellers.get(device_id)) is not None:
            teller.hold(held)

    def invited_to(self, device_id: str, invitation: int) -> int | None:
        """The throw that an invitation was for; None if it is not known (any more)."""
        return self._invited.get(device_id, {}).get(invitation)


class Teller:
    """What one device is told. It has a part of the lights if it is a controller, and a die if it has faces."""

    def __init__(self, dialogue: Dialogue, device: DeviceState, wanted: Show, invited: dict[int, int]) -> None:
        self._dialogue = dialogue
        self._device = device
        self._wanted = wanted
        self._invited = invited
        self._flashes: list[tuple[int, int, list[int]]] = []
        self._told_lights: dict[int, int] = {}
        self._doubt_lights()
        self._told_maps: tuple[FaceTable, ...] = ()
        self._told_invite: tuple[int, int, int] | None = None
        self._held = False
        self._throws = 0
        self._wake = asyncio.Event()
        self._wake.set()
        self.caught_up = asyncio.Event()
        """Set while it has been told all that it should be."""

    def show(self, wanted: Show) -> None:
        """As `TableOutput`."""
        self._wanted = wanted
        self.caught_up.clear()
        self._wake.set()

    def flash(self, look: int, seconds: int, leds: list[int]) -> None:
        """As `TableOutput`."""
        mine = sorted(led for led in map(self._mine, leds) if led is not None)
        if mine:
            self._flashes.append((look, seconds, mine))
            self._wake.set()

    def thrown(self) -> None:
        """As `TableOutput`."""
        self._throws += 1
        self._told_invite = None
        self._device.uninvited()
        self._wake.set()

    def seen(self) -> None:
        """As `TableOutput`."""
        if self._device.invited and self._told_invite is None:
            self._told_invite = UNKNOWN_INVITATION
            self._wake.set()

    def hold(self, held: bool) -> None:
        """As `TableOutput`."""
        if self._held != held:
            self._held = held
            self._doubt_invitation()
            self._wake.set()

    def _doubt_invitation(self) -> None:
        """Whatever it was invited to may not hold any more: it is invited anew, or not at all."""
        if self._told_invite is not None:
            self._told_invite = UNKNOWN_INVITATION

    def renumbered(self) -> None:
        """As `TableOutput`."""
        self._doubt_lights()
        self._flashes.clear()
        self._wake.set()

    def _doubt_lights(self) -> None:
        """Whatever shines may be of another time or part of the layout: each light is told anew."""
        if self._device.kind == "table":
            self._told_lights = dict.fromkeys(range(min(LEDS_EACH, self._device.leds)), UNKNOWN_LOOK)

    async def run(self) -> None:
        """Sends differences, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._catch_up()
            except Exception as error:  # the link has gone in between; there is another teller when it is back
                logger.info("output: %s", error)
            if not self._wake.is_set():
                self.caught_up.set()

    def _mine(self, led: int) -> int | None:
        """This device's own number of a light of the layout."""
        mine = led - self._device.first_led
        has = self._device.kind == "table" and 0 <= mine < min(LEDS_EACH, self._device.leds)
        return mine if has else None

    async def _catch_up(self) -> None:
        if self._device.mode == "safe":  # it has no lights and no die to show
            self._flashes.clear()
            return
        if self._device.die_faces:
            await self._maps()
            await self._invite()
        while self._flashes:
            look, seconds, leds = self._flashes.pop(0)
            fields = {"look": look, "seconds": seconds, "leds": leds[:MAX_LEDS]}
            await self._dialogue.command("SET_LIGHTS", fields)
        await self._lights()

    async def _maps(self) -> None:
        maps = self._wanted.maps
        if self._told_maps != maps:
            for one in maps:
                fields = {"map_id": one.map_id, "style": one.style, "faces": list(one.values)}
                await self._dialogue.command("SET_FACE_MAP", fields)
            self._told_maps = maps
            self._doubt_invitation()

    async def _invite(self) -> None:
        wanted, throws = self._wanted, self._throws
        if self._held:
            return
        if wanted.invite is None:
            if self._told_invite is None:
                return
            status = await self._dialogue.command("DISARM_DIE", {})
            told = None
        else:
            told = (wanted.invite, wanted.throw, wanted.seat)
            if told == self._told_invite:
                return
            fields = {"map_id": wanted.invite, "seat": wanted.seat}
            status = await self._dialogue.command("ARM_DIE", fields, self._remember(wanted.throw))
        if status == DONE:
            self._told_invite = told if throws == self._throws else None
            if told is None:
                self._device.uninvited()
        elif status == NOT_NOW:
            asyncio.get_running_loop().call_later(TUMBLING_PAUSE, self._wake.set)
        elif status != NO_ANSWER:
            logger.warning("%s refused an invitation to throw: status %d", self._device.name, status)

    def _remember(self, throw: int) -> Callable[[int], None]:
        """Notes the number of an invitation before it is sent: its throw may be there before its result."""

        def note(number: int) -> None:
            self._invited.pop(number, None)
            self._invited[number] = throw
            while len(self._invited) > INVITATIONS_KEPT:
                del self._invited[next(iter(self._invited))]

        return note

    async def _lights(self) -> None:
        wanted = {mine: look for led, look in self._wanted.rest.items() if (mine := self._mine(led)) is not None}
        if not wanted:
            await self._dark()
            return
        changed: dict[int, list[int]] = {}
        for led in sorted(wanted.keys() | self._told_lights.keys()):
            look = wanted.get(led, DARK)
            if self._told_lights.get(led) != look:
                changed.setdefault(look, []).append(led)
        for look, leds in sorted(changed.items()):
            for start in range(0, len(leds), MAX_LEDS):
                part = leds[start : start + MAX_LEDS]
                if await self._dialogue.command("SET_LIGHTS", {"look": look, "seconds": 0, "leds": part}) == DONE:
                    self._told_lights.update(dict.fromkeys(part, look))

    async def _dark(self) -> None:
        """Nothing should shine: one short command, which ends what is being passed, too."""
        if any(look != DARK for look in self._told_lights.values()):
            self._flashes.clear()
            if await self._dialogue.command("CLEAR_LIGHTS", {"look": ALL_LOOKS}) == DONE:
                self._told_lights = dict.fromkeys(self._told_lights, DARK)
