"""The end of a trip and of the game: bonus, fees, Expense cards, house rules, tally."""

import pytest
from taxi_tables import do, draw, move, names, player, refused, roll, table, turn, whole

from shared_rules.engine import game

ONE = {"guide": ["D1", "D2"]}
LAST = {"guide": ["D1"]}


def cash(state):
    return [p["cash"] for p in whole(state)["players"]]


def settled(*arrivals, options=None, players=None, guide=ONE, **keys):
    """A table after one round in which these seats arrive."""
    players = players or [{}] * 3
    state = table(*[guide | p for p in players], options=options or {}, **keys)
    for seat in range(1, len(players) + 1):
        roll(state, seat, 6)
        move(state, seat, "E" if seat in arrivals else "O")
        do(state, "end_turn", seat)
    return state


def test_the_order_of_a_settlement_in_events():
    state = table(ONE | {"plates": 1}, ONE, ONE)
    turn(state, 1, "E")
    turn(state, 2, "O")
    roll(state, 3, 1)
    move(state, 3, "E")
    events = roll(state, 3, "blank")
    assert names(events) == ["D12Thrown", "TurnEnded", "RoundEnded", "SettlementBegun", "BonusPaid", "BonusPaid",
        "StepWaits"]
    events = do(state, "draw_card", 1, deck="expense", card={"do": [["pay_bank", 300]]})
    assert names(events) == [
        "ExpenseDrawn", "EffectBegun", "DueRaised", "ExpensePaid", "DueClosed", "CardDiscarded", "StepTaken",
        "DueRaised",
        "HireFeePaid", "DueClosed", "StepTaken", "DueRaised", "HireFeePaid", "DueClosed", "TaxiMoved", "TripEnded",
        "TripStarted",
        "TurnStarted",
    ]  # fmt: skip
    assert [e["rules"] for e in events if e["event"] in ("ExpensePaid", "HireFeePaid")] == [["T-116"], ["T-115"],
        ["T-115"]]
    assert cash(state) == [12040, 8840, 11840]
    assert [p["at"] for p in whole(state)["players"]] == ["E", "E", "E"]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_the_bonus_is_shared(count):
    state = settled(*range(1, count + 1), players=[{}] * 6)
    assert cash(state) == [8840 + 6000 // count] * count + [8840] * (6 - count)


def test_the_pot_is_shared_in_tens_and_the_rest_stays():
    state = settled(1, 2, 3, options={"fine_recipient": "pot"}, bank={"pot": 100})
    assert (cash(state), whole(state)["bank"]["pot"]) == ([10870] * 3, 10)
    usual = settled(1, bank={"pot": 100})
    assert whole(usual)["bank"]["pot"] == 100


def test_who_counts_as_an_owner():
    own = [{"plates": 1}, {}, {}]
    at_arrival = settled(1, players=own)
    assert whole(at_arrival)["settle"] == [[1, "expense"], [2, "fee"], [3, "fee"]]
    assert [p["owner_on_arrival"] for p in whole(at_arrival)["players"]] == [True, False, False]
    for rule, step in (("own_arrival", "expense"), ("settlement", "fee")):
        state = table({"plates": 1, "cash": 0} | ONE, ONE, ONE, options={"owner_status_at": rule})
        turn(state, 1, "E")
        draw(state, 2, ["collect_each", 100])
        do(state, "sell_plate", 1)
        turn(state, 2, "O")
        roll(state, 3, 1)
        move(state, 3, "O")
        if step == "expense":
            do(state, "end_turn", 3)
            assert whole(state)["settle"] == [[1, "expense"], [2, "fee"], [3, "fee"]]
        else:
            do(state, "end_turn", 3)
            assert whole(state)["trip"] == 2


def test_expense_cards_one_a_plate_at_least_one():
    state = settled(1, players=[{"plates": 3}, {"plates": 1}, {}], options={"expense_draws": "per_plate"})
    assert whole(state)["settle"] == [[1, "expense"]] * 3 + [[2, "expense"], [3, "fee"]]
    sold = table({"plates": 1, "cash": 0} | ONE, ONE, options={"expense_draws": "per_plate"})
    turn(sold, 1, "E")
    draw(sold, 2, ["collect_each", 100])
    do(sold, "sell_plate", 1)
    roll(sold, 2, 1)
    move(sold, 2, "O")
    do(sold, "end_turn", 2)
    assert whole(sold)["settle"] == [[1, "expense"], [2, "fee"]]


def test_fees_of_arrivers_only():
    state = settled(2, options={"fee_scope": "arrivers_only"}, players=[{"plates": 1}, {}, {}])
    assert cash(state) == [9340, 14840, 9340]


def test_the_last_fee_may_be_waived_and_expense_cards_are_not():
    state = settled(2, guide=LAST, options={"final_hire_fee": "waived"}, players=[{"plates": 1}, {}, {}])
    assert whole(state)["settle"] == [[1, "expense"]]
    do(state, "draw_card", 1, deck="expense", card={"do": [["pay_bank", 40]]})
    assert whole(state)["result"] == {"winners": [1], "reason": "trips_done",
        "totals": {"1": 24300, "2": 15340, "3": 9340}}


def test_buying_in_the_settlement_ends_with_decline_or_when_nothing_more_can_be_bought():
    state = settled(1, options={"purchase_window": "settlement"}, players=[{"cash": 40000}, {"cash": 20000}, {}])
    assert whole(state)["settle"] == [[1, "buy"], [2, "buy"], [3, "buy"]]
    assert refused(state, "decline", 2) == "not_your_turn"
    do(state, "buy_taxi", 1, count=2)
    assert whole(state)["settle"][0] == [1, "buy"]
    do(state, "decline", 1)
    assert whole(state)["waiting_for"] == [2]
    do(state, "buy_taxi", 2)
    assert (whole(state)["trip"], [p["plates"] for p in whole(state)["players"]]) == (2, [2, 1, 0])
    last = settled(1, guide=LAST, options={"purchase_window": "settlement"}, players=[{"cash": 40000}, {}])
    assert whole(last)["phase"] == "over"


def test_after_the_last_trip_everybody_is_at_the_destination_and_the_game_is_over():
    state = settled(1, guide=LAST)
    out = whole(state)
    assert (out["phase"], out["trip"], out["settle"], out["waiting_for"]) == ("over", 1, None, [])
    assert [p["at"] for p in out["players"]] == ["E"] * 3
    assert out["result"] == {"winners": [1], "reason": "trips_done", "totals": {"1": 14840, "2": 8840, "3": 8840}}


@pytest.mark.parametrize(("rule", "winners"), [("shared", [1, 2, 3]), ("most_taxis", [1]), ("most_cash", [3])])
def test_ties(rule, winners):
    players = [{"cash": 3340, "plates": 2}, {"cash": 18340, "plates": 1}, {"cash": 33340 - 5500}]
    state = settled(3, guide=LAST, options={"tie_break": rule}, players=players)
    do(state, "draw_card", 1, deck="expense", card={"do": []})
    do(state, "draw_card", 2, deck="expense", card={"do": []})
    assert whole(state)["result"]["totals"] == {"1": 33340, "2": 33340, "3": 33340}
    assert whole(state)["result"]["winners"] == winners


def test_what_does_not_break_a_tie_is_shared():
    state = settled(1, 2, guide=LAST, options={"tie_break": "most_taxis"}, players=[{}, {}])
    assert whole(state)["result"]["winners"] == [1, 2]


def test_an_arrival_of_no_length_counts():
    state = table({"guide": ["D1", "D1"]}, {"guide": ["D1", "D1"]})
    turn(state, 1, "E")
    turn(state, 2, "O")
    assert player(state, 1)["arrived"] is False
    roll(state, 1, 1)
    move(state, 1, "E")
    assert player(state, 1)["arrived"] is True


def test_expense_cards_do_what_is_allowed_in_a_settlement():
    state = settled(1, players=[{"plates": 1, "green": 1}, {}])
    verbs = [["throw_d12", 1], ["win_tablet", "white", 1], ["lose_tablet", "green", 1], ["miss_next_turn"],
        ["collect_each", 100],
             ["keep", "pass_one_light"], ["pay_by_die", 10]]  # fmt: skip
    do(state, "draw_card", 1, deck="expense", card={"do": verbs})
    assert whole(state)["phase"] == "card_option"
    roll(state, 1, "green")
    assert whole(state)["fresh"] == {"green": 0, "white": 0}
    assert game.check_invariants(state) == []
    roll(state, 1, 3)
    first = player(state, 1)
    assert (first["green"], first["white"], first["skip"], first["kept"][0]["deck"]) == (1, 1, 0, "expense")
    assert (whole(state)["turn"], whole(state)["trip"]) == (2, 2)
    assert cash(state) == [9340 + 6000 + 100 - 30, 9340 - 100 - 500]


def test_fees_are_paid_in_seat_order_and_wait_for_each_debtor():
    state = settled(3, players=[{"cash": 100}, {"cash": 200}, {}])
    assert whole(state)["dues"] == [{"seat": 1, "kind": "fee", "to": [[0, 500]], "declined": False}]
    assert whole(state)["settle"] == [[2, "fee"], [3, "fee"]]
    do(state, "declare_insolvent", 1)
    assert whole(state)["waiting_for"] == [2]
    do(state, "declare_insolvent", 2)
    assert whole(state)["result"]["reason"] == "last_player"
