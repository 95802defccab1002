"""Debts, loans, the licence, going out of the game."""

import pytest
from london_tables import code, do, game, seen, table


def owing(amount, *others, player=None, **more):
    """Seat 1 has landed on the lights at q4 and drawn a typed fine."""
    state = table({"at": "q3", **(player or {})}, *(others or ({}, {})), lights={"pile": 30}, **more)
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q4")
    fine = amount if isinstance(amount, list) else [["pay_fine", amount]]
    do(state, 1, "draw_light", card={"title": "Fine", "side": "nasty", "do": fine})
    return state


def test_what_can_be_paid_is_paid_by_itself():
    state = owing(300)
    assert (state.cash[1], state.debts, state.turn) == (0, [], 2)


@pytest.mark.parametrize(("player", "amount", "status"), [
    ({"cash": 10}, 210, "in"), ({"cash": 10}, 211, "out"), ({"cash": 10, "loan": True}, 11, "out"),
    ({"cash": 10, "loan": True}, 10, "in"),
])  # fmt: skip
def test_who_cannot_pay_even_with_a_loan_is_out(player, amount, status):
    state = owing(amount, player=player)
    assert seen(state)["seats"][1]["status"] == status
    if status == "out":
        assert (state.at[1], state.cash[1], state.turn) == (None, 0, 2)


def test_a_loan_pays_the_debt():
    state = owing(60, player={"cash": 30})
    assert (state.phase, seen(state)["waiting_for"]) == ("debt", [1])
    assert code(state, 2, "decline_loan") == "not_your_turn"
    assert code(state, 1, "roll", faces=[1]) == "wrong_phase"
    assert code(state, 1, "repay_loan") == "not_allowed"
    events = do(state, 1, "take_loan")
    assert [event["event"] for event in events][:2] == ["LoanTaken", "DebtPaid"]
    assert (state.cash[1], state.loan[1], state.loan_used[1], state.turn) == (170, True, True, 2)


def test_a_loan_may_be_declined():
    state = owing(60, player={"cash": 30})
    do(state, 1, "decline_loan")
    assert (state.playing[1], state.cash[0], state.turn) == (False, -600, 2)


def test_a_loan_by_house_rule_is_taken_once():
    state = owing(60, player={"cash": 30, "loan_used": True}, options={"loan_limit": "once_per_game"})
    assert not state.playing[1]
    state = table({"loan_used": True, "cash": 0}, {}, options={"loan_limit": "once_per_game"})
    assert code(state, 1, "take_loan") == "not_allowed"
    state = table({"loan_used": True, "cash": 0}, {})
    assert code(state, 1, "take_loan") == "accepted"


@pytest.mark.parametrize(("player", "more", "wanted"), [
    ({"cash": 1}, {}, "not_allowed"), ({"cash": 0}, {}, "accepted"), ({"cash": 0, "loan": True}, {}, "already_done"),
    ({"cash": 300}, {"options": {"loan_when": "any_time"}}, "accepted"),
    ({"cash": 49, "fuel": 0}, {}, "accepted"), ({"cash": 50, "fuel": 0}, {}, "not_allowed"),
    ({"cash": 4, "fuel": 0, "at": "q6"}, {}, "accepted"), ({"cash": 5, "fuel": 0, "at": "q6"}, {}, "not_allowed"),
    ({"cash": 49, "fuel": 1}, {}, "not_allowed"), ({"cash": 49, "fuel": 0}, {"turn": 2}, "not_allowed"),
])  # fmt: skip
def test_when_a_loan_can_be_taken(player, more, wanted):
    state = table({"at": "q2", **player}, {"at": "q3"}, **more)
    assert code(state, 1, "take_loan") == wanted


def test_a_debt_of_ones_own_is_a_need_also_behind_anothers():
    debts = [{"seat": 2, "amount": 60, "to": 0, "why": "fine"}, {"seat": 1, "amount": 60, "to": 0, "why": "fine"}]
    state = table({"cash": 10}, {"cash": 10}, {"cash": 10}, debts=debts)
    assert state.phase == "debt"
    assert code(state, 3, "take_loan") == "not_allowed"
    do(state, 1, "take_loan")
    do(state, 2, "take_loan")
    assert (state.cash[1:], state.phase) == ([150, 150, 10], "before_roll")


def test_repaying():
    state = table({}, {"cash": 260, "loan": True}, {"cash": 199, "loan": True})
    assert code(state, 1, "repay_loan") == "not_allowed"
    assert code(state, 3, "repay_loan") == "not_enough_money"
    assert code(state, 0, "repay_loan") == "not_your_turn"
    do(state, 2, "repay_loan")
    assert (state.cash[2], state.loan[2], state.loan_used[2]) == (60, False, True)


def test_the_licence():
    state = owing([["licence_points", 3]], player={"sections": 2})
    assert (state.sections[1], state.debts) == (3, [])
    state = owing([["licence_points", 3]], player={"sections": 3, "cash": 260})
    assert (state.sections[1], state.cash[1]) == (0, 60)
    state = owing([["licence_points", 3]], player={"sections": 3, "cash": 150})
    assert seen(state)["debts"] == [{"seat": 1, "amount": 200, "to": 0, "why": "licence"}]
    assert state.sections[1] == 4
    do(state, 1, "take_loan")
    assert (state.sections[1], state.cash[1]) == (0, 150)
    state = owing([["licence_points", 3]], player={"sections": 3, "cash": 150, "loan": True})
    assert not state.playing[1]


def test_there_is_no_fifth_section():
    state = owing([["licence_points", 3], ["licence_points", 3]], player={"sections": 3, "cash": 500})
    assert (state.sections[1], state.cash[1]) == (0, 300)


