"""The accelerometers' drivers over I2C and SPI on a chip that is nothing but its registers."""

import asyncio
import time
from array import array

from answer import answer

from firmware.drivers.accelerometer_probe import find_on_i2c, find_on_spi

time.drive_asyncio()
WHO_AM_I = 0x0F
SAMPLES = 3


class Chip:
    """Registers; those of samples give 1, 2, 3, …; the FIFO of each kind holds `SAMPLES`."""

    def __init__(self, who):
        self.registers = bytearray(64)
        self.registers[WHO_AM_I] = who
        self.registers[0x2F] = SAMPLES  # FIFO_SRC of a LIS3DH, FIFO_SAMPLES of a LIS2DW12
        self.written = []

    def write(self, register, value):
        self.written.append([register, value])
        if register != WHO_AM_I:
            self.registers[register] = value

    def read_into(self, register, into):
        for n in range(len(into)):
            into[n] = self.registers[register] if len(into) == 1 else n % 5 * 50


class I2c:
    """A bus on which the chip has one address, and which may go dead."""

    def __init__(self, chip, address):
        self.chip = chip
        self.address = address

    def readfrom_mem_into(self, address, register, into):
        if address != self.address:
            raise OSError(19)
        self.chip.read_into(register & 0x7F, into)

    def writeto_mem(self, address, register, data):
        if address != self.address:
            raise OSError(19)
        self.chip.write(register & 0x7F, data[0])


class Spi:
    """The bus and the chip's select line; nothing is heard while that is high."""

    def __init__(self, chip):
        self.chip = chip
        self.selected = False
        self.register = 0

    def value(self, level):
        self.selected = not level

    def write(self, data):
        assert self.selected
        if data[0] & 0x80:
            self.register = data[0] & 0x3F
        else:
            self.chip.write(data[0] & 0x3F, data[1])

    def readinto(self, into):
        assert self.selected
        self.chip.read_into(self.register, into)


async def use(chip, sensor):
    """A life of the sensor: what it says and what it wrote."""
    samples = array("h", [0] * 30)
    said = [sensor.name, await sensor.start(100, 4)]
    said.append([sensor.read(samples), list(samples[:9])])
    sensor.wake_on_motion(100, 50)
    said.append([sensor.carry_on(100, 4), sensor.carry_on(50, 4)])
    for rate_hz, range_g in ((123, 4), (100, 5)):
        try:
            await sensor.start(rate_hz, range_g)
        except ValueError:
            said.append("no such rate or range")
    return [said, chip.written]


async def main():
    results = {}
    for name, who in (("lis2dw12", 0x44), ("lis3dh", 0x33)):
        for bus in ("i2c", "spi"):
            chip = Chip(who)
            wires = Spi(chip)
            sensor = find_on_i2c(I2c(chip, 0x19)) if bus == "i2c" else find_on_spi(wires, wires)
            results[name + " " + bus] = await use(chip, sensor)
    results["nobody"] = find_on_i2c(I2c(Chip(0x44), 0x20)) is None
    results["another chip"] = [find_on_i2c(I2c(Chip(0x12), 0x18)) is None, find_on_spi(*[Spi(Chip(0xFF))] * 2) is None]
    answer(results)


asyncio.run(main())
