"""Reading and writing positions and boards: defaults, limits, what happens by itself (docs/records.md)."""

import pytest
from taxi_over_tables import EIGHT, RING, error, place_error, position, table, whole

from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.errors import PositionError
from shared_rules.games.taxi_over.board import parse_board


def test_a_new_game():
    now = whole(table(3))
    assert now["players"] == [
        {"seat": 1, "name": "Red", "colour": "red", "held": 0, "driver": "T1", "status": "in"},
        {"seat": 2, "name": "Blue", "colour": "blue", "held": 0, "driver": "T2", "status": "in"},
        {"seat": 3, "name": "White", "colour": "white", "held": 0, "driver": "T3", "status": "in"},
    ]
    assert now["taxis"] == {f"T{i}": {"at": "START", "fresh": True} for i in (1, 2, 3)}
    assert (now["box"], now["supply"], now["target"], now["dice"]) == (1, 35, 10, [])
    assert (now["phase"], now["turn"], now["waiting_for"], now["result"]) == ("roll", 1, [1], None)
    assert now["options"] == {}
    assert now["board"] == RING


def test_colours_left_out_are_those_that_nobody_names():
    now = whole(table({}, {"colour": "red"}, {}, {"colour": "white", "name": "Zoë"}))
    assert [(player["colour"], player["name"]) for player in now["players"]] == [
        ("blue", "Blue"), ("red", "Red"), ("violet", "Violet"), ("white", "Zoë"),
    ]  # fmt: skip


def test_a_taxi_is_fresh_at_start_and_not_on_the_road_unless_told():
    now = whole(table(3, taxis={"T1": "s3", "T2": ("s4", True)}))
    assert [taxi["fresh"] for taxi in now["taxis"].values()] == [False, True, True]


def test_a_shipped_board_goes_by_its_id():
    state = table(2, board="carousel")
    assert whole(state)["board"] == "carousel"
    assert library.game_of("carousel") == "taxi_over"
    assert state.board.names[0] == "s1"
    assert error(position(2, board="roundabout")) == ("unknown_board", "board")


def test_who_has_left_holds_nothing():
    now = whole(table({"status": "out"}, {}, {}))
    assert (now["players"][0]["driver"], now["turn"]) == (None, 2)
    for wrong in ({"held": 1}, {"driver": "T1"}):
        assert error(position({"status": "out", **wrong}, {}, {})) == ("bad_position", "players[0]")


