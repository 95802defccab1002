"""Landing: own fares, knock-backs, claims, and the order of it all."""

import pytest
from london_tables import code, do, far_board, seen, table


def landed(square, *players, back=1, **more):
    """Seat 1 has moved onto a square of the ring from `back` squares before it."""
    at = "q" + str((int(square[1:]) - back) % 12)
    first = {"at": at, **players[0]}
    state = table(first, *players[1:], **more)
    do(state, 1, "roll", faces=[back])
    do(state, 1, "move", to=square)
    return state


def test_an_own_fare_is_paid_by_the_bank_for_one_fuel():
    state = landed("q5", {"hand": ["BETA", "DELTA", "F1"]}, {})
    assert state.phase == "own_fare"
    events = do(state, 1, "collect", cards=["DELTA", "BETA"])
    after = seen(state)
    assert (after["seats"][1]["cash"], after["seats"][1]["fuel"], after["gone"]) == (380, 2, ["BETA", "DELTA"])
    assert after["deals"] == [1, 1]
    assert [event["event"] for event in events] == ["FuelReturned", "CardsPlayed", "FarePaid", "OwnFareDone"]
    assert events[2] == {
        "event": "FarePaid", "unit": "money", "from": 0, "to": 1, "amount": 80, "rules": ["L-025"],
    }  # fmt: skip


def test_one_of_two_cards_may_be_kept():
    state = landed("q5", {"hand": ["BETA", "DELTA", "F1"]}, {})
    do(state, 1, "collect", cards=["BETA"])
    assert state.hand[1] == ["DELTA", "F1"]
    assert state.deals == [1]


@pytest.mark.parametrize(("fields", "wanted"), [
    ({}, "malformed"), ({"cards": []}, "malformed"), ({"cards": "BETA"}, "malformed"), ({"cards": [1]}, "malformed"),
    ({"cards": ["BETA", "BETA"]}, "malformed"), ({"cards": ["BETA"], "spend": "oil"}, "malformed"),
    ({"cards": ["BETA"], "spend": None}, "malformed"), ({"cards": ["BETA"], "spend": 1}, "malformed"),
    ({"cards": ["MOON"]}, "not_held"), ({"cards": ["ALPHA", "ETA"]}, "not_held"), ({"cards": ["ALPHA"]}, "not_allowed"),
    ({"cards": ["BETA"], "spend": "bonus"}, "not_enough"), ({"cards": ["BETA"], "spend": "fuel"}, "accepted"),
])  # fmt: skip
def test_fares_that_cannot_be_collected(fields, wanted):
    state = landed("q5", {"hand": ["BETA", "ALPHA", "F1"]}, {})
    assert code(state, 1, "collect", **fields) == wanted


def test_without_fuel_nothing_is_collected():
    state = table({"hand": ["BETA"], "at": "q5", "fuel": 0}, {}, dice=[1],
                  arrivals=[{"square": "q5", "steps": ["own_fare"]}])  # fmt: skip
    assert code(state, 1, "collect", cards=["BETA"]) == "not_enough"
    assert code(state, 1, "keep_quiet") == "accepted"


@pytest.mark.parametrize(("spend", "fuel", "bonus", "returned"), [
    ({}, 2, ["fuel_3"], ["fuel_1"]), ({"spend": "bonus"}, 2, ["fuel_3"], ["fuel_1"]),
    ({"spend": "fuel"}, 1, ["fuel_1", "fuel_3"], []),
])  # fmt: skip
def test_a_bonus_card_is_spent_first(spend, fuel, bonus, returned):
    state = landed("q5", {"hand": ["BETA"], "fuel": 2, "bonus_fuel": ["fuel_3", "fuel_1"]}, {})
    do(state, 1, "collect", cards=["BETA"], **spend)
    assert (state.fuel[1], state.bonus[1], state.returned) == (fuel, bonus, returned)


@pytest.mark.parametrize(("held", "cash"), [
    (["double_1"], 400), (["double_1", "double_2"], 500), (["no_fare_1"], 300), (["double_1", "no_fare_1"], 300),
    (["escape_1"], 350),
])  # fmt: skip
def test_held_cards_for_the_next_fare(held, cash):
    state = landed("q5", {"hand": ["BETA"], "held": held}, {})
    do(state, 1, "collect", cards=["BETA"])
    assert state.cash[1] == cash
    used = [card for card in held if card != "escape_1"]
    assert (state.returned, state.held[1]) == (used, [card for card in held if card not in used])
    assert state.fuel[1] == 2


