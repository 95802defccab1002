"""The invariants notice when something is wrong: each is broken by hand once."""

import pytest
from taxi_tables import draw, table

from shared_rules.engine import game

KEPT = {"deck": "passenger", "card": "P01", "title": "k", "keep": "waive_fine"}


def spoil_cash(s):
    s.cash[1] += 10


def spoil_tens(s):
    s.cash[1] += 5
    s.cash[0] -= 5


def spoil_below_zero(s):
    s.cash[0] += s.cash[1] + 10
    s.cash[1] = -10


def spoil_escrow(s):
    s.cash[1] -= 1000
    s.cash[s.ledger.index["escrow"]] += 1000


def spoil_green(s):
    s.green[2] += 1


def spoil_negative_piece(s):
    s.white[0] += 1
    s.white[2] -= 1


def spoil_card(s):
    s.ledger.held["ownership_cards"][1] = 0
    s.ledger.held["ownership_cards"][0] += 1


def spoil_board(s):
    s.placed = []


def spoil_deck(s):
    s.decks["journey"].draw -= 1


def spoil_double(s):
    s.decks["passenger"].discard.append("P01")
    s.decks["passenger"].draw -= 1


def spoil_place(s):
    s.at[1] = "nowhere"


def spoil_out(s):
    s.at[3] = "O"


def spoil_fresh(s):
    s.fresh_white = 1


def spoil_first(s):
    s.first_arrival = 2


def spoil_owner(s):
    s.arrived[1] = True


CASES = [
    (spoil_cash, "T-142"), (spoil_tens, "T-146"), (spoil_below_zero, "T-146"), (spoil_escrow, "T-142"),
    (spoil_green, "T-143"),
    (spoil_negative_piece, "T-143"), (spoil_card, "T-145"), (spoil_board, "T-143"), (spoil_deck, "T-144"),
    (spoil_double, "T-144"),
    (spoil_place, "T-147"), (spoil_out, "T-133"), (spoil_fresh, "T-040"), (spoil_first, "T-148"),
    (spoil_owner, "T-117"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "rule"), CASES, ids=[spoil.__name__ for spoil, _ in CASES])
def test_each_invariant_speaks_up(spoil, rule):
    state = table(
        {"plates": 1, "kept": [KEPT]}, {"barriers": 1}, {"status": "out"},
        placed_barriers=[{"on": "O~E", "by": 2, "against": 1}],
    )  # fmt: skip
    assert game.check_invariants(state) == []
    spoil(state)
    assert any(sentence.startswith(rule) for sentence in game.check_invariants(state)), game.check_invariants(state)


def test_a_debtor_that_has_left_is_noticed():
    state = table({}, {"cash": 0}, {})
    draw(state, 1, ["collect_each", 100])
    state.playing[2] = False
    assert any("owes" in sentence for sentence in game.check_invariants(state))
