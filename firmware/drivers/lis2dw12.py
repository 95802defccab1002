"""The accelerometer LIS2DW12, for the handheld die (ST, data sheet DocID031009; application note AN5038).

In play it runs in high-performance mode (14 bits, low noise, 90 to 120 uA), asleep in low-power mode 1 (12 bits, 1.5 uA
at 25 Hz) with its wake-up function on INT1.
"""

import asyncio

from firmware.drivers.accelerometer import FIFO_DEPTH, RANGES_G, Accelerometer

_CTRL1 = 0x20  # rate in bits 7-4, mode in 3-2, low-power mode in 1-0
_CTRL2 = 0x21
_CTRL3 = 0x22
_CTRL4 = 0x23  # what goes to INT1
_CTRL6 = 0x25  # bandwidth, range in bits 5-4, low noise in bit 2
_FIFO_CTRL = 0x2E
_FIFO_SAMPLES = 0x2F
_WAKE_UP_THS = 0x34
_WAKE_UP_DUR = 0x35
_WAKE_UP_SRC = 0x38
_CTRL7 = 0x3F

_SOFT_RESET = 0x40
_WHOLE_READS = 0x0C  # CTRL2: low and high byte of the same sample, the address goes on by itself
_LATCHED = 0x10  # CTRL3: the interrupt stays until WAKE_UP_SRC is read
_WAKE_UP_TO_INT1 = 0x20
_LOW_NOISE = 0x04
_INTERRUPTS_ON = 0x20
_CONTINUOUS = 0xC0  # FIFO: newest in, oldest out; from bypass, so that it begins empty
_OVERRUN = 0x40
_COUNT = 0x3F
_HIGH_PERFORMANCE = 0x04
_WATERMARK = 24  # of 32: `FIFO_FTH` then tells that reading comes late
_RATES = (12, 25, 50, 100, 200, 400)  # Hz, codes 2 and up; 12 stands for 12.5
_FIRST_RATE = 2
_THRESHOLD_STEPS = 64  # WAKE_UP_THS counts in 1/64 of the range


class Lis2dw12(Accelerometer):
    """Rates 12 (12.5), 25, 50, 100, 200 and 400 Hz."""

    name = "LIS2DW12"

    def __init__(self, registers) -> None:
        super().__init__(registers)
        self._range_g = RANGES_G[0]

    async def start(self, rate_hz: int, range_g: int) -> bool:
        code = _RATES.index(rate_hz) + _FIRST_RATE
        full_scale = RANGES_G.index(range_g)
        registers = self._registers
        registers.write(_CTRL2, _SOFT_RESET)
        await asyncio.sleep_ms(5)  # 5 us by the data sheet; the other tasks have their turn
        registers.write(_CTRL2, _WHOLE_READS)
        registers.write(_CTRL6, full_scale << 4 | _LOW_NOISE)
        registers.write(_FIFO_CTRL, _CONTINUOUS | _WATERMARK)
        registers.write(_CTRL1, code << 4 | _HIGH_PERFORMANCE)
        self._runs(rate_hz, range_g)
        return registers.read(_CTRL1) == code << 4 | _HIGH_PERFORMANCE and registers.read(_CTRL6) >> 4 == full_scale

    def carry_on(self, rate_hz: int, range_g: int) -> bool:
        self._runs(rate_hz, range_g)
        registers = self._registers
        watching = registers.read(_CTRL7) & _INTERRUPTS_ON and registers.read(_CTRL1) == self._code() << 4
        return bool(watching) and registers.read(_CTRL6) >> 4 == RANGES_G.index(range_g)

    def wake_on_motion(self, threshold_mg: int, rate_hz: int) -> None:
        registers = self._registers
        self.rate_hz = rate_hz
        steps = -(-threshold_mg * _THRESHOLD_STEPS // (self._range_g * 1000))
        registers.write(_CTRL1, self._code() << 4)  # low-power mode 1; the FIFO goes on
        registers.write(_WAKE_UP_THS, min(max(steps, 1), _THRESHOLD_STEPS - 1))
        registers.write(_WAKE_UP_DUR, 0)
        registers.write(_CTRL3, _LATCHED)
        registers.write(_CTRL4, _WAKE_UP_TO_INT1)
        registers.write(_CTRL7, _INTERRUPTS_ON)
        registers.read(_WAKE_UP_SRC)  # what was before does not count

    def _runs(self, rate_hz: int, range_g: int) -> None:
        self._range_g = range_g
        self.rate_hz = rate_hz
        self.scale = range_g * 1000 / 0x8000
        self.overrun = False

    def _code(self) -> int:
        return _RATES.index(self.rate_hz) + _FIRST_RATE

    def _waiting(self) -> int:
        state = self._registers.read(_FIFO_SAMPLES)
        self.overrun = bool(state & _OVERRUN)
        return min(state & _COUNT, FIFO_DEPTH)
