"""The For Hire box, the supply, and every way in which a game ends (O-053 to O-061, OQ-23 to OQ-32)."""

import pytest
from taxi_over_tables import RING, THREE_MARKS, do, drive, held, named, names, places, refused, table, whole


def box_and_supply(state):
    return whole(state)["box"], whole(state)["supply"]


@pytest.mark.parametrize(("at", "face", "takes"), [("s4", 1, 1), ("s4", 2, 1), ("s5", 3, 0), ("s10", 3, 0)])
def test_arriving_and_passing_collect_and_starting_there_does_not(at, face, takes):
    state = table(2, taxis={"T1": at})
    events = drive(state, 1, face)
    assert held(state) == [takes, 0]
    assert len(named(events, "collected")) == takes
    assert box_and_supply(state) == (1, 35 - takes)


def test_all_tokens_are_taken_and_one_comes_after():
    state = table({"held": 2}, {}, taxis={"T1": "s4"}, box=5)
    events = drive(state, 1, 1)
    collected, refilled = named(events, "collected")[0], named(events, "refilled")[0]
    assert (collected["from"], collected["to"], collected["amount"]) == ("box", 1, 5)
    assert (refilled["from"], refilled["to"], refilled["amount"]) == (0, "box", 1)
    assert (held(state), box_and_supply(state)) == ([7, 0], (1, 28))


def test_once_a_move_or_at_every_intersection():
    for option, takes, supply in (("once", 3, 32), ("per_intersection", 5, 30)):
        state = table(4, board=THREE_MARKS, box=3, options={"collect_per_move": option})
        drive(state, 1, 1, 1, 1)
        assert (places(state)[0], held(state)[0], whole(state)["supply"]) == ("r9", takes, supply)


def test_on_a_free_road_every_intersection_counts_wherever_the_drive_begins():
    board = RING | {"intersections": ["s4", "s6", "s9"]}
    for at, takes in (("s3", 3), ("s4", 2), ("s5", 2), ("s19", 2)):
        state = table(2, board=board, taxis={"T1": at}, options={"collect_per_move": "per_intersection"})
        events = drive(state, 1, 1, 1, 1)
        assert len(named(events, "collected")) == takes, at


def test_pushed_drivers_collect_by_house_rule_the_foremost_first():
    board = RING | {"intersections": ["s4", "s5"]}
    state = table(3, board=board, taxis={"T1": "s2", "T2": "s3", "T3": ("s4", False)}, box=4,
        options={"pushed_driver_collects": "yes"})  # fmt: skip
    events = drive(state, 1, 1)
    assert [(event["to"], event["amount"]) for event in named(events, "collected")] == [(3, 4), (2, 1)]
    assert held(state) == [0, 1, 4]


def test_a_pushed_driver_collects_nothing_by_default_and_an_empty_taxi_never():
    state = table(2, taxis={"T1": "s3", "T2": "s4"}, box=5)
    drive(state, 1, 1)
    assert (held(state), whole(state)["box"]) == ([0, 0], 5)
    state = table({}, {"driver": None}, {}, taxis={"T1": "s3", "T2": "s4"}, box=5,
        options={"pushed_driver_collects": "yes"})  # fmt: skip
    drive(state, 1, 1)
    assert held(state) == [0, 0, 0]


def test_pushed_over_plain_spaces_nobody_collects():
    state = table(2, taxis={"T1": "s9", "T2": "s10"}, box=5, options={"pushed_driver_collects": "yes"})
    drive(state, 1, 3)
    assert (places(state), held(state), whole(state)["box"]) == (["s12", "s13"], [0, 0], 5)


def test_in_a_violation_nobody_collects():
    options = {"violation_moves": "move_then_exit", "pushed_driver_collects": "yes"}
    state = table(2, taxis={"T1": "s3", "T2": "s4"}, box=2, options=options)
    drive(state, 1, 2, 3)
    assert (held(state), whole(state)["box"]) == ([0, 0], 3)


def test_reaching_the_target_wins_at_once_and_the_box_stays_empty():
    state = table({"held": 7}, {"held": 4}, {"held": 2}, taxis={"T1": "s4"}, box=3)
    events = drive(state, 1, 1)
    assert names(events)[-2:] == ["collected", "game_over"]
    assert whole(state)["result"] == {"winners": [1], "reason": "target", "totals": {"1": 10, "2": 4, "3": 2}}
    assert (whole(state)["phase"], whole(state)["waiting_for"], whole(state)["turn"]) == ("over", [], 1)
    assert box_and_supply(state) == (0, 20)
    assert refused(state, "roll", 2, face=1) == "game_over"
    assert refused(state, "resign", 2) == "game_over"


def test_eight_are_enough_for_two_and_seven_are_not():
    for before, over in ((6, False), (7, True)):
        state = table({"held": before}, {}, taxis={"T1": "s4"})
        drive(state, 1, 1)
        assert (whole(state)["phase"] == "over") == over
    assert [table(n).target for n in (2, 3, 4)] == [8, 10, 10]
    assert table(2, options={"target_tokens": {"2": 3}}).target == 3


def test_a_win_comes_before_a_later_intersection_and_before_the_next_taker():
    state = table({"held": 8}, {}, {}, taxis={"T1": "s4"}, box=2, options={"collect_per_move": "per_intersection"})
    drive(state, 1, 1, 1, 2)
    assert (held(state)[0], box_and_supply(state)[0]) == (10, 0)
    state = table({"held": 9}, {"held": 9}, {}, taxis={"T1": "s4", "T2": ("s5", False)},
        board=RING | {"intersections": ["s5", "s6"]}, options={"pushed_driver_collects": "yes"})  # fmt: skip
    drive(state, 1, 1)
    assert whole(state)["result"]["winners"] == [2]


