"""A cell that sags, drains and is charged, and the converter that looks at it."""

from statistics import pstdev

import pytest

from companion.virtual_table.chips.battery import RANGES_MV, Cell, Converter


def test_load_pulls_it_down_and_the_charger_up():
    cell = Cell(part=0.5)
    at_rest = cell.millivolts
    cell.advance(0, 100)
    assert at_rest - cell.millivolts == pytest.approx(35)
    cell.advance(0, 0)
    cell.charging = True
    assert cell.millivolts > at_rest


def test_it_drains_by_what_it_gives():
    cell = Cell(mah=100, part=1.0)
    cell.advance(0, 25)
    cell.advance(3_600_000_000, 25)
    assert cell.part == pytest.approx(0.75)
    cell.advance(10 * 3_600_000_000, 0)
    assert cell.part == 0.0
    cell.charging = True
    cell.advance(11 * 3_600_000_000, 0)
    assert cell.part == pytest.approx(0.5)


@pytest.mark.parametrize("millivolts", [3000, 3275, 3600, 3725, 4000, 4200])
def test_a_voltage_that_is_set_is_there_without_load(millivolts):
    cell = Cell()
    cell.set_millivolts(millivolts)
    assert cell.open_mv == pytest.approx(millivolts)


@pytest.mark.parametrize("millivolts", [2999, 4201])
def test_voltages_that_no_cell_has(millivolts):
    with pytest.raises(ValueError, match="from 3000 to 4200 mV"):
        Cell().set_millivolts(millivolts)


def test_the_calibration_is_better_than_the_raw_count():
    raw_errors, told_errors = [], []
    for seed in range(50):
        converter = Converter(seed)
        for millivolts in range(1500, 2150, 50):
            raw, told = converter.sample(millivolts, 3)
            raw_errors.append(raw / 4095 * 1.12 * RANGES_MV[3] - millivolts)
            told_errors.append(told / 1000 - millivolts)
    assert pstdev(told_errors) < 8 < 20 < pstdev(raw_errors)
    assert max(map(abs, told_errors)) < 30


def test_above_its_range_it_stays_at_the_end():
    converter = Converter(1)
    for attenuation, most in enumerate(RANGES_MV):
        raw, told = converter.sample(3_300, attenuation)
        assert (raw, told) == (4095, round(most * 1.12) * 1000)