@pytest.mark.parametrize(
    ("players", "keys", "code", "at"),
    [
        (({"money": 1}, {}), {}, "malformed", "players[0].money"),
        (({"held": True}, {}), {}, "malformed", "players[0].held"),
        (({"held": -1}, {}), {}, "bad_position", "players[0].held"),
        (({"name": 3}, {}), {}, "malformed", "players[0].name"),
        (({"seat": 2}, {}), {}, "bad_position", "players[0].seat"),
        (({"colour": "red"}, {"colour": "red"}), {}, "bad_position", "players[1].colour"),
        (({"driver": "T2"}, {}), {}, "bad_position", "players[1].driver"),
        (({"driver": "T3"}, {}), {}, "bad_position", "players[0].driver"),
        (({"driver": 3}, {}), {}, "malformed", "players[0].driver"),
        (({"status": "asleep"}, {}), {}, "malformed", "players[0].status"),
        (({"status": "out"}, {"status": "out"}), {}, "bad_position", "players"),
        (({},), {}, "bad_position", "players"),
        (({}, {}, {}, {}, {}), {}, "bad_position", "players"),
        (({}, {}), {"box": -1}, "bad_position", "box"),
        (({}, {}), {"box": 37}, "bad_position", "players"),
        (({}, {}), {"supply": 34}, "bad_position", "supply"),
        (({}, {}), {"target": 10}, "bad_position", "target"),
        (({}, {}), {"turn": 3}, "bad_position", "turn"),
        (({}, {}), {"turn": None}, "malformed", "turn"),
        (({}, {}), {"phase": "board"}, "bad_position", "phase"),
        (({}, {}), {"phase": "over"}, "bad_position", "phase"),
        (({}, {}), {"phase": "settle"}, "malformed", "phase"),
        (({}, {}), {"dice": [1, 1, 1]}, "bad_position", "dice"),
        (({}, {}), {"dice": [3, 2]}, "bad_position", "dice"),
        (({}, {}), {"dice": ["1"]}, "malformed", "dice[0]"),
        (({}, {}), {"options": {"boarding": "never"}}, "bad_option", "options.boarding"),
        (({}, {}), {"options": {"minimum_dice": True}}, "bad_option", "options.minimum_dice"),
        (({}, {}), {"options": {"dice_faces": [True, 1, 2, 2, 3, 3]}}, "bad_option", "options.dice_faces"),
        (({}, {}), {"options": {"dice_faces": [1, 2, 3]}}, "bad_option", "options.dice_faces"),
        (({}, {}), {"options": {"dice_faces": [1, 2, 3, 4, 5, 21]}}, "bad_option", "options.dice_faces"),
        (({}, {}), {"options": {"target_tokens": {"5": 8}}}, "bad_option", "options.target_tokens"),
        (({}, {}), {"options": {"target_tokens": {"2": 0}}}, "bad_option", "options.target_tokens"),
        (({}, {}), {"options": {"target_tokens": {"2": 8.0, "3": 10, "4": 10}}}, "bad_option", "options.target_tokens"),
        (({}, {}), {"options": {"speed": 3}}, "unknown_option", "options.speed"),
        (({}, {}), {"wheels": 4}, "malformed", "wheels"),
        (({}, {}), {"result": {"winners": [1]}}, "malformed", "result.reason"),
        (({}, {}), {"result": {"winners": [], "reason": "target"}}, "bad_position", "result.winners"),
        (({}, {}), {"result": {"winners": [3], "reason": "target"}}, "bad_position", "result.winners"),
        (({}, {}), {"result": {"winners": [1], "reason": "luck"}}, "malformed", "result.reason"),
        (({}, {}), {"result": {"winners": [1], "reason": "target", "totals": {"1": 8}}}, "bad_position",
            "result.totals"),
        (({}, {}), {"result": {"winners": [1], "reason": "target"}, "dice": [1]}, "bad_position", "dice"),
        (({}, {}), {"result": {"winners": [1], "reason": "target"}, "phase": "roll"}, "bad_position", "phase"),
    ],
)  # fmt: skip
def test_what_is_no_position(players, keys, code, at):
    assert error(position(*players, **keys)) == (code, at)


@pytest.mark.parametrize(
    ("taxis", "code", "at"),
    [
        ({"T1": {"at": "s3"}, "T2": {"at": "s3"}}, "bad_position", "taxis.T2.at"),
        ({"T3": {"at": "s3"}}, "bad_position", "taxis.T3"),
        ({"T1": {"at": "s99"}}, "bad_position", "taxis.T1.at"),
        ({"T1": {"at": None}}, "malformed", "taxis.T1.at"),
        ({"T1": {"at": "s5", "fresh": True}}, "bad_position", "taxis.T1.fresh"),
        ({"T1": {"at": "START", "fresh": False}}, "bad_position", "taxis.T1.fresh"),
        ({"T1": {"at": "s3", "fresh": 1}}, "malformed", "taxis.T1.fresh"),
        ({"T1": {"at": "s3", "came_from": "s2"}}, "bad_position", "taxis.T1.came_from"),
        ({"T1": {"at": "START", "came_from": "s2"}}, "bad_position", "taxis.T1.came_from"),
        ({"T1": {"at": "s3", "driver": "R"}}, "malformed", "taxis.T1.driver"),
    ],
)
def test_what_is_no_place_for_a_taxi(taxis, code, at):
    assert error(position(2) | {"taxis": taxis}) == (code, at)


