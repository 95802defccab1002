"""Refusals in their order, corrections, questions, chance, legal commands, views (docs/records.md)."""

import json

import pytest
from taxi_over_tables import RING, SMALL, do, drive, drivers, held, named, places, position, refused, table, whole

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi_over import meta

NOBODY = {"driver": None}


def refusal(state, command):
    """The code of a whole command."""
    before = game.state_hash(state)
    with pytest.raises(RuleViolation) as no:
        game.play(state, command)
    assert game.state_hash(state) == before
    return no.value.code


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (7, "malformed"),
        ({"seat": 1}, "malformed"),
        ({"do": "fly", "seat": 1}, "unknown_command"),
        ({"do": "fly"}, "unknown_command"),
        ({"do": "roll"}, "malformed"),
        ({"do": "roll", "seat": True}, "malformed"),
        ({"do": "roll", "seat": 4}, "unknown_seat"),
        ({"do": "roll", "seat": 0}, "not_your_turn"),
        ({"do": "roll", "seat": 3}, "not_your_turn"),
        ({"do": "roll", "seat": 2}, "out_of_game"),
        ({"do": "board_taxi", "seat": 1, "taxi": "T1"}, "wrong_phase"),
        ({"do": "decline", "seat": 1}, "wrong_phase"),
        ({"do": "roll", "seat": 1}, "malformed"),
        ({"do": "roll", "seat": 1, "face": "1"}, "malformed"),
        ({"do": "roll", "seat": 1, "face": 1, "die": "d6"}, "malformed"),
        ({"do": "roll", "seat": 1, "face": 9, "die": "d6"}, "malformed"),
        ({"do": "roll", "seat": 1, "face": 4}, "bad_face"),
        ({"do": "stop", "seat": 1}, "not_allowed"),
        ({"do": "resign", "seat": 0}, "not_allowed"),
        ({"do": "resign", "seat": 2}, "out_of_game"),
    ],
)
def test_a_command_is_refused_for_the_first_reason_that_holds(command, code):
    assert refusal(table({}, {"status": "out"}, {}), command) == code


def test_refusals_while_a_driver_is_out():
    state = table(NOBODY, {}, {}, taxis={"T1": "s3"})
    assert whole(state)["turn"] == 2
    state = table(NOBODY, NOBODY, {}, taxis={"T2": "s3"})
    assert refused(state, "roll", 1, face=1) == "wrong_phase"
    assert refused(state, "stop", 1) == "wrong_phase"
    assert refused(state, "board_taxi", 1) == "malformed"
    assert refused(state, "board_taxi", 1, taxi=1) == "malformed"
    assert refused(state, "board_taxi", 1, taxi="T4") == "unknown_taxi"
    assert refused(state, "board_taxi", 1, taxi="") == "unknown_taxi"
    assert refused(state, "board_taxi", 1, taxi="T2") == "not_allowed"
    assert refused(state, "board_taxi", 1, taxi="T3") == "not_allowed"
    assert refused(state, "board_taxi", 2, taxi="T1") == "not_your_turn"


def test_what_a_taxi_cannot_be_boarded_for():
    state = table(NOBODY, NOBODY, {}, taxis={"T2": "s3"})
    for taxi, rule in (("T2", "O-048"), ("T3", "O-068")):
        with pytest.raises(RuleViolation) as no:
            game.play(state, {"do": "board_taxi", "seat": 1, "taxi": taxi})
        assert no.value.rules == (rule,)


def test_every_refusal_code_is_listed():
    assert set(meta.REFUSALS) == {
        "malformed", "unknown_command", "unknown_seat", "game_over", "out_of_game", "not_your_turn", "wrong_phase",
        "unknown_taxi", "not_allowed", "bad_face", "why_missing",
    }  # fmt: skip


