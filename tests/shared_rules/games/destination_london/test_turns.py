"""Who begins, throws, extra turns, the Turbo Taxi, the start and the end of a turn."""

import pytest
from london_tables import code, do, far_board, seen, table


def test_the_highest_throw_begins_and_ties_throw_again():
    state = table({}, {}, {}, phase="order_roll")
    for seat, face in ((2, 6), (1, 4), (3, 6)):
        do(state, seat, "roll", faces=[face])
    assert seen(state)["order"] == {"among": [2, 3], "rolls": {}}
    assert code(state, 1, "roll", faces=[6]) == "not_your_turn"
    do(state, 3, "roll", faces=[5])
    assert seen(state)["order"]["rolls"] == {"3": 5}
    assert seen(state)["waiting_for"] == [2]
    do(state, 2, "roll", faces=[2])
    after = seen(state)
    assert (after["phase"], after["turn"], after["first"], after["order"]) == ("before_roll", 3, 3, None)


def test_when_all_who_were_tied_have_left_everybody_throws_again():
    state = table({}, {}, {}, {}, order={"among": [1, 2], "rolls": {}})
    do(state, 1, "resign")
    assert seen(state)["order"] == {"among": [2], "rolls": {}}
    do(state, 2, "resign")
    assert seen(state)["order"] == {"among": [3, 4], "rolls": {}}


@pytest.mark.parametrize(("faces", "turbo", "options", "moves", "extra"), [
    ([5], False, {}, [5], False),
    ([6], False, {}, [6], True),
    ([6], True, {}, [6], True),
    ([6, 2], True, {}, [8], False),
    ([2, 2], True, {}, [4], True),
    ([6, 6], True, {}, [12], True),
    ([6, 2], True, {"turbo_six_extra": "yes"}, [8], True),
    ([5, 2], True, {"turbo_six_extra": "yes"}, [7], False),
    ([6], False, {"max_extra_turns": 1}, [6], True),
])  # fmt: skip
def test_throws(faces, turbo, options, moves, extra):
    state = table({"turbo": turbo, "at": "q4"}, {}, options=options)
    do(state, 1, "roll", faces=faces)
    after = seen(state)
    assert (after["dice"], after["moves"], after["extra_turn"]) == (faces, moves, extra)


@pytest.mark.parametrize(("faces", "turbo", "options", "wanted"), [
    (None, False, {}, "malformed"), ("3", False, {}, "malformed"), ([], False, {}, "malformed"),
    ([1, 2, 3], True, {}, "malformed"), (["3"], False, {}, "malformed"), ([True], False, {}, "malformed"),
    ([7], False, {}, "bad_face"), ([0], False, {}, "bad_face"), ([3, 9], False, {}, "bad_face"),
    ([1, 2], False, {}, "not_allowed"), ([1], True, {"turbo_may_roll_one": "no"}, "not_allowed"),
    ([1, 2], True, {"turbo_may_roll_one": "no"}, "accepted"), ([1], True, {}, "accepted"),
])  # fmt: skip
def test_throws_that_are_none(faces, turbo, options, wanted):
    state = table({"turbo": turbo}, {}, options=options)
    assert code(state, 1, "roll", faces=faces) == wanted


def on_the_third_throw(options):
    """Seat 1 has taken two extra turns in a row and throws another six."""
    state = table({"at": "q5"}, {}, options=options, extra_turns=2, phase="before_roll")
    do(state, 1, "roll", faces=[6])
    return seen(state)


def test_three_in_a_row():
    assert on_the_third_throw({})["extra_turn"] is True
    ended = on_the_third_throw({"third_in_row": "turn_ends"})
    assert (ended["turn"], ended["seats"][1]["at"], ended["extra_turns"]) == (2, "q5", 0)
    back = on_the_third_throw({"third_in_row": "back_to_base"})
    assert (back["turn"], back["seats"][1]["at"]) == (2, "B")
    # A throw that may earn nothing any more is not the third in a row.
    moved = on_the_third_throw({"third_in_row": "turn_ends", "max_extra_turns": 2})
    assert (moved["phase"], moved["moves"], moved["extra_turn"]) == ("moving", [6], False)


def six_thrown(**more):
    """Seat 1 has thrown a six and moved it; its extra turn is due."""
    return table({"at": "q2", **more.pop("player", {})}, {}, dice=[6], extra_turn=True, **more)


def test_an_extra_turn_is_taken_declined_or_thrown_for():
    state = six_thrown()
    assert state.phase == "extra_turn"
    do(state, 1, "take_extra_turn")
    assert (state.phase, state.turn, state.extra_turns, state.dice) == ("before_roll", 1, 1, [])
    state = six_thrown()
    do(state, 1, "decline_extra_turn")
    assert (state.phase, state.turn, state.extra_turns) == ("before_roll", 2, 0)
    state = six_thrown()
    assert code(state, 1, "roll", faces=[9]) == "bad_face"
    do(state, 1, "roll", faces=[4])
    assert (state.phase, state.extra_turns, state.moves) == ("moving", 1, [4])


def test_without_fuel_an_extra_turn_cannot_be_thrown_for():
    state = six_thrown(player={"fuel": 0})
    assert code(state, 1, "roll", faces=[4]) == "wrong_phase"
    do(state, 1, "take_extra_turn")
    assert (state.phase, state.turn) == ("stranded", 1)


