"""LIS2DW12 and LIS3DH register by register, as their data sheets have it, without a board."""

from math import inf, sin
from statistics import fmean, pstdev

import pytest

from companion.virtual_table.chips.accelerometer import Resting
from companion.virtual_table.chips.lis2dw12 import Lis2dw12
from companion.virtual_table.chips.lis3dh import Lis3dh


class Moving:
    """Felt values by time: `at` is a list of (from µs, (x, y, z))."""

    def __init__(self, *at) -> None:
        self.at = at

    def acceleration(self, t_us):
        return [felt for since, felt in self.at if t_us >= since][-1]


class Bench:
    """A chip whose clock is moved by hand."""

    def __init__(self, chip, motion=None, seed=4) -> None:
        self.complaints: list[str] = []
        self.chip = chip(motion or Resting(), seed, self.complaints.append)
        self.chip.power_on(0)
        self.now = 50_000

    def write(self, register, value):
        self.chip.write(register, value, self.now)

    def read(self, register):
        self.chip.advance(self.now)
        return self.chip.read(register, self.now)

    def wait(self, us):
        self.now += us
        self.chip.advance(self.now)

    def sample(self):
        raw = bytes(self.read(0x28 + i) for i in range(6))
        return tuple(int.from_bytes(raw[i : i + 2], "little", signed=True) for i in (0, 2, 4))

    def samples(self, count):
        return [self.sample() for _ in range(count)]


@pytest.fixture
def dw():
    bench = Bench(Lis2dw12)
    bench.write(0x20, 0x54)  # 100 Hz, high performance
    return bench


@pytest.fixture
def dh():
    bench = Bench(Lis3dh)
    bench.write(0x23, 0x88)  # block data update, high resolution, 2 g
    bench.write(0x20, 0x57)  # 100 Hz, all axes
    return bench


# -- identity, reset, what is read only --------------------------------------------------------------------------------


@pytest.mark.parametrize(("chip", "identity", "defaults"), [
    (Lis2dw12, 0x44, {0x20: 0, 0x21: 0x04, 0x2E: 0}),
    (Lis3dh, 0x33, {0x1E: 0x10, 0x20: 0x07, 0x23: 0}),
])  # fmt: skip
def test_identity_and_reset_values(chip, identity, defaults):
    bench = Bench(chip)
    assert bench.read(0x0F) == identity
    bench.write(0x0F, 0)
    assert bench.read(0x0F) == identity
    assert {register: bench.read(register) for register in defaults} == defaults


def test_a_soft_reset_of_the_lis2dw12_clears_registers_and_fifo(dw):
    dw.write(0x2E, 0xC0)
    dw.wait(200_000)
    dw.write(0x21, 0x40)
    assert (dw.read(0x20), dw.read(0x21), dw.read(0x2F)) == (0, 0x04, 0)
    dw.wait(200_000)
    assert dw.read(0x2F) == 0, "it is off"


# -- samples -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "g"), [(0x00, 2), (0x10, 4), (0x20, 8), (0x30, 16)])
def test_scales_of_the_lis2dw12(dw, scale, g):
    dw.write(0x25, 0x04 | scale)
    dw.wait(100_000)
    x, _, z = dw.sample()
    assert z * g / 32768 == pytest.approx(1.0, abs=0.1)
    assert x * g / 32768 == pytest.approx(0.0, abs=0.1)
    assert x % 4 == z % 4 == 0, "14 bits, left-justified"


@pytest.mark.parametrize(("scale", "count_mg"), [(0x00, 1), (0x10, 2), (0x20, 4), (0x30, 12)])
def test_scales_of_the_lis3dh(dh, scale, count_mg):
    dh.write(0x23, 0x88 | scale)
    dh.wait(100_000)
    x, _, z = dh.sample()
    assert z / 16 * count_mg == pytest.approx(1000, abs=120)
    assert x % 16 == z % 16 == 0, "12 bits, left-justified"


