"""The cell of a handheld die: percent by voltage, levels that do not flicker; against modelled cell and converter."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from companion.virtual_table.chips.battery import Cell, Converter
from firmware.drivers.battery import Battery, percent_of
from shared_rules.wire.battery_level import CRITICAL_PERCENT, LOW_PERCENT
from shared_rules.wire.messages import BATTERY_CRITICAL, BATTERY_GOOD, BATTERY_LOW


class Rig:
    """A cell behind a divider of two, its converter with noise and faults, a charger's line."""

    def __init__(self, seed=1):
        self.cell = Cell(100.0)
        self.cell.load_ma = 20.0
        self._converter = Converter(seed)
        self.line = 1
        self.battery = Battery(self, 2, SimpleNamespace(value=lambda: self.line))

    def read_uv(self):
        return self._converter.sample(self.cell.millivolts / 2, 3)[1]


@pytest.mark.parametrize(
    ("millivolts", "percent"),
    [(0, 0), (2900, 0), (3270, 0), (3610, 5), (3650, 7), (3840, 50), (4200, 100), (4250, 100), (6000, 100)],
)
def test_percent_by_voltage(millivolts, percent):
    assert percent_of(millivolts) == percent


def test_more_volts_are_never_fewer_percent():
    told = [percent_of(mv) for mv in range(2500, 4500)]
    assert told == sorted(told)
    assert set(range(101)) == set(told)


@pytest.mark.parametrize("seed", range(5))
def test_a_cell_that_runs_down_tells_each_level_once(seed):
    rig = Rig(seed)
    told = []
    at_change = []
    for step in range(2000):  # ten seconds each, as the die does it; the load is higher so that it is quicker
        rig.cell.part = max(0.0, 1 - step / 1900)
        if rig.battery.measure():
            told.append(rig.battery.level)
            at_change.append(rig.battery.percent)
    assert told == [BATTERY_LOW, BATTERY_CRITICAL]
    assert at_change == [LOW_PERCENT, CRITICAL_PERCENT]
    rig.cell.load_ma = -50.0
    for step in range(2000):
        rig.cell.part = min(1.0, step / 1900)
        if rig.battery.measure():
            told.append(rig.battery.level)
    assert told[2:] == [BATTERY_LOW, BATTERY_GOOD]
    assert rig.battery.percent == 100


def test_a_cell_near_a_bound_does_not_flicker():
    crossings = []
    for millivolts in range(3700, 3741, 2):  # the bound lies among these, wherever this converter sees it
        rig = Rig()
        rig.cell.set_millivolts(millivolts)
        changes, percents = 0, []
        for n in range(300):
            rig.cell.load_ma = 15 + 10 * (n % 3)
            changes += rig.battery.measure()
            percents.append(rig.battery.percent <= LOW_PERCENT)
        assert changes <= 1, millivolts
        crossings.append(sum(a != b for a, b in pairwise(percents)))
    assert max(crossings) > 10  # the charge itself does go to and fro across it


def test_what_telemetry_gets():
    rig = Rig()
    rig.cell.set_millivolts(3900)
    for _ in range(20):
        rig.battery.measure()
    percent, millivolts = rig.battery.state()
    assert abs(millivolts - 3893) < 25
    assert percent == percent_of(millivolts)


def test_charging_is_a_low_line():
    rig = Rig()
    assert not rig.battery.is_charging()
    rig.line = 0
    assert rig.battery.is_charging()