def test_refusals_of_a_game_that_is_over():
    state = table({"held": 8}, {})
    for command in ("roll", "stop", "board_taxi", "decline", "resign"):
        assert refused(state, command, 1) == "game_over"
    assert refused(state, "correct", 1) == "not_allowed"
    assert refused(state, "correct", 0) == "game_over"
    for what in ("odds", "preview"):
        assert refusal(state, {"do": "ask", "what": what}) == "game_over"


def correct(state, **changes):
    """A correction by the operator."""
    return do(state, "correct", 0, set=changes, why="counted again")


def test_a_correction_moves_tokens_from_and_to_the_supply():
    state = table({"held": 3}, {"held": 2}, box=2)
    event = correct(state, box=4, players=[{"seat": 1, "held": 1}])[0]
    assert (held(state), whole(state)["box"], whole(state)["supply"]) == ([1, 2], 4, 29)
    assert [(move["from"], move["to"], move["amount"]) for move in event["booked"]] == [(1, 0, 2), (0, "box", 2)]


def test_a_corrected_taxi_takes_the_defaults_of_its_place():
    state = table(2, taxis={"T1": ("s3", True), "T2": "s10"})
    correct(state, taxis={"T1": {"at": "s4"}})
    assert whole(state)["taxis"]["T1"] == {"at": "s4", "fresh": False}
    correct(state, taxis={"T1": {"fresh": True}})
    assert whole(state)["taxis"]["T1"] == {"at": "s4", "fresh": True}
    correct(state, taxis={"T1": {"at": "s10"}, "T2": {"at": "START"}})
    assert places(state) == ["s10", "START"]


def test_a_corrected_turn_empties_the_dice_unless_they_are_set():
    state = table(3)
    do(state, "roll", 1, face=1)
    correct(state, players=[{"seat": 1, "name": "Ann"}])
    assert whole(state)["dice"] == [1]
    correct(state, turn=3)
    assert (whole(state)["dice"], whole(state)["turn"]) == ([], 3)
    correct(state, turn=2, dice=[2])
    assert (whole(state)["dice"], whole(state)["turn"]) == ([2], 2)


def test_after_a_correction_happens_what_happens_on_reading():
    state = table(2, taxis={"T1": "s3", "T2": "s10"})
    correct(state, players=[{"seat": 1, "driver": None}])
    assert (whole(state)["turn"], whole(state)["phase"]) == (2, "roll")
    correct(state, players=[{"seat": 2, "driver": None}])
    assert (places(state), whole(state)["turn"], whole(state)["phase"]) == (["START", "START"], 2, "board")
    correct(state, players=[{"seat": 1, "held": 8}])
    assert whole(state)["result"]["winners"] == [1]
    state = table(2)
    do(state, "roll", 1, face=1)
    correct(state, players=[{"seat": 2, "held": 9}])
    assert (whole(state)["phase"], whole(state)["dice"]) == ("over", [])


