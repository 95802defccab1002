"""The drive home, the end, the count."""

import pytest
from london_tables import code, do, game, seen, table


def homeward(at="q2", other=None, player=None, options=None, more_players=(), **more):
    """Seat 1 has no card any more and the pile is empty."""
    players = ({"hand": [], "at": at, **(player or {})}, {"hand": ["F1"], "at": "q7", **(other or {})}, *more_players)
    return table(*players, pile=[], options=options or {}, **more)


def home(**more):
    state = homeward(**more)
    do(state, 1, "roll", faces=[3])
    do(state, 1, "move", to="B")
    return seen(state)


def test_the_first_one_home_gets_the_bonus_and_ends_the_game():
    after = home()
    assert after["result"] == {"winners": [1], "reason": "home", "totals": {"1": 550, "2": 300}}
    assert (after["phase"], after["waiting_for"], after["turn"], after["dice"]) == ("over", [], 1, [])


def test_the_richest_wins_not_the_first_home():
    assert home(other={"cash": 551})["result"]["winners"] == [2]
    assert home(other={"cash": 550})["result"]["winners"] == [1, 2]
    assert home(other={"cash": 550}, options={"tie": "bonus_holder_wins"})["result"]["winners"] == [1]
    assert home(other={"cash": 551}, options={"tie": "bonus_holder_wins"})["result"]["winners"] == [2]


def test_an_open_loan_is_repossessed():
    after = home(other={"cash": 900, "loan": True})
    assert after["result"] == {"winners": [1], "reason": "home", "totals": {"1": 550, "2": 900}}
    assert (after["seats"][2]["status"], after["seats"][2]["at"], after["seats"][2]["fuel"]) == ("out", None, 3)
    after = home(player={"loan": True})
    assert after["result"]["winners"] == [2]
    after = home(player={"loan": True}, other={"loan": True})
    assert after["result"]["winners"] == []


@pytest.mark.parametrize(("cash", "wanted", "winners"), [(200, 0, [1]), (199, 199, [1]), (900, 700, [2])])
def test_a_loan_may_be_settled_at_the_count(cash, wanted, winners):
    after = home(other={"cash": cash, "loan": True}, options={"loan_settlement": "settle_at_count"})
    assert after["result"]["totals"]["2"] == wanted
    assert after["result"]["winners"] == winners
    assert after["seats"][2]["loan"] is (cash == 199)


def test_the_bonus_counts_for_a_loan_that_is_settled():
    after = home(player={"cash": 0, "loan": True}, options={"loan_settlement": "settle_at_count"})
    assert after["result"]["totals"] == {"1": 50, "2": 300}


@pytest.mark.parametrize(("options", "faces", "phase", "stay"), [
    ({}, [5], "moving", "accepted"), ({}, [3], "moving", "not_allowed"),
    ({"home_overshoot": "must_move"}, [5], "moving", "not_allowed"),
    ({"home_overshoot": "stay"}, [3], "moving", "not_allowed"),
])  # fmt: skip
def test_a_throw_that_does_not_fit(options, faces, phase, stay):
    state = homeward(options=options)
    do(state, 1, "roll", faces=faces)
    assert state.phase == phase
    assert code(state, 1, "stay") == stay


def test_staying_by_itself():
    state = homeward(options={"home_overshoot": "stay"})
    answer = game.ask(state, {"do": "ask", "what": "ends", "faces": [5]})
    assert answer == {"what": "ends", "seat": 1, "reachable": ["q0", "q6", "q7", "q9"], "stay": True}
    do(state, 1, "roll", faces=[5])
    assert (state.turn, state.at[1]) == (2, "q2")


def test_who_stays_has_not_landed():
    state = homeward(at="q8")
    do(state, 1, "roll", faces=[1])
    do(state, 1, "stay")
    assert (state.turn, state.arrivals) == (2, [])


def test_the_base_does_nothing_for_who_has_cards_or_may_draw_some():
    for more in ({"player": {"hand": ["F2"]}}, {}):
        state = homeward(**more)
        if not more:
            state = table({"hand": [], "at": "q2"}, {"hand": ["F1"]}, pile=["F3"])
        do(state, 1, "roll", faces=[3])
        do(state, 1, "move", to="B")
        assert (state.turn, state.result, state.cash[1]) == (2, None, 300)