def test_with_no_supply_nothing_comes_into_the_box():
    state = table({"held": 9}, {"held": 9}, {"held": 9}, {"held": 7}, taxis={"T1": "s10"}, box=2)
    assert whole(state)["supply"] == 0
    events = drive(state, 1, 3, 3)
    assert names(events)[2:4] == ["speeding_violation", "supply_exhausted"]
    assert "amount" not in named(events, "speeding_violation")[0]
    assert box_and_supply(state) == (2, 0)
    state = table({"held": 9}, {"held": 9}, {"held": 9}, {"held": 7}, taxis={"T1": "s10"}, box=2,
        options={"supply_exhausted": "substitute"})  # fmt: skip
    drive(state, 1, 3, 3)
    assert box_and_supply(state) == (3, -1)


def stalemate(**options):
    return table({"held": 0}, {"held": 9}, {"held": 9}, {"held": 9}, taxis={"T1": "s4", "T2": ("s3", False)}, box=9,
        options=options)  # fmt: skip


def test_a_dead_game_is_shared_by_all_who_hold_the_most():
    state = stalemate()
    events = drive(state, 1, 1)
    assert names(events)[-3:] == ["collected", "supply_exhausted", "game_over"]
    assert whole(state)["result"]["winners"] == [1, 2, 3, 4]
    assert whole(state)["result"]["reason"] == "stalemate"
    state = table({"held": 6}, {"held": 6}, {"held": 6}, {"held": 6}, taxis={"T1": "s4"}, box=12,
        options={"target_tokens": {"4": 20}})  # fmt: skip
    drive(state, 1, 1)
    assert whole(state)["result"]["winners"] == [1]


def test_the_last_token_of_the_supply_is_refilled_once():
    # Two intersections in one move, one token in the supply: the second collection leaves a dead game.
    state = table({"held": 6}, {"held": 9}, {"held": 9}, {"held": 9}, taxis={"T1": "s4"}, box=2,
        options={"collect_per_move": "per_intersection"})  # fmt: skip
    events = drive(state, 1, 1, 1, 2)
    assert [event["amount"] for event in named(events, "collected")] == [2, 1]
    assert (held(state), box_and_supply(state)) == ([9, 9, 9, 9], (0, 0))
    assert whole(state)["result"]["reason"] == "stalemate"


def test_a_dead_game_can_be_won_at_the_next_intersection():
    state = stalemate(stalemate="next_intersection_wins")
    drive(state, 1, 1)
    assert (whole(state)["result"], box_and_supply(state), whole(state)["turn"]) == (None, (0, 0), 2)
    drive(state, 2, 2)
    assert whole(state)["result"]["winners"] == [2]
    assert whole(state)["result"]["reason"] == "next_intersection"
    assert held(state) == [9, 9, 9, 9]


def test_substitutes_know_no_dead_game():
    state = stalemate(supply_exhausted="substitute")
    drive(state, 1, 1)
    assert (whole(state)["result"], box_and_supply(state)) == (None, (1, -1))


def test_an_empty_box_gives_nothing_and_is_refilled():
    state = table(2, taxis={"T1": "s4"}, box=0)
    events = drive(state, 1, 1)
    assert names(events)[-2:] == ["refilled", "turn_started"]
    assert (held(state), box_and_supply(state)) == ([0, 0], (1, 35))


def test_leaving_gives_tokens_back_and_leaves_the_taxi():
    state = table({"held": 1}, {"held": 4}, {"held": 2}, taxis={"T1": "s3", "T2": "s10"}, box=2)
    events = do(state, "resign", 2)
    assert (events[0]["taxi"], events[0]["from"], events[0]["to"], events[0]["amount"]) == ("T2", 2, 0, 4)
    assert (held(state), box_and_supply(state), places(state)[1]) == ([1, 0, 2], (2, 31), "s10")
    assert (whole(state)["turn"], whole(state)["target"]) == (1, 10)
    assert whole(state)["players"][1]["status"] == "out"
    assert refused(state, "roll", 2, face=1) == "out_of_game"
    assert refused(state, "resign", 2) == "out_of_game"
    assert refused(state, "resign", 0) == "not_allowed"


def test_leaving_in_ones_own_turn_ends_it():
    state = table(3, taxis={"T1": "s3"})
    do(state, "roll", 1, face=1)
    assert names(do(state, "resign", 1)) == ["resigned", "turn_started"]
    assert (whole(state)["dice"], whole(state)["turn"]) == ([], 2)


def test_leaving_may_bring_all_taxis_home_or_end_the_game():
    state = table({}, {"driver": None}, {"driver": None}, taxis={"T1": "s3", "T2": "s10", "T3": "s12"})
    assert names(do(state, "resign", 1)) == ["resigned", "all_to_start", "turn_started"]
    assert (places(state), whole(state)["turn"]) == (["START"] * 3, 2)
    state = table({"driver": None}, {}, {"driver": None}, taxis={"T2": "s10", "T3": "s12"})
    assert names(do(state, "resign", 2)) == ["resigned", "all_to_start"]
    assert (whole(state)["turn"], whole(state)["phase"]) == (1, "board")
    state = table({"held": 2}, {"held": 5})
    do(state, "roll", 1, face=2)
    assert names(do(state, "resign", 2)) == ["resigned", "game_over"]
    assert whole(state)["result"] == {"winners": [1], "reason": "last_player", "totals": {"1": 2, "2": 0}}
    assert (whole(state)["dice"], whole(state)["supply"]) == ([], 33)
