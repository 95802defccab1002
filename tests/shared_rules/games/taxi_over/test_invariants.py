"""Every invariant is broken on purpose, and named."""

import pytest
from taxi_over_tables import EIGHT, table

from shared_rules.engine import game
from shared_rules.games.taxi_over.state import OVER


def broken(change, *players, **keys):
    """The invariants that a change breaks, by rule number."""
    state = table(*(players or (3,)), **keys)
    assert game.check_invariants(state) == []
    change(state)
    return [sentence.split(":")[0] for sentence in game.check_invariants(state)]


def set_item(name, index, value):
    return lambda state: getattr(state, name).__setitem__(index, value)


def both(*changes):
    def change(state):
        for one in changes:
            one(state)

    return change


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        (set_item("tokens", 1, 1), ["O-065"]),
        (both(set_item("tokens", 0, -1), set_item("tokens", 1, 36)), ["O-065", "O-058"]),
        (both(set_item("tokens", 0, 25), set_item("tokens", 1, 10)), ["O-058"]),
        (set_item("at", 1, 20), ["O-066"]),
        (set_item("at", 1, -2), ["O-066"]),
        (set_item("fresh", 1, False), ["OQ-05"]),
        (set_item("at", 1, 4), ["OQ-05"]),
        (both(set_item("at", 1, 2), set_item("at", 2, 2)), ["O-037"]),
        (set_item("rider", 1, 0), ["O-067"]),
        (set_item("rider", 1, 2), ["O-067", "O-068"]),
        (set_item("driver", 3, 0), ["O-068"]),
        (set_item("playing", 3, False), ["O-067"]),
        (set_item("playing", 1, False), ["O-067", "O-018"]),
        (lambda state: setattr(state, "phase", "board"), ["O-050", "O-048"]),
        (lambda state: setattr(state, "phase", OVER), ["O-058"]),
        (lambda state: setattr(state, "result", {"winners": [1]}), ["O-058"]),
        (lambda state: setattr(state, "dice", [1, 1, 1, 1]), ["O-020"]),
    ],
)
def test_what_does_not_add_up_is_named(change, rules):
    assert broken(change) == rules


def test_a_game_that_is_over_has_no_dice():
    assert broken(lambda state: state.dice.append(1), {"held": 8}, {}) == ["O-058"]


def test_nobody_waits_with_every_driver_out_and_a_taxi_on_the_road():
    out = {"driver": None}
    assert broken(set_item("at", 1, 2), out, out) == ["O-062"]


def test_two_taxis_on_a_crossing_stand_on_one_space():
    def meet(state):
        state.at[1], state.at[2] = state.board.places["X"]
        state.fresh[1] = state.fresh[2] = False

    assert broken(meet, 2, board=EIGHT) == ["O-037"]


def test_a_dead_game_does_not_go_on():
    def empty(state):
        state.tokens[:] = [0, 9, 9, 9, 9, 0]

    assert broken(empty, 4) == ["OQ-29"]
    assert broken(empty, 4, options={"stalemate": "next_intersection_wins"}) == []


def test_substitutes_may_make_the_supply_negative():
    keys = {"options": {"supply_exhausted": "substitute"}, "box": 40}
    assert broken(lambda state: None, 2, **keys) == []