@pytest.mark.parametrize(("chip", "setup", "low_bits"), [
    (Lis2dw12, [(0x20, 0x50)], 4),  # low-power mode 1: 12 bits
    (Lis3dh, [(0x20, 0x5F)], 8),  # low power: 8 bits
    (Lis3dh, [(0x20, 0x57)], 6),  # normal: 10 bits
])  # fmt: skip
def test_low_power_has_fewer_bits(chip, setup, low_bits):
    bench = Bench(chip)
    for register, value in setup:
        bench.write(register, value)
    bench.wait(100_000)
    assert all(value % (1 << low_bits) == 0 for value in bench.sample())


def test_beyond_the_scale_it_stays_at_its_end():
    for chip, setup in ((Lis2dw12, [(0x20, 0x54)]), (Lis3dh, [(0x23, 0x88), (0x20, 0x57)])):
        bench = Bench(chip, Resting((3.0, -3.0, 0.0)))
        for register, value in setup:
            bench.write(register, value)
        bench.wait(50_000)
        x, y, _ = bench.sample()
        assert x > 32_700
        assert y == -32_768


def noise_mg(bench, count_mg, seconds=4):
    values = []
    for _ in range(seconds * 100):
        bench.wait(10_000)
        values.append(bench.sample()[0] * count_mg)
    return pstdev(values), fmean(values)


def test_noise_is_that_of_the_mode():
    measured = {}
    for name, value in (("high", 0x54), ("lp1", 0x50), ("lp4", 0x53)):
        bench = Bench(Lis2dw12)
        bench.write(0x20, value)
        measured[name] = noise_mg(bench, 2000 / 32768)[0]
    assert measured["high"] == pytest.approx(0.78, rel=0.2)  # 110 µg a root hertz, 50 Hz of bandwidth
    assert measured["lp4"] == pytest.approx(1.56, rel=0.2)
    assert measured["lp1"] == pytest.approx(5.4, rel=0.2)


def test_each_specimen_has_its_own_faults_and_a_seed_repeats_them():
    offsets = set()
    for seed in (1, 2, 3, 1):
        bench = Bench(Lis2dw12, Resting((0.0, 0.0, 1.0)), seed=seed)
        bench.write(0x20, 0x54)
        offsets.add(round(noise_mg(bench, 2000 / 32768, 1)[1], 6))
    assert len(offsets) == 3
    assert all(abs(offset) < 100 for offset in offsets)


def test_samples_come_at_the_rate(dw, dh):
    for bench, code in ((dw, 0x20), (dh, 0x20)):
        for value, hz in ((0x30 | bench.read(code) & 15, 25), (0x50 | bench.read(code) & 15, 100)):
            bench.write(code, value)
            before = bench.chip.samples
            for _ in range(100):
                bench.wait(100_000)
            assert bench.chip.samples - before == pytest.approx(hz * 10, rel=0.05)


def test_off_nothing_is_measured(dw, dh):
    dw.write(0x20, 0x04)
    dh.write(0x20, 0x07)
    for bench in (dw, dh):
        before = bench.chip.samples
        bench.wait(1_000_000)
        assert bench.chip.samples == before
        assert bench.chip.next_change_us() == inf


def test_data_ready_goes_when_it_was_read(dw, dh):
    for bench, ready in ((dw, 0x01), (dh, 0x08)):
        bench.wait(11_000)
        assert bench.read(0x27) & ready
        bench.sample()
        assert not bench.read(0x27) & ready


# -- FIFO --------------------------------------------------------------------------------------------------------------


def test_the_fifo_of_the_lis2dw12_counts_fills_and_loses_the_oldest(dw):
    dw.write(0x2E, 0xC0 | 8)
    dw.wait(52_000)
    assert dw.read(0x2F) in (4, 5, 6)
    dw.wait(60_000)
    level = dw.read(0x2F)
    assert level & 0x80, "threshold"
    assert level & 0x3F >= 8
    dw.wait(1_000_000)
    assert dw.read(0x2F) == 0x80 | 0x40 | 32
    dw.samples(31)
    assert dw.read(0x2F) & 0x3F == 1
    assert dw.read(0x2F) & 0x40 == 0
    last = dw.sample()
    assert dw.read(0x2F) == 0
    assert dw.sample() == last, "an empty FIFO says the last one again"


