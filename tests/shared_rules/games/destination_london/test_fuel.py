"""Fuel at the Garage and from other players; waiting without any."""

import pytest
from london_tables import code, do, far_board, seen, table


@pytest.mark.parametrize(("player", "count", "wanted"), [
    ({}, None, "malformed"), ({}, 0, "malformed"), ({}, "2", "malformed"), ({}, True, "malformed"),
    ({"at": "q2"}, 1, "not_allowed"), ({"fuel": 3}, 3, "not_allowed"), ({"fuel": 3}, 2, "accepted"),
    ({"cash": 9}, 2, "not_enough_money"), ({"cash": 10}, 2, "accepted"),
    ({"fuel": 4, "bonus_fuel": ["fuel_1"]}, 1, "accepted"),
])  # fmt: skip
def test_buying_at_the_garage(player, count, wanted):
    state = table({"at": "q6", "fuel": 1, **player}, {})
    assert code(state, 1, "buy_fuel", count=count) == wanted


def test_the_bank_may_have_too_few():
    players = [{"hand": [card], "fuel": 5} for card in ("F1", "F2", "F3", "F4", "F5")]
    state = table({"at": "q6", "fuel": 3, "hand": ["F6"]}, *players)
    assert state.fuel[0] == 2
    assert code(state, 1, "buy_fuel", count=3) == "not_allowed"
    state.fuel[0] -= 1
    assert code(state, 1, "buy_fuel", count=2) == "none_left"


def test_fuel_and_money_go_to_and_fro():
    state = table({"at": "q6", "fuel": 1, "cash": 60}, {})
    events = do(state, 1, "buy_fuel", count=4)
    assert [(event["event"], event["from"], event["to"], event["amount"]) for event in events] == [
        ("FuelPaid", 1, 0, 20), ("FuelBought", 0, 1, 4),
    ]  # fmt: skip
    assert (state.fuel[1], state.cash[1], state.fuel[0]) == (5, 40, 22)


def arrived(**player):
    state = table({"at": "q5", **player}, {})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q6")
    return state


def test_the_garage_waits_while_something_can_be_bought():
    state = arrived(fuel=3)
    assert state.phase == "garage"
    do(state, 1, "buy_fuel", count=1)
    assert state.phase == "garage"
    do(state, 1, "buy_fuel", count=1)
    assert (state.phase, state.turn) == ("before_roll", 2)
    state = arrived(fuel=3)
    do(state, 1, "done")
    assert (state.phase, state.turn) == ("before_roll", 2)
    for player in ({"fuel": 5}, {"cash": 4}):
        assert arrived(**player).turn == 2
    state = arrived(cash=9)
    do(state, 1, "buy_fuel", count=1)
    assert state.turn == 2


def stranded(*others, player=None, **more):
    return table({"at": "q2", "fuel": 0, **(player or {})}, *(others or ({},)), **more)


def test_the_left_neighbour_is_asked_first():
    state = stranded({"fuel": 4}, {"fuel": 4})
    assert code(state, 1, "ask_fuel", of=3) == "not_allowed"
    do(state, 1, "ask_fuel", of=2)
    assert (state.offer, seen(state)["waiting_for"]) == (2, [2])
    assert code(state, 1, "wait") == "not_your_turn"
    assert code(state, 3, "sell") == "not_your_turn"
    assert code(state, 2, "roll", faces=[1]) == "wrong_phase"
    do(state, 2, "refuse")
    assert (state.asked, state.offer) == ([2], None)
    assert code(state, 2, "sell") == "not_your_turn"
    assert code(state, 1, "ask_fuel", of=2) == "already_done"
    do(state, 1, "ask_fuel", of=3)
    do(state, 3, "sell")
    assert (state.fuel[1:], state.cash[1:], state.phase) == ([1, 4, 3], [250, 300, 350], "before_roll")


@pytest.mark.parametrize(("of", "wanted"), [
    (None, "malformed"), ("2", "malformed"), (True, "malformed"), (0, "unknown_seat"), (9, "unknown_seat"),
    (1, "not_allowed"), (3, "out_of_game"), (2, "not_enough"), (4, "accepted"),
])  # fmt: skip
def test_who_can_be_asked(of, wanted):
    state = stranded({"fuel": 1}, {"status": "out"}, {"fuel": 2})
    assert code(state, 1, "ask_fuel", of=of) == wanted


@pytest.mark.parametrize(("seller", "wanted"), [
    ({"fuel": 2}, "accepted"), ({"fuel": 1}, "not_enough"),
    ({"fuel": 0, "bonus_fuel": ["fuel_1", "fuel_2"]}, "not_enough"),
    ({"fuel": 1, "bonus_fuel": ["fuel_1"]}, "accepted"),
])  # fmt: skip
def test_a_seller_keeps_one(seller, wanted):
    state = stranded(seller)
    assert code(state, 1, "ask_fuel", of=2) == wanted


