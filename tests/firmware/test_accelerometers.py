"""The drivers of both accelerometers against the chip models of the virtual table, byte by byte over the bus."""

from array import array

import pytest
from chip_buses import I2cBus, Shaken, SpiBus, run

from firmware.drivers.accelerometer import FIFO_DEPTH
from firmware.drivers.accelerometer_probe import find_on_i2c, find_on_spi

CHIPS = {"lis2dw12": "LIS2DW12", "lis3dh": "LIS3DH"}


@pytest.fixture(params=CHIPS)
def chip(request):
    return request.param


@pytest.fixture
def bus(chip):
    return I2cBus(chip)


def started(bus, rate=100, range_g=4):
    sensor = find_on_i2c(bus)
    assert run(sensor.start(rate, range_g), bus)
    return sensor


def drained(bus, sensor, seconds, every_ms=40):
    """All samples of that time in mg, and whether any were lost."""
    samples = array("h", [0] * 3 * FIFO_DEPTH)
    taken, lost = [], False
    for _ in range(int(seconds * 1000 / every_ms)):
        bus.wait_ms(every_ms)
        count = sensor.read(samples)
        lost = lost or sensor.overrun
        taken += [tuple(v * sensor.scale for v in samples[3 * n : 3 * n + 3]) for n in range(count)]
    return taken, lost


@pytest.mark.parametrize("address", [0x18, 0x19])
def test_it_is_found_by_what_it_says_it_is(chip, address):
    assert find_on_i2c(I2cBus(chip, address)).name == CHIPS[chip]


def test_nobody_there():
    assert find_on_i2c(I2cBus("lis3dh", 0x1C)) is None


def test_another_chip_at_the_address_is_none_of_ours(bus):
    bus.die.accelerometer.registers[0x0F] = 0x12
    bus.die.accelerometer.read = lambda register, now: 0x12
    assert find_on_i2c(bus) is None


@pytest.mark.parametrize("range_g", [2, 4, 8, 16])
def test_gravity_is_a_thousand_mg_in_every_range(bus, range_g):
    taken, lost = drained(bus, started(bus, 100, range_g), 1)
    assert not lost
    assert 93 <= len(taken) <= 105  # a chip's clock is off by up to four percent
    for axis, wanted in enumerate((0, 0, 1000)):
        assert abs(sum(sample[axis] for sample in taken) / len(taken) - wanted) < 80


@pytest.mark.parametrize("rate", [50, 200, 400])
def test_rates(bus, rate):
    taken, lost = drained(bus, started(bus, rate), 1, every_ms=20)
    assert not lost
    assert 0.93 * rate <= len(taken) <= 1.06 * rate


def test_a_rate_or_range_that_it_does_not_have(bus):
    sensor = find_on_i2c(bus)
    with pytest.raises(ValueError, match="not in"):
        run(sensor.start(123, 4), bus)
    with pytest.raises(ValueError, match="not in"):
        run(sensor.start(100, 5), bus)


def test_samples_come_oldest_first_and_none_is_left_out(bus):
    bus.die.accelerometer.motion = Shaken(0, 1.0, period_us=2_000_000)  # x falls from 1 g to -1 g in a second
    taken, _lost = drained(bus, started(bus, 100, 2), 0.9, every_ms=90)
    xs = [sample[0] for sample in taken]
    assert len(xs) >= 80
    steps = [b - a for a, b in zip(xs, xs[1:], strict=False)]
    assert all(-60 < step < 20 for step in steps)


def test_more_than_the_array_holds_comes_next_time(bus):
    sensor = started(bus)
    bus.wait_ms(200)
    few = array("h", [0] * 15)
    assert [sensor.read(few) for _ in range(2)] == [5, 5]
    many = array("h", [0] * 3 * FIFO_DEPTH)
    assert 8 <= sensor.read(many) <= 11