def test_a_correction_can_end_the_game_and_set_the_phase():
    state = table({"held": 3}, {})
    correct(state, result={"winners": [1], "reason": "target"})
    assert whole(state)["phase"] == "over"
    state = table(NOBODY, {}, taxis={"T2": "s3"})
    correct(state, players=[{"seat": 1, "driver": "T1"}], phase="roll")
    assert (drivers(state), whole(state)["phase"]) == (["T1", "T2"], "roll")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"seat": 1, "set": {"box": 2}, "why": "x"}, "not_allowed"),
        ({"set": {"box": 2}}, "why_missing"),
        ({"set": {"box": 2}, "why": ""}, "why_missing"),
        ({"set": {"box": 2}, "why": 3}, "why_missing"),
        ({"why": "x"}, "malformed"),
        ({"why": "x", "set": {}}, "malformed"),
        ({"why": "x", "set": []}, "malformed"),
        ({"why": "x", "set": {"wheels": 4}}, "malformed"),
        ({"why": "x", "set": {"box": "2"}}, "malformed"),
        ({"why": "x", "set": {"target": 3, "box": "2"}}, "malformed"),
        ({"why": "x", "set": {"players": {"1": {"held": 2}}}}, "malformed"),
        ({"why": "x", "set": {"players": [{"held": 2}]}}, "malformed"),
        ({"why": "x", "set": {"players": [{"seat": 3, "held": 2}, 7]}}, "malformed"),
        ({"why": "x", "set": {"players": [{"seat": 1, "wheels": 2}]}}, "malformed"),
        ({"why": "x", "set": {"taxis": ["T1"]}}, "malformed"),
        ({"why": "x", "set": {"taxis": {"T1": "s4"}}}, "malformed"),
        ({"why": "x", "set": {"turn": "2"}}, "malformed"),
        ({"why": "x", "set": {"target": 3}}, "not_allowed"),
        ({"why": "x", "set": {"game": "taxi"}}, "not_allowed"),
        ({"why": "x", "set": {"options": {}}}, "not_allowed"),
        ({"why": "x", "set": {"waiting_for": [2]}}, "not_allowed"),
        ({"why": "x", "set": {"box": 37}}, "not_allowed"),
        ({"why": "x", "set": {"supply": 30}}, "not_allowed"),
        ({"why": "x", "set": {"players": [{"seat": 3, "held": 1}]}}, "not_allowed"),
        ({"why": "x", "set": {"taxis": {"T3": {"at": "s4"}}}}, "not_allowed"),
        ({"why": "x", "set": {"taxis": {"T1": {"at": "s5", "fresh": True}}}}, "not_allowed"),
        ({"why": "x", "set": {"phase": "board"}}, "not_allowed"),
        ({"why": "x", "set": {"result": {"winners": [9], "reason": "target"}}}, "not_allowed"),
    ],
)
def test_what_is_no_correction(command, code):
    assert refusal(table(2), {"do": "correct", "seat": 0, **command}) == code


def ask(state, what, seat=0, **fields):
    """The answer to a question; it changes nothing."""
    before = game.state_hash(state)
    answer = game.ask(state, {"do": "ask", "seat": seat, "what": what, **fields})
    assert game.state_hash(state) == before
    return answer


def test_odds_of_a_seated_driver_and_of_one_about_to_board():
    first = ask(table(2), "odds")
    assert list(first) == ["what", "stop", "violation", "moves", "plans"]
    assert first["stop"] is None
    assert first["violation"] == [0, 1]
    assert [move["distance"] for move in first["moves"]] == [1, 2, 3]
    assert [plan["dice"] for plan in first["plans"]] == [1, 2, 3]
    assert list(first["plans"][0]) == ["dice", "violation", "moves", "mean"]
    assert ask(table(NOBODY, {}, taxis={"T2": "s3"}), "odds", 2) == first
    assert ask(table(2, options={"minimum_dice": 0}), "odds")["stop"] == 0


def test_a_preview_tells_the_table_after_the_turn():
    state = table(4, taxis={"T1": "s10", "T2": "s7", "T3": "s3", "T4": "s12"}, box=2)
    do(state, "roll", 1, face=1)
    answer = ask(state, "preview", 3, face=3)
    assert list(answer) == [
        "what", "dice", "violation", "distance", "taxis", "pushed", "fell", "collected", "box", "over",
    ]  # fmt: skip
    assert answer == {
        "what": "preview", "dice": [1, 3], "violation": False, "distance": 8,
        "taxis": {"T1": "s18", "T2": "s7", "T3": "s3", "T4": "START"}, "pushed": ["T4"], "fell": ["T4"],
        "collected": {"1": 2}, "box": 1, "over": False,
    }  # fmt: skip
    assert ask(state, "preview")["taxis"]["T1"] == "s11"
    third = table(2)
    do(third, "roll", 1, face=1)
    do(third, "roll", 1, face=1)
    assert ask(third, "preview", face=2)["distance"] == 12
    assert ask(third, "preview", face=3)["violation"] is True