def test_a_fare_takes_the_extra_turn_only_by_house_rule():
    for options, phase in (({}, "extra_turn"), ({"fare_cancels_extra_turn": "yes"}, "before_roll")):
        state = table({"at": "B", "hand": ["BETA"]}, {}, options=options, pile=[])
        do(state, 1, "roll", faces=[6])
        do(state, 1, "move", to="q5")
        do(state, 1, "collect", cards=["BETA"])
        do(state, 2, "pass")
        assert state.phase == phase


def test_replacements_fill_a_hand_to_three_while_the_pile_lasts():
    state = landed("q5", {"hand": ["BETA"]}, {}, pile=["F9", "F10"])
    do(state, 1, "collect", cards=["BETA"])
    assert state.deals == [1, 1, 1]
    do(state, 0, "deal", card="F9")
    do(state, 0, "deal", card="F10")
    assert (state.hand[1], state.deals) == (["F10", "F9"], [])
    state = landed("q5", {"hand": ["BETA", "F1", "F2", "F3", "F4"]}, {"hand": ["F5"]}, pile=["F9"])
    do(state, 1, "collect", cards=["BETA"])
    assert state.deals == []


def test_a_card_for_the_square_one_stands_on_waits_for_the_next_landing():
    cards = far_board()["cards"]
    cards["A2"] = {"attraction": "ALPHA", "fare": 60}
    state = landed("q3", {"hand": ["ALPHA", "F1", "F2"]}, {}, board=far_board(cards=cards))
    do(state, 1, "collect", cards=["ALPHA"])
    do(state, 0, "deal", card="A2")
    assert code(state, 1, "collect", cards=["A2"]) == "not_your_turn"
    do(state, 2, "pass")
    assert state.turn == 2


def test_the_steps_of_a_landing_that_are_skipped_leave_their_marks():
    state = landed("q5", {}, {}, {})
    do(state, 1, "keep_quiet")
    (landing,) = seen(state)["arrivals"]
    assert landing == {
        "seat": 1, "square": "q5", "steps": ["claims", "lights", "garage"], "must_collect": False, "knocks": [],
        "claims": [2, 3], "knocked": False, "home": False, "card": None,
    }  # fmt: skip


def test_taxis_on_the_square_are_decided_on_one_by_one():
    state = landed("q2", {}, {"at": "q2"}, {"at": "q2"}, {"at": "q3"})
    assert seen(state)["arrivals"][0]["knocks"] == [2, 3]
    assert code(state, 1, "knock", whom=4) == "not_allowed"
    assert code(state, 1, "knock", whom=0) == "unknown_seat"
    assert code(state, 1, "knock", whom="2") == "malformed"
    assert code(state, 2, "knock", whom=3) == "not_your_turn"
    events = do(state, 1, "knock", whom=3)
    assert events[0]["rules"] == ["L-063"]
    assert (state.at[3], state.at[2]) == ("B", "q2")
    assert code(state, 1, "spare", whom=3) == "not_allowed"
    do(state, 1, "spare", whom=2)
    assert (state.phase, state.turn) == ("before_roll", 2)


def test_nobody_is_knocked_back_from_the_base():
    state = table({"at": "q0"}, {"at": "B"})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="B")
    assert (state.phase, state.turn, state.arrivals) == ("before_roll", 2, [])


def test_a_forced_knock_back_happens_by_itself():
    state = landed("q2", {}, {"at": "q2"}, {"at": "q2"}, options={"knock_back": "forced"})
    assert (state.at[2:], state.turn) == (["B", "B"], 2)


def endgame(knocked, **options):
    """Seat 1 lands on the taxi of seat 2, which has no card any more, and of seat 3, which has one."""
    players = ({"hand": ["F1"]}, {"hand": [], "at": "q2"}, {"hand": ["F2"], "at": "q2"})
    state = landed("q2", *players, pile=[], options=options)
    assert state.at[2] == ("B" if knocked else "q2")
    return state


def test_who_is_bound_for_home_is_knocked_home():
    after = seen(endgame(True))
    assert after["result"] == {"winners": [2], "reason": "knocked_home", "totals": {"1": 300, "2": 550, "3": 300}}
    state = endgame(True, knock_home_ends_game="no")
    assert (state.phase, state.cash[2], seen(state)["arrivals"][0]["knocks"]) == ("knock_back", 300, [3])
    state = endgame(False, knock_back_endgame="optional")
    assert seen(state)["arrivals"][0]["knocks"] == [2, 3]
    do(state, 1, "spare", whom=2)
    do(state, 1, "knock", whom=3)
    assert (state.phase, state.at[3], state.turn) == ("before_roll", "B", 2)
    # A pile that has a card left means that nobody is bound for home.
    state = landed("q2", {"hand": ["F1"]}, {"hand": [], "at": "q2"}, pile=["F3"])
    assert state.phase == "knock_back"