def test_on_a_crossing_a_taxi_has_come_from_somewhere():
    for wrong in ({"at": "X"}, {"at": "X", "came_from": "f1"}):
        assert error(position(2, board=EIGHT) | {"taxis": {"T1": wrong}}) == ("bad_position", "taxis.T1.came_from")
    state = table(2, board=EIGHT, taxis={"T1": {"at": "X", "came_from": "f5"}})
    assert whole(state)["taxis"]["T1"] == {"at": "X", "fresh": False, "came_from": "f5"}
    both = {"T1": {"at": "X", "came_from": "f5"}, "T2": {"at": "X", "came_from": "f2"}}
    assert error(position(2, board=EIGHT) | {"taxis": both}) == ("bad_position", "taxis.T2.at")


@pytest.mark.parametrize(
    ("change", "code", "at"),
    [
        ({"loop": None}, "malformed", "board.loop"),
        ({"loop": ["s1", "s5", "s15", "s8"]}, "bad_board", "board.loop"),
        ({"loop": ["s1", "s5", "START", "s8", "s15", "s18"]}, "bad_board", "board.loop"),
        ({"loop": [1, 2, 3, 4, 5]}, "malformed", "board.loop[0]"),
        ({"loop": ["s1", "", "s5", "s8", "s15", "s18"]}, "bad_board", "board.loop[1]"),
        ({"loop": ["X", "s1", "s5", "X", "s8", "s15", "s18"]}, "bad_board", "board.loop"),
        ({"loop": ["X", "s1", "s5", "s8", "X", "s15", "s18"]}, "bad_board", "board.loop"),
        ({"loop": ["X", "s1", "s2", "s3", "X", "s5", "s8", "s9", "X", "s15", "s18", "s19"]}, "bad_board", "board.loop"),
        ({"loop": ["X", "Y", "s1", "s2", "s3", "X", "s5", "s8", "Y", "s15", "s18", "s19"]}, "bad_board", "board.loop"),
        ({"entry": "s0"}, "bad_board", "board.entry"),
        ({"intersections": []}, "bad_board", "board.intersections"),
        ({"intersections": ["s5", "s5"]}, "bad_board", "board.intersections[1]"),
        ({"intersections": ["s0"]}, "bad_board", "board.intersections[0]"),
        ({"intersections": "s5"}, "malformed", "board.intersections"),
        ({"sinkholes": {"K1": "s99"}}, "bad_board", "board.sinkholes.K1"),
        ({"sinkholes": {"K1": "s8", "K2": "s8"}}, "bad_board", "board.sinkholes.K2"),
        ({"sinkholes": {"START": "s8"}}, "bad_board", "board.sinkholes.START"),
        ({"sinkholes": {"s3": "s8"}}, "bad_board", "board.sinkholes.s3"),
        ({"sinkholes": []}, "malformed", "board.sinkholes"),
        ({"at": {"moon": [1, 2]}}, "bad_board", "board.at.moon"),
        ({"at": {"s1": [1]}}, "malformed", "board.at.s1"),
        ({"at": {"s1": [1, 2.5]}}, "malformed", "board.at.s1[1]"),
        ({"lanes": 2}, "malformed", "board.lanes"),
        ({"title": 3}, "malformed", "board.title"),
    ],
)
def test_what_is_no_board(change, code, at):
    board = {**RING, **change}
    assert error(position(2, board=board)) == (code, at)
    with pytest.raises(PositionError) as no:
        parse_board(board)
    assert "board." + no.value.at == at


@pytest.mark.parametrize("key", ["id", "loop", "entry", "intersections"])
def test_what_a_board_needs(key):
    board = {name: value for name, value in RING.items() if name != key}
    assert error(position(2, board=board)) == ("malformed", "board." + key)


def test_a_crossing_is_no_entry_and_no_bend():
    assert error(position(2, board=EIGHT | {"entry": "X"})) == ("bad_board", "board.entry")
    assert error(position(2, board=EIGHT | {"sinkholes": {"K": "X"}})) == ("bad_board", "board.sinkholes.K")


