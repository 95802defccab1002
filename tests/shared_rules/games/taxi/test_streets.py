"""Streets against a search of every route, the two Pythons against each other, and ways that are known."""

import json
import os
import subprocess
import sys

import pytest
from every_route import EveryRoute
from hypothesis import given, settings
from small_maps import FREEWAY, GRID, LINE, ROOT, questions

from shared_rules import library
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.streets import street_map


def map_of(board, **options):
    return street_map(parse_board(board), options)


def ask(question):
    """A drawn question made whole: (street map, slow search, start, limits, barriers)."""
    board, options, streets, green, white, start, barriers = question
    slow = EveryRoute(board, options)
    stops = slow.stops()
    if not stops:
        return None
    links = [slow.name(link) for link in slow.links]
    against = sorted({links[n % len(links)] for n in barriers}) if links else []
    fast = street_map(parse_board(board, "board", options["freeway_stop"] == "allowed"), options)
    return fast, slow, stops[start % len(stops)], (streets, green, white), against


@settings(max_examples=400, deadline=None)
@given(questions())
def test_reach_is_what_every_route_reaches(question):
    asked = ask(question)
    if asked is not None:
        fast, slow, start, limits, barriers = asked
        assert fast.reach(start, *limits, barriers) == slow.reach(start, *limits, barriers)


@settings(max_examples=200, deadline=None)
@given(questions())
def test_stops_are_the_same(question):
    asked = ask(question)
    if asked is not None:
        fast, slow, *_ = asked
        assert [name for name in fast.place_names if fast.is_stop(name)] == slow.stops()


@settings(max_examples=200, deadline=None)
@given(questions(streets=12, tablets=5))
def test_tables_answer_as_the_search_does(question):
    asked = ask(question)
    if asked is not None:
        fast, _, start, (streets, green, white), _ = asked
        searched = fast.reach(start, streets, green, white)
        costs = fast.tables().labels_from(fast.place_index[start], streets, white)
        from_tables = [
            [name, s, g, w]
            for name, labels in zip(fast.place_names, costs, strict=True)
            for s, g, w in labels
            if s <= streets and g <= green and w <= white
        ]
        assert from_tables == searched


@settings(max_examples=150, deadline=None)
@given(questions())
def test_distance_has_no_throw_limit_and_agrees_with_labels(question):
    asked = ask(question)
    if asked is not None:
        fast, _, start, (_, green, white), barriers = asked
        for to in fast.place_names:
            far = fast.distance(start, to, green, white, barriers)
            assert fast.labels(start, to, 40, green, white, barriers) == far
            if not barriers:
                needed = fast.streets_needed(start, to, green, white)
                assert needed == (far[0][0] if far else None)


def test_one_street_from_the_middle_of_a_lattice():
    assert map_of(GRID).reach("b1", 1, 0, 0) == [
        ["a1", 1, 0, 0], ["a1~b1", 1, 0, 0], ["b0", 1, 0, 0], ["b0~b1", 1, 0, 0], ["b1", 0, 0, 0], ["b1~b2", 1, 0, 0],
        ["b1~c1", 1, 0, 0], ["b2", 1, 0, 0], ["c1", 1, 0, 0],
    ]  # fmt: skip


def test_a_lattice_needs_two_streets_for_any_corner():
    assert map_of(GRID).distance("a0", "c2", 0, 0) == [[2, 0, 0]]


def test_a_light_costs_green_and_no_street():
    streets = map_of(LINE)
    assert streets.labels("A", "D", 1, 0, 0) == []
    assert streets.labels("A", "D", 1, 1, 0) == [[1, 1, 0]]
    assert streets.labels("A", "B~L", 1, 0, 0) == [[1, 0, 0]]


def test_freeway_lead_on_and_off_ramp_are_one_street():
    assert map_of(FREEWAY).distance("A", "Q", 30, 12) == [[1, 1, 1]]
    assert map_of(FREEWAY).distance("Q", "A", 30, 12) == []


