"""Pushing, rows, sinkholes, crossings, placing after a violation (O-037 to O-042, O-062 to O-064, OQ-47)."""

import pytest
from taxi_over_tables import (
    EIGHT,
    RING,
    SMALL,
    THREE_MARKS,
    drive,
    drivers,
    held,
    named,
    names,
    places,
    table,
    whole,
)


def test_a_taxi_in_the_way_is_swept_along_with_the_mover():
    state = table(4, taxis={"T1": "s2", "T2": "s3", "T3": "s12", "T4": "s16"})
    events = drive(state, 1, 3)
    pushed = named(events, "pushed")
    assert [(push["taxi"], push["from"], push["to"], push["way"]) for push in pushed] == [
        ("T2", "s3", "s6", ["s4", "s5", "s6"])
    ]
    assert named(events, "moved")[0]["taxis"] == {
        "T1": {"at": "s5", "fresh": False}, "T2": {"at": "s6", "fresh": False}
    }  # fmt: skip
    assert places(state) == ["s5", "s6", "s12", "s16"]
    assert held(state) == [1, 0, 0, 0]


def test_a_gap_takes_up_a_push_and_then_the_row_goes_together():
    state = table(4, taxis={"T1": "s1", "T2": "s2", "T3": "s4"})
    drive(state, 1, 1)
    assert places(state) == ["s2", "s3", "s4", "START"]
    state = table(4, taxis={"T1": "s1", "T2": "s2", "T3": "s4"})
    events = drive(state, 1, 2)
    assert places(state) == ["s3", "s4", "s5", "START"]
    assert [push["taxi"] for push in named(events, "pushed")] == ["T2", "T3"]


def test_pushed_from_a_bend_a_taxi_falls_with_its_driver_and_pushes_nobody():
    state = table(4, taxis={"T1": "s6", "T2": "s7", "T3": "s8", "T4": "s9"})
    events = drive(state, 1, 3)
    assert [(fall["taxi"], fall["sinkhole"], fall["seat"]) for fall in named(events, "fell")] == [
        ("T3", "K1", 3), ("T2", "K1", 2),
    ]  # fmt: skip
    assert places(state) == ["s9", "START", "START", "s10"]
    assert drivers(state) == ["T1", "T2", "T3", "T4"]
    assert whole(state)["taxis"]["T3"] == {"at": "START", "fresh": True}
    assert (whole(state)["box"], whole(state)["supply"]) == (1, 35)


def test_a_row_ends_at_a_bend():
    state = table(4, taxis={"T1": "s6", "T2": "s7", "T3": "s8", "T4": "s9"})
    events = drive(state, 1, 1)
    # T3 falls and makes room; T4 behind the bend is not touched.
    assert places(state) == ["s7", "s8", "START", "s9"]
    assert [push["taxi"] for push in named(events, "pushed")] == ["T2", "T3"]


def test_driving_on_from_a_bend_is_safe_unless_house_rules_say_otherwise():
    state = table(2, taxis={"T1": "s7"})
    drive(state, 1, 3)
    assert places(state) == ["s10", "START"]
    state = table(2, taxis={"T1": "s7"}, options={"sinkhole_entry": "any"})
    events = drive(state, 1, 3)
    assert named(events, "moved")[0]["way"] == ["s8"]
    assert places(state) == ["START", "START"]
    assert names(events)[-2:] == ["fell", "turn_started"]
    assert drivers(state) == ["T1", "T2"]


def test_who_falls_by_its_own_drive_still_collects_unless_it_is_thrown_out():
    for driver, tokens in (("stays", [1, 0]), ("ejected", [0, 0])):
        options = {"sinkhole_entry": "any", "sinkhole_driver": driver}
        state = table({}, {}, taxis={"T1": "s4"}, options=options)
        drive(state, 1, 2, 2)
        assert (places(state)[0], held(state)) == ("START", tokens)
    assert drivers(state) == [None, "T2"]


def test_falls_can_throw_out_drivers_and_bring_tokens():
    state = table(2, taxis={"T1": "s6", "T2": "s8"}, options={"sinkhole_driver": "ejected", "sinkhole_token": 1})
    events = drive(state, 1, 2)
    assert names(events) == [
        "die_rolled", "moved", "pushed", "fell", "driver_ejected", "turn_started",
    ]  # fmt: skip
    assert named(events, "fell")[0]["rules"] == ["O-041", "OQ-18", "OQ-21"]
    assert drivers(state) == ["T1", None]
    assert (whole(state)["box"], whole(state)["supply"]) == (2, 34)
    # The thrown-out driver's taxi waits at START.
    assert (whole(state)["turn"], whole(state)["phase"]) == (2, "board")