def test_the_price_must_be_there_when_asking_and_when_selling():
    state = stranded(player={"cash": 49})
    assert code(state, 1, "ask_fuel", of=2) == "not_enough_money"
    state = stranded(player={"cash": 200, "loan": True})
    do(state, 1, "ask_fuel", of=2)
    do(state, 1, "repay_loan")
    assert code(state, 2, "sell") == "not_enough_money"
    state = stranded(options={"fuel_resale_price": 0}, player={"cash": 0})
    do(state, 1, "ask_fuel", of=2)
    events = do(state, 2, "sell")
    assert [event["event"] for event in events] == ["FuelSold"]


def test_a_seller_may_have_spent_what_it_was_asked_for():
    state = stranded({"fuel": 2})
    do(state, 1, "ask_fuel", of=2)
    do(state, 0, "correct", set={"players": [{"seat": 2, "fuel": 1}]}, why="miscounted")
    assert code(state, 2, "sell") == "not_enough"
    state = stranded({"fuel": 2})
    do(state, 1, "ask_fuel", of=2)
    do(state, 0, "correct", set={"players": [{"seat": 1, "fuel": 5}]}, why="miscounted")
    assert (state.phase, code(state, 2, "sell")) == ("before_roll", "not_allowed")
    do(state, 2, "refuse")
    assert seen(state)["waiting_for"] == [1]


def test_after_a_refusal_by_house_rule():
    state = stranded({"fuel": 4}, {"fuel": 4}, options={"ask_after_refusal": "no"})
    do(state, 1, "ask_fuel", of=2)
    do(state, 2, "refuse")
    assert code(state, 1, "ask_fuel", of=3) == "not_allowed"
    assert code(state, 1, "ask_fuel", of=2) == "already_done"


def test_fuel_may_be_traded_before_every_throw_by_house_rule():
    state = table({"fuel": 1}, {"fuel": 3})
    assert code(state, 1, "ask_fuel", of=2) == "wrong_phase"
    state = table({"fuel": 1}, {"fuel": 3}, options={"player_fuel_trade": "any_time"})
    do(state, 1, "ask_fuel", of=2)
    do(state, 2, "sell")
    assert (state.phase, state.fuel[1]) == ("before_roll", 2)
    state = table({"fuel": 5}, {"fuel": 3}, options={"player_fuel_trade": "any_time"})
    assert code(state, 1, "ask_fuel", of=2) == "not_allowed"


def test_who_waits_loses_the_turn_or_is_out():
    state = stranded()
    assert code(state, 1, "roll", faces=[1]) == "wrong_phase"
    assert code(state, 1, "buy_turbo") == "wrong_phase"
    events = do(state, 1, "wait")
    assert events[0]["rules"] == ["L-040", "LQ-39"]
    assert (state.turn, state.playing[1]) == (2, True)
    state = stranded({}, {}, options={"stranded_unsold": "out"})
    do(state, 1, "wait")
    assert (state.turn, state.playing[1]) == (2, False)


def test_stranded_at_the_garage():
    state = table({"at": "q6", "fuel": 0, "cash": 5}, {})
    assert state.phase == "stranded"
    do(state, 1, "buy_fuel", count=1)
    assert (state.phase, state.turn) == ("before_roll", 1)


@pytest.mark.parametrize(("options", "player", "phase"), [
    ({}, {}, "stranded"), ({"home_run_needs_fuel": "no"}, {}, "before_roll"),
    ({"home_run_needs_fuel": "no"}, {"hand": ["F1"]}, "stranded"),
])  # fmt: skip
def test_fuel_for_the_drive_home(options, player, phase):
    state = table({"hand": [], "at": "q2", "fuel": 0, **player}, {"hand": ["F2"]}, pile=[], options=options)
    assert state.phase == phase


def test_a_seller_who_leaves_is_asked_no_more():
    state = stranded({"fuel": 4}, {"fuel": 4})
    do(state, 1, "ask_fuel", of=2)
    do(state, 2, "refuse")
    do(state, 1, "ask_fuel", of=3)
    do(state, 3, "resign")
    assert (state.offer, state.asked, state.phase) == (None, [2], "stranded")


def test_a_board_may_have_several_garages():
    state = table({"at": "q2", "fuel": 1}, {}, board=far_board(garages=["q6", "q2"]))
    do(state, 1, "buy_fuel", count=1)
    assert state.fuel[1] == 2
