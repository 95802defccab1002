"""LIS3DH accelerometer at register level: data sheet DocID17530 and application note AN3308 of STMicroelectronics.

Modelled: identity, rates and the three resolutions with their noise, full scales, FIFO with its four modes, data-ready,
watermark, overrun, both inertial generators (OR and AND of axes above and below a threshold, 6D movement and position,
duration, latch), the high-pass filter, INT1 and its polarity, the increment bit of the address. Not modelled: clicks,
sleep-to-wake, self-test, the auxiliary converter, INT2.
"""

from __future__ import annotations

from companion.virtual_table.chips.accelerometer import FIFO_SIZE, Accelerometer, Triple

WHO_AM_I, CTRL0, CTRL1, CTRL2, CTRL3, CTRL4 = 0x0F, 0x1E, 0x20, 0x21, 0x22, 0x23
CTRL5, CTRL6, REFERENCE, STATUS, OUT_X_L, OUT_Z_H = 0x24, 0x25, 0x26, 0x27, 0x28, 0x2D
FIFO_CTRL, FIFO_SRC, INT1_CFG, INT1_SRC, INT2_CFG, INT2_SRC = 0x2E, 0x2F, 0x30, 0x31, 0x34, 0x35

IDENTITY = 0x33
_READ_ONLY = (0x07, *range(0x08, 0x0E), 0x0F, STATUS, *range(0x28, 0x2E), FIFO_SRC, INT1_SRC, INT2_SRC, 0x39)
_RATES = (0, 1, 10, 25, 50, 100, 200, 400, 1600, 1344)
_COUNT_MG = (1, 2, 4, 12)  # a count of 12 bits
_THRESHOLD_MG = (16, 32, 62, 186)
_HIGH_PASS = (50, 100, 250, 500)  # the rate divided by the cut-off
_DENSITY = 220.0  # micro-g a root hertz (table 4)
_BYPASS, _FIFO, _STREAM, _STREAM_TO_FIFO = 0, 1, 2, 3


