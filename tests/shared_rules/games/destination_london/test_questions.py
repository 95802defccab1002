"""Questions, the order of refusals, what is known of chance and of who is waited for."""

import pytest
from london_tables import code, do, game, ring_board, seen, table, title

from shared_rules.engine.errors import RuleViolation


def asked(state, **fields):
    try:
        return game.ask(state, {"do": "ask", **fields})
    except RuleViolation as no:
        return no.code


def test_ends_of_a_throw_or_of_the_move_that_is_due():
    state = table({"at": "q4"}, {"at": "q9"}, {"status": "out"})
    assert asked(state, what="ends", faces=[1]) == {"what": "ends", "seat": 1, "reachable": ["q3", "q5"], "stay": False}
    assert asked(state, what="ends", faces=[1], of=2)["reachable"] == ["q10", "q8"]
    assert asked(state, seat=2, what="ends", faces=[1], of=2)["seat"] == 2
    for fields, wanted in (
        ({}, "malformed"), ({"faces": []}, "malformed"), ({"faces": 3}, "malformed"), ({"faces": [7]}, "bad_face"),
        ({"faces": [1], "of": "1"}, "malformed"), ({"faces": [1], "of": True}, "malformed"),
        ({"faces": [1], "of": 0}, "unknown_seat"), ({"faces": [1], "of": 9}, "unknown_seat"),
        ({"faces": [1], "of": 3}, "out_of_game"), ({"faces": [9], "of": 9}, "bad_face"), ({"of": 9}, "malformed"),
    ):  # fmt: skip
        assert asked(state, what="ends", **fields) == wanted, fields
    do(state, 1, "roll", faces=[2])
    assert asked(state, what="ends")["reachable"] == ["q2", "q6"]
    assert asked(state, what="ends", of=2) == "malformed"
    assert asked(state, what="ends", of=2, faces=[1])["reachable"] == ["q10", "q8"]


def test_distances():
    state = table({}, {})
    assert asked(state, what="distance", **{"from": "q2", "to": "q9"})["distance"] == 2
    assert asked(state, what="distance", **{"from": "q9", "to": "q2"})["distance"] == 5
    assert asked(state, what="distance", **{"from": "far", "to": "q2"})["distance"] is None
    assert asked(state, what="distance", **{"from": "B", "to": "B"})["distance"] == 0
    assert asked(state, what="distance", **{"from": "q2"}) == "malformed"
    assert asked(state, what="distance", **{"from": "q2", "to": 3}) == "malformed"
    assert asked(state, what="distance", **{"from": "q2", "to": "moon"}) == "unknown_place"
    for what in ("weather", None, 3):
        assert asked(state, what=what) == "malformed"
    assert asked(state, seat=9, what="distance") == "unknown_seat"


def test_questions_are_answered_in_a_game_that_is_over():
    state = table({}, {})
    do(state, 1, "resign")
    assert asked(state, what="distance", **{"from": "q2", "to": "B"})["distance"] == 3
    assert asked(state, what="ends", of=1, faces=[1]) == "out_of_game"
    assert game.decide(state, {"do": "ask", "what": "distance", "from": "q2", "to": "B"}) == []


@pytest.mark.parametrize(("command", "wanted"), [
    (3, "malformed"), ({}, "malformed"), ({"do": 3, "seat": 1}, "malformed"), ({"do": "fly"}, "unknown_command"),
    ({"do": "roll"}, "malformed"), ({"do": "roll", "seat": "1"}, "malformed"),
    ({"do": "roll", "seat": 9}, "unknown_seat"), ({"do": "roll", "seat": -1}, "unknown_seat"),
    ({"do": "roll", "seat": 3}, "out_of_game"),
    ({"do": "deal", "seat": 3, "card": "X"}, "out_of_game"), ({"do": "deal", "seat": 1}, "not_your_turn"),
    ({"do": "close_claims", "seat": 1}, "not_your_turn"), ({"do": "resign", "seat": 0}, "not_your_turn"),
    ({"do": "take_loan", "seat": 0}, "not_your_turn"), ({"do": "roll", "seat": 0}, "not_your_turn"),
    ({"do": "move", "seat": 2}, "not_your_turn"), ({"do": "move", "seat": 1}, "wrong_phase"),
    ({"do": "deal", "seat": 0}, "wrong_phase"), ({"do": "roll", "seat": 1}, "malformed"),
])  # fmt: skip
def test_the_order_of_refusals(command, wanted):
    state = table({}, {}, {"status": "out"})
    with pytest.raises(RuleViolation) as caught:
        game.decide(state, command)
    assert caught.value.code == wanted
    assert all(rule.startswith(("L-", "LQ-")) for rule in caught.value.rules)


