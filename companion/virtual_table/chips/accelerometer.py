"""What the LIS2DW12 and the LIS3DH have in common: the sampling grid, 32 levels of FIFO, the faults of one specimen.

A chip is fed by a motion: an object whose `acceleration(t_us)` answers with x, y and z in g, as the chip's axes feel
them (lying still it feels one g upwards). Samples are taken on the chip's own grid in device time, whose rate differs a
little from the nominal one, and so do offset and sensitivity of each axis: all by the seed, the same in every run.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from math import ceil, inf, sqrt
from typing import Protocol

FIFO_SIZE = 32

Triple = tuple[float, float, float]


class Motion(Protocol):
    """What moves the chip."""

    def acceleration(self, t_us: float) -> tuple[float, float, float]:
        """x, y and z in g at that time of the device."""
        ...


class Resting:
    """It lies still; `felt` is what the chip feels, one g upwards by default."""

    def __init__(self, felt: Triple = (0.0, 0.0, 1.0)) -> None:
        self.felt = felt

    def acceleration(self, t_us: float) -> Triple:
        return self.felt


class Accelerometer(ABC):
    """The parts of a chip that do not depend on its registers. Subclasses say what registers mean."""

    ADDRESS: int
    """On I2C, seven bits."""
    INCREMENT: int
    """Bits of the register's address that ask for the next register with each byte."""
    OFFSET_MG = 20.0
    """Standard deviation of the offset of an axis."""
    SCALE_ERROR = 0.01
    RATE_ERROR = 0.02
    BOOT_US = 20_000

    def __init__(self, motion: Motion, seed: int, complain: Callable[[str], None]) -> None:
        self.motion = motion
        self._complain = complain
        self._random = random.Random(seed)
        draw = self._random
        self.offset_g = tuple(draw.gauss(0, self.OFFSET_MG) / 1000 for _ in range(3))
        self.scale = tuple(1 + draw.gauss(0, self.SCALE_ERROR) for _ in range(3))
        self._rate_factor = 1 + max(-2.0, min(2.0, draw.gauss(0, 1))) * self.RATE_ERROR
        self.registers = bytearray(64)
        self.fifo: deque[tuple[int, int, int]] = deque()
        self.latest = (0, 0, 0)
        self.samples = 0
        """Taken since the supply came."""
        self._next_us = inf
        self._powered_us = 0
        self._smooth: Triple | None = None

    # -- what a subclass says -----------------------------------------------------------------------------------------

    @abstractmethod
    def rate_hz(self) -> float:
        """The nominal rate of samples, 0 while it is off."""

    @abstractmethod
    def reset(self) -> None:
        """Registers as after power-on."""

    @abstractmethod
    def interrupt_may_come(self) -> bool:
        """Whether INT1 may change by itself."""

    @property
    @abstractmethod
    def int1(self) -> int:
        """Level of INT1."""

    @abstractmethod
    def _take(self, counts: tuple[int, int, int], felt: Triple) -> None:
        """A new sample: counts of 16 bits and the same in g."""

    @abstractmethod
    def _noise_g(self) -> float:
        """RMS of one axis."""

    @abstractmethod
    def _count_g(self) -> tuple[float, int]:
        """g of one count of the 16-bit output, and how many of its low bits are always 0."""

    def _bandwidth(self) -> float:
        """Bandwidth of the output as a part of the rate; from 0.5 on nothing is smoothed."""
        return 0.5

    @abstractmethod
    def read(self, register: int, now: int) -> int:
        """A register's value; reading may change the chip."""

    @abstractmethod
    def write(self, register: int, value: int, now: int) -> None:
        """Sets a register, if it can be set."""

    @abstractmethod
    def following(self, register: int) -> int:
        """The register that a transfer of several bytes goes to next."""

    # -- time ---------------------------------------------------------------------------------------------------------

    def power_on(self, now: int) -> None:
        self._powered_us = now
        self.fifo.clear()
        self.latest = (0, 0, 0)
        self.reset()
        self.rate_changed(now)

    @property
    def period_us(self) -> float:
        rate = self.rate_hz()
        return 1e6 / (rate * self._rate_factor) if rate else inf

    def rate_changed(self, now: float) -> None:
        """The first sample comes one period after the rate was set."""
        self._next_us = now + self.period_us
        self._smooth = None

    def next_change_us(self) -> float:
        """When INT1 may change next without being asked, `inf` for never."""
        return ceil(self._next_us) if self.interrupt_may_come() and self._next_us < inf else inf

    def advance(self, now: float) -> None:
        """Takes the samples that are due until now; of a long time that nobody watched, the newest 64."""
        period = self.period_us
        if now < self._next_us or period == inf:
            return
        if not self.interrupt_may_come() and (now - self._next_us) / period > 64 and self._may_skip():
            self._next_us += int((now - self._next_us) / period - 64) * period
        while self._next_us <= now:
            self._convert(self._next_us)
            self._next_us += period

    def _may_skip(self) -> bool:
        """Whether unwatched samples leave no trace beyond the newest ones."""
        return True

    def _convert(self, t_us: float) -> None:
        felt = self.motion.acceleration(t_us)
        part = self._bandwidth()
        if part < 0.5:  # one pole at that frequency
            share = 1 - 2.718281828 ** (-6.283185307 * part)
            before = self._smooth or felt
            felt = (
                before[0] + share * (felt[0] - before[0]),
                before[1] + share * (felt[1] - before[1]),
                before[2] + share * (felt[2] - before[2]),
            )
            self._smooth = felt
        noise = self._noise_g()
        gauss = self._random.gauss
        count_g, zeros = self._count_g()
        counts = []
        for axis in range(3):
            value = felt[axis] * self.scale[axis] + self.offset_g[axis] + gauss(0.0, noise)
            whole = round(value / count_g / (1 << zeros))
            limit = 1 << (15 - zeros)
            counts.append(max(-limit, min(limit - 1, whole)) << zeros)
        self.latest = (counts[0], counts[1], counts[2])
        self.samples += 1
        self._take(self.latest, (counts[0] * count_g, counts[1] * count_g, counts[2] * count_g))

    # -- the bus ------------------------------------------------------------------------------------------------------

    def check_boot(self, now: int) -> None:
        if now - self._powered_us < self.BOOT_US:
            self._complain("the accelerometer is spoken to while it boots: it needs 20 ms after the supply")

    def output(self, index: int) -> int:
        """Byte 0 to 5 of the output registers: the oldest sample of the FIFO, or the newest one."""
        sample = self.fifo[0] if self.fifo else self.latest
        return sample[index // 2] >> (8 * (index & 1)) & 0xFF

    def density_rms(self, micro_g: float) -> float:
        """RMS noise in g of a noise density in micro-g a root hertz at this rate and bandwidth."""
        return micro_g * 1e-6 * sqrt(self.rate_hz() * min(0.5, self._bandwidth()))
