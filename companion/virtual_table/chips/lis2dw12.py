"""LIS2DW12 accelerometer at register level: data sheet DS11828 and application note AN5038 of STMicroelectronics.

Modelled: identity, rates and modes with their noise, full scales, FIFO with its five modes, data-ready, FIFO threshold,
wake-up by slope, free fall, 6D, INT1 with latch and polarity, soft reset. Not modelled: taps, activity/inactivity,
single conversions, self-test, temperature (always 25 °C), INT2.
"""

from __future__ import annotations

from companion.virtual_table.chips.accelerometer import FIFO_SIZE, Accelerometer, Triple

WHO_AM_I, CTRL1, CTRL2, CTRL3, CTRL4, CTRL6 = 0x0F, 0x20, 0x21, 0x22, 0x23, 0x25
STATUS, OUT_X_L, OUT_Z_H, FIFO_CTRL, FIFO_SAMPLES = 0x27, 0x28, 0x2D, 0x2E, 0x2F
TAP_THS_X, WAKE_UP_THS, WAKE_UP_DUR, FREE_FALL, STATUS_DUP = 0x30, 0x34, 0x35, 0x36, 0x37
WAKE_UP_SRC, SIXD_SRC, ALL_INT_SRC, CTRL7 = 0x38, 0x3A, 0x3B, 0x3F

IDENTITY = 0x44
_READ_ONLY = (0x0D, 0x0E, 0x0F, 0x26, 0x27, *range(0x28, 0x2E), 0x2F, *range(0x37, 0x3C))
_RATES_HIGH = (0, 12.5, 12.5, 25, 50, 100, 200, 400, 800, 1600)
_RATES_LOW = (0, 1.6, 12.5, 25, 50, 100, 200, 200, 200, 200)
_LOW_POWER_MG = (4.5, 2.4, 1.8, 1.3)  # RMS noise of the four low-power modes (table 3)
_DENSITY = (110.0, 90.0)  # micro-g a root hertz in high-performance mode, with LOW_NOISE
_BANDWIDTHS = (0.5, 0.25, 0.1, 0.05)
_FREE_FALL = (5, 7, 8, 10, 11, 13, 15, 16)  # times 31.25 mg
_SIXD = (6, 11, 16, 21)  # parts of 32 of one g: 80, 70, 60, 50 degrees
_BYPASS, _FIFO, _CONTINUOUS_TO_FIFO, _BYPASS_TO_CONTINUOUS, _CONTINUOUS = 0, 1, 3, 4, 6