def test_when_the_last_driver_is_thrown_out_all_taxis_go_home():
    options = {"sinkhole_entry": "any", "sinkhole_driver": "ejected"}
    state = table({}, {"driver": None}, taxis={"T1": "s7", "T2": "s12"}, options=options)
    events = drive(state, 1, 3)
    assert "all_to_start" in names(events)
    assert (places(state), drivers(state)) == (["START", "START"], [None, None])
    assert whole(state)["turn"] == 2


def test_landing_only_passes_others_by():
    state = table(4, taxis={"T1": "s2", "T2": "s3", "T3": "s5", "T4": "s6"}, options={"push_timing": "landing_only"})
    drive(state, 1, 3)
    assert places(state) == ["s5", "s3", "s6", "s7"]
    assert held(state) == [1, 0, 0, 0]


def test_the_space_being_left_counts_as_free_on_a_full_small_ring():
    board = RING | {"loop": ["s1", "s5", "s8", "s15", "s18"], "sinkholes": {}}
    taxis = {"T1": "s1", "T2": "s5", "T3": "s8", "T4": "s15"}
    state = table(4, board=board, taxis=taxis)
    drive(state, 1, 2)
    # Steps: all three shift on, then once more, the foremost into the space that the mover leaves.
    assert places(state) == ["s8", "s15", "s18", "s1"]


def test_a_fresh_taxi_of_a_violator_is_placed_on_the_next_intersection_and_pushes_the_row_there():
    state = table(4, taxis={"T2": ("s5", False), "T3": "s6", "T4": "s8"})
    events = drive(state, 1, 3, 3)
    assert names(events) == [
        "die_rolled", "die_rolled", "speeding_violation", "taxi_advanced", "pushed", "pushed", "turn_started",
    ]  # fmt: skip
    assert places(state) == ["s5", "s6", "s7", "s8"]
    assert whole(state)["taxis"]["T1"] == {"at": "s5", "fresh": False}
    assert held(state) == [0, 0, 0, 0]


def test_the_entry_can_be_the_intersection_on_which_it_is_placed():
    state = table(2, board=THREE_MARKS)
    drive(state, 1, 3, 3)
    assert places(state) == ["r1", "START"]


def test_placing_can_push_into_a_sinkhole():
    state = table(2, board=RING | {"intersections": ["s8"]}, taxis={"T2": "s8"}, options={"sinkhole_token": 1})
    events = drive(state, 1, 3, 3)
    assert names(events)[2:6] == ["speeding_violation", "taxi_advanced", "pushed", "fell"]
    assert places(state) == ["s8", "START"]
    assert (whole(state)["box"], whole(state)["supply"]) == (3, 33)


@pytest.mark.parametrize(
    ("advance", "at", "fresh", "to"),
    [
        ("since_start", "s3", True, "s5"), ("since_start", "s3", False, "s3"), ("since_start", "START", True, "s5"),
        ("start_only", "s3", True, "s3"), ("start_only", "START", True, "s5"), ("always_next", "s10", False, "s15"),
        ("always_next", "s15", False, "s15"), ("always_next", "START", True, "s5"), ("never", "START", True, "START"),
        ("never", "s3", True, "s3"),
    ],
)  # fmt: skip
def test_which_taxi_is_moved_on(advance, at, fresh, to):
    state = table(2, taxis={"T1": (at, fresh)}, options={"empty_taxi_advance": advance})
    drive(state, 1, 3, 3)
    assert places(state) == [to, "START"]


@pytest.mark.parametrize(
    ("taxis", "to"),
    [
        ({}, ["s5", "START", "START"]),
        ({"T2": "s5"}, ["s4", "s5", "START"]),
        ({"T2": "s5", "T3": "s4"}, ["s3", "s5", "s4"]),
    ],
)
def test_the_space_behind_a_taken_intersection(taxis, to):
    state = table(3, taxis=taxis, options={"empty_taxi_placement": "space_behind"})
    drive(state, 1, 3, 3)
    assert places(state) == to
    assert whole(state)["taxis"]["T1"]["fresh"] == (to[0] != "s5")


def test_no_free_space_behind_leaves_the_taxi_at_start():
    taxis = {"T2": "t1", "T3": "t2", "T4": "t3"}
    state = table(4, board=SMALL, taxis=taxis, options={"empty_taxi_placement": "space_behind"})
    events = drive(state, 1, 3, 3)
    assert places(state) == ["START", "t1", "t2", "t3"]
    assert "taxi_advanced" not in names(events)


def test_driving_there_pushes_at_every_step_and_may_fall():
    options = {"empty_taxi_placement": "drive_and_push", "push_timing": "landing_only"}
    state = table(3, taxis={"T2": ("s1", False), "T3": "s4"}, options=options)
    drive(state, 1, 3, 3)
    assert places(state) == ["s5", "s6", "s7"]
    options = {"empty_taxi_placement": "drive_and_push", "sinkhole_entry": "any", "empty_taxi_advance": "always_next"}
    state = table(2, taxis={"T1": "s7"}, options=options)
    events = drive(state, 1, 3, 3)
    assert named(events, "taxi_advanced")[0]["way"] == ["s8"]
    assert places(state) == ["START", "START"]
    # Nobody sits in it any more.
    assert named(events, "fell")[0]["seat"] == 0


