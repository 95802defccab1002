"""London's printed page: nothing covers anything, all roads and squares are drawn, and the tool finds room."""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import Any

import pytest
from london_boxes import BOARDS, Json, clashes, fixtures, posts, signs, words

from companion.titles.destination_london.map import attractions, draw, ground, squares
from companion.titles.destination_london.map.layout_tool import arrange, write_text
from companion.titles.destination_london.map.london import London
from companion.titles.destination_london.map.placing import Ground
from companion.web.map import sheet
from companion.web.map.geometry import grow
from hardware.board_design import thames, thames_sheet

# --- the printed page -------------------------------------------------------------------------------------------------


def test_the_layout_is_what_the_design_gives(layout: Json) -> None:
    assert thames_sheet.hand_made(layout) == thames_sheet.hand_made()
    assert (BOARDS / "thames.layout.json").read_text(encoding="utf-8") == write_text(layout)


def test_no_sign_covers_a_sign_a_square_or_the_title(here: London) -> None:
    up = signs(here)
    assert clashes(combinations(up, 2)) == []
    assert clashes((one, other) for one in up for other in [*posts(here), *fixtures(here)]) == []


def test_no_word_covers_a_word_a_sign_a_square_or_the_title(here: London) -> None:
    written = words(here)
    assert len(written) > 110
    assert clashes(combinations(written, 2)) == []
    around_them = [*signs(here), *fixtures(here)]
    assert clashes((one, other) for one in written for other in around_them) == []
    discs = {square: (here.xy(square), squares.radius(here, square)) for square in here.squares()}
    on_squares = [
        f"{name} / {square}"
        for name, boxes in written
        for square, (centre, radius) in discs.items()
        if any(math.dist(attractions.nearest(box, centre), centre) < radius for box in boxes)
    ]
    assert on_squares == []


def test_everything_lies_on_the_page(here: London) -> None:
    left, top, right, bottom = sheet.frame(here.layout)
    outside = [
        name
        for name, boxes in [*signs(here), *words(here), *posts(here), *fixtures(here)]
        for box in boxes
        if box[0] < left or box[1] < top or box[2] > right or box[3] > bottom
    ]
    assert outside == []


def test_every_sign_stands_by_its_own_post(here: London) -> None:
    """Hardly another square is nearer to it, then a line joins the two, and the way is short."""
    for name, boxes in signs(here):
        square = here.attractions[name]["square"]
        gaps = {
            other: min(math.dist(attractions.nearest(box, here.xy(other)), here.xy(other)) for box in boxes)
            for other in here.squares()
        }
        assert gaps[square] <= min(gaps.values()) + 12, name
        assert gaps[square] - squares.radius(here, square) < 25, name
        parts = attractions.boxes(here.layout["attractions"][name], here.fares[name])
        if gaps[square] > min(gaps.values()):
            assert attractions.leader_ends(here, name, parts), name


def test_signs_leave_the_roads_free(here: London) -> None:
    roads = Ground(here).roads
    for name, boxes in signs(here):
        area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)
        assert sum(roads.covered(box) for box in boxes) < 0.12 * area, name


def test_squares_keep_apart_and_off_the_water_but_on_bridges(here: London) -> None:
    for one, other in combinations(here.squares(), 2):
        gap = math.dist(here.xy(one), here.xy(other))
        assert gap > squares.radius(here, one) + squares.radius(here, other) + 20, f"{one} {other}"
    river = here.river()
    assert river is not None
    half = here.layout["river"]["width"] / 2
    wet = {
        square
        for square in here.squares()
        if math.dist(river.at(river.nearest(here.xy(square)))[:2], here.xy(square)) < half
    }
    assert wet == {"CB1", "VX1", "WB1", "BB1", "LB1", "TB1", "WL1"}


def test_every_road_of_the_board_is_drawn_and_has_a_name(board: Json, here: London, layout: Json) -> None:
    drawn = {
        frozenset(two) for street in layout["streets"] for two in zip(street["via"], street["via"][1:], strict=False)
    }
    links = {frozenset(two) for road in board["roads"] for two in zip(road["via"], road["via"][1:], strict=False)}
    assert drawn == links
    assert len({street["name"] for street in layout["streets"]}) == len(layout["streets"])
    paths = ground.roads(here)
    assert paths.count("c") > 0
    for street in layout["streets"]:
        x, y = here.xy(street["via"][0])
        assert f"M{round(x, 1):g} {round(y, 1):g}" in paths, street["name"]


def test_nine_in_ten_roads_carry_their_name(layout: Json) -> None:
    streets = layout["streets"]
    assert sum(bool(street.get("label")) for street in streets) >= 0.9 * len(streets)
    assert [one["name"] for one in streets if one["kind"] == "major" and not one.get("label")] == []


