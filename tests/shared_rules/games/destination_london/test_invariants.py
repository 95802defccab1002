"""Each invariant sees what it is for: a state is broken by hand, and the sentence names the rule."""

import pytest
from london_tables import game, table


def debt(state):
    state.debts.append({"seat": 1, "amount": 200, "to": 0, "why": "licence"})
    state.sections[1] = 4


BROKEN = [
    (lambda s: s.pile.pop(), "L-083"),
    (lambda s: s.gone.append(s.pile[0]), "L-083"),
    (lambda s: s.hand[1].reverse(), "L-083"),
    (lambda s: s.pile.reverse(), "L-083"),
    (lambda s: s.cash.__setitem__(1, 301), "L-086"),
    (lambda s: (s.cash.__setitem__(1, -5), s.cash.__setitem__(0, 5 - s.cash[2])), "L-086"),
    (lambda s: s.fuel.__setitem__(1, 4), "L-084"),
    (lambda s: (s.fuel.__setitem__(1, 6), s.fuel.__setitem__(0, 24 - s.fuel[2])), "L-084"),
    (lambda s: (s.fuel.__setitem__(1, -1), s.fuel.__setitem__(0, 31 - s.fuel[2])), "L-084"),
    (lambda s: s.lights.pop(), "L-085"),
    (lambda s: s.held[1].append("double_1"), "L-085"),
    (lambda s: s.sections.__setitem__(1, 4), "L-087"),
    (lambda s: (debt(s), s.sections.__setitem__(1, 5)), "L-087"),
    (lambda s: s.at.__setitem__(1, None), "LQ-72"),
    (lambda s: s.loan.__setitem__(1, True), "L-051"),
    (lambda s: setattr(s, "left", 3), "LQ-72"),
    (lambda s: setattr(s, "turn", 3), "LQ-72"),
    (lambda s: s.at.__setitem__(3, "q3"), "LQ-72"),
    (lambda s: (s.fuel.__setitem__(3, 1), s.fuel.__setitem__(0, s.fuel[0] - 1)), "LQ-72"),
    (lambda s: (s.cash.__setitem__(3, 1), s.cash.__setitem__(0, s.cash[0] - 1)), "LQ-72"),
    (lambda s: s.hand[3].append(s.pile.pop()), "LQ-72"),
    (lambda s: s.held[3].append(s.lights.pop(s.lights.index("double_1"))), "LQ-72"),
    (lambda s: s.bonus[3].append(s.lights.pop(s.lights.index("fuel_1"))), "LQ-72"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_state_is_named(number):
    breaks, rule = BROKEN[number]
    state = table({}, {}, {"status": "out"})
    assert game.check_invariants(state) == []
    breaks(state)
    found = game.check_invariants(state)
    assert [sentence.split(":")[0] for sentence in found] == [rule]
    assert found[0].endswith(".")
    if rule == "L-087" or rule == "L-051":
        assert "Seat 1" in found[0]


def test_a_typed_deck_counts_its_cards():
    state = table({}, {}, lights={"pile": 1, "returned": 0})
    for name in ("lights_count", "returned_count"):
        twin = game.copy_state(state)
        setattr(twin, name, -1)
        assert [sentence[:5] for sentence in game.check_invariants(twin)] == ["L-085"]


def test_what_is_allowed_once_a_game_is_over_or_about_to_be():
    state = table({}, {}, {"status": "out"})
    debt(state)
    assert game.check_invariants(state) == []
    over = table({"cash": 5}, {"cash": 7, "status": "out", "hand": ["F9"], "fuel": 1},
                 result={"winners": [1], "reason": "home", "totals": {"1": 5, "2": 7}})  # fmt: skip
    assert game.check_invariants(over) == []