def test_the_fifo_of_the_lis3dh_counts_31_and_a_flag(dh):
    dh.write(0x24, 0x40)
    dh.write(0x2E, 0x80 | 9)
    assert dh.read(0x2F) == 0x20
    dh.wait(52_000)
    assert dh.read(0x2F) in (4, 5, 6)
    dh.wait(60_000)
    assert dh.read(0x2F) & 0x80, "more than the watermark"
    dh.wait(1_000_000)
    assert dh.read(0x2F) == 0x80 | 0x40 | 31
    dh.samples(32)
    assert dh.read(0x2F) == 0x20


@pytest.mark.parametrize(("chip", "setup", "level"), [
    (Lis2dw12, [(0x20, 0x54), (0x2E, 0x20)], 0x3F),
    (Lis3dh, [(0x20, 0x57), (0x24, 0x40), (0x2E, 0x40)], 0x1F),
])  # fmt: skip
def test_fifo_mode_keeps_the_oldest(chip, setup, level):
    bench = Bench(chip, Moving((0, (0.0, 0.0, 1.0)), (500_000, (1.0, 0.0, 0.0))))
    for register, value in setup:
        bench.write(register, value)
    bench.wait(1_000_000)
    assert all(z > 12_000 for _, _, z in bench.samples(32))


def test_bypass_empties_it(dw, dh):
    dh.write(0x24, 0x40)
    for bench, stream in ((dw, 0xC0), (dh, 0x80)):
        bench.write(0x2E, stream)
        bench.wait(100_000)
        assert bench.read(0x2F) & 0x1F
        bench.write(0x2E, 0)
        assert bench.read(0x2F) & 0x1F == 0


def test_a_transfer_of_several_samples_wraps_around(dw, dh):
    dh.write(0x24, 0x40)
    dw.write(0x2E, 0xC0)
    dh.write(0x2E, 0x80)
    for bench in (dw, dh):
        assert bench.chip.following(0x2C) == 0x2D
        assert bench.chip.following(0x2D) == 0x28
        assert bench.chip.following(0x20) == 0x21
        bench.write(0x2E, 0)
    assert dw.chip.following(0x2D) == 0x2E
    dw.write(0x21, 0)
    assert dw.chip.following(0x20) == 0x20, "without IF_ADD_INC it stays"


def test_hours_without_a_look_cost_next_to_nothing(dw):
    dw.write(0x2E, 0xC0)
    dw.wait(3_600_000_000)
    assert dw.chip.samples < 200
    assert dw.read(0x2F) & 0x3F == 32


# -- interrupts --------------------------------------------------------------------------------------------------------


def jerk(chip):
    """Still for two seconds, then one step of a g, then still."""
    return Bench(chip, Moving((0, (0.0, 0.0, 1.0)), (2_000_000, (1.0, 0.0, 0.0))))