def test_a_violation_can_move_the_taxi_first():
    state = table({}, {}, taxis={"T2": "s4"}, box=2, options={"violation_moves": "move_then_exit"})
    events = drive(state, 1, 2, 3)
    assert named(events, "moved")[0]["distance"] == 10
    # Ten steps from START pass s5, so the taxi stays where it ends; T2 was swept over s8 into the sinkhole.
    assert places(state) == ["s10", "START"]
    assert (held(state), whole(state)["box"], drivers(state)) == ([0, 0], 3, [None, "T2"])


@pytest.mark.parametrize(
    ("advance", "to", "fresh"), [("start_only", "s10", True), ("since_start", "s15", False), ("never", "s10", True)]
)
def test_after_that_drive_the_taxi_is_judged_by_where_it_is_then(advance, to, fresh):
    options = {"violation_moves": "move_then_exit", "empty_taxi_advance": advance}
    state = table(2, board=RING | {"intersections": ["s15"]}, options=options)
    events = drive(state, 1, 2, 3)
    assert whole(state)["taxis"]["T1"] == {"at": to, "fresh": fresh}
    assert [event["from"] for event in named(events, "taxi_advanced")] == (["s10"] if to == "s15" else [])


def test_a_taxi_driven_from_start_may_be_back_at_start():
    options = {"empty_taxi_placement": "drive_and_push", "sinkhole_entry": "any", "sinkhole_token": 1}
    state = table(2, board=RING | {"intersections": ["s15"]}, options=options)
    events = drive(state, 1, 3, 3)
    assert names(events)[2:] == ["speeding_violation", "taxi_advanced", "fell", "turn_started"]
    assert named(events, "taxi_advanced")[0]["way"][-1] == "s8"
    assert (places(state), whole(state)["box"], whole(state)["supply"]) == (["START", "START"], 3, 33)


def test_all_taxis_go_home_when_every_driver_is_out():
    state = table({"driver": None}, {}, taxis={"T1": "s10", "T2": "s12"}, turn=2)
    events = drive(state, 2, 3, 2)
    assert names(events)[-2:] == ["all_to_start", "turn_started"]
    assert places(state) == ["START", "START"]
    assert [taxi["fresh"] for taxi in whole(state)["taxis"].values()] == [True, True]
    assert (whole(state)["turn"], whole(state)["phase"]) == (1, "board")


def test_nobody_goes_home_while_a_driver_sits_at_start():
    state = table({"driver": None}, {}, {}, taxis={"T1": "s10", "T2": "s12"}, turn=2)
    drive(state, 2, 3, 2)
    assert (places(state), whole(state)["turn"]) == (["s10", "s12", "START"], 3)


def test_on_a_crossing_a_taxi_of_the_other_road_is_pushed_along_the_pushers():
    crossing = {"T1": "f2", "T2": {"at": "X", "came_from": "f5"}}
    state = table(2, board=EIGHT, taxis=crossing)
    drive(state, 1, 1)
    assert whole(state)["taxis"] == {
        "T1": {"at": "X", "fresh": False, "came_from": "f2"}, "T2": {"at": "f3", "fresh": False},
    }  # fmt: skip
    state = table(2, board=EIGHT, taxis=crossing, options={"crossing_push": "own_heading"})
    drive(state, 1, 1)
    assert places(state) == ["X", "f6"]


def test_a_row_goes_round_a_lobe_into_the_crossing_that_the_mover_leaves():
    taxis = {"T1": {"at": "X", "came_from": "f2"}, "T2": "f3", "T3": "f4", "T4": "f5"}
    state = table(4, board=EIGHT, taxis=taxis)
    drive(state, 1, 1)
    assert places(state) == ["f3", "f4", "f5", "X"]
    assert whole(state)["taxis"]["T4"]["came_from"] == "f5"


def test_a_row_through_a_crossing_takes_the_other_road_only_by_its_own_heading():
    taxis = {"T1": "f1", "T2": "f2", "T3": {"at": "X", "came_from": "f5"}, "T4": "f6"}
    for push, to in (("pusher_heading", ["f2", "X", "f3", "f6"]), ("own_heading", ["f2", "X", "f6", "f7"])):
        state = table(4, board=EIGHT, taxis=taxis, options={"crossing_push": push})
        drive(state, 1, 1)
        assert places(state) == to
        assert whole(state)["taxis"]["T2"]["came_from"] == "f2"
