"""Places in words: every place of the board has a name of its own that a person can find on the map."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.titles.taxi.map.places import grid_reference, place_name, place_points
from companion.titles.taxi.map.town import Town

Json = dict[str, Any]


def test_every_place_has_a_name_of_its_own(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    names = {place: place_name(board, layout, place) for place in here.stops()}
    assert len(set(names.values())) == len(names)
    for place, name in names.items():
        assert place not in name.split(), f"{place} is called by its id: {name}"
        assert "  " not in name
        assert name.strip() == name


def test_names_say_streets_and_crossings(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    assert place_name(board, layout, board["base"]) == "the Rank"
    brine = board["destinations"]["captain_brine"]["at"]
    assert place_name(board, layout, brine).startswith("Captain Brine, ")
    streets = {street["name"] for street in layout["streets"]}
    corners = [name for name in here.points if "~" not in name and len(here.neighbours[name]) == 4]
    crossing = next(name for name in corners if name != board["base"])
    one, other = place_name(board, layout, crossing).split(", at ")
    assert {one, other} <= streets
    link = here.stops()[-1]
    assert re.match(r"(on|at) ", place_name(board, layout, link))


def test_links_are_named_whichever_way_they_are_written(board: Json, layout: Json) -> None:
    start, end = board["roads"][0]["via"][:2]
    assert place_name(board, layout, f"{start}~{end}") == place_name(board, layout, f"{end}~{start}")


def test_grid_references_are_those_of_the_printed_letters(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    for place in here.stops():
        assert re.fullmatch(r"[A-HJ-M] [1-9]", grid_reference(board, layout, place))
    left, top, right, bottom = layout["page"]["frame"]
    x, y = here.xy(board["base"])
    letter, figure = grid_reference(board, layout, board["base"]).split()
    assert "ABCDEFGHJKLM"[int((x - left) / (right - left) * 12)] == letter
    assert int((y - top) / (bottom - top) * 9) + 1 == int(figure)


def test_points_for_dragging_are_where_taxis_are_drawn(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    points = place_points(board, layout)
    assert set(points) == set(here.stops())
    x, y = here.xy(board["base"])
    assert points[board["base"]] == (round(x, 1), round(y, 1))


@pytest.mark.parametrize("place", ["nowhere", "a1~nowhere", ""])
def test_a_place_that_is_not_there_is_a_key_error(board: Json, layout: Json, place: str) -> None:
    with pytest.raises(KeyError):
        place_name(board, layout, place)