def test_previews_of_violations_falls_and_ends():
    state = table(4, board=SMALL, taxis={"T1": "t1", "T2": "t2", "T3": "t3", "T4": "t4"})
    do(state, "roll", 1, face=1)
    do(state, "roll", 1, face=1)
    answer = ask(state, "preview")
    assert (answer["pushed"], answer["fell"]) == (["T2", "T3", "T4"], ["T4", "T3"])
    state = table(NOBODY, {}, taxis={"T1": "s10", "T2": "s12"}, turn=2)
    do(state, "roll", 2, face=3)
    answer = ask(state, "preview", face=3)
    assert (answer["taxis"], answer["distance"], answer["box"]) == ({"T1": "START", "T2": "START"}, 0, 2)
    assert (answer["pushed"], answer["fell"]) == ([], [])
    state = table({"held": 7}, {}, taxis={"T1": "s4"}, box=3, dice=[1])
    answer = ask(state, "preview")
    assert (answer["collected"], answer["box"], answer["over"]) == ({"1": 3}, 0, True)
    # The turn comes back to the same seat; the preview still tells only this turn.
    state = table({}, NOBODY, taxis={"T1": "s10", "T2": "s12"}, dice=[1])
    assert ask(state, "preview", face=1)["taxis"] == {"T1": "s14", "T2": "s15"}
    do(state, "roll", 1, face=1)
    assert ask(state, "preview", face=1)["taxis"] == {"T1": "s19", "T2": "START"}
    # With a third die, that drives by itself, the turn comes back as well.
    state = table({}, NOBODY, taxis={"T1": "s10", "T2": "s3"}, dice=[1, 1])
    answer = ask(state, "preview", face=1)
    assert (answer["taxis"], answer["dice"]) == ({"T1": "s19", "T2": "s3"}, [1, 1, 1])
    # Pushed by the drive and once more by the way to the intersection.
    options = {"violation_moves": "move_then_exit", "empty_taxi_placement": "drive_and_push"}
    state = table(2, board=RING | {"intersections": ["s15"]}, taxis={"T2": "s9"}, dice=[2], options=options)
    answer = ask(state, "preview", face=3)
    assert (answer["taxis"], answer["pushed"]) == ({"T1": "s15", "T2": "s16"}, ["T2"])


def test_questions_that_get_no_answer():
    state = table(2)
    assert refusal(state, {"do": "ask", "what": "weather"}) == "malformed"
    assert refusal(state, {"do": "ask"}) == "malformed"
    assert refusal(state, {"do": "ask", "what": "preview", "face": "1"}) == "malformed"
    assert refusal(state, {"do": "ask", "what": "preview", "face": None}) == "malformed"
    assert refusal(state, {"do": "ask", "what": "preview", "face": 9}) == "bad_face"
    assert refusal(state, {"do": "ask", "what": "preview"}) == "not_allowed"
    assert refusal(state, {"do": "ask", "seat": 5, "what": "odds"}) == "unknown_seat"
    out = table(NOBODY, {}, taxis={"T2": "s3"})
    assert refusal(out, {"do": "ask", "what": "preview"}) == "wrong_phase"


def test_chance_is_asked_for_a_face_and_nothing_else():
    state = table(2)
    wanted = {"kind": "die", "die": "taxi", "seat": 1, "field": "face"}
    assert game.chance(state) == wanted
    assert game.chance(state, {"do": "roll", "seat": 1}) == wanted
    assert game.chance(state, {"do": "roll", "seat": 1, "face": 2}) is None
    assert game.chance(state, {"do": "stop", "seat": 1}) is None
    assert game.chance(table(NOBODY, {}, taxis={"T2": "s3"})) is None
    assert game.chance(table({"held": 8}, {})) is None
    assert state.title.faces(state, "taxi") == [1, 1, 2, 2, 3, 3]
    assert game.cards_left(state, "none", []) == []


