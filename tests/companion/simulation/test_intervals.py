"""Intervals against published values and against what they promise."""

import random

import pytest

from companion.simulation.intervals import mean_interval, student, wilson


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(10, 100, 0.0552, 0.1744), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_gives_the_published_values(won, played, low, high):
    assert wilson(won, played) == pytest.approx((low, high), abs=1e-4)


def test_wilson_without_games_knows_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


def test_wilson_covers_the_truth_about_nineteen_times_in_twenty():
    chance = random.Random(5)
    covered = 0
    for _ in range(2000):
        won = sum(chance.random() < 1 / 6 for _ in range(200))
        low, high = wilson(won, 200)
        covered += low <= 1 / 6 <= high
    assert 0.93 < covered / 2000 < 0.97


@pytest.mark.parametrize(("degrees", "point"), [(3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045), (199, 1.972)])
def test_student_is_the_table_in_every_statistics_book(degrees, point):
    assert student(degrees) == pytest.approx(point, rel=0.005)


def test_mean_interval_of_known_values():
    mean, low, high = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean == 3
    assert (low, high) == pytest.approx((1.0368, 4.9632), abs=2e-3)


def test_three_values_are_too_few_for_an_interval():
    assert mean_interval([1.0, 2.0, 3.0]) is None
