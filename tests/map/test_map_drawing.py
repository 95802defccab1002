"""The SVG itself: well formed, addressable, the same every time, and light enough for a phone."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.titles.taxi.map.destinations import boxes
from companion.titles.taxi.map.draw import LIVE_GROUPS, MODES, crop_round, draw_live, draw_map, draw_static
from companion.titles.taxi.map.places import place_points
from companion.titles.taxi.map.town import Town
from companion.titles.taxi.map.way import find_way
from companion.web.map.geometry import overlap
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.streets import street_map

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def packed(text: str) -> int:
    return len(gzip.compress(text.encode(), 9, mtime=0))


@pytest.fixture(scope="module")
def reach(board: Json, view: Json) -> list[list[Any]]:
    streets = street_map(parse_board(board), {})
    found: list[list[Any]] = streets.reach(view["players"][0]["at"], 3, 1, 0)
    return found


@pytest.fixture(scope="module")
def route(board: Json, layout: Json, view: Json) -> Json:
    goal = board["destinations"][view["players"][0]["destination"]]["at"]
    found = find_way(board, layout, view["players"][0]["at"], goal, green=3)
    assert found is not None
    return found


@pytest.mark.parametrize("mode", MODES)
def test_the_map_is_valid_xml_with_unique_ids(
    board: Json, layout: Json, view: Json, reach: list[list[Any]], route: Json, mode: str
) -> None:
    svg = draw_map(board, layout, view, reach=reach, route=route, mode=mode)
    tree = ElementTree.fromstring(svg)
    ids = Counter(element.get("id") for element in tree.iter() if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    used = {element.get("href", "")[1:] for element in tree.iter() if element.get("href")}
    assert used - set(ids) == set(), "every symbol that is used must be defined"
    assert set(LIVE_GROUPS) <= set(ids)


def test_every_stop_light_and_gate_has_an_element(board: Json, layout: Json) -> None:
    tree = ElementTree.fromstring(draw_map(board, layout, mode="tablet"))
    places = {element.get("data-place") for element in tree.iter() if element.get("data-place")}
    stops = set(street_map(parse_board(board), {}).place_names)
    streets = street_map(parse_board(board), {})
    assert places == {name for name in stops if streets.is_stop(name)}
    ids = {element.get("id") for element in tree.iter()}
    assert {f"light-{name}" for name in board["lights"]} <= ids
    assert {f"gate-{name}" for name in board["gates"]} <= ids
    assert {f"dest-{name}" for name in board["destinations"]} <= ids
    assert {f"hd-{name}" for name in board["destinations"]} <= ids, "every character has a face"


def test_reachable_places_can_be_pressed_and_say_what_they_cost(
    board: Json, layout: Json, view: Json, reach: list[list[Any]]
) -> None:
    group = draw_live(board, layout, view, reach=reach, mode="tablet")["reach"]
    tree = ElementTree.fromstring(group)
    pressed = [element for element in tree.iter() if element.get("role") == "button"]
    assert {element.get("data-place") for element in pressed} == {label[0] for label in reach} - {
        view["players"][0]["at"]
    }
    for element in pressed:
        words = element.get("aria-label") or ""
        assert "street" in words
        assert ":" in words
        assert element.get("tabindex") == "0"
    assert "role" not in draw_live(board, layout, view, reach=reach, mode="wall")["reach"]


def test_targets_never_hide_one_another(board: Json, layout: Json, view: Json, reach: list[list[Any]]) -> None:
    """A press at a place's own spot goes to that place: its spot lies in its own cell only."""
    spots = place_points(board, layout)
    tree = ElementTree.fromstring(draw_live(board, layout, view, reach=reach, mode="tablet")["reach"])
    cells = {
        element.get("data-place") or "": _corners(element.get("d") or "")
        for element in tree.iter()
        if element.get("data-place")
    }
    assert len(cells) > 20
    for place in cells:
        inside = [name for name, cell in cells.items() if _inside(spots[place], cell)]
        assert inside == [place]


def test_targets_are_large_enough_for_a_thumb(board: Json, layout: Json, view: Json, reach: list[list[Any]]) -> None:
    """On the tablet (1.5 times page size, as `crop_round` shows it) a corner's target is 44 pixels or more."""
    tree = ElementTree.fromstring(draw_live(board, layout, view, reach=reach, mode="tablet")["reach"])
    for element in tree.iter():
        place = element.get("data-place") or ""
        if place and "~" not in place and not place.startswith("X_"):
            xs, ys = zip(*_corners(element.get("d") or ""), strict=True)
            assert min(max(xs) - min(xs), max(ys) - min(ys)) * 1.5 >= 44, place


def _corners(data: str) -> list[tuple[float, float]]:
    start, _, rest = data[1:-1].partition("l")
    x, y = map(float, start.split())
    corners = [(x, y)]
    numbers = [float(word) for word in rest.replace("-", " -").split()]
    for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
        x, y = x + dx, y + dy
        corners.append((x, y))
    return corners


def _inside(point: tuple[float, float], corners: list[tuple[float, float]]) -> bool:
    found = False
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y0 > point[1]) != (y1 > point[1]) and point[0] < (x1 - x0) * (point[1] - y0) / (y1 - y0) + x0:
            found = not found
    return found


