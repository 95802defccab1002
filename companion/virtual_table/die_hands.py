"""The hand on a handheld die: it lays it down, throws it, carries it about. `motion/` knows what the die feels then.

Motions follow each other on the device's clock: what is done now begins now, and after a throw the die lies as it fell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from companion.virtual_table.board import Message
from companion.virtual_table.chips.accelerometer import Motion, Resting, Triple

if TYPE_CHECKING:
    from companion.virtual_table.device import VirtualDevice
    from companion.virtual_table.motion import Motion as Thrown

FIRST_FACE = 1
LONGEST_S = 3600.0


class Recorded(Motion, Protocol):
    """A motion of `companion.virtual_table.motion`: it ends, and then the die lies or is held as at its end."""

    @property
    def seconds(self) -> float: ...


class From:
    """`motion`, whose own time begins at `start_us` of the device."""

    def __init__(self, motion: Motion, start_us: int) -> None:
        self._motion = motion
        self._start_us = start_us

    def acceleration(self, t_us: float) -> Triple:
        return self._motion.acceleration(max(0.0, t_us - self._start_us))


class DieHands:
    """One handheld die; `on_change` hears {"kind": "die", "device": …, "doing": …, "face": …}."""

    def __init__(self, device: VirtualDevice, on_change: Callable[[Message], None]) -> None:
        self._device = device
        self.hardware = device.need_die()
        self._on_change = on_change
        self._state: Message = {"doing": "rests", "face": FIRST_FACE}
        self._end: asyncio.TimerHandle | None = None
        self.hardware.set_motion(Resting(_normal(FIRST_FACE)), 0)

    def state(self) -> Message:
        return {"kind": "die", "device": self._device.name, **self._state}

    def place(self, face: int) -> Message:
        """Lays it down with that face up."""
        self._check(face)
        return self._move(Resting(_normal(face)), "rests", face)

    def throw(self, kind: str, seed: int) -> Message:
        """Throws it: table, tray, cushion, short, drop, spin or twice end on a face, which is told when it lies there;
        against a wall, in a fold, on a piece, on a slope or wedged end leaning. The same seed is the same throw.
        """
        thrown, leans = simulate_throw(kind, seed)
        if leans:
            return self._record(thrown, "thrown", "leans", None)
        return self._record(thrown, "thrown", "rests", thrown.truth.face)

    def handle(self, kind: str, seed: int, seconds: float) -> Message:
        """Moves it without a throw: wobble (in a hand), handled, knocked, car or pocket, for that long."""
        from companion.virtual_table import motion

        ways = {
            "wobble": motion.wobble,
            "handled": motion.handled,
            "knocked": motion.knocked,
            "car": motion.car,
            "pocket": motion.pocket,
        }
        if kind not in ways:
            raise ValueError(f"a die is moved by {', '.join(ways)}, not {kind!r}")
        if not 0 < seconds <= LONGEST_S:
            raise ValueError(f"a die is moved for up to {LONGEST_S:.0f} s, not {seconds}")
        moved = ways[kind](seed, seconds)
        return self._record(moved, kind, "rests", moved.truth.face or None)

    def bring(self, face: int, seed: int) -> Message:
        """Brings it in a hand and lays it down with that face up, which takes a while."""
        from companion.virtual_table import motion

        self._check(face)
        return self._record(motion.placed(face, seed), "brought", "rests", face)

    def play(self, recorded: Recorded, doing: str = "moved") -> Message:
        """Any motion from now on."""
        return self._record(recorded, doing, "rests", None)

    def close(self) -> None:
        if self._end is not None:
            self._end.cancel()

    def set_battery(self, millivolts: float) -> None:
        self.hardware.cell.set_millivolts(millivolts)
        self.hardware.update_load(self._device.board.now_us)

    def set_charging(self, charging: bool) -> None:
        self.hardware.update_load(self._device.board.now_us)
        self.hardware.cell.charging = charging
        self._device.board.watch_pins()

    def _check(self, face: int) -> None:
        if not 1 <= face <= 12:
            raise ValueError(f"a die has faces from 1 to 12, not {face}")

    def _record(self, recorded: Recorded, doing: str, then: str, face: int | None) -> Message:
        """Says at once how it will end, but shows it only when it has."""
        self._move(recorded, doing, None)
        loop = asyncio.get_running_loop()
        self._end = loop.call_later(recorded.seconds, self._show, then, face)
        return {"doing": then, "face": face, "seconds": recorded.seconds}

    def _show(self, doing: str, face: int | None) -> None:
        self._state = {"doing": doing, "face": face}
        self._on_change(self.state())

    def _move(self, motion: Motion, doing: str, face: int | None) -> Message:
        self.close()
        now = self._device.board.now_us
        self.hardware.set_motion(From(motion, now), now)
        self._device.board.watch_pins()
        self._show(doing, face)
        return dict(self._state)


def simulate_throw(kind: str, seed: int) -> tuple[Thrown, bool]:
    """The throw of `DieHands.throw`, and whether it ends leaning; it takes seconds, and is then known for a while."""
    from companion.virtual_table import motion
    from companion.virtual_table.motion.scenes import LEANING, THROWS

    if kind in LEANING:
        return motion.cocked(seed, kind), True
    if kind not in THROWS:
        raise ValueError(f"a die is thrown {', '.join(THROWS + LEANING)}, not {kind!r}")
    return motion.throw(seed, kind), False


def _normal(face: int) -> Triple:
    from companion.virtual_table.motion.dodecahedron import NORMALS

    x, y, z = (float(value) for value in NORMALS[face - 1])
    return x, y, z
