"""Turn order, dice, driving, boarding and the end of turns (O-017 to O-036, O-048 to O-052)."""

import pytest
from taxi_over_tables import RING, do, drive, drivers, error, held, named, names, places, refused, table, whole


@pytest.mark.parametrize(
    ("dice", "distance"),
    [
        ((1,), 1), ((2,), 2), ((3,), 3), ((1, 1), 4), ((1, 2), 6), ((2, 1), 6), ((1, 3), 8), ((2, 2), 8), ((3, 1), 8),
        ((1, 1, 1), 9), ((1, 1, 2), 12), ((1, 2, 1), 12), ((2, 1, 1), 12),
    ],
)  # fmt: skip
def test_the_distance_is_the_sum_times_the_number_of_dice(dice, distance):
    state = table(2)
    moved = named(drive(state, 1, *dice), "moved")[0]
    assert (moved["distance"], moved["dice"], moved["from"]) == (distance, list(dice), "START")
    assert places(state) == [f"s{distance}", "START"]
    assert moved["way"] == [f"s{i}" for i in range(1, distance + 1)]
    assert moved["rules"] == ["O-032", "O-036"]
    assert whole(state)["turn"] == 2


def test_driving_goes_round_the_ring_and_over_the_entry():
    state = table(2, taxis={"T1": "s19", "T2": "s10"})
    assert named(drive(state, 1, 3), "moved")[0]["way"] == ["s20", "s1", "s2"]
    assert places(state) == ["s2", "s10"]


def test_a_way_longer_than_the_ring_names_every_step():
    state = table(2, board=RING | {"loop": [f"s{i}" for i in (1, 2, 3, 4, 5, 8, 15, 18)]}, taxis={"T1": "s2"})
    way = named(drive(state, 1, 1, 1, 2), "moved")[0]["way"]
    assert way == ["s3", "s4", "s5", "s8", "s15", "s18", "s1", "s2", "s3", "s4", "s5", "s8"]
    assert places(state) == ["s8", "START"]
    state = table(2, board=state.board.dump(), taxis={"T1": "s15"})
    way = named(drive(state, 1, 1, 1, 2), "moved")[0]["way"]
    assert way == ["s18", "s1", "s2", "s3", "s4", "s5", "s8", "s15", "s18", "s1", "s2", "s3"]


def test_each_die_is_its_own_command_and_a_third_drives_by_itself():
    state = table(2)
    assert names(do(state, "roll", 1, face=1)) == ["die_rolled"]
    assert whole(state)["dice"] == [1]
    assert names(do(state, "roll", 1, face=2, die="taxi")) == ["die_rolled"]
    assert (whole(state)["dice"], whole(state)["phase"]) == ([1, 2], "roll")
    assert names(do(state, "roll", 1, face=1)) == ["die_rolled", "moved", "collected", "refilled", "turn_started"]
    assert (whole(state)["dice"], whole(state)["turn"]) == ([], 2)


@pytest.mark.parametrize("dice", [(2, 3), (3, 2), (3, 3), (1, 1, 3), (1, 2, 2), (2, 2, 1), (1, 3, 1)])
def test_more_than_four_is_a_violation_and_ends_the_turn_where_the_taxi_stands(dice):
    state = table({"held": 3}, {}, taxis={"T1": "s10"})
    events = drive(state, 1, *dice)
    violation = named(events, "speeding_violation")[0]
    assert (violation["sum"], violation["dice"]) == (sum(dice), list(dice))
    assert (violation["from"], violation["to"], violation["amount"]) == (0, "box", 1)
    assert drivers(state) == [None, "T2"]
    assert places(state) == ["s10", "START"]
    assert (held(state), whole(state)["box"], whole(state)["supply"]) == ([3, 0], 2, 31)
    assert whole(state)["turn"] == 2


def test_exactly_four_is_no_violation():
    state = table(2)
    do(state, "roll", 1, face=1)
    do(state, "roll", 1, face=3)
    assert (whole(state)["dice"], drivers(state)) == ([1, 3], ["T1", "T2"])


