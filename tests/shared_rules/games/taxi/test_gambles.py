"""Gambles and barriers: what the cases leave open."""

import pytest
from taxi_tables import STREET, do, draw, move, names, player, refused, roll, table, turn, whole

from shared_rules.engine import game


def gamble(*players, word=None, **keys):
    """A table in which seat 1 has just offered a gamble."""
    state = table(*players, **keys)
    draw(state, 1, ["gamble", word])
    return state


def test_a_new_bet_replaces_the_old_one_and_its_stake():
    state = gamble({}, {"cash": 5000}, {})
    do(state, "place_bet", 2, word="money")
    do(state, "place_bet", 2, word="taxi")
    assert player(state, 2)["cash"] == 0
    assert whole(state)["gamble"]["bets"] == {"2": {"words": ["taxi"], "done": True}}
    assert refused(state, "place_bet", 2, word="freeway") == "not_enough"
    assert player(state, 2)["cash"] == 0
    do(state, "pass_bet", 2)
    assert (player(state, 2)["cash"], whole(state)["gamble"]["bets"]["2"]) == (5000, {"words": [], "done": True})
    do(state, "place_bet", 2, word="money")
    do(state, "pass_bet", 3)
    assert whole(state)["phase"] == "gamble_reveal"
    assert game.check_invariants(state) == []


def test_what_the_bank_holds_now_decides_whether_a_bet_can_be_made():
    state = gamble({"white": 12}, {"green": 1, "plates": 35}, {"green": 1})
    assert refused(state, "place_bet", 2, word="freeway") == "none_left"
    do(state, "place_bet", 2, word="taxi")
    do(state, "place_bet", 3, word="taxi")
    events = do(state, "reveal_card", 1, word="taxi")
    assert [player(state, seat)["plates"] for seat in (2, 3)] == [36, 0]
    assert [player(state, seat)["cash"] for seat in (2, 3)] == [9340, 9340]
    assert names(events).count("NothingWon") == 1
    endless = gamble({"white": 12}, {"green": 1}, {"green": 1}, options={"tablet_shortage": "unlimited"})
    do(endless, "place_bet", 2, word="freeway")
    do(endless, "pass_bet", 3)
    do(endless, "reveal_card", 1, word="freeway")
    assert (player(endless, 2)["white"], whole(endless)["bank"]["white"]) == (1, -1)


def test_several_bets_of_one_gambler():
    state = gamble({}, {"green": 1}, {}, options={"bets_per_gambler": "one_per_word"})
    for word in ("money", "freeway", "taxi"):
        do(state, "place_bet", 2, word=word)
    assert whole(state)["gamble"]["bets"]["2"] == {"words": ["money", "freeway", "taxi"], "done": False}
    assert refused(state, "place_bet", 2, word="taxi") == "already_done"
    do(state, "pass_bet", 2)
    assert whole(state)["gamble"]["bets"]["2"]["done"] is True
    assert refused(state, "place_bet", 2, word="money") == "already_done"
    do(state, "pass_bet", 3)
    do(state, "reveal_card", 1, word="freeway")
    assert player(state, 2) == player(state, 2) | {"cash": 3340, "green": 1, "white": 1}
    assert player(state, 1)["cash"] == 15340
    many = gamble({}, {"cash": 10000}, options={"bets_per_gambler": "unlimited"})
    do(many, "place_bet", 2, word="taxi")
    do(many, "place_bet", 2, word="taxi")
    assert refused(many, "place_bet", 2, word="money") == "not_enough_money"
    do(many, "close_bets")
    do(many, "reveal_card", 1, word="taxi")
    assert player(many, 2) == player(many, 2) | {"cash": 10000, "plates": 2}
    assert whole(many)["bank"]["ownership_cards"] == 5


def test_closing_lets_silent_seats_pass():
    state = gamble({}, {}, {})
    do(state, "place_bet", 3, word="money")
    do(state, "close_bets")
    assert whole(state)["gamble"]["bets"] == {"2": {"words": [], "done": True}, "3": {"words": ["money"], "done": True}}
    assert whole(state)["waiting_for"] == [1]


def test_reveal():
    state = gamble({}, {}, word="taxi")
    do(state, "pass_bet", 2)
    for word in ("bus", 7, None):
        assert refused(state, "reveal_card", 1, word=word) == "malformed"
    assert refused(state, "reveal_card", 1, word="money") == "not_allowed"
    assert names(do(state, "reveal_card", 1))[0] == "GambleRevealed"
    unknown = gamble({}, {})
    do(unknown, "pass_bet", 2)
    assert refused(unknown, "reveal_card", 1) == "malformed"
    do(unknown, "reveal_card", 1, word="money")


