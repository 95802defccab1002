"""Finds out which accelerometer is on a bus, for the die.

Every chip answers on I2C at 0x18 or 0x19 (by its SA0 pin), or on SPI in mode 3.
"""

from firmware.drivers.accelerometer import I2cRegisters, SpiRegisters

MYPY = False
if MYPY:  # only type checkers come here
    import machine

    from firmware.drivers.accelerometer import Accelerometer

_WHO_AM_I = 0x0F  # of both
_ADDRESSES = (0x19, 0x18)  # SA0 is pulled up inside


def which(registers: "I2cRegisters | SpiRegisters") -> "Accelerometer | None":
    """The accelerometer behind these registers by its WHO_AM_I, or None."""
    who = registers.read(_WHO_AM_I)
    # Only the driver that is needed is loaded.
    if who == 0x44:
        from firmware.drivers.lis2dw12 import Lis2dw12

        return Lis2dw12(registers)
    if who == 0x33:
        from firmware.drivers.lis3dh import Lis3dh

        return Lis3dh(registers)
    return None


def find_on_i2c(i2c: "machine.I2C") -> "Accelerometer | None":
    """The accelerometer on this bus, or None."""
    for address in _ADDRESSES:
        try:
            found = which(I2cRegisters(i2c, address))
        except OSError:
            continue  # nobody at this address
        if found:
            return found
    return None


def find_on_spi(spi: "machine.SPI", select: "machine.Pin") -> "Accelerometer | None":
    """The accelerometer that `select` chooses, or None."""
    return which(SpiRegisters(spi, select))