def test_barrier_may_be_driven_up_to_but_not_past():
    streets = map_of(LINE)
    assert streets.labels("A", "C", 6, 5, 5, ["C~D"]) == [[1, 1, 0]]
    assert streets.labels("A", "C~D", 6, 5, 5, ["C~D"]) == [[1, 1, 0]]
    assert streets.labels("A", "D", 6, 5, 5, ["C~D"]) == []


def test_a_taxi_on_the_link_of_a_barrier_leaves_by_either_end():
    streets = map_of(LINE)
    assert streets.labels("C~D", "D", 1, 0, 0, ["C~D"]) == [[1, 0, 0]]
    assert streets.labels("C~D", "C", 1, 0, 0, ["C~D"]) == [[1, 0, 0]]


def test_answers_are_the_callers_own():
    streets = map_of(GRID)
    streets.reach("b1", 1, 0, 0).clear()
    assert len(streets.reach("b1", 1, 0, 0)) == 9


def test_a_board_keeps_one_map_for_each_set_of_movement_options():
    board = parse_board(GRID)
    assert street_map(board, {}) is street_map(board, {"plate_price": 10})
    assert street_map(board, {}) is not street_map(board, {"stop_points": "corners_only"})


def test_prepared_tables_answer_the_same():
    fresh, ready = map_of(FREEWAY), map_of(FREEWAY)
    ready.prepare()
    for start in ("A", "P", "A~G", "P~L"):
        assert ready.reach(start, 3, 1, 1) == fresh.reach(start, 3, 1, 1)


def test_both_pythons_answer_alike(micropython):
    lines = []

    @settings(max_examples=80, deadline=None, derandomize=True, database=None)
    @given(questions())
    def collect(question):
        asked = ask(question)
        if asked is not None:
            _, _, start, limits, barriers = asked
            reach = [start, *limits, barriers]
            lines.append(json.dumps({"board": question[0], "options": question[1], "reach": reach}))

    collect()
    printed = both_print(micropython, lines)
    assert printed.count("\n") == 3 * len(lines) > 150


def test_both_pythons_answer_alike_about_the_shipped_board(micropython):
    """In two megabytes, which is what MicroPython takes when nobody tells it otherwise."""
    question = {"board": library.board("fumbling"), "options": {}, "reach": ["h6", 4, 2, 1, ["h6~h7"]]}
    assert "X_judge_gavel" in both_print(micropython, [json.dumps(question)])


def both_print(micropython, lines):
    """What reach_program prints about the questions, after a look whether it is the same on both Pythons."""
    script = ROOT / "tests/shared_rules/games/taxi/reach_program.py"
    environment = {**os.environ, "MICROPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    printed = []
    for command in ([micropython, "-X", "heapsize=2M"], [sys.executable]):
        done = subprocess.run(
            [*command, script],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    return printed[0]


def movement_questions(cases):
    for case in cases:
        board = case["position"].get("board") if isinstance(case["position"], dict) else None
        wanted = {answer["index"]: answer for answer in case.get("expect", {}).get("answers", [])}
        for index, command in enumerate(case["commands"]):
            answer = wanted.get(index, {})
            if isinstance(board, dict) and "from" in command and ("reachable" in answer or "distance" in answer):
                yield case["case"], board, case["position"].get("options", {}), command, answer


def test_the_worked_movement_cases(taxi_cases):
    asked = 0
    for name, board_object, options, command, answer in movement_questions(taxi_cases):
        board = parse_board(board_object)
        streets = street_map(board, options)
        start = board.place(command["from"])
        against = [board.place(text) for text in command.get("against", [])]
        green, white = command.get("green", 30), command.get("white", 12)
        if "reachable" in answer:
            got = streets.reach(start, command["streets"], green, white, against)
            assert sorted(got) == sorted(answer["reachable"]), name
        else:
            got = streets.distance(start, board.place(command["to"]), green, white, against)
            assert got == answer["distance"], name
        asked += 1
    assert asked >= 60


@pytest.mark.parametrize("place", ["B", "A~B", "B~A"])
def test_places_are_named_in_the_order_of_their_road(place):
    board = parse_board(LINE)
    assert board.place(place) == ("B" if place == "B" else "A~B")