def test_turns_go_clockwise_and_pass_over_who_has_left():
    state = table({}, {"status": "out"}, {})
    for seat in (1, 3, 1):
        assert whole(state)["turn"] == seat
        drive(state, seat, 1)


def test_who_is_out_boards_an_empty_taxi_at_start_and_rolls_in_the_same_turn():
    state = table({"driver": None}, {"driver": None}, {}, {}, taxis={"T1": "s10", "T3": "s3", "T4": "s4"})
    assert whole(state)["phase"] == "board"
    assert named(do(state, "board_taxi", 1, taxi="T2"), "driver_boarded")[0]["rules"] == ["O-049", "O-050"]
    assert (drivers(state)[0], whole(state)["phase"], whole(state)["turn"]) == ("T2", "roll", 1)
    events = drive(state, 1, 1)
    assert places(state)[1] == "s1"
    # Seat 2 finds no taxi and is skipped.
    assert [(event["event"], event["seat"]) for event in events[-2:]] == [("turn_skipped", 2), ("turn_started", 3)]


def test_declining_ends_the_turn_and_is_asked_again():
    state = table({"driver": None}, {}, taxis={"T2": "s10"})
    assert names(do(state, "decline", 1)) == ["boarding_declined", "turn_started"]
    drive(state, 2, 1)
    assert (whole(state)["turn"], whole(state)["phase"]) == (1, "board")


def test_boarding_can_be_forced():
    state = table({"driver": None}, {}, taxis={"T2": "s10"}, options={"boarding": "forced"})
    assert refused(state, "decline", 1) == "not_allowed"


def test_coloured_taxis_are_for_their_own_drivers():
    seats = ({"driver": None}, {"driver": None}, {}, {})
    taxis = {"T3": "s3", "T4": "s4"}
    state = table(*seats, taxis=taxis, options={"taxi_identity": "coloured"})
    assert refused(state, "board_taxi", 1, taxi="T2") == "not_allowed"
    do(state, "board_taxi", 1, taxi="T1")
    # With its own taxi on the road a seat is skipped, whatever else is at START.
    state = table(*seats, taxis={"T1": "s10", **taxis}, options={"taxi_identity": "coloured"})
    assert whole(state)["turn"] == 2


def test_spare_taxis_serve_who_is_out():
    state = table(2, options={"taxis_in_play": "all_four"})
    assert places(state) == ["START"] * 4
    drive(state, 1, 2, 3)
    drive(state, 2, 1)
    do(state, "board_taxi", 1, taxi="T4")
    drive(state, 1, 2)
    assert (drivers(state), places(state)) == (["T4", "T2"], ["s5", "s3", "START", "s2"])


def test_no_die_at_all_by_house_rule():
    state = table({}, {}, taxis={"T1": "s5"}, box=3, options={"minimum_dice": 0})
    moved = named(do(state, "stop", 1), "moved")[0]
    assert (moved["distance"], moved["way"], moved["rules"]) == (0, [], ["OQ-03"])
    assert (places(state), held(state), whole(state)["box"]) == (["s5", "START"], [0, 0], 3)
    assert whole(state)["turn"] == 2


def test_other_faces_by_house_rule():
    faces = {"dice_faces": [1, 2, 3, 4, 5, 6]}
    state = table(2, options=faces)
    events = drive(state, 1, 5)
    assert named(events, "speeding_violation")[0]["dice"] == [5]
    state = table(2, options={**faces, "first_die_can_bust": "no"})
    do(state, "roll", 1, face=6)
    assert whole(state)["dice"] == [6]
    assert named(do(state, "stop", 1), "moved")[0]["distance"] == 6
    state = table(2, options={**faces, "first_die_can_bust": "no"})
    assert "speeding_violation" in names(drive(state, 1, 5, 1))
    assert refused(table(2, options={"dice_faces": [2, 2, 2, 2, 4, 4]}), "roll", 1, face=3) == "bad_face"
    assert error({"game": "taxi_over", "board": RING, "players": [{}, {}], "dice": [5]}) == ("bad_position", "dice[0]")
