"""A piece of motion as the virtual die's accelerometer meets it, with the truth about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RATE = 1000
FLAT_DEGREES = 5.0
COCKED_DEGREES = 14.0
LONGEST_PAUSE = 120
"""ms; a die that stands still for longer and then moves again has been thrown twice."""


@dataclass(frozen=True)
class Truth:
    """What really happened. Times in ms from the start of the motion; `began` and `last_motion` are -1 without a throw.

    `face` is the one on top in the end, and `tilt` says by how many degrees it is not level: up to `FLAT_DEGREES`
    everybody calls it flat, from `COCKED_DEGREES` on cocked; `rested` is False for one that still moved when the
    simulation ended. `turns` counts how often another face came on top after
    the die had left the hand, `flight` is its longest flight and `pause` its longest
    standstill between, in ms.
    """

    kind: str
    thrown: bool
    began: int = -1
    last_motion: int = -1
    face: int = 0
    tilt: float = 0.0
    rested: bool = True
    turns: int = 0
    flight: int = 0
    pause: int = 0


class Motion:
    """Specific force over time in the axes of the die, which feels the first of it before and the last of it after."""

    def __init__(self, force: NDArray[np.float32], truth: Truth) -> None:
        self.force = force  # (samples, 3) in g, one each millisecond
        self.truth = truth

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.force) / RATE

    def acceleration(self, t_us: float) -> tuple[float, float, float]:
        """What an accelerometer feels `t_us` microseconds after the start, in g; gravity included, 1 g up at rest."""
        place = min(max(t_us * RATE / 1e6, 0.0), len(self.force) - 1.0)
        whole = min(int(place), len(self.force) - 2) if len(self.force) > 1 else 0
        part = place - whole
        a = self.force[whole]
        b = self.force[min(whole + 1, len(self.force) - 1)]
        return (
            float(a[0] + (b[0] - a[0]) * part),
            float(a[1] + (b[1] - a[1]) * part),
            float(a[2] + (b[2] - a[2]) * part),
        )

    def at(self, times_us: NDArray[np.floating]) -> NDArray[np.float64]:
        """The same for many times at once, (n, 3)."""
        grid = np.arange(len(self.force)) * (1e6 / RATE)
        return np.stack([np.interp(times_us, grid, self.force[:, n]) for n in range(3)], axis=1)