def test_legal_commands_are_those_that_are_not_refused():
    state = table(2)
    assert game.legal_commands(state, 1) == [{"do": "roll", "seat": 1, "die": "taxi"}]
    assert game.legal_commands(state, 2) == game.legal_commands(state, 0) == []
    do(state, "roll", 1, face=1)
    assert [template["do"] for template in game.legal_commands(state, 1)] == ["roll", "stop"]
    out = table(NOBODY, NOBODY, {}, {}, taxis={"T3": "s4"})
    assert game.legal_commands(out, 1) == [
        {"do": "board_taxi", "seat": 1, "taxi": ["T1", "T2"]}, {"do": "decline", "seat": 1},
    ]  # fmt: skip
    forced = table(NOBODY, {}, taxis={"T2": "s3"}, options={"boarding": "forced"})
    assert [template["do"] for template in game.legal_commands(forced, 1)] == ["board_taxi"]
    free = table(2, options={"minimum_dice": 0})
    assert [template["do"] for template in game.legal_commands(free, 1)] == ["roll", "stop"]
    assert game.legal_commands(table({"held": 8}, {}), 1) == []


def test_every_audience_sees_the_same_and_its_own_prompts():
    state = table(2)
    do(state, "roll", 1, face=2)
    views = {audience: game.view_for(state, audience) for audience in ("spectator", "bank", 1, 2)}
    prompts = {audience: view.pop("prompts") for audience, view in views.items()}
    for audience, view in views.items():
        assert view.pop("audience") == audience
        assert view == whole(state)
    assert prompts["spectator"] == prompts[2] == []
    assert prompts[1] == game.legal_commands(state, 1)
    assert prompts["bank"] == {"0": [], "1": prompts[1], "2": []}
    for stranger in ("nobody", 3, 0, True):
        with pytest.raises(ValueError, match="no audience"):
            game.view_for(state, stranger)


def test_events_are_for_everybody():
    state = table(2)
    for event in game.decide(state, {"do": "roll", "seat": 1, "face": 2}):
        for audience in ("spectator", "bank", 1, 2):
            seen = game.event_for(state, event, audience)
            assert seen == event
            assert seen is not event


def test_events_survive_json_and_carry_their_rules():
    state = table(3, taxis={"T1": "s4", "T2": "s7", "T3": "s8"}, box=2, options={"sinkhole_token": 1})
    again = table(3, taxis={"T1": "s4", "T2": "s7", "T3": "s8"}, box=2, options={"sinkhole_token": 1})
    for event in drive(state, 1, 2, 2) + drive(state, 2, 3, 3):
        assert event["rules"]
        game.evolve(again, json.loads(json.dumps(event)))
    assert game.state_hash(again) == game.state_hash(state)


def test_deciding_changes_nothing():
    state = game.load_position(position(3, taxis={"T1": "s4", "T2": "s7"}, dice=[1]))
    before = game.state_hash(state)
    for command in (
        {"do": "roll", "seat": 1, "face": 3},
        {"do": "stop", "seat": 1},
        {"do": "resign", "seat": 1},
        {"do": "correct", "seat": 0, "set": {"box": 3}, "why": "x"},
    ):
        first = game.decide(state, command)
        assert game.decide(state, command) == first
        assert game.state_hash(state) == before


def test_rounds_are_counted_from_when_the_position_was_read():
    state = table(2)
    assert state.title.round_number(state) == 1
    drive(state, 1, 1)
    drive(state, 2, 2)
    assert state.title.round_number(state) == 2
    assert state.title.round_number(game.load_position(whole(state))) == 1


def test_the_title_says_what_it_is():
    assert (meta.NAME, meta.TITLE, meta.PLAYERS, meta.DICE, meta.DECKS) == ("taxi_over", "Taxi Over", (2, 4),
        ("taxi",), ())  # fmt: skip
    assert len(meta.OPTIONS) == 19
    assert [option.name for option in meta.OPTIONS][:2] == ["dice_faces", "first_die_can_bust"]
    assert all(option.explains.endswith((".", ";")) and option.rules for option in meta.OPTIONS)
    assert whole(table(2, board=RING))["game"] == "taxi_over"
    assert named([], "moved") == []