def test_a_card_books_all_before_debts_are_settled():
    state = owing([["pay_fine", 300], ["receive", 100], ["pay_fine", 60]], player={"cash": 260})
    assert (state.cash[1], state.turn) == (0, 2)
    state = owing([["pay_fine", 40], ["licence_points", 3], ["pay_fine", 10]], player={"cash": 60, "sections": 3})
    assert [debt["why"] for debt in seen(state)["debts"]] == ["licence", "fine"]


def claimed(cash, unpaid=None, third=None, **player):
    """Seat 1 has a loan open and owes £50 to seat 2."""
    options = {} if unpaid is None else {"unpaid_penalty": unpaid}
    players = ({"hand": ["F1", "F2"], "cash": cash, "loan": True, **player}, {"hand": ["BETA", "F4"]}, third or {})
    state = table(*players, options=options)
    do(state, 1, "roll", faces=[6])
    do(state, 1, "move", to="q5")
    do(state, 1, "keep_quiet")
    do(state, 2, "claim", cards=["BETA"])
    return state


@pytest.mark.parametrize(("unpaid", "creditor", "bank"), [
    (None, 330, -630), ("bank_tops_up", 350, -650), ("nothing", 300, -600),
])  # fmt: skip
def test_what_a_claimant_gets_from_who_is_out(unpaid, creditor, bank):
    state = claimed(30, unpaid)
    assert (state.cash[1], state.cash[2], state.cash[0]) == (0, creditor, bank)
    assert game.check_invariants(state) == []


def test_goods_of_who_is_out():
    state = claimed(30, bonus_fuel=["fuel_2", "fuel_1"], held=["no_fare_1", "double_1"])
    after = seen(state)
    assert after["seats"][1] == {
        **after["seats"][1], "cash": 0, "fuel": 0, "bonus_fuel": [], "held": [], "hand": [], "at": None,
        "status": "out",
    }  # fmt: skip
    assert after["gone"] == ["BETA", "F1", "F2"]
    assert after["lights"]["returned"] == ["fuel_1", "fuel_2", "double_1", "no_fare_1"]
    assert (after["phase"], after["turn"], after["deals"]) == ("deal", 2, [2, 2])
    assert (after["dice"], after["moves"], after["extra_turn"], after["arrivals"]) == ([], [], False, [])
    do(state, 0, "deal", card="F9")
    do(state, 0, "deal", card="F10")
    assert (state.phase, state.turn) == ("before_roll", 2)


def test_a_resigning_debtor_pays_what_there_is():
    state = claimed(30, loan=False)
    assert state.phase == "debt"
    do(state, 1, "resign")
    assert (state.cash[2], state.playing[1]) == (330, False)


def test_a_debt_to_who_is_out_is_owed_to_the_bank():
    state = claimed(30, loan=False)
    do(state, 2, "resign")
    assert seen(state)["debts"] == [{"seat": 1, "amount": 50, "to": 0, "why": "claim"}]
    assert state.deals == []
    do(state, 1, "take_loan")
    assert (state.cash[1], seen(state)["waiting_for"]) == (180, [3])
    state = claimed(30, unpaid="bank_tops_up", loan=False)
    do(state, 2, "resign")
    do(state, 1, "resign")
    assert seen(state)["result"] == {"winners": [3], "reason": "last_survivor", "totals": {"1": 0, "2": 0, "3": 300}}


def test_each_owed_claim_is_paid_in_turn():
    debts = [
        {"seat": 1, "amount": 20, "to": 0, "why": "fine"}, {"seat": 1, "amount": 30, "to": 2, "why": "claim"},
        {"seat": 1, "amount": 30, "to": 3, "why": "claim"},
    ]  # fmt: skip
    state = table({"cash": 10}, {}, {}, {}, debts=debts)
    do(state, 0, "correct", set={"players": [{"seat": 1, "cash": 19}]}, why="miscounted")
    do(state, 1, "resign")
    assert state.cash[1:] == [0, 319, 300, 300]


def test_the_last_survivor_wins_without_a_count():
    state = table({"cash": 900}, {"cash": 10, "loan": True})
    do(state, 1, "resign")
    after = seen(state)
    assert after["result"] == {"winners": [2], "reason": "last_survivor", "totals": {"1": 0, "2": 10}}
    assert (after["seats"][2]["status"], after["seats"][2]["loan"], after["turn"]) == ("in", True, 1)
    assert code(state, 2, "resign") == "game_over"


def test_leaving_out_of_turn_goes_on():
    state = table({}, {}, {})
    do(state, 2, "resign")
    assert (state.turn, state.phase) == (1, "before_roll")
    assert code(state, 2, "roll", faces=[1]) == "out_of_game"
    assert code(state, 0, "resign") == "not_your_turn"
    do(state, 1, "resign")
    assert seen(state)["result"]["winners"] == [3]


def test_a_lander_who_leaves_ends_its_landing_and_one_who_waits_goes_on():
    state = table({"at": "q4"}, {}, {}, {})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q5")
    do(state, 1, "keep_quiet")
    do(state, 3, "resign")
    assert seen(state)["arrivals"][0]["claims"] == [2, 4]
    do(state, 2, "resign")
    assert seen(state)["waiting_for"] == [4]
    do(state, 1, "resign")
    assert seen(state)["result"]["winners"] == [4]


def test_taxis_to_be_knocked_back_vanish_with_their_players():
    state = table({"at": "q1"}, {"at": "q2"}, {"at": "q2"})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q2")
    do(state, 2, "resign")
    assert seen(state)["arrivals"][0]["knocks"] == [3]
