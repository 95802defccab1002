"""The way shown on the map keeps to the costs that the rules compute, street by street."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.titles.taxi.map.town import Town
from companion.titles.taxi.map.way import find_way
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.streets import street_map

Json = dict[str, Any]


def test_ways_have_as_many_streets_as_the_rules_say(board: Json, layout: Json) -> None:
    streets = street_map(parse_board(board), {})
    random = Random(11)
    stops = Town(board, layout).stops()
    compared = 0
    for _ in range(12):
        start = random.choice(stops)
        labels = streets.reach(start, 4, 2, 1)
        for place, count, green, white in random.sample(labels, min(8, len(labels))):
            way = find_way(board, layout, start, place, green=green, white=white)
            assert way is not None, (start, place)
            assert len(way["legs"]) == count, (start, place, green, white)
            assert len(way["lights"]) <= green
            assert len(way["gates"]) <= white
            compared += 1
    assert compared >= 60


def test_legs_join_and_lie_on_links(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    goal = board["destinations"]["captain_brine"]["at"]
    way = find_way(board, layout, board["base"], goal, green=30, white=0)
    assert way is not None
    assert way["legs"][0][0] == board["base"]
    assert way["legs"][-1][-1] == goal
    for before, after in zip(way["legs"], way["legs"][1:], strict=False):
        assert before[-1] == after[0]
    for leg in way["legs"]:
        for start, end in zip(leg, leg[1:], strict=False):
            here.kind(start, end)


def test_no_way_without_the_tablets_and_through_barriers(board: Json, layout: Json) -> None:
    light = board["lights"][0]
    here = Town(board, layout)
    one, other = here.neighbours[light]
    assert find_way(board, layout, here.link(one, light), here.link(light, other), green=1) is not None
    base = board["base"]
    around = [here.link(base, name) for name in here.neighbours[base]]
    goal = board["destinations"]["captain_brine"]["at"]
    assert find_way(board, layout, base, goal, green=30, against=around) is None
    assert find_way(board, layout, base, around[0], against=around) is not None, "the link itself may be entered"


def test_staying_is_no_way(board: Json, layout: Json) -> None:
    assert find_way(board, layout, board["base"], board["base"]) == {"legs": [], "lights": [], "gates": []}