def test_moves_that_are_none():
    state = table({"at": "q4"}, {})
    do(state, 1, "roll", faces=[2])
    assert code(state, 1, "move") == "malformed"
    assert code(state, 1, "move", to=6) == "malformed"
    assert code(state, 1, "move", to="moon") == "unknown_place"
    assert code(state, 1, "move", to="q5") == "unreachable"
    assert code(state, 1, "move", to="B") == "unreachable"
    assert code(state, 1, "stay") == "not_allowed"
    assert code(state, 1, "move", to="q6") == "accepted"


def test_what_chance_has_to_answer():
    state = game.load_position({"game": "destination_london", "board": ring_board(), "players": [{}, {}]})
    card = {"kind": "card", "deck": "destinations", "seat": 1, "field": "card"}
    assert title.chance(state) == title.chance(state, {"do": "deal", "seat": 0}) == card
    assert title.chance(state, {"do": "deal", "seat": 0, "card": "ALPHA"}) is None
    assert title.chance(state, {"do": "resign", "seat": 1}) is None
    assert title.cards_left(state, "destinations", ["ALPHA", "MOON"]) == ["ALPHA"]

    state = table({"turbo": True, "at": "q3"}, {})
    one = {"kind": "dice", "die": "d6", "count": 1, "seat": 1, "field": "faces"}
    assert title.chance(state) == one
    assert title.chance(state, {"do": "roll", "seat": 1, "dice": 2}) == {**one, "count": 2}
    assert title.chance(state, {"do": "roll", "seat": 1, "dice": [2, 2]}) == {**one, "count": 2}
    assert title.chance(state, {"do": "roll", "seat": 1}) == one
    assert title.chance(state, {"do": "roll", "seat": 1, "faces": [2]}) is None
    assert title.chance(state, {"do": "buy_turbo", "seat": 1}) is None
    assert title.faces(state, "d6") == [1, 2, 3, 4, 5, 6]
    do(state, 1, "roll", faces=[1])
    assert title.chance(state) is None
    do(state, 1, "move", to="q4")
    light = {"kind": "card", "deck": "lights", "seat": 1, "field": "card"}
    assert title.chance(state) == title.chance(state, {"do": "draw_light", "seat": 1}) == light
    assert title.cards_left(state, "lights", ["tip_20", "tip_25"]) == ["tip_20"]
    must = table({"turbo": True}, {}, options={"turbo_may_roll_one": "no"})
    assert title.chance(must)["count"] == 2
    physical = table({}, {}, lights={"pile": 4})
    assert title.cards_left(physical, "lights", ["tip_20"]) == []
    begin = table({}, {}, phase="order_roll")
    assert title.chance(begin) == one
    do(begin, 1, "roll", faces=[3])
    assert title.chance(begin)["seat"] == 2
    reshuffled = table({}, {}, lights={"pile": []})
    assert title.cards_left(reshuffled, "lights", ["tip_20"]) == ["tip_20"]


def test_rounds_are_counted():
    state = table({"at": "q2"}, {"at": "q2"})
    assert title.round_number(state) == 1
    for seat in (1, 2, 1):
        do(state, seat, "roll", faces=[1])
        do(state, seat, "move", to=game.legal_commands(state, seat)[0]["to"][0])
        while state.phase not in ("before_roll", "moving"):
            verb = {"own_fare": "keep_quiet", "claims": "pass", "knock_back": "spare", "garage": "done"}[state.phase]
            fields = {"whom": seen(state)["arrivals"][0]["knocks"][0]} if verb == "spare" else {}
            do(state, seen(state)["waiting_for"][0], verb, **fields)
    assert title.round_number(state) == 3
    assert title.round_number(game.copy_state(state)) == 3


def test_templates_have_bounds():
    state = table({"at": "q6", "fuel": 2, "cash": 14, "turbo": True, "held": ["move_1"], "bonus_fuel": ["fuel_1"],
                   "hand": ["BETA", "DELTA", "F1"]}, {})  # fmt: skip
    assert game.legal_commands(state, 1) == [
        {"do": "roll", "seat": 1, "dice": [1, 2]},
        {"do": "play_move_card", "seat": 1, "card": ["move_1"], "destination": ["BETA", "DELTA", "F1"],
         "also": {"BETA": ["DELTA"], "DELTA": ["BETA"]}, "spend": ["bonus", "fuel"]},
        {"do": "buy_fuel", "seat": 1, "count": [1, 2]},
    ]  # fmt: skip
    assert game.legal_commands(state, 2) == []
    assert game.legal_commands(state, 0) == []
    rich = table({"cash": 200, "loan": True}, {"cash": 0})
    assert {"do": "repay_loan", "seat": 1} in game.legal_commands(rich, 1)
    assert game.legal_commands(rich, 2) == [{"do": "take_loan", "seat": 2}]
    begin = table({"turbo": True}, {}, phase="order_roll")
    assert game.legal_commands(begin, 2) == [{"do": "roll", "seat": 2, "dice": [1, 1]}]
    do(begin, 1, "resign")
    assert game.legal_commands(begin, 1) == game.legal_commands(begin, 2) == game.legal_commands(begin, 0) == []