def test_a_forced_extra_turn_starts_by_itself():
    state = six_thrown(options={"extra_turn": "forced"})
    assert (state.phase, state.turn, state.extra_turns) == ("before_roll", 1, 1)


@pytest.mark.parametrize(("where", "at", "wanted"), [
    ("anywhere", "q2", "accepted"), ("garage", "q6", "accepted"), ("garage", "B", "not_allowed"),
    ("base", "B", "accepted"), ("base", "q6", "not_allowed"),
])  # fmt: skip
def test_where_a_turbo_taxi_is_bought(where, at, wanted):
    state = table({"at": at}, {}, options={"turbo_where": where})
    assert code(state, 1, "buy_turbo") == wanted


def test_a_turbo_taxi_costs_150_once():
    state = table({"cash": 149}, {})
    assert code(state, 1, "buy_turbo") == "not_enough_money"
    state = table({"cash": 150}, {})
    events = do(state, 1, "buy_turbo")
    assert events[0]["rules"] == ["L-055"]
    assert (state.turbo[1], state.cash[1], state.cash[0]) == (True, 0, -300)
    assert code(state, 1, "buy_turbo") == "already_done"


def test_a_turn_starts_with_nothing_of_the_one_before():
    state = table({"at": "q2", "hand": ["ALPHA"]}, {}, dice=[1], asked=[2])
    assert (state.turn, state.dice, state.asked, state.stage) == (2, [], [], "open")


def test_who_cannot_pay_for_fuel_is_out_at_the_start_of_the_turn():
    """LQ-70: fuel costs £5 at the Garage while the bank has some, else the price among players."""
    for player, status in (
        ({"cash": 49, "at": "q2"}, "out"), ({"cash": 50, "at": "q2"}, "in"), ({"cash": 4, "at": "q6"}, "out"),
        ({"cash": 5, "at": "q6"}, "in"), ({"cash": 0, "at": "q2", "loan": False}, "in"),
        ({"cash": 0, "at": "q2", "bonus_fuel": ["fuel_1"]}, "in"),
    ):  # fmt: skip
        state = table({"fuel": 0, "loan": True, **player}, {}, {})
        assert seen(state)["seats"][1]["status"] == status, player
    once = table({"fuel": 0, "cash": 0, "loan_used": True}, {}, {}, options={"loan_limit": "once_per_game"})
    assert seen(once)["seats"][1]["status"] == "out"


def test_with_the_fuel_bank_empty_the_garage_is_no_help():
    """Thirty Fuel Cards with five players leave five in the bank, so six are needed for an empty one."""
    full = [{"fuel": 5} for _ in range(5)]
    hands = [["F1"], ["F2"], ["F3"], ["F4"], ["F5"], ["F6"]]
    players = [{"fuel": 5, "cash": 20, "at": "q6", "loan": True}, *full]
    state = table(*[{**player, "hand": hand} for player, hand in zip(players, hands, strict=True)])
    assert state.fuel[0] == 0
    assert state.fuel_price(1) == 50


DEAD = ({"at": "q2", "fuel": 0, "cash": 410}, {"at": "q3", "fuel": 0, "cash": 380})


def test_a_dead_game_is_counted_at_once():
    after = seen(table(*DEAD))
    assert after["result"] == {"winners": [1], "reason": "all_stranded", "totals": {"1": 410, "2": 380}}


@pytest.mark.parametrize("alive", [
    {"fuel": 1}, {"bonus_fuel": ["fuel_1"]}, {"at": "q6", "cash": 5, "loan": True}, {"at": "q6", "cash": 0},
])  # fmt: skip
def test_a_game_is_not_dead_while_one_can_get_fuel(alive):
    state = table(DEAD[0], {**DEAD[1], **alive})
    assert (state.phase, state.turn) == ("stranded", 1)


def test_a_dead_game_may_be_towed():
    state = table(*DEAD, options={"all_stranded": "tow_to_garage"})
    assert (state.phase, state.at[1:]) == ("stranded", ["q6", "q6"])
    broke = table(
        {**DEAD[0], "cash": 4, "loan": True}, {**DEAD[1], "cash": 4, "loan": True},
        options={"all_stranded": "tow_to_garage", "fuel_resale_price": 0},
    )  # fmt: skip
    assert seen(broke)["result"]["reason"] == "all_stranded"
    nowhere = table(*DEAD, board=far_board(garages=[]), options={"all_stranded": "tow_to_garage"})
    assert seen(nowhere)["result"]["reason"] == "all_stranded"


def test_owed_cards_come_before_the_turn():
    state = table({"hand": ["F1"]}, {"hand": ["F2"]}, deals=[2, 1], pile=["F3", "F4", "F5"])
    assert code(state, 1, "deal", card="F3") == "not_your_turn"
    assert code(state, 1, "roll", faces=[1]) == "not_your_turn"
    assert code(state, 0, "roll", faces=[1]) == "not_your_turn"
    assert code(state, 0, "deal", card="F9") == "none_left"
    assert code(state, 0, "deal") == "malformed"
    do(state, 0, "deal", card="F4")
    assert state.hand[2] == ["F2", "F4"]
    do(state, 0, "deal", card="F3")
    assert (state.phase, state.hand[1]) == ("before_roll", ["F1", "F3"])
    assert code(state, 0, "deal", card="F5") == "wrong_phase"
