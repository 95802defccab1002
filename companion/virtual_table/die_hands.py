"""The hand on a handheld die: it lays it down, throws it, carries it about. `motion/` knows what the die feels then.

Motions follow each other on the device's clock: what is done now begins now, and after a throw the die lies as it fell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.virtual_table.board import Message
from companion.virtual_table.chips.accelerometer import Motion, Resting, Triple

if TYPE_CHECKING:
    from companion.virtual_table.device import VirtualDevice

FIRST_FACE = 1


class From:
    """`motion`, whose own time begins at `start_us` of the device; before that `earlier` goes on."""

    def __init__(self, motion: Motion, start_us: int, earlier: Motion) -> None:
        self._motion = motion
        self._start_us = start_us
        self._earlier = earlier

    def acceleration(self, t_us: float) -> Triple:
        if t_us < self._start_us:
            return self._earlier.acceleration(t_us)
        return self._motion.acceleration(t_us - self._start_us)


class DieHands:
    """One handheld die; `on_change` hears {"kind": "die", "device": …, "doing": …, "face": …}."""

    def __init__(self, device: VirtualDevice, on_change: Callable[[Message], None]) -> None:
        self._device = device
        self.hardware = device.need_die()
        self._on_change = on_change
        self._state: Message = {"doing": "rests", "face": FIRST_FACE}
        self.hardware.set_motion(Resting(_normal(FIRST_FACE)), 0)

    def state(self) -> Message:
        return {"kind": "die", "device": self._device.name, **self._state}

    def place(self, face: int) -> Message:
        """Lays it down with that face up."""
        if not 1 <= face <= 12:
            raise ValueError(f"a die has faces from 1 to 12, not {face}")
        return self._move(Resting(_normal(face)), "rests", face)

    def set_battery(self, millivolts: float) -> None:
        self.hardware.cell.set_millivolts(millivolts)
        self.hardware.update_load(self._device.board.now_us)

    def set_charging(self, charging: bool) -> None:
        self.hardware.update_load(self._device.board.now_us)
        self.hardware.cell.charging = charging
        self._device.board.watch_pins()

    def _move(self, motion: Motion, doing: str, face: int | None) -> Message:
        now = self._device.board.now_us
        before = self.hardware.accelerometer.motion
        self.hardware.set_motion(From(motion, now, before), now)
        self._device.board.watch_pins()
        self._state = {"doing": doing, "face": face}
        self._on_change(self.state())
        return dict(self._state)


def _normal(face: int) -> Triple:
    from companion.virtual_table.motion.dodecahedron import NORMALS

    x, y, z = (float(value) for value in NORMALS[face - 1])
    return x, y, z