class Lis2dw12(Accelerometer):
    """One chip; `int1` is its interrupt line."""

    ADDRESS = 0x19  # SA0 has a pull-up inside
    INCREMENT = 0  # bits of the address byte that ask for the next register, if any

    def reset(self) -> None:
        self.registers[:] = bytes(64)
        self.registers[CTRL2] = 0x04
        self.fifo.clear()
        self._ready = False
        self._overwritten = False
        self._triggered = False
        self._above = 0
        self._below = 0
        self._before: Triple | None = None
        self._sources = 0  # of ALL_INT_SRC: 16 6D, 2 wake-up, 1 free fall, as long as they hold
        self._latched = 0
        self._wake_axes = 0
        self._sixd = 0

    def rate_hz(self) -> float:
        value = self.registers[CTRL1]
        rates = _RATES_HIGH if self._high_performance else _RATES_LOW
        return rates[min(value >> 4, 9)]

    @property
    def _high_performance(self) -> bool:
        return self.registers[CTRL1] >> 2 & 3 == 1

    def _noise_g(self) -> float:
        low_noise = self.registers[CTRL6] >> 2 & 1
        if self._high_performance:
            return self.density_rms(_DENSITY[low_noise])
        return _LOW_POWER_MG[self.registers[CTRL1] & 3] / 1000 * (1.0 if low_noise else 1.2)

    def _full_scale(self) -> int:
        return 2 << (self.registers[CTRL6] >> 4 & 3)

    def _count_g(self) -> tuple[float, int]:
        twelve_bits = not self._high_performance and self.registers[CTRL1] & 3 == 0
        return self._full_scale() / 32768, 4 if twelve_bits else 2

    def _bandwidth(self) -> float:
        return _BANDWIDTHS[self.registers[CTRL6] >> 6] if self._high_performance else 0.5

    # -- samples and events -------------------------------------------------------------------------------------------

    def _take(self, counts: tuple[int, int, int], felt: Triple) -> None:
        self._ready = True
        if self.registers[CTRL7] & 0x20:
            self._events(felt)
        self._before = felt
        mode = self.registers[FIFO_CTRL] >> 5
        if mode == _CONTINUOUS_TO_FIFO:
            mode = _FIFO if self._triggered else _CONTINUOUS
        elif mode == _BYPASS_TO_CONTINUOUS:
            mode = _CONTINUOUS if self._triggered else _BYPASS
        if mode == _BYPASS:
            return
        if len(self.fifo) < FIFO_SIZE:
            self.fifo.append(counts)
        elif mode == _CONTINUOUS:
            self.fifo.popleft()
            self.fifo.append(counts)
            self._overwritten = True

    def _events(self, felt: Triple) -> None:
        r = self.registers
        sources = 0
        axes = 0
        if self._before is not None:
            threshold = (r[WAKE_UP_THS] & 0x3F) * self._full_scale() / 64
            for axis in range(3):  # AN5038: the slope is half the difference of two samples
                if abs(felt[axis] - self._before[axis]) / 2 > threshold:
                    axes |= 4 >> axis
            self._above = self._above + 1 if axes else 0
            if self._above > (r[WAKE_UP_DUR] >> 5 & 3):
                sources |= 2
                self._wake_axes = axes
        limit = _FREE_FALL[r[FREE_FALL] & 7] * 0.03125
        self._below = self._below + 1 if all(abs(value) < limit for value in felt) else 0
        duration = r[FREE_FALL] >> 3 | (r[WAKE_UP_DUR] & 0x80) >> 2
        if self._below and self._below >= duration:
            sources |= 1
        limit = _SIXD[r[TAP_THS_X] >> 5 & 3] / 32
        position = 0
        for axis in range(3):
            if abs(felt[axis]) > limit:
                position |= (2 if felt[axis] > 0 else 1) << 2 * axis
        if position != self._sixd:
            sources |= 16
            self._sixd = position
        self._sources = sources
        if r[CTRL3] & 0x10:
            self._latched |= sources
        if sources & 2:
            self._triggered = True

    def _shown(self) -> int:
        return self._sources | self._latched

    def interrupt_may_come(self) -> bool:
        routed = self.registers[CTRL4]
        if routed & 0x07:
            return True
        return bool(routed & 0xB0 and self.registers[CTRL7] & 0x20)

    def _may_skip(self) -> bool:
        # A FIFO that stops when it is full keeps the oldest samples, and latched events may hide in between.
        return self.registers[FIFO_CTRL] >> 5 in (_BYPASS, _CONTINUOUS) and not self.registers[CTRL7] & 0x20

    @property
    def int1(self) -> int:
        routed = self.registers[CTRL4]
        shown = self._shown()
        active = bool(
            (routed & 0x20 and shown & 2)
            or (routed & 0x10 and shown & 1)
            or (routed & 0x80 and shown & 16)
            or (routed & 0x02 and self._at_threshold())
            or (routed & 0x04 and len(self.fifo) == FIFO_SIZE)
            or (routed & 0x01 and self._ready)
        )
        return int(active != bool(self.registers[CTRL3] & 0x08))

    def _at_threshold(self) -> bool:
        value = self.registers[FIFO_CTRL]
        return value >> 5 != _BYPASS and len(self.fifo) >= max(1, value & 0x1F)

    # -- registers ----------------------------------------------------------------------------------------------------

    def read(self, register: int, now: int) -> int:
        r = self.registers
        if register == WHO_AM_I:
            return IDENTITY
        if OUT_X_L <= register <= OUT_Z_H:
            value = self.output(register - OUT_X_L)
            if register == OUT_Z_H:
                self._ready = False
                if self.fifo:
                    self.latest = self.fifo.popleft()
                    self._overwritten = False
            return value
        if register == FIFO_SAMPLES:
            return (0x80 if self._at_threshold() else 0) | (0x40 if self._overwritten else 0) | len(self.fifo)
        if register in (STATUS, STATUS_DUP):
            shown = self._shown()
            flags = (0x40 if shown & 2 else 0) | (0x04 if shown & 16 else 0) | (0x02 if shown & 1 else 0) | self._ready
            if register == STATUS:
                return flags | (0x80 if self._at_threshold() else 0)
            return flags & 0x7F | (0x80 if self._overwritten else 0)
        if register == WAKE_UP_SRC:
            shown = self._shown()
            value = (0x20 if shown & 1 else 0) | (0x08 | self._wake_axes if shown & 2 else 0)
            self._latched &= ~3
            return value
        if register == SIXD_SRC:
            value = (0x40 if self._shown() & 16 else 0) | self._sixd
            self._latched &= ~16
            return value
        if register == ALL_INT_SRC:
            shown = self._shown()
            self._latched = 0
            return shown
        return r[register] if register < 64 else 0

    def write(self, register: int, value: int, now: int) -> None:
        if register >= 64 or register in _READ_ONLY:
            return
        before = self.registers[register]
        if register == CTRL2 and value & 0x40:
            self.reset()
            self.rate_changed(now)
            return
        self.registers[register] = value & ~0x80 if register == CTRL2 else value
        if register == CTRL1 and value != before:
            if value >> 2 & 3 == 2:
                self._complain("single conversions are not modelled")
            self.rate_changed(now)
        elif register == FIFO_CTRL and value >> 5 != before >> 5:
            self._triggered = self._overwritten = False
            if value >> 5 == _BYPASS:
                self.fifo.clear()
        elif register == CTRL7 and not value & 0x20:
            self._sources = self._latched = self._above = self._below = 0

    def following(self, register: int) -> int:
        """The register that a multi-byte transfer goes to next."""
        if not self.registers[CTRL2] & 0x04:
            return register
        return OUT_X_L if register == OUT_Z_H and self.registers[FIFO_CTRL] >> 5 else register + 1