def claimed(square="q5", lander=None, claimants=({"hand": ["BETA", "DELTA", "F4"]},), fields=None, **more):
    """Seat 1 landed on a square and kept quiet; seat 2 has claimed it."""
    state = landed(square, {"hand": ["F1", "F2"], **(lander or {})}, *claimants, **more)
    do(state, 1, "keep_quiet")
    do(state, 2, "claim", **(fields or {"cards": ["BETA"]}))
    return state


def test_a_claim_is_paid_by_the_lander_who_goes_to_the_base():
    state = claimed(fields={"cards": ["BETA", "DELTA"]})
    after = seen(state)
    assert (after["seats"][1]["cash"], after["seats"][1]["at"]) == (220, "B")
    assert (after["seats"][2]["cash"], after["seats"][2]["at"], after["seats"][2]["fuel"]) == (380, "q5", 2)
    assert after["deals"] == [2, 2]
    assert after["gone"] == ["BETA", "DELTA"]
    assert after["arrivals"][0]["knocked"] is True


@pytest.mark.parametrize(("fields", "wanted"), [
    ({}, "malformed"), ({"cards": []}, "malformed"), ({"cards": ["ETA"]}, "not_held"),
    ({"cards": ["F4"]}, "not_allowed"), ({"cards": ["BETA"], "spend": "bonus"}, "not_enough"),
    ({"cards": ["BETA"]}, "accepted"),
])  # fmt: skip
def test_claims_that_cannot_be_made(fields, wanted):
    state = landed("q5", {"hand": ["F1"]}, {"hand": ["BETA", "F4"]})
    do(state, 1, "keep_quiet")
    assert code(state, 2, "claim", **fields) == wanted
    empty = landed("q5", {"hand": ["F1"]}, {"hand": ["BETA", "F4"], "fuel": 0})
    do(empty, 1, "keep_quiet")
    assert code(empty, 2, "claim", cards=["BETA"]) == "not_enough"


def test_claims_go_round_from_the_left():
    state = landed("q5", {"hand": ["F1"]}, {"hand": ["BETA"]}, {"hand": ["DELTA"]}, {"hand": ["F2"]}, turn=1, pile=[])
    do(state, 1, "keep_quiet")
    assert code(state, 3, "claim", cards=["DELTA"]) == "not_your_turn"
    do(state, 2, "claim", cards=["BETA"])
    do(state, 3, "claim", cards=["DELTA"])
    do(state, 4, "pass")
    assert (state.cash[1:], state.at[1:]) == ([220, 350, 330, 300], ["B", "q5", "q5", "B"])


def test_one_claim_may_be_all_by_house_rule():
    state = claimed(claimants=({"hand": ["BETA"]}, {"hand": ["DELTA"]}), options={"multiple_claims": "first_only"},
                    pile=[])  # fmt: skip
    assert (state.phase, state.turn) == ("before_roll", 2)


@pytest.mark.parametrize(("held", "options", "lander", "claimant"), [
    ([], {}, 250, 350), (["double_1"], {}, 250, 400), (["double_1", "double_2"], {}, 250, 500),
    (["no_fare_1"], {}, 300, 300), (["no_fare_1", "double_1"], {}, 300, 300),
    ([], {"claim_pays": "lander_and_bank"}, 250, 400), (["double_1"], {"claim_pays": "lander_and_bank"}, 250, 450),
    (["no_fare_1"], {"claim_pays": "lander_and_bank"}, 300, 300),
])  # fmt: skip
def test_what_a_claim_pays(held, options, lander, claimant):
    state = claimed(claimants=({"hand": ["BETA", "F4"], "held": held},), options=options, pile=[])
    assert (state.cash[1], state.cash[2]) == (lander, claimant)
    assert state.at[1] == "B"
    assert state.held[2] == []


def test_a_claimant_who_stands_there_already_may_claim():
    state = landed("q5", {"hand": ["F1"]}, {"hand": ["BETA"], "at": "q5"}, pile=[])
    do(state, 1, "keep_quiet")
    do(state, 1, "spare", whom=2)
    do(state, 2, "claim", cards=["BETA"])
    assert (state.at[1], state.at[2]) == ("B", "q5")


def test_who_was_sent_away_still_draws_for_the_lights():
    for options, phase in (({}, "lights"), ({"lights_after_claim": "skip"}, "before_roll")):
        state = claimed("q8", claimants=({"hand": ["GAMMA"]},), fields={"cards": ["GAMMA"]}, options=options, pile=[])
        assert state.phase == phase