def test_roads_cross_at_squares_only(here: London) -> None:
    lines = {
        (a, b): here.line(a, b)
        for street in here.streets
        for a, b in zip(street["via"], street["via"][1:], strict=False)
    }
    for (one, first), (other, second) in combinations(lines.items(), 2):
        if set(one) & set(other):
            continue
        assert not _cross(first.points, second.points), f"{one} {other}"


def _cross(one: list[Any], other: list[Any]) -> bool:
    def side(a: Any, b: Any, c: Any) -> bool:
        return bool((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]))

    return any(
        side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
        for a, b in zip(one, one[1:], strict=False)
        for c, d in zip(other, other[1:], strict=False)
    )


def test_one_way_roads_have_arrows_that_point_on(here: London, board: Json) -> None:
    drawn = ground.roads(here)
    arrows = re.search(r'class="oneway" d="([^"]+)"', drawn)
    assert arrows is not None
    links = sum(len(road["via"]) - 1 for road in board["roads"] if road["one_way"])
    assert links == len(here.one_way) == 14
    assert arrows.group(1).count("M") >= links
    turned = London({**board, "roads": [{**road, "via": road["via"][::-1]} if road["one_way"] else road
                                        for road in board["roads"]]}, here.layout)  # fmt: skip
    assert ground.roads(turned) != drawn


def test_bridges_have_railings(here: London) -> None:
    drawn = ground.roads(here)
    railings = re.findall(r'class="parapet (\w+)" d="([^"]+)"', drawn)
    assert sum(data.count("M") for _, data in railings) == 7


def test_places_have_names_of_their_own(board: Json, layout: Json) -> None:
    found = [draw.place_name(board, layout, square) for square in board["squares"]]
    assert len(set(found)) == len(found) == 96
    for one in board["attractions"].values():
        others = [other for other in board["attractions"].values() if other["square"] == one["square"]]
        if len(others) == 1:
            assert draw.place_name(board, layout, one["square"]).removeprefix("the ") == one["name"].removeprefix(
                "the "
            )
    with pytest.raises(KeyError):
        draw.place_name(board, layout, "ATLANTIS")
    assert draw.grid_reference(board, layout, "BASE") == "A 2"
    assert set(draw.place_points(board, layout)) == set(board["squares"])


# --- the tool ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def village() -> tuple[Json, Json]:
    board: Json = {
        "id": "village", "title": "A village",
        "squares": {"B": [40, 300], "a": [150, 300], "b": [300, 300], "c": [300, 150], "d": [150, 150]},
        "base": "B", "garages": ["c"], "lights": ["b"],
        "roads": [{"via": ["B", "a", "b", "c"], "one_way": False}, {"via": ["c", "d", "a"], "one_way": True}],
        "attractions": {"big_ben": {"name": "Big Ben", "square": "a"}, "dome": {"name": "The Dome", "square": "d"}},
        "cards": {"C1": {"attraction": "big_ben", "fare": 40}, "C2": {"attraction": "dome", "fare": 60}},
    }  # fmt: skip
    layout: Json = {
        "page": {"width": 1366, "height": 1036, "frame": [44, 44, 1322, 992], "joins": []},
        "sheet": {"unit": 1.8, "origin": [44, 992]},
        "places": {name: name for name in board["squares"]},
        "streets": [
            {"name": "High Street", "kind": "major", "via": ["B", "a", "b", "c"]},
            {"name": "Back Lane", "kind": "minor", "via": ["c", "d", "a"]},
        ],
        "river": {"name": "Brook", "width": 30, "through": [[500, 44], [520, 500], [480, 992]]},
        "parks": [{"lines": ["Green"], "area": [[350, 500], [450, 500], [450, 600], [350, 600]]}],
        "quarters": [], "asides": [{"lines": ["Sheep"], "near": [200, 800]}],
    }  # fmt: skip
    return board, layout


def test_the_tool_finds_room_and_finds_it_again(village: tuple[Json, Json]) -> None:
    board, layout = village
    made = arrange(board, layout, seed=3, rounds=500)
    here = London(board, made)
    assert clashes(combinations([*signs(here), *words(here)], 2)) == []
    assert clashes((one, other) for one in signs(here) for other in posts(here)) == []
    assert [street["label"]["text"] for street in made["streets"]] == ["High Street", "Back Lane"]
    assert made["asides"][0]["at"]
    assert arrange(board, layout, seed=3, rounds=500) == made
    assert arrange(board, made, keep_signs=True)["attractions"] == made["attractions"]


def test_the_tool_says_when_there_is_no_room(village: tuple[Json, Json]) -> None:
    board, layout = village
    tight = {**layout, "page": {**layout["page"], "frame": [44, 950, 100, 992]}}
    with pytest.raises(ValueError, match="no room for big_ben"):
        arrange(board, tight, rounds=10)


def test_a_box_that_grows_is_larger() -> None:
    assert grow((0, 0, 2, 2), 1) == (-1, -1, 3, 3)
    assert len(thames.SQUARES) == 96
