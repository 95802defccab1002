"""Buses between the firmware's drivers, run by CPython, and the chip models of the virtual table; time set by hand."""

import asyncio
from types import SimpleNamespace

from companion.virtual_table.chips.accelerometer import Resting
from companion.virtual_table.chips.die_hardware import DieHardware, DieWiring

WIRING = DieWiring(
    sda=4, scl=5, interrupt=3, battery=1, charging=0, led=7, led_power=10, bus_hz=400000, divider=2, cell_mah=100
)


class Shaken:
    """Lies still, from `since_us` on it swings along x."""

    def __init__(self, since_us, g, period_us=200_000):
        self.since_us, self.g, self.period_us = since_us, g, period_us

    def acceleration(self, t_us):
        if t_us < self.since_us:
            return (0.0, 0.0, 1.0)
        phase = (t_us - self.since_us) % self.period_us / self.period_us
        return (self.g * (4 * abs(phase - 0.5) - 1), 0.0, 1.0)


class I2cBus:
    """`machine.I2C` with one accelerometer on it; `now` in microseconds. Complaints of the model fail the test."""

    def __init__(self, chip, address=None):
        self.die = DieHardware(WIRING, chip=chip, seed=5, motion=Resting())
        self.now = 0
        self._chip_at = address or self.die.accelerometer.ADDRESS

    def _transfer(self, address, data, count):
        self.now += 200
        if address != self._chip_at:
            raise OSError(19)
        error, answer = self.die.i2c(4, 5, self.die.accelerometer.ADDRESS, bytes(data), count, self.now)
        if error:
            raise OSError(error)
        assert not self.die.model_errors, self.die.model_errors
        return answer

    def readfrom_mem_into(self, address, register, into):
        into[:] = self._transfer(address, bytes((register,)), len(into))

    def writeto_mem(self, address, register, data):
        self._transfer(address, bytes((register,)) + bytes(data), 0)

    def wait_ms(self, ms):
        self.now += ms * 1000

    @property
    def interrupt(self):
        self.die.accelerometer.advance(self.now)
        return self.die.accelerometer.int1


class SpiBus:
    """`machine.SPI` in mode 3 with one accelerometer; `select` is the pin that chooses it."""

    def __init__(self, chip):
        self._i2c = I2cBus(chip)
        self.select = SimpleNamespace(value=self._select)
        self._burst = {"lis2dw12": 0, "lis3dh": 0x40}[chip]
        self._sent = b""
        self._level = 1

    def _select(self, level):
        if level and len(self._sent) > 1:
            assert not self._sent[0] & 0x80
            self._i2c._transfer(self._i2c._chip_at, self._sent, 0)
        self._level = level
        self._sent = b""

    def write(self, data):
        assert not self._level
        self._sent += bytes(data)

    def readinto(self, into):
        first = self._sent[0]
        assert first & 0x80
        self._sent = b""
        burst = self._i2c.die.accelerometer.INCREMENT if self._burst and first & 0x40 else 0
        into[:] = self._i2c._transfer(self._i2c._chip_at, bytes((first & 0x3F | burst,)), len(into))

    def wait_ms(self, ms):
        self._i2c.wait_ms(ms)


def run(coroutine, bus):
    """Runs a driver's coroutine; its pauses move the bus's time."""

    async def sleep_ms(ms):
        bus.wait_ms(ms)

    asyncio.sleep_ms = sleep_ms
    try:
        return asyncio.run(coroutine)
    finally:
        del asyncio.sleep_ms
