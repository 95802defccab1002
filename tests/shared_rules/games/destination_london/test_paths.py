"""Where moves can end, against every single path: all three path rules, stops, dead ends, one-way roads."""

import random

import pytest
from london_tables import THAMES, code, do, far_board, game, seen, table, title

from shared_rules import library
from shared_rules.games.destination_london.paths import RoadMap


def every_path(exits, base, rule, start, squares, stops=frozenset()):
    """(ends, squares passed) by walking every path, square for square."""
    ends, passed = set(), set()

    def walk(path):
        here = path[-1]
        if len(path) - 1 == squares:
            ends.add(here)
            return
        if len(path) > 1:
            if here == base:
                return
            passed.add(here)
            if here in stops:
                return
        for way in exits[here]:
            if rule == "no_square_twice" and way in path:
                continue
            if rule == "no_immediate_reverse" and len(path) > 1 and way == path[-2]:
                others = [other for other in exits[here] if other != way]
                if others:
                    continue
            walk([*path, way])

    walk([start])
    return ends, passed


def random_exits(stream):
    """A little map with one-way roads, dead ends and loops."""
    names = ["B", *"abcdefg"]
    exits = {name: [] for name in names}
    for _ in range(stream.randrange(6, 13)):
        one, other = stream.sample(names, 2)
        if other not in exits[one]:
            exits[one].append(other)
        if stream.random() < 0.7 and one not in exits[other]:
            exits[other].append(one)
    return exits


@pytest.mark.parametrize("rule", ["no_immediate_reverse", "no_square_twice", "free"])
def test_ends_are_those_of_every_path(rule):
    stream = random.Random(7)
    compared = 0
    for _ in range(60):
        exits = random_exits(stream)
        roads = RoadMap(exits, "B", rule)
        stops = frozenset(stream.sample(["a", "b", "c", "d"], stream.randrange(3)))
        for start in exits:
            for squares in range(1, 7):
                assert roads.reach(start, squares) == every_path(exits, "B", rule, start, squares)
                assert roads.reach_with_stops(start, squares, stops) == every_path(
                    exits, "B", rule, start, squares, stops
                )
                compared += 1
    assert compared > 2000


@pytest.mark.parametrize("rule", ["no_immediate_reverse", "no_square_twice"])
def test_long_throws_on_the_shipped_board(rule):
    board = library.parsed_board(THAMES)
    roads = board.road_map(rule)
    for start in sorted(board.squares)[::19]:
        assert roads.reach(start, 12) == every_path(board.exits, board.base, rule, start, 12)


def test_what_was_found_is_kept_and_the_store_of_stops_is_bounded():
    roads = RoadMap({"B": ["a"], "a": ["B", "b"], "b": ["a"]}, "B", "free")
    assert roads.reach("B", 2) is roads.reach("B", 2)
    for n in range(1100):
        roads.reach_with_stops("B", 2, frozenset([str(n)]))
    assert len(roads._stopped) <= 512


def test_shortest_ways_keep_one_way_roads_and_stay_out_of_the_base():
    exits = {"B": ["a", "d"], "a": ["B"], "c": ["a"], "d": ["c"], "e": []}
    roads = RoadMap(exits, "B", "no_immediate_reverse")
    # From a one could reach d only through the Base.
    assert roads.distances_to("d") == {"d": 0, "B": 1}
    assert roads.distances_to("B") == {"B": 0, "a": 1, "c": 2, "d": 3}


def ends(state, faces, seat=1):
    answer = game.ask(state, {"do": "ask", "what": "ends", "of": seat, "faces": faces})
    return answer["reachable"], answer["stay"]


def test_the_base_counts_as_an_exit_even_where_it_may_not_be_entered():
    """LQ-17: a square with the Base as its only other exit is no dead end."""
    board = far_board(roads=[{"via": ["B", "q0", "q1"], "one_way": False}])
    state = table({"at": "q1"}, {}, board=board, options={"base_midgame": "forbidden"})
    assert ends(state, [1]) == (["q0"], False)
    assert ends(state, [2]) == ([], True)
    assert ends(table({"at": "q1"}, {}, board=board), [2]) == (["B"], False)


def test_a_dead_end_turns_a_taxi_round_only_under_its_rule():
    board = far_board(roads=[{"via": ["B", "q0", "q1", "q2"], "one_way": False}])
    assert ends(table({"at": "q1"}, {}, board=board), [2])[0] == ["B", "q1"]
    twice = table({"at": "q1"}, {}, board=board, options={"path_rule": "no_square_twice"})
    assert ends(twice, [2])[0] == ["B"]


def test_early_stops_need_no_whole_path():
    """Fine point: an early stop is legal whether or not the path could be completed."""
    board = far_board(roads=[{"via": ["B", "q4", "q5", "q6"], "one_way": True}])
    state = table({"at": "q4", "hand": ["BETA", "F1"]}, {}, board=board)
    assert ends(state, [4]) == (["q5", "q6"], True)
    do(state, 1, "roll", faces=[4])
    do(state, 1, "move", to="q5")
    assert code(state, 1, "keep_quiet") == "not_allowed"


@pytest.mark.parametrize(("options", "wanted"), [
    ({}, "B q3 q6 q8 q9 q10 q11"),
    ({"garage_entry": "exact"}, "B q3 q8 q9 q10 q11"),
    ({"short_moves": "own_destination_only"}, "B q3 q8 q9 q10 q11"),
    ({"short_moves": "free"}, "B q0 q1 q2 q3 q4 q6 q7 q8 q9 q10 q11 x1"),
    ({"short_moves": "free", "garage_entry": "exact"}, "B q0 q1 q2 q3 q4 q6 q7 q8 q9 q10 q11 x1"),
    # No path goes on beyond q3 and q9: the ring is cut there.
    ({"must_stop_at_destination": "yes"}, "q3 q6 q9"),
    ({"must_stop_at_destination": "yes", "short_moves": "free"}, "q3 q4 q6 q7 q8 q9"),
    ({"base_midgame": "forbidden"}, "q3 q6 q8 q9 q10 q11"),
])  # fmt: skip
def test_early_stops_by_house_rule(options, wanted):
    """From q5 with six squares; the hand has a card for q3 and one for q9."""
    state = table({"at": "q5", "hand": ["ALPHA", "ETA", "F1"]}, {}, options=options)
    assert ends(state, [6])[0] == sorted(wanted.split())


def test_without_fuel_a_card_is_no_reason_to_stop():
    state = table({"at": "q5", "hand": ["ALPHA"], "fuel": 0}, {"at": "q6", "fuel": 2}, phase="stranded")
    assert "q3" not in ends(state, [6])[0]
    state = table({"at": "q5", "hand": ["ALPHA"], "bonus_fuel": ["fuel_1"], "fuel": 0}, {})
    assert "q3" in ends(state, [6])[0]


def test_a_square_that_is_an_end_anyway_forces_no_fare():
    state = table({"at": "q1", "hand": ["ALPHA"]}, {})
    do(state, 1, "roll", faces=[2])
    do(state, 1, "move", to="q3")
    assert seen(state)["arrivals"][0]["must_collect"] is False
    do(state, 1, "keep_quiet")


def test_parsed_boards_keep_their_maps():
    board = title.parse_board(far_board())
    assert board.road_map("free") is board.road_map("free")
    one = table({"hand": []}, {"hand": []}, board=THAMES)
    assert one.roads is table({"hand": []}, {"hand": []}, board=THAMES).roads