def rises(bench, seconds=4):
    """Times in ms at which INT1 is another than before."""
    found, level = [], bench.chip.int1
    end = bench.now + seconds * 1_000_000
    while (due := bench.chip.next_change_us()) <= end:
        bench.now = int(due)
        bench.chip.advance(bench.now)
        if bench.chip.int1 != level:
            level = bench.chip.int1
            found.append(bench.now // 1000)
    return found


def wake_up(bench, threshold=2, duration=0, latch=0, polarity=0):
    bench.write(0x34, threshold)
    bench.write(0x35, duration << 5)
    bench.write(0x22, latch | polarity)
    bench.write(0x23, 0x20)
    bench.write(0x3F, 0x20)
    bench.write(0x20, 0x50)


def test_the_lis2dw12_wakes_by_a_slope_once():
    bench = jerk(Lis2dw12)
    wake_up(bench)
    up, down = rises(bench)
    assert 2000 <= up <= 2012
    assert 9 <= down - up <= 11, "one sample long"


def test_a_slope_that_is_too_small_or_too_short_does_not_wake_it():
    small = jerk(Lis2dw12)
    wake_up(small, threshold=17)  # 531 mg, half of the step is 500
    assert rises(small) == []
    short = jerk(Lis2dw12)
    wake_up(short, duration=1)
    assert rises(short) == []


def test_a_latched_wake_up_holds_until_its_source_is_read():
    bench = jerk(Lis2dw12)
    wake_up(bench, latch=0x10)
    assert len(rises(bench)) == 1
    assert bench.read(0x38) & 0x0C == 0x0C, "wake-up, by x"
    assert bench.chip.int1 == 0


def test_polarity_and_the_master_switch_of_interrupts():
    bench = jerk(Lis2dw12)
    wake_up(bench, polarity=0x08)
    assert bench.chip.int1 == 1
    assert len(rises(bench)) == 2
    off = jerk(Lis2dw12)
    wake_up(off)
    off.write(0x3F, 0)
    assert off.chip.next_change_us() == inf


def test_free_fall_and_its_threshold():
    bench = Bench(Lis2dw12, Moving((0, (0.0, 0.0, 1.0)), (1_000_000, (0.0, 0.0, 0.0)), (1_300_000, (0.0, 0.0, 1.0))))
    bench.write(0x36, 6 << 3 | 3)  # six samples below 312 mg
    bench.write(0x23, 0x10)
    bench.write(0x3F, 0x20)
    bench.write(0x20, 0x54)
    up, down = rises(bench)
    assert 1045 <= up <= 1075
    assert 1290 <= down <= 1315


def test_the_fifo_threshold_raises_the_line_of_both():
    for chip, setup in (
        (Lis2dw12, [(0x2E, 0xC0 | 10), (0x23, 0x02), (0x20, 0x54)]),
        (Lis3dh, [(0x24, 0x40), (0x2E, 0x80 | 9), (0x22, 0x04), (0x20, 0x57)]),
    ):
        bench = Bench(chip)
        for register, value in setup:
            bench.write(register, value)
        (up,) = rises(bench, 1)
        assert 50 + 95 <= up <= 50 + 106
        bench.samples(32)
        assert bench.chip.int1 == 0


def test_the_lis3dh_wakes_by_its_high_pass_filter():
    bench = jerk(Lis3dh)
    for register, value in ((0x21, 0x01), (0x22, 0x40), (0x24, 0x08), (0x32, 8), (0x33, 0), (0x20, 0x57)):
        bench.write(register, value)
    bench.wait(200_000)
    bench.write(0x30, 0x2A)  # OR of the three axes, high
    (up,) = rises(bench)
    assert 2000 <= up <= 2012
    assert bench.read(0x31) & 0x42 == 0x42, "active, x high"
    bench.wait(1_000_000)
    bench.read(0x31)
    assert bench.chip.int1 == 0


def test_the_lis3dh_duration_counts_samples():
    shaken = Moving((0, (0.0, 0.0, 1.0)), (1_000_000, (0.6, 0.0, 1.0)), (1_100_000, (0.0, 0.0, 1.0)))
    for duration, count in ((5, 2), (15, 0)):
        bench = Bench(Lis3dh, shaken)
        for register, value in ((0x22, 0x40), (0x32, 25), (0x33, duration), (0x30, 0x02), (0x20, 0x57)):
            bench.write(register, value)
        assert len(rises(bench)) == count


def test_smoothing_follows_the_bandwidth():
    class Trembling:
        def acceleration(self, t_us):
            return (0.2 * sin(t_us / 1e6 * 2 * 3.14159 * 40), 0.0, 1.0)

    spread = []
    for bandwidth in (0x00, 0xC0):
        bench = Bench(Lis2dw12, Trembling())
        bench.write(0x25, bandwidth)
        bench.write(0x20, 0x54)
        spread.append(noise_mg(bench, 2000 / 32768, 2)[0])
    assert spread[1] < spread[0] / 3
