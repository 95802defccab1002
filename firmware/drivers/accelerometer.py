"""What the accelerometers of a die have in common: their registers on a bus, and their FIFO of 32 samples.

`Accelerometer` is what a die works with; the driver of each chip fills in its registers.
"""

from array import array

MYPY = False
if MYPY:  # only type checkers come here
    import machine

FIFO_DEPTH = 32
RANGES_G = (2, 4, 8, 16)

_OUT_X_L = 0x28  # of all
_SAMPLE_SIZE = 6
_SPI_READ = 0x80


class I2cRegisters:
    """A chip's registers by I2C. `burst` is the bit that makes an LIS3DH go on to the next register."""

    burst = 0x80

    def __init__(self, i2c: "machine.I2C", address: int) -> None:
        self._i2c = i2c
        self._address = address
        self._byte = bytearray(1)

    def read(self, register: int) -> int:
        """One register. OSError when the chip does not acknowledge."""
        self._i2c.readfrom_mem_into(self._address, register, self._byte)
        return self._byte[0]

    def read_into(self, register: int, into) -> None:
        """Registers from this one on."""
        self._i2c.readfrom_mem_into(self._address, register, into)

    def write(self, register: int, value: int) -> None:
        self._byte[0] = value
        self._i2c.writeto_mem(self._address, register, self._byte)


class SpiRegisters:
    """A chip's registers by SPI (mode 3, at most 10 MHz); `select` is low while the chip is meant."""

    burst = 0x40

    def __init__(self, spi: "machine.SPI", select: "machine.Pin") -> None:
        self._spi = spi
        self._select = select
        self._byte = bytearray(1)
        self._pair = bytearray(2)

    def read(self, register: int) -> int:
        """One register; 0 or 255 when there is no chip."""
        self.read_into(register, self._byte)
        return self._byte[0]

    def read_into(self, register: int, into) -> None:
        """Registers from this one on."""
        self._pair[0] = register | _SPI_READ
        self._select.value(0)
        self._spi.write(memoryview(self._pair)[:1])
        self._spi.readinto(into)
        self._select.value(1)

    def write(self, register: int, value: int) -> None:
        self._pair[0] = register
        self._pair[1] = value
        self._select.value(0)
        self._spi.write(self._pair)
        self._select.value(1)


class Accelerometer:
    """An accelerometer whose FIFO runs for ever, the newest sample pushing the oldest out.

    `scale` is mg a count of the 16-bit values; `rate_hz` samples a second; `overrun` whether samples were lost before
    the last `read`. The chips themselves provide `start`, `carry_on`, `wake_on_motion` and `_waiting`.
    """

    name = ""

    def __init__(self, registers) -> None:
        self._registers = registers
        self._raw = bytearray(FIFO_DEPTH * _SAMPLE_SIZE)
        self._view = memoryview(self._raw)
        self._first = _OUT_X_L
        self.scale = 0.0
        self.rate_hz = 0
        self.overrun = False

    async def start(self, rate_hz: int, range_g: int) -> bool:
        """Sets the chip up and empties its FIFO. False when the chip does not keep what was written to it.

        ValueError for a rate or a range that it does not have.
        """
        raise NotImplementedError

    def carry_on(self, rate_hz: int, range_g: int) -> bool:
        """After a deep sleep: the chip has been on watch since `wake_on_motion` at this rate and range, and `read`
        gives its last `FIFO_DEPTH` samples. False when it is not so: it was without its supply.
        """
        raise NotImplementedError

    def wake_on_motion(self, threshold_mg: int, rate_hz: int) -> None:
        """From now on the interrupt line rises when the die is moved, until `start`. The FIFO goes on at that rate."""
        raise NotImplementedError

    def read(self, samples: array) -> int:
        """Empties the FIFO into `samples`, an array('h') of x, y, z, x, y, z, …, oldest first; how many samples.

        Takes no more than fit; the others come next time. OSError when an I2C chip does not acknowledge.
        """
        count = min(self._waiting(), len(samples) // 3)
        if count:
            # Reading past the last data register goes on at the first one with the next sample.
            self._registers.read_into(self._first, self._view[: count * _SAMPLE_SIZE])
            raw = self._raw
            for n in range(3 * count):
                value = raw[2 * n] | raw[2 * n + 1] << 8
                samples[n] = value - 0x10000 if value & 0x8000 else value
        return count

    def _waiting(self) -> int:
        """How many samples the FIFO holds; notes `overrun`."""
        raise NotImplementedError
