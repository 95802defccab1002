"""Strengths against what they mean: a chance of winning for every difference, errors that shrink with the games."""

import math
import random

import pytest
from simulated import game, plan

from companion.simulation.tournament import pairings, strengths


def met(first, second, won, lost):
    """The plan and the games of a pair that met so often."""
    games = [game(n, (1,) if n < won else (2,), bots=(first, second)) for n in range(won + lost)]
    return plan(bots=(first, second), games=len(games)), games


def test_every_two_bots_meet_once():
    pairs = pairings(plan(bots=("greedy", "random", "strong", "greedy")))
    assert [pair.bots for pair in pairs] == [("greedy", "random"), ("greedy", "strong"), ("random", "strong")]


def test_ten_to_one_is_four_hundred_points():
    pair, games = met("a", "b", 1000, 100)
    first, second = strengths([pair], [games])
    assert first.bot == "a"
    assert first.points - second.points == pytest.approx(400, abs=1)
    assert (first.points + second.points) / 2 == pytest.approx(1500)
    assert (first.games, first.won) == (1100, 1000)


def test_errors_are_those_of_the_share():
    """With two bots the difference of strengths is the logarithm of the odds: its error is one over √(n p q)."""
    pair, games = met("a", "b", 300, 100)
    first, second = strengths([pair], [games])
    share = 300.5 / 401
    error = 1.95996 * 400 / math.log(10) / math.sqrt(401 * share * (1 - share))
    assert first.error + second.error == pytest.approx(error, rel=1e-3)


def test_strengths_are_found_again():
    truth = {"a": 1700, "b": 1500, "c": 1300}
    chance = random.Random(4)
    pairs, played = [], []
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        likely = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
        won = sum(chance.random() < likely for _ in range(3000))
        pair, games = met(first, second, won, 3000 - won)
        pairs.append(pair)
        played.append(games)
    for found in strengths(pairs, played):
        assert abs(found.points - truth[found.bot]) < 2 * found.error
        assert found.error < 15


def test_who_never_lost_has_a_strength_too():
    pair, games = met("a", "b", 20, 0)
    first, second = strengths([pair], [games])
    assert 300 < first.points - second.points < 1000
    assert math.isfinite(first.error)
