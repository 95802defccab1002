"""Small print of the TAXI! rules: what an event says when there is little or nothing to move."""

import pytest
from taxi_tables import do, draw, names, player, refused, table, whole

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation


def test_an_ownership_card_comes_with_the_first_plate_and_goes_with_the_last():
    state = table({"cash": 90000}, {}, options={"voluntary_sale": True})
    assert names(do(state, "buy_taxi", 1)) == ["TaxiBought", "PlateMoved", "OwnershipCardGiven"]
    assert names(do(state, "buy_taxi", 1, count=2)) == ["TaxiBought", "PlateMoved"]
    assert whole(state)["bank"]["ownership_cards"] == 5
    assert names(do(state, "sell_plate", 1)) == ["PlateMoved", "PlateSold"]
    assert names(do(state, "sell_plate", 1, count=2)) == ["PlateMoved", "OwnershipCardReturned", "PlateSold"]
    assert whole(state)["bank"]["ownership_cards"] == 6


def test_nothing_is_won_when_the_box_is_empty():
    state = table({}, {"white": 12, "green": 29})
    events = draw(state, 1, ["win_tablet", "white", 2], ["win_tablet", "green", 2])
    nothing = [event for event in events if event["event"] == "NothingWon"]
    assert nothing == [{"event": "NothingWon", "seat": 1, "unit": "white", "rules": ["T-042"]}]
    assert (player(state, 1)["white"], player(state, 1)["green"]) == (0, 1)


def test_more_plates_than_there_are_cannot_be_sold_in_debt():
    state = table({"cash": 0, "plates": 2}, {})
    draw(state, 1, ["pay_bank", 14000])
    assert refused(state, "sell_plate", 1, count=3) == "not_enough"
    assert refused(state, "sell_plate", 1, count=4) == "not_allowed"


def test_who_leaves_with_nothing_moves_nothing():
    state = table({"cash": 0}, {}, {})
    assert names(do(state, "resign", 1)) == ["PlayerLeft", "TurnEnded", "TurnStarted"]


def test_a_correction_books_both_ways_and_nothing_twice():
    state = table(2, bank={"cash": 0})
    event = do(state, "correct", set={"players": [{"seat": 1, "green": 2, "cash": 9330}]}, why="x")[0]
    assert [(e["unit"], e["from"], e["to"], e["amount"]) for e in event["booked"]] == [
        ("money", 1, 0, 10), ("green", 0, 1, 2),
    ]  # fmt: skip
    event = do(state, "correct", set={"bank": {"cash": 500}}, why="x")[0]
    assert [(e["from"], e["to"], e["amount"]) for e in event["booked"]] == [("outside", 0, 490)]
    event = do(state, "correct", set={"bank": {"cash": 300}}, why="x")[0]
    assert [(e["from"], e["to"], e["amount"]) for e in event["booked"]] == [(0, "outside", 200)]
    assert do(state, "correct", set={"trip": 2}, why="x")[0]["booked"] == []
    assert game.check_invariants(state) == []


def test_the_refusal_of_an_expense_card_names_who_draws_first():
    owner = {"plates": 1, "owner_on_arrival": True, "arrived": True}
    state = table(owner, owner, settle=[[2, "expense"], [1, "expense"]], turn=1)
    with pytest.raises(RuleViolation, match="Seat 2"):
        game.play(state, {"do": "draw_card", "seat": 1, "deck": "expense", "card": {"do": []}})


def test_a_debt_says_what_is_short():
    state = table({"cash": 40}, {})
    assert draw(state, 1, ["pay_bank", 100])[-1] == {"event": "InDebt", "seat": 1, "short": 60, "rules": ["T-130"]}


def test_the_turns_own_seat_buys_in_its_turn_and_draws_in_its_next():
    options = {"purchase_window": "own_turn_any"}
    state = table({"cash": 90000}, {"skip": 1}, phase="tablet_die", options=options)
    do(state, "buy_taxi", 1)
    assert (whole(state)["round"], whole(state)["phase"]) == (1, "tablet_die")
    draw(state, 1, ["nothing"])
    assert (whole(state)["round"], whole(state)["phase"]) == (2, "before_roll")