def test_the_base_before_the_end_by_house_rule():
    state = table({"at": "q1"}, {}, options={"base_midgame": "forbidden"})
    do(state, 1, "roll", faces=[2])
    assert code(state, 1, "move", to="B") == "unreachable"
    assert home(options={"base_midgame": "forbidden"})["result"]["reason"] == "home"


def round_on(**more):
    state = homeward(at="q0", more_players=({"hand": ["F2"], "at": "q3"},), options={"finish_round": "yes"}, **more)
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="B")
    return state


def test_a_round_may_be_finished():
    state = round_on()
    after = seen(state)
    assert (after["turn"], after["ending"], after["seats"][1]["cash"]) == (2, {"seat": 1, "reason": "home"}, 550)
    for seat in (2, 3):
        do(state, seat, "roll", faces=[1])
        do(state, seat, "move", to={2: "q6", 3: "q2"}[seat])
        if seat == 2:
            do(state, 2, "done")
    assert seen(state)["result"] == {"winners": [1], "reason": "home", "totals": {"1": 550, "2": 300, "3": 300}}


def test_the_round_ends_before_the_seat_that_began():
    assert seen(round_on(first=2))["phase"] == "over"
    assert seen(round_on(first=3))["turn"] == 2
    state = round_on(first=3)
    do(state, 2, "roll", faces=[1])
    do(state, 2, "move", to="q8")
    do(state, 2, "keep_quiet")
    for _ in range(2):
        do(state, seen(state)["waiting_for"][0], "pass")
    do(state, 2, "draw_light", card="tip_20")
    assert state.phase == "over"


def test_who_is_home_has_no_further_turn():
    state = homeward(at="q0", options={"finish_round": "yes"}, more_players=({"hand": ["F2"]},), player={"turbo": True})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="B")
    assert state.turn == 2
    six = homeward(at="q7", other={"at": "q3"}, options={"finish_round": "yes"}, more_players=({"hand": ["F2"]},))
    do(six, 1, "roll", faces=[6])
    do(six, 1, "move", to="B")
    assert (six.turn, six.phase) == (2, "before_roll")


def test_nobody_else_is_home_in_the_last_round():
    state = homeward(
        at="q0", other={"at": "q2"}, more_players=({"hand": [], "at": "q1"},), options={"finish_round": "yes"}
    )
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="B")
    do(state, 2, "roll", faces=[1])
    do(state, 2, "move", to="q1")
    do(state, 2, "keep_quiet")
    assert (state.at[3], state.cash[3]) == ("B", 300)
    do(state, 3, "pass")
    do(state, 1, "pass")
    assert state.turn == 3
    do(state, 3, "roll", faces=[1])
    do(state, 3, "move", to="q0")
    assert seen(state)["result"]["reason"] == "home"


def test_the_round_is_counted_when_its_last_seat_leaves():
    state = round_on()
    do(state, 2, "resign")
    assert state.turn == 3
    do(state, 3, "resign")
    assert seen(state)["result"]["reason"] == "last_survivor"
    state = round_on(first=3)
    do(state, 2, "resign")
    after = seen(state)
    assert (after["result"]["reason"], after["turn"]) == ("home", 2)


def test_knocked_home_in_a_round_that_is_finished():
    state = table({"hand": ["F1"], "at": "q1"}, {"hand": [], "at": "q2"}, {"hand": ["F2"]}, pile=[],
                  options={"finish_round": "yes"})  # fmt: skip
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q2")
    assert (state.ending, state.cash[2]) == ({"seat": 2, "reason": "knocked_home"}, 550)
    # Seat 2 is home: its turn is passed over.
    assert state.turn == 3


def test_a_dead_game_in_the_last_round():
    others = {"other": {"fuel": 0, "at": "q3"}, "more_players": ({"hand": ["F2"], "fuel": 0},)}
    state = homeward(at="q0", player={"fuel": 1}, options={"finish_round": "yes"}, **others)
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="B")
    # Seat 1 is home with fuel, so the game is not dead: the others wait.
    assert (state.phase, state.turn) == ("stranded", 2)
