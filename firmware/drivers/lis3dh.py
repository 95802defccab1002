"""The accelerometer LIS3DH, for the handheld die (ST, data sheet DocID17530; application note AN3308).

In play it runs in high-resolution mode (12 bits, 20 uA at 100 Hz), asleep in low-power mode (8 bits, 4 uA at 25 Hz)
with interrupt generator 1, behind the high-pass filter, on INT1.
"""

import asyncio

from firmware.drivers.accelerometer import FIFO_DEPTH, RANGES_G, Accelerometer

_CTRL_REG1 = 0x20  # rate in bits 7-4, low power in bit 3, axes in 2-0
_CTRL_REG2 = 0x21
_CTRL_REG3 = 0x22  # what goes to INT1
_CTRL_REG4 = 0x23
_CTRL_REG5 = 0x24
_REFERENCE = 0x26
_FIFO_CTRL_REG = 0x2E
_FIFO_SRC_REG = 0x2F
_INT1_CFG = 0x30
_INT1_SRC = 0x31
_INT1_THS = 0x32
_INT1_DURATION = 0x33

_BOOT = 0x80
_ALL_AXES = 0x07
_LOW_POWER = 0x08
_WHOLE_READS = 0x80  # CTRL_REG4: low and high byte of the same sample
_HIGH_RESOLUTION = 0x08
_FIFO_ON = 0x40
_LATCHED = 0x08  # CTRL_REG5: the interrupt stays until INT1_SRC is read
_FILTER_FOR_INT1 = 0x01  # CTRL_REG2: gravity does not count as motion
_INT1_TO_PIN = 0x40
_ANY_AXIS_HIGH = 0x2A
_STREAM = 0x80  # FIFO: newest in, oldest out
_WATERMARK = 24  # of 32: `WTM` then tells that reading comes late
_OVERRUN = 0x40
_COUNT = 0x1F
_RATES = (1, 10, 25, 50, 100, 200, 400)  # Hz, codes 1 and up
# Of the 16-bit values; at 16 g the 12 bits are not a power of two of the others (data sheet, table 4)
_SCALES = (1 / 16, 2 / 16, 4 / 16, 12 / 16)
_THRESHOLD_MG = (16, 32, 62, 186)  # a step of INT1_THS


class Lis3dh(Accelerometer):
    """Rates 1, 10, 25, 50, 100, 200 and 400 Hz."""

    name = "LIS3DH"

    def __init__(self, registers) -> None:
        super().__init__(registers)
        self._first |= registers.burst
        self._full_scale = 0

    async def start(self, rate_hz: int, range_g: int) -> bool:
        code = _RATES.index(rate_hz) + 1
        full_scale = RANGES_G.index(range_g)
        registers = self._registers
        registers.write(_CTRL_REG5, _BOOT)  # trimming values anew; there is no reset by software
        await asyncio.sleep_ms(5)
        control = _WHOLE_READS | full_scale << 4 | _HIGH_RESOLUTION
        registers.write(_CTRL_REG1, code << 4 | _ALL_AXES)
        registers.write(_CTRL_REG2, 0)
        registers.write(_CTRL_REG3, 0)
        registers.write(_INT1_CFG, 0)
        registers.write(_CTRL_REG4, control)
        registers.write(_CTRL_REG5, _FIFO_ON)
        registers.write(_FIFO_CTRL_REG, 0)  # bypass empties it
        registers.write(_FIFO_CTRL_REG, _STREAM | _WATERMARK)
        self._runs(rate_hz, full_scale)
        return registers.read(_CTRL_REG1) == code << 4 | _ALL_AXES and registers.read(_CTRL_REG4) == control

    def carry_on(self, rate_hz: int, range_g: int) -> bool:
        self._runs(rate_hz, RANGES_G.index(range_g))
        registers = self._registers
        control = _WHOLE_READS | self._full_scale << 4
        return registers.read(_CTRL_REG1) == self._watching() and registers.read(_CTRL_REG4) == control

    def wake_on_motion(self, threshold_mg: int, rate_hz: int) -> None:
        registers = self._registers
        self.rate_hz = rate_hz
        steps = -(-threshold_mg // _THRESHOLD_MG[self._full_scale])
        # Low power and high resolution exclude each other; the FIFO goes on.
        registers.write(_CTRL_REG4, _WHOLE_READS | self._full_scale << 4)
        registers.write(_CTRL_REG1, self._watching())
        registers.write(_CTRL_REG2, _FILTER_FOR_INT1)
        registers.write(_INT1_THS, min(max(steps, 1), 127))
        registers.write(_INT1_DURATION, 0)
        registers.write(_CTRL_REG3, _INT1_TO_PIN)
        registers.write(_CTRL_REG5, _FIFO_ON | _LATCHED)
        registers.read(_REFERENCE)  # the filter takes how it lies now as its zero
        registers.write(_INT1_CFG, _ANY_AXIS_HIGH)
        registers.read(_INT1_SRC)  # what was before does not count

    def _runs(self, rate_hz: int, full_scale: int) -> None:
        self._full_scale = full_scale
        self.rate_hz = rate_hz
        self.scale = _SCALES[full_scale]
        self.overrun = False

    def _watching(self) -> int:
        return (_RATES.index(self.rate_hz) + 1) << 4 | _LOW_POWER | _ALL_AXES

    def _waiting(self) -> int:
        state = self._registers.read(_FIFO_SRC_REG)
        self.overrun = bool(state & _OVERRUN)
        return FIFO_DEPTH if self.overrun else state & _COUNT