def test_a_board_without_a_title_is_called_by_its_id():
    board = {name: value for name, value in RING.items() if name not in ("title", "sinkholes")}
    assert whole(table(2, board=board))["board"] == {**board, "title": "ring_20", "sinkholes": {}}


def test_reading_ends_a_game_that_is_won_or_dead():
    assert whole(table({"held": 8}, {"held": 9}))["result"]["winners"] == [1, 2]
    assert whole(table({"held": 2}, {"status": "out"}))["result"]["reason"] == "last_player"
    dead = ({"held": 9}, {"held": 9}, {"held": 9}, {"held": 9})
    assert whole(table(*dead, box=0))["result"]["reason"] == "stalemate"
    assert whole(table(*dead, box=0, options={"stalemate": "next_intersection_wins"}))["result"] is None
    assert whole(table(*dead, box=0, options={"supply_exhausted": "substitute"}))["result"] is None
    # Whoever has the target comes first.
    assert whole(table({"held": 9}, {"held": 9}, {"held": 8}, {"held": 10}, box=0))["result"]["reason"] == "target"
    assert whole(table({"held": 8}, {}, dice=[1]))["dice"] == []
    assert whole(table({"held": 8}, {}, phase="over"))["phase"] == "over"


def test_reading_brings_all_home_and_skips_whose_turn_it_cannot_be():
    out = {"driver": None}
    state = table(out, out, taxis={"T1": "s10", "T2": "s12"})
    assert [taxi["at"] for taxi in whole(state)["taxis"].values()] == ["START", "START"]
    assert (whole(state)["turn"], whole(state)["phase"]) == (1, "board")
    state = table(out, {}, {}, taxis={"T1": "s10"})
    assert (whole(state)["turn"], whole(state)["phase"]) == (2, "roll")
    with pytest.raises(PositionError) as no:
        table(out, {}, {}, taxis={"T1": "s10"}, phase="board")
    assert no.value.at == "phase"
    assert error(position(out, {}, {}, taxis={"T1": "s10"}, phase="roll")) == ("bad_position", "phase")
    assert error(position(out, {}, dice=[1])) == ("bad_position", "dice")


def test_a_result_is_taken_as_it_is():
    result = {"winners": [2, 1], "reason": "stalemate"}
    state = table({"driver": None, "held": 4}, {"status": "out"}, taxis={"T1": "s3"}, result=result, turn=2)
    now = whole(state)
    assert now["result"] == {"winners": [1, 2], "reason": "stalemate", "totals": {"1": 4, "2": 0}}
    assert (now["phase"], now["turn"], now["taxis"]["T1"]["at"]) == ("over", 2, "s3")


def test_waiting_for_is_ignored_on_input():
    assert whole(table(2, waiting_for=[2]))["waiting_for"] == [1]


def test_a_dump_is_the_callers_own():
    options = {"dice_faces": [1, 2, 3, 4, 5, 6], "target_tokens": {"2": 5}}
    state = table(2, options=options, taxis={"T1": "s3"}, board=RING | {"at": {"s1": [1, 2]}})
    before = game.state_hash(state)
    now = whole(state)
    now["options"]["dice_faces"].append(7)
    now["options"]["target_tokens"]["2"] = 1
    now["board"]["loop"].clear()
    now["board"]["at"]["s1"].clear()
    now["taxis"].clear()
    now["players"][0]["held"] = 5
    assert game.state_hash(state) == before


def test_a_copy_is_independent():
    state = table(2)
    copy = game.copy_state(state)
    before = game.state_hash(state)
    game.play(copy, {"do": "roll", "seat": 1, "face": 3})
    game.play(copy, {"do": "stop", "seat": 1})
    game.play(copy, {"do": "resign", "seat": 2})
    assert game.state_hash(state) == before != game.state_hash(copy)


def test_the_message_of_a_missing_heading_names_both_roads():
    message = place_error(position(2, board=EIGHT) | {"taxis": {"T1": {"at": "X"}}})
    assert "'f2'" in message
    assert "'f5'" in message
