"""The dice by exact chances: OP-01 to OP-11 of the rules, and the odds that pages show."""

from fractions import Fraction

import pytest
from taxi_over_tables import do, table

from shared_rules.games.taxi_over import odds
from shared_rules.games.taxi_over.bots.greedy import best_mean

ORDINARY = {"dice_faces": [1, 2, 3, 4, 5, 6]}


def chance(pair):
    return Fraction(*pair)


def of(state, what, **fields):
    """The chances of one kind that the seat in turn has."""
    found = [entry for entry in odds.odds(state, state.turn) if entry["what"] == what]
    return [chance(entry["chance"]) for entry in found if fields.items() <= entry.items()]


def test_op_01_exactly_two_dice():
    state = table(2)
    assert odds.violation(state, [], 2) == [1, 3]
    assert odds.mean(state, [], 2) == [40, 9]  # OP-06


@pytest.mark.parametrize(("first", "expected"), [(1, [0, 1]), (2, [1, 3]), (3, [2, 3])])
def test_op_02_the_second_die(first, expected):
    assert odds.violation(table(2), [first], 1) == expected


@pytest.mark.parametrize(("dice", "expected"), [([1, 1], [1, 3]), ([1, 2], [2, 3]), ([2, 2], [1, 1]), ([1, 3], [1, 1])])
def test_op_03_the_third_die(dice, expected):
    assert odds.violation(table(2), dice, 1) == expected


def test_op_04_and_op_07_always_three():
    state = table(2)
    assert odds.violation(state, [], 3) == [23, 27]
    assert odds.moves(state, [], 3) == [{"distance": 9, "chance": [1, 27]}, {"distance": 12, "chance": [1, 9]}]
    assert odds.mean(state, [], 3) == [5, 3]


def test_op_05_always_one():
    assert odds.violation(table(2), [], 1) == [0, 1]
    assert odds.mean(table(2), [], 1) == [2, 1]
    assert odds.mean(table(2), [1], 1) == [6, 1]


def plan(state, rolls_on):
    """{distance: chance} of a plan for the dice, by enumeration; 0 is a violation."""
    out = {}

    def go(dice, weight):
        if sum(dice) > 4:
            out[0] = out.get(0, 0) + weight
        elif len(dice) == 3 or (dice and not rolls_on(dice)):
            distance = sum(dice) * len(dice)
            out[distance] = out.get(distance, 0) + weight
        else:
            for face in (1, 2, 3):
                go([*dice, face], weight / 3)

    go([], Fraction(1))
    return out


def test_op_08_the_greatest_mean_distance_is_what_greedy_plays_for():
    state = table(2)
    best = plan(state, lambda dice: (len(dice) == 1 and dice[0] <= 2) or dice == [1, 1])
    assert best == {3: Fraction(9, 27), 6: Fraction(6, 27), 8: Fraction(6, 27), 9: Fraction(1, 27),
        12: Fraction(1, 27), 0: Fraction(4, 27)}  # fmt: skip
    assert sum(distance * weight for distance, weight in best.items()) == Fraction(44, 9)
    assert best_mean(state, []) == pytest.approx(44 / 9)
    assert [best_mean(state, [face]) > face for face in (1, 2, 3)] == [True, True, False]
    assert [best_mean(state, dice) > 2 * sum(dice) for dice in ([1, 1], [1, 2], [2, 2])] == [True, False, False]
    assert best_mean(state, [1, 1, 1]) == 0.0


def test_op_09_never_a_violation():
    safe = plan(table(2), lambda dice: dice == [1])
    assert 0 not in safe
    assert sum(distance * weight for distance, weight in safe.items()) == Fraction(11, 3)


def test_op_11_ordinary_dice():
    state = table(2, options=ORDINARY)
    assert (odds.violation(state, [], 1), odds.mean(state, [], 1)) == ([1, 3], [5, 3])
    assert (odds.violation(state, [], 2), odds.mean(state, [], 2)) == ([5, 6], [10, 9])
    free = table(2, options={**ORDINARY, "first_die_can_bust": "no"})
    assert odds.violation(free, [], 1) == [0, 1]
    assert odds.violation(free, [6], 1) == [1, 1]


def test_odds_of_the_turn():
    state = table(2, taxis={"T1": "s2"})
    do(state, "roll", 1, face=1)
    assert of(state, "stop_reaches") == [0]
    assert of(state, "violation") == [0]
    assert of(state, "distance", distance=6) == [Fraction(1, 3)]
    assert of(state, "reach_intersection", dice=2) == [1]
    assert of(state, "reach_intersection", dice=3) == [Fraction(1, 3)]
    assert of(state, "violation_within", dice=3) == [Fraction(2, 3)]
    do(state, "roll", 1, face=1)
    assert of(state, "stop_reaches", distance=4) == [1]
    assert of(state, "reach_intersection") == [Fraction(2, 3)]
    assert of(table(2, taxis={"T1": "s1"}, dice=[1, 1]), "stop_reaches", distance=4) == [1]
    assert of(table(2, taxis={"T1": "s20"}, dice=[1, 1]), "stop_reaches", distance=4) == [0]


def test_whoever_has_nothing_to_decide_has_no_odds():
    state = table(2)
    assert odds.odds(state, 2) == []
    assert odds.odds(table({"held": 8}, {}), 1) == []
    out = table({"driver": None}, {}, taxis={"T2": "s3"})
    # Five steps from START to s5: with two dice 6 or 8, with one never.
    assert of(out, "reach_intersection", dice=1) == [0]
    assert of(out, "reach_intersection", dice=2) == [Fraction(5, 9)]


def test_fractions_are_in_lowest_terms():
    assert [odds.fraction(*pair) for pair in ((0, 6), (2, 6), (6, 6), (4, 27))] == [[0, 1], [1, 3], [1, 1], [4, 27]]