def test_a_passenger_card_may_be_a_gamble_and_verbs_go_on_after_it():
    state = table(2)
    draw(state, 1, ["gamble", "money"], ["collect_bank", 70], deck="passenger")
    do(state, "pass_bet", 2)
    do(state, "reveal_card", 1)
    assert player(state, 1)["cash"] == 9410
    assert whole(state)["decks"]["passenger"]["discard"] == [None]


def test_lost_green_stakes_are_fresh_by_house_rule():
    state = gamble({"at": "B~L"}, {"at": "A", "green": 1}, board=STREET, options={"card_tablets_usable": "next_turn"})
    do(state, "place_bet", 2, word="freeway")
    do(state, "reveal_card", 1, word="taxi")
    assert whole(state)["fresh"] == {"green": 1, "white": 0}
    roll(state, 1, 1)
    assert refused(state, "move", 1, to="C") == "unreachable"


def test_the_stake_of_a_seat_that_leaves_goes_to_the_bank():
    state = gamble({}, {"green": 1}, {}, {}, bank={"cash": 0})
    do(state, "place_bet", 2, word="freeway")
    do(state, "place_bet", 3, word="money")
    do(state, "resign", 2)
    assert whole(state)["bank"] == whole(state)["bank"] | {"cash": 9340, "green": 30}
    assert whole(state)["gamble"]["bets"] == {"3": {"words": ["money"], "done": True}}
    do(state, "resign", 4)
    assert whole(state)["phase"] == "gamble_reveal"
    do(state, "resign", 3)
    assert whole(state)["phase"] == "over"
    assert game.check_invariants(state) == []


def test_a_holder_that_leaves_voids_the_gamble():
    state = gamble({}, {"green": 1}, {})
    do(state, "place_bet", 2, word="freeway")
    do(state, "place_bet", 3, word="taxi")
    do(state, "resign", 1)
    assert [player(state, seat)["cash"] for seat in (2, 3)] == [9340, 9340]
    assert (player(state, 2)["green"], whole(state)["gamble"], whole(state)["turn"]) == (1, None, 2)


def test_barriers_stand_against_the_turns_seat_until_its_turn_ends():
    state = table({}, {"barriers": 2}, {"barriers": 1})
    assert whole(state)["waiting_for"] == [1, 2, 3]
    do(state, "place_barrier", 2, on="E~O")
    draw(state, 1, ["nothing"])
    do(state, "place_barrier", 3, on="N~O")
    assert refused(state, "place_barrier", 2, on="O~E") == "already_done"
    do(state, "resign", 2)
    assert len(whole(state)["placed_barriers"]) == 2
    assert game.check_invariants(state) == []
    roll(state, 1, 1)
    assert refused(state, "place_barrier", 3, on="O~W") == "wrong_phase"
    assert refused(state, "move", 1, to="E") == "unreachable"
    move(state, 1, "O~E")
    events = do(state, "end_turn", 1)
    assert names(events).count("BarrierReturned") == 2
    assert whole(state)["bank"]["barriers"] == 12


def test_a_barrier_may_not_stand_on_the_taxis_own_link():
    state = table({"at": "O~E"}, {"barriers": 1})
    assert refused(state, "place_barrier", 2, on="E~O") == "not_allowed"
    do(state, "place_barrier", 2, on="E~EE")


@pytest.mark.parametrize(("limit", "first", "second"), [("one", "not_allowed", "not_allowed"),
    ("one_per_holder", "not_allowed", None)])
def test_limits_of_barriers(limit, first, second):
    state = table({}, {"barriers": 2}, {"barriers": 1}, options={"barriers_per_victim_turn": limit})
    do(state, "place_barrier", 2, on="O~E")
    assert refused(state, "place_barrier", 2, on="O~N") == first
    assert refused(state, "place_barrier", 2, on="nowhere") == "unknown_place"
    if second:
        assert refused(state, "place_barrier", 3, on="O~N") == second
    else:
        assert whole(state)["waiting_for"] == [1, 3]
        do(state, "place_barrier", 3, on="O~N")
    assert whole(state)["waiting_for"] == [1]


def test_as_many_barriers_as_the_bank_has():
    state = table({"barriers": 0}, {"barriers": 9}, options={"barriers_per_card": 4})
    draw(state, 1, ["barrier", 1])
    assert player(state, 1)["barriers"] == 3


def test_a_whole_round_of_cards_and_bets_keeps_the_money_together():
    state = table(3)
    before = sum(p["cash"] for p in whole(state)["players"]) + whole(state)["bank"]["cash"]
    draw(state, 1, ["gamble", "money"])
    do(state, "place_bet", 2, word="money")
    do(state, "place_bet", 3, word="taxi")
    do(state, "reveal_card", 1)
    turn(state, 1, "E")
    turn(state, 2, "O")
    turn(state, 3, "O")
    assert sum(p["cash"] for p in whole(state)["players"]) + whole(state)["bank"]["cash"] == before
