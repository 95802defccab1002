"""What the table should show, sent whenever it differs from what it was told: lights at rest, lights that are being
passed, the invited die.

Output only: nothing is ever read back from the lights. After each connect everything is told again.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class FaceTable:
    """What the die's twelve faces report under the number `map_id`, and how it shows that."""

    map_id: int
    style: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Show:
    """What the table should look like. `rest`: LED → look; `invite`: the face map of the throw that is waited for,
    None for none; `maps`: the face maps of the game that is played, at most four."""

    rest: dict[int, int] = field(default_factory=dict)
    invite: int | None = None
    maps: tuple[FaceTable, ...] = ()


class TableOutput:
    """Sends to whichever table is connected. `show` and `flash` never wait."""

    def __init__(self) -> None:
        self._dialogue: Dialogue | None = None
        self._wanted = Show()
        self._flashes: list[tuple[int, int, list[int]]] = []
        self._told_lights: dict[int, int] = {}
        self._told_maps: tuple[FaceTable, ...] = ()
        self._told_invite: int | None = None
        self._wake = asyncio.Event()

    def connected(self, dialogue: Dialogue | None) -> None:
        """Another table, or the same after a break: it is told everything again."""
        self._dialogue = dialogue
        self._told_lights, self._told_maps, self._told_invite = {}, (), None
        self._flashes.clear()
        self._wake.set()

    def show(self, wanted: Show) -> None:
        """From now on the table should look like this."""
        self._wanted = wanted
        self._wake.set()

    def flash(self, look: int, seconds: int, leds: list[int]) -> None:
        """These lights look another way for some seconds."""
        if leds and self._dialogue is not None:
            self._flashes.append((look, seconds, sorted(leds)))
            self._wake.set()

    def thrown(self) -> None:
        """The die was thrown: its invitation is used up, and the next throw needs another."""
        self._told_invite = None
        self._wake.set()

    async def run(self) -> None:
        """Sends differences, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            dialogue = self._dialogue
            if dialogue is None:
                continue
            try:
                await self._catch_up(dialogue)
            except Exception as error:  # the link has gone in between; it tells us when it is back
                logger.info("output: %s", error)

    async def _catch_up(self, dialogue: Dialogue) -> None:
        if self._told_maps != self._wanted.maps:
            maps = self._wanted.maps
            for one in maps:
                fields = {"map_id": one.map_id, "style": one.style, "faces": list(one.values)}
                await dialogue.command("SET_FACE_MAP", fields)
            self._told_maps, self._told_invite = maps, None
        await self._invite(dialogue)
        while self._flashes:
            look, seconds, leds = self._flashes.pop(0)
            await dialogue.command("SET_LIGHTS", {"look": look, "seconds": seconds, "leds": leds[:MAX_LEDS]})
        await self._lights(dialogue)

    async def _invite(self, dialogue: Dialogue) -> None:
        invite = self._wanted.invite
        if invite == self._told_invite:
            return
        if invite is None:
            status = await dialogue.command("DISARM_DIE", {})
        else:
            status = await dialogue.command("ARM_DIE", {"map_id": invite})
        if status == DONE:
            self._told_invite = invite
        elif status == NOT_NOW:
            asyncio.get_running_loop().call_later(TUMBLING_PAUSE, self._wake.set)
        elif status != NO_ANSWER:
            logger.warning("the table refused an invitation to throw: status %d", status)

    async def _lights(self, dialogue: Dialogue) -> None:
        wanted = self._wanted.rest
        changed: dict[int, list[int]] = {}
        for led in sorted(wanted.keys() | self._told_lights.keys()):
            look = wanted.get(led, DARK)
            if self._told_lights.get(led) != look:
                changed.setdefault(look, []).append(led)
        for look, leds in sorted(changed.items()):
            for start in range(0, len(leds), MAX_LEDS):
                part = leds[start : start + MAX_LEDS]
                if await dialogue.command("SET_LIGHTS", {"look": look, "seconds": 0, "leds": part}) == DONE:
                    self._told_lights.update(dict.fromkeys(part, look))
