"""Positions and corrections at the edge: whose turn it is when reading ends the game, colours that no driver has."""

import pytest
from taxi_over_tables import do, error, position, refused, table, whole


@pytest.mark.parametrize("turn", [1, 2])
def test_of_a_game_that_ends_on_reading_it_may_be_anybodys_turn(turn):
    state = table({"status": "out"}, {}, turn=turn)
    assert (whole(state)["turn"], whole(state)["phase"]) == (turn, "over")
    assert whole(state)["result"] == {"winners": [2], "reason": "last_player", "totals": {"1": 0, "2": 0}}


def test_while_the_game_goes_on_it_is_nobodys_turn_who_has_left():
    assert error(position({"status": "out"}, {}, {}, turn=1)) == ("bad_position", "turn")


def test_a_player_in_turn_who_is_corrected_out_leaves_the_win_to_the_last():
    state = table(2)
    do(state, "correct", set={"players": [{"seat": 1, "status": "out", "driver": None}]}, why="went home")
    assert whole(state)["result"] == {"winners": [2], "reason": "last_player", "totals": {"1": 0, "2": 0}}
    assert whole(state)["turn"] == 1


def test_with_three_players_the_turn_of_who_is_corrected_out_must_be_set_too():
    state = table(3)
    gone = {"players": [{"seat": 1, "status": "out", "driver": None}]}
    assert refused(state, "correct", set=gone, why="went home") == "not_allowed"
    do(state, "correct", set={"turn": 2, **gone}, why="went home")
    assert (whole(state)["turn"], whole(state)["waiting_for"]) == (2, [2])


def test_a_colour_that_no_driver_has_is_no_position():
    assert error(position({"colour": "green"}, {})) == ("bad_position", "players[0].colour")
    assert error(position({"colour": 3}, {})) == ("malformed", "players[0].colour")
    assert error(position({"colour": "blue"}, {"colour": "blue"})) == ("bad_position", "players[1].colour")
    state = table(2)
    assert refused(state, "correct", set={"players": [{"seat": 1, "colour": "green"}]}, why="x") == "not_allowed"


@pytest.mark.parametrize(
    "changes",
    [
        {"players": [{"seat": 9}], "box": "x"},
        {"players": [{"seat": 9, "wheels": 4}]},
        {"players": [{"seat": 9, "held": "x"}]},
        {"players": [{"seat": 9}, {"seat": "x"}]},
    ],
)
def test_a_correction_of_a_wrong_kind_is_malformed_also_beside_an_unknown_seat(changes):
    state = table(2)
    assert refused(state, "correct", set={"players": [{"seat": 9}]}, why="x") == "not_allowed"
    assert refused(state, "correct", set=changes, why="x") == "malformed"