def test_lost_samples_are_noticed(bus):
    sensor = started(bus)
    samples = array("h", [0] * 3 * FIFO_DEPTH)
    bus.wait_ms(280)  # beyond the watermark
    assert 24 < sensor.read(samples) < FIFO_DEPTH
    assert not sensor.overrun
    bus.wait_ms(1000)
    assert sensor.read(samples) == FIFO_DEPTH
    assert sensor.overrun
    bus.wait_ms(100)
    sensor.read(samples)
    assert not sensor.overrun


@pytest.mark.parametrize("g", [0.8, 1.5])
def test_motion_raises_the_line_and_the_fifo_has_kept_it(bus, g):
    sensor = started(bus)
    sensor.wake_on_motion(100, 50)
    bus.wait_ms(10_000)
    assert bus.interrupt == 0
    bus.die.accelerometer.motion = Shaken(bus.now, g)
    bus.wait_ms(300)
    assert bus.interrupt == 1
    bus.die.accelerometer.motion = Shaken(bus.now + 10**9, g)
    bus.wait_ms(300)  # at 50 samples a second the 32 of the FIFO reach back 640 ms
    assert bus.interrupt == 1, "it must stay until somebody looks"

    awake = find_on_i2c(bus)  # another life of the controller
    assert awake.carry_on(100, 4) is False
    assert awake.carry_on(50, 2) is False
    assert awake.carry_on(50, 4) is True
    samples = array("h", [0] * 3 * FIFO_DEPTH)
    assert awake.read(samples) == FIFO_DEPTH
    assert max(abs(x) for x in samples[::3]) * awake.scale > g * 600
    assert run(awake.start(100, 4), bus)
    assert bus.interrupt == 0


def test_little_motion_does_not_wake_it(bus):
    sensor = started(bus, 50)
    sensor.wake_on_motion(100, 50)
    bus.die.accelerometer.motion = Shaken(bus.now, 0.03)
    bus.wait_ms(20_000)
    assert bus.interrupt == 0


def test_the_threshold_is_what_was_asked_for(bus):
    sensor = started(bus, 50)
    sensor.wake_on_motion(500, 50)
    bus.die.accelerometer.motion = Shaken(bus.now, 0.2)
    bus.wait_ms(5_000)
    assert bus.interrupt == 0
    bus.die.accelerometer.motion = Shaken(bus.now, 1.5)
    bus.wait_ms(500)
    assert bus.interrupt == 1


def test_a_chip_that_lost_its_supply_carries_nothing_on(bus):
    started(bus, 50).wake_on_motion(100, 50)
    bus.die.accelerometer.power_on(bus.now)
    bus.wait_ms(30)
    assert find_on_i2c(bus).carry_on(50, 4) is False


def test_a_chip_that_is_gone_says_so(bus):
    sensor = started(bus)
    bus.die.absent = True
    with pytest.raises(OSError, match="19"):
        sensor.read(array("h", [0] * 3 * FIFO_DEPTH))
    with pytest.raises(OSError, match="19"):
        run(sensor.start(100, 4), bus)


def test_a_chip_that_keeps_nothing_is_refused(bus):
    sensor = find_on_i2c(bus)
    bus.die.accelerometer.write = lambda register, value, now: None
    assert run(sensor.start(100, 4), bus) is False


def test_over_spi(chip):
    bus = SpiBus(chip)
    sensor = find_on_spi(bus, bus.select)
    assert sensor.name == CHIPS[chip]
    assert run(sensor.start(100, 4), bus)
    taken, lost = drained(bus, sensor, 1)
    assert not lost
    assert 93 <= len(taken) <= 105
    assert all(abs(z - 1000) < 120 for _x, _y, z in taken)


def test_reading_allocates_no_more_for_many_samples_than_for_few(micropython):
    told = micropython("accelerometer_heap")
    assert told["samples"] == [3, 30]
    few, many = told["bytes"]
    assert many == few
    assert many < 100