def test_a_claim_on_the_last_card_brings_the_lander_home():
    state = landed("q5", {"hand": ["DELTA"]}, {"hand": ["BETA", "F1"]}, pile=[])
    do(state, 1, "collect", cards=["DELTA"])
    do(state, 2, "claim", cards=["BETA"])
    after = seen(state)
    assert after["result"] == {"winners": [1], "reason": "knocked_home", "totals": {"1": 530, "2": 350}}
    state = landed("q5", {"hand": ["DELTA"]}, {"hand": ["BETA", "F1"]}, pile=[], options={"knock_home_ends_game": "no"})
    do(state, 1, "collect", cards=["DELTA"])
    do(state, 2, "claim", cards=["BETA"])
    assert (state.phase, state.turn, state.result) == ("before_roll", 2, None)


def test_home_waits_for_the_debt():
    state = landed("q5", {"hand": ["DELTA"], "cash": 0}, {"hand": ["BETA", "F1"]}, pile=[])
    do(state, 1, "collect", cards=["DELTA"])
    do(state, 2, "claim", cards=["BETA"])
    assert state.phase == "debt"
    assert seen(state)["arrivals"][0]["home"] is True
    do(state, 1, "take_loan")
    assert seen(state)["result"]["totals"] == {"1": 430, "2": 350}
    assert seen(state)["seats"][1]["status"] == "out"


def waiting_for_claims(*players, **more):
    state = landed("q5", *players, **more)
    do(state, 1, "keep_quiet")
    return state


def test_the_operator_closes_the_claims():
    state = waiting_for_claims({}, {}, {})
    assert code(state, 2, "close_claims") == "not_your_turn"
    do(state, 0, "close_claims")
    assert (state.phase, state.turn) == ("before_roll", 2)
    assert code(state, 0, "close_claims") == "wrong_phase"
    state = waiting_for_claims({}, {}, {}, options={"claim_window": "ask_everyone"})
    assert code(state, 0, "close_claims") == "not_allowed"


def test_the_next_throw_closes_the_claims():
    state = waiting_for_claims({}, {}, {})
    assert code(state, 1, "roll", faces=[1]) == "not_your_turn"
    assert code(state, 3, "roll", faces=[1]) == "not_your_turn"
    assert code(state, 2, "roll", faces=[8]) == "bad_face"
    assert code(state, 2, "roll") == "malformed"
    assert code(state, 2, "roll", faces=[1, 1]) == "not_allowed"
    do(state, 2, "roll", faces=[3])
    assert (state.phase, state.turn, state.moves) == ("moving", 2, [3])
    state = waiting_for_claims({}, {}, {}, options={"claim_window": "ask_everyone"})
    assert code(state, 2, "roll", faces=[1]) == "wrong_phase"


def test_the_lander_closes_the_claims_by_throwing_for_its_extra_turn():
    def six():
        state = table({"at": "B"}, {}, {})
        do(state, 1, "roll", faces=[6])
        do(state, 1, "move", to="q5")
        do(state, 1, "keep_quiet")
        return state

    state = six()
    do(state, 1, "roll", faces=[2])
    assert (state.phase, state.turn, state.extra_turns) == ("moving", 1, 1)
    state = six()
    assert code(state, 2, "roll", faces=[2]) == "wrong_phase"


def test_claims_are_not_closed_by_a_throw_where_something_has_to_be_decided_first():
    """Lights have to be drawn for, or the Garage is left, before anybody else throws."""
    state = landed("q8", {}, {}, {})
    do(state, 1, "keep_quiet")
    assert code(state, 2, "roll", faces=[1]) == "wrong_phase"
    board = far_board()
    board["attractions"]["SHOP"] = {"name": "Shop", "square": "q6"}
    state = landed("q6", {"fuel": 2}, {}, {}, board=board)
    do(state, 1, "keep_quiet")
    assert code(state, 2, "roll", faces=[1]) == "wrong_phase"
    state = landed("q6", {"fuel": 5}, {}, {}, board=board)
    do(state, 1, "keep_quiet")
    assert code(state, 2, "roll", faces=[1]) == "accepted"


def test_an_extra_turn_without_fuel_is_not_thrown_for_through_the_claims():
    state = table({"at": "B", "fuel": 1, "hand": ["BETA"]}, {}, {}, pile=[])
    do(state, 1, "roll", faces=[6])
    do(state, 1, "move", to="q5")
    do(state, 1, "collect", cards=["BETA"])
    # Its last fuel is spent, and it is not on its way home without any.
    assert code(state, 1, "roll", faces=[2]) == "wrong_phase"


def test_attractions_on_opposite_lanes():
    board = far_board()
    board["attractions"]["BETA"]["opposite"] = ["q2"]
    state = landed("q2", {"hand": ["BETA"]}, {}, board=board)
    assert state.phase == "own_fare"
    do(state, 1, "collect", cards=["BETA"])
    assert state.cash[1] == 350
    state = landed("q2", {"hand": ["BETA"]}, {}, board=board, options={"collect_from_either_side": "no"})
    assert (state.phase, state.turn) == ("before_roll", 2)