def test_only_live_groups_change_with_the_view(board: Json, layout: Json, view: Json) -> None:
    before = draw_live(board, layout, view)
    moved = {**view, "players": [{**view["players"][0], "at": board["base"]}, *view["players"][1:]]}
    after = draw_live(board, layout, moved)
    assert {name for name in LIVE_GROUPS if before[name] != after[name]} == {"rank", "taxis"}
    assert draw_static(board, layout) in draw_map(board, layout, moved)


def test_taxis_keep_their_ids_and_move_by_transform(board: Json, layout: Json, view: Json) -> None:
    tree = ElementTree.fromstring(draw_live(board, layout, view)["taxis"])
    taxis = {element.get("id"): element.get("style", "") for element in tree if "taxi-" in (element.get("id") or "")}
    assert sorted(str(name) for name in taxis) == sorted(f"taxi-{one['colour']}" for one in view["players"])
    assert all(style.startswith("transform:translate(") for style in taxis.values())
    assert taxis["taxi-yellow"] != taxis["taxi-green"], "two taxis at one stop stand beside each other"


def test_names_from_people_are_escaped(board: Json, layout: Json, view: Json) -> None:
    nasty = {**view, "players": [{**view["players"][0], "name": "<b>&\"'"}, *view["players"][1:]]}
    svg = draw_map(board, layout, nasty)
    ElementTree.fromstring(svg)
    assert "<b>" not in svg


def test_a_route_has_one_number_a_street_and_rings_its_lights(
    board: Json, layout: Json, view: Json, route: Json
) -> None:
    groups = draw_live(board, layout, view, route=route)
    assert groups["legs"].count('class="leg"') == len(route["legs"])
    assert groups["lights"].count("#lamp-next") == len(route["lights"])


def test_what_the_table_cannot_explain_is_shown_at_both_places(board: Json, layout: Json, view: Json) -> None:
    seen, expected = view["players"][1]["at"], view["players"][5]["at"]
    group = draw_live(board, layout, view, unexplained=[{"colour": "red", "seen": seen, "expected": expected}])["alarm"]
    assert 'class="seen s-red"' in group
    assert 'class="expected s-red"' in group


def test_unknown_places_and_modes_are_refused(board: Json, layout: Json, view: Json) -> None:
    lost = {**view, "players": [{**view["players"][0], "at": "nowhere"}]}
    with pytest.raises(KeyError):
        draw_live(board, layout, lost)
    with pytest.raises(ValueError, match="use one of"):
        draw_map(board, layout, view, mode="cinema")


def test_the_same_board_draws_the_same_bytes_in_another_process(board: Json, layout: Json) -> None:
    program = (
        "import json,hashlib;from companion.titles.taxi.map.draw import draw_map;"
        "f='shared_rules/games/taxi/boards/fumbling';b=json.load(open(f+'.json'));"
        "l=json.load(open(f+'.layout.json'));print(hashlib.sha256(draw_map(b,l).encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert draw_map(board, layout) == draw_map(board, dict(layout))


def test_the_map_is_light(board: Json, layout: Json, view: Json, reach: list[list[Any]]) -> None:
    """A seat page may weigh 60 kB packed; its map with a usual reach takes at most 27, the printed part at most 14."""
    assert packed(draw_static(board, layout)) <= 14_000
    assert packed(draw_map(board, layout, view, mode="phone")) <= 19_000
    assert packed(draw_map(board, layout, view, reach=reach, mode="phone")) <= 27_000


def test_a_crop_holds_its_places_and_stays_on_the_map(board: Json, layout: Json) -> None:
    here = Town(board, layout)
    left, top, right, bottom = layout["page"]["frame"]
    for one in ("captain_brine", "baron_bolt"):
        goal = board["destinations"][one]["at"]
        x, y, wide, high = map(float, crop_round(board, layout, [board["base"], goal], 328, 236).split())
        for place in (board["base"], goal):
            px, py = here.xy(place)
            assert x <= px <= x + wide
            assert y <= py <= y + high
        assert x >= left - 1
        assert x + wide <= right + 1
        assert y >= top - 1
        assert y + high <= bottom + 1 or high > bottom - top


def test_the_flag_shows_the_cost_and_covers_no_blade(board: Json, layout: Json, view: Json) -> None:
    """For every character as the goal of the seat on turn: its flag stands clear of its own face and name."""
    for name, data in board["destinations"].items():
        mine = {**view, "players": [{**view["players"][0], "destination": name}]}
        group = draw_live(board, layout, mine, reach=[[data["at"], 4, 1, 0], [data["at"], 6, 0, 0]])["reach"]
        tree = ElementTree.fromstring(group)
        flags = [element for element in tree.iter("g") if "flag" in (element.get("class") or "")]
        assert [flag.findtext("text") for flag in flags] == ["6", "4"], "the way without tablets comes first"
        assert "main" in (flags[0].get("class") or "")
        assert [len(flag.findall("use")) for flag in flags] == [0, 1]
        rect = flags[0].find("rect")
        assert rect is not None
        x, y, wide, high = (float(rect.get(key, "0")) for key in ("x", "y", "width", "height"))
        parts = boxes(data["name"], layout["destinations"][name], True)
        assert sum(overlap((x, y, x + wide, y + high), part) for part in parts.values()) < 30, name
