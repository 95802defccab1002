"""The layout of the shipped ring: sockets and lights that a controller has, spaces that lie on the road."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest
from ring_kit import BOARD, LAYOUT

from companion.tables.table_plan import sockets_in
from companion.titles.taxi_over.map.draw import grid_reference, place_name, place_points
from companion.titles.taxi_over.map.ring import START, ring
from companion.web.map.sheet import frame
from shared_rules import library
from shared_rules.engine import titles

SOCKETS, LIGHTS, TAXIS = 32, 64, 4


def test_every_space_has_a_reader_and_start_one_for_each_taxi() -> None:
    sockets = {place: sockets_in(given) for place, given in LAYOUT["sockets"].items()}
    assert set(sockets) == {*BOARD["loop"], START}
    numbers = [number for found in sockets.values() for number in found]
    assert len(numbers) == len(set(numbers))
    assert max(numbers) < SOCKETS
    assert all(len(sockets[space]) == 1 for space in BOARD["loop"])
    assert len(sockets[START]) == len(LAYOUT["readers"][START]) == TAXIS


def test_lights_fit_on_the_strip_and_each_crossing_has_a_row_of_its_own() -> None:
    leds = LAYOUT["leds"]
    assert len(set(leds.values())) == len(leds)
    assert max(leds.values()) < LIGHTS
    assert {name.split("/")[0] for name in leds} == {*BOARD["loop"], START}
    for cross in BOARD["intersections"]:
        assert [f"{cross}/{n}" in leds for n in range(1, 9)] == [True] * 8


def test_spaces_lie_on_the_road_at_equal_distances_in_driving_order() -> None:
    here = ring(BOARD, LAYOUT)
    marks = [here.line.nearest(tuple(LAYOUT["spaces"][space])) for space in BOARD["loop"]]
    for space in BOARD["loop"]:
        assert math.dist(here.at(space)[:2], LAYOUT["spaces"][space]) < 1, space
    pitch = here.length / len(marks)
    for one, other in itertools.pairwise([*marks, marks[0]]):
        assert abs((other - one) % here.length - pitch) < 2


def test_a_pushed_taxi_goes_straight_on_where_drivers_turn() -> None:
    here = ring(BOARD, LAYOUT)
    for bend, pit in here.bends.items():
        x, y, turn = here.at(bend)
        px, py = here.pit(pit)
        ahead = math.degrees(math.atan2(py - y, px - x))
        assert abs((ahead - turn + 180) % 360 - 180) < 2, "the sinkhole lies straight ahead"
        after = here.at(here.loop[(here.loop.index(bend) + 1) % len(here.loop)])[2]
        assert abs((after - turn + 180) % 360 - 180) > 60, "and the road turns"
        assert min(math.dist((px, py), here.at(space)[:2]) for space in here.loop) > 120


def test_everything_lies_on_the_page() -> None:
    left, top, right, bottom = frame(LAYOUT)
    here = ring(BOARD, LAYOUT)
    spots: Iterator[tuple[float, float]] = itertools.chain(
        place_points(BOARD, LAYOUT).values(),
        (here.pit(pit) for pit in here.bends.values()),
        (here.bay(index)[:2] for index in range(TAXIS)),
        ((x + 146, y + 176) for x, y in LAYOUT["homes"]),
        (tuple(LAYOUT["signs"][cross]) for cross in BOARD["intersections"]),
    )
    for x, y in spots:
        assert left < x < right
        assert top < y < bottom


def test_places_have_names_of_their_own_and_references() -> None:
    names = {place: place_name(BOARD, LAYOUT, place) for place in [START, *BOARD["loop"], *BOARD["sinkholes"]]}
    assert names["s12"] == "Space 12"
    assert names["s5"].startswith("Space 5, ")
    assert len(set(names.values())) == len(names)
    assert grid_reference(BOARD, LAYOUT, "s8") == "K 2"
    with pytest.raises(KeyError):
        place_name(BOARD, LAYOUT, "s21")
    with pytest.raises(KeyError):
        grid_reference(BOARD, LAYOUT, "nowhere")


def test_the_layout_is_that_of_a_sound_board() -> None:
    assert LAYOUT["board"] == BOARD["id"] == "carousel"
    board = titles.title("taxi_over").parse_board(BOARD)
    assert board.spaces == 20
    assert library.game_of("carousel") == "taxi_over"