class _Generator:
    """One inertial interrupt generator: `base` is the address of its INTx_CFG."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.reset()

    def reset(self) -> None:
        self.active = False
        self.held = False
        self.axes = 0
        self._count = 0
        self._position = 0

    def feed(self, r: bytearray, felt: Triple, scale: int, latch: bool) -> None:
        config = r[self.base]
        threshold = (r[self.base + 2] & 0x7F) * _THRESHOLD_MG[scale] / 1000
        axes = 0
        for axis in range(3):
            if config & 0x40:
                high, low = felt[axis] > threshold, felt[axis] < -threshold
            else:
                high, low = abs(felt[axis]) > threshold, abs(felt[axis]) <= threshold
            axes |= (2 if high else 0) << 2 * axis | (1 if low else 0) << 2 * axis
        wanted = config & 0x3F
        found = axes & wanted
        if config & 0x40:
            true = bool(found) and (bool(config & 0x80) or found != self._position)
            self._position = found
        elif config & 0x80:
            true = bool(wanted) and found == wanted
        else:
            true = bool(found)
        self._count = self._count + 1 if true else 0
        self.active = true and self._count > (r[self.base + 3] & 0x7F)
        if self.active or not (latch and self.held):
            self.axes = found
        if self.active and latch:
            self.held = True

    @property
    def shown(self) -> bool:
        return self.active or self.held


class Lis3dh(Accelerometer):
    """One chip; `int1` is its interrupt line."""

    OFFSET_MG = 25.0
    SCALE_ERROR = 0.012
    BOOT_US = 5_000
    ADDRESS = 0x18
    INCREMENT = 0x80

    def reset(self) -> None:
        self.registers[:] = bytes(64)
        self.registers[CTRL0] = 0x10
        self.registers[CTRL1] = 0x07
        self.fifo.clear()
        self._generators = (_Generator(INT1_CFG), _Generator(INT2_CFG))
        self._ready = False
        self._lost = False
        self._triggered = False
        self._mean: Triple | None = None

    def rate_hz(self) -> float:
        value = self.registers[CTRL1]
        if value >> 4 == 9 and value & 0x08:
            return 5376
        return _RATES[min(value >> 4, 9)]

    def _bits(self) -> int:
        """8 in low-power mode, 12 in high resolution, else 10."""
        if self.registers[CTRL1] & 0x08:
            return 8
        return 12 if self.registers[CTRL4] & 0x08 else 10

    def _noise_g(self) -> float:
        return self.density_rms(_DENSITY) * {12: 1.0, 10: 1.4, 8: 4.0}[self._bits()]

    def _scale(self) -> int:
        return self.registers[CTRL4] >> 4 & 3

    def _count_g(self) -> tuple[float, int]:
        return _COUNT_MG[self._scale()] / 16000, 16 - self._bits()

    # -- samples and events -------------------------------------------------------------------------------------------

    def _take(self, counts: tuple[int, int, int], felt: Triple) -> None:
        r = self.registers
        enabled = r[CTRL1]
        counts = (
            counts[0] if enabled & 1 else 0,
            counts[1] if enabled & 2 else 0,
            counts[2] if enabled & 4 else 0,
        )
        self.latest = counts
        self._ready = True
        if r[INT1_CFG] & 0x3F or r[INT2_CFG] & 0x3F:
            passed = self._high_passed(felt)
            for number, generator in enumerate(self._generators):
                filtered = r[CTRL2] >> number & 1
                latch = bool(r[CTRL5] & (0x02 if number else 0x08))
                generator.feed(r, passed if filtered else felt, self._scale(), latch)
            chosen = self._generators[r[FIFO_CTRL] >> 5 & 1]
            self._triggered = self._triggered or chosen.active
        mode = r[FIFO_CTRL] >> 6
        if not r[CTRL5] & 0x40 or mode == _BYPASS:
            return
        if mode == _STREAM_TO_FIFO:
            mode = _FIFO if self._triggered else _STREAM
        if len(self.fifo) < FIFO_SIZE:
            self.fifo.append(counts)
        elif mode == _STREAM:
            self.fifo.popleft()
            self.fifo.append(counts)
            self._lost = True

    def _high_passed(self, felt: Triple) -> Triple:
        mean = self._mean
        if mean is None:
            mean = felt
        share = min(1.0, 6.283185307 / _HIGH_PASS[self.registers[CTRL2] >> 4 & 3])
        self._mean = (
            mean[0] + share * (felt[0] - mean[0]),
            mean[1] + share * (felt[1] - mean[1]),
            mean[2] + share * (felt[2] - mean[2]),
        )
        return (felt[0] - mean[0], felt[1] - mean[1], felt[2] - mean[2])

    def interrupt_may_come(self) -> bool:
        r = self.registers
        routed = r[CTRL3]
        return bool((routed & 0x40 and r[INT1_CFG] & 0x3F) or (routed & 0x20 and r[INT2_CFG] & 0x3F) or routed & 0x16)

    def _may_skip(self) -> bool:
        r = self.registers
        return r[FIFO_CTRL] >> 6 in (_BYPASS, _STREAM) and not (r[INT1_CFG] | r[INT2_CFG]) & 0x3F

    @property
    def int1(self) -> int:
        routed = self.registers[CTRL3]
        first, second = self._generators
        active = bool(
            (routed & 0x40 and first.shown)
            or (routed & 0x20 and second.shown)
            or (routed & 0x10 and self._ready)
            or (routed & 0x04 and self._at_watermark())
            or (routed & 0x02 and self._full())
        )
        return int(active != bool(self.registers[CTRL6] & 0x02))

    def _at_watermark(self) -> bool:
        return bool(self.registers[CTRL5] & 0x40) and len(self.fifo) > (self.registers[FIFO_CTRL] & 0x1F)

    def _full(self) -> bool:
        return len(self.fifo) == FIFO_SIZE

    # -- registers ----------------------------------------------------------------------------------------------------

    def read(self, register: int, now: int) -> int:
        if register == WHO_AM_I:
            return IDENTITY
        if OUT_X_L <= register <= OUT_Z_H:
            value = self.output(register - OUT_X_L)
            if register == OUT_Z_H:
                self._ready = self._lost = False
                if self.fifo:
                    self.latest = self.fifo.popleft()
            return value
        if register == STATUS:
            return (0x0F if self._ready else 0) | (0xF0 if self._lost else 0)
        if register == FIFO_SRC:
            level = len(self.fifo)
            flags = (0x80 if self._at_watermark() else 0) | (0x40 if self._full() else 0) | (0 if level else 0x20)
            return flags | min(level, 31)
        if register in (INT1_SRC, INT2_SRC):
            generator = self._generators[register == INT2_SRC]
            value = (0x40 if generator.shown else 0) | generator.axes
            generator.held = False
            return value
        if register == REFERENCE:
            self._mean = None  # in normal mode reading it sets the filter to zero
        return self.registers[register] if register < 64 else 0

    def write(self, register: int, value: int, now: int) -> None:
        if register >= 64 or register in _READ_ONLY:
            return
        before = self.registers[register]
        self.registers[register] = value & ~0x80 if register == CTRL5 else value
        if register == CTRL5 and value & 0x80:
            kept = self.latest
            self.reset()
            self.latest = kept
            self.rate_changed(now)
        elif register == CTRL1 and (value ^ before) & 0xF8:
            self.rate_changed(now)
        elif register == FIFO_CTRL and value >> 6 != before >> 6:
            self._triggered = False
            if value >> 6 == _BYPASS:
                self.fifo.clear()
        elif register == CTRL5 and not value & 0x40:
            self.fifo.clear()
        elif register in (INT1_CFG, INT2_CFG):
            self._generators[register == INT2_CFG].reset()

    def following(self, register: int) -> int:
        """The register that a multi-byte transfer with the increment bit goes to next."""
        return OUT_X_L if register == OUT_Z_H and self.registers[CTRL5] & 0x40 else register + 1
