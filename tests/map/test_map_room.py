"""What a throw adds to the map - pips with their lamps, dots, flags - covers no face, name, passenger, X or lamp."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.titles.taxi.map.destinations import boxes, x_box
from companion.titles.taxi.map.draw import draw_live
from companion.titles.taxi.map.glide import LONGEST_MS, STREET_MS, glide
from companion.titles.taxi.map.labels import all_labels
from companion.titles.taxi.map.signs import BASE_RADIUS
from companion.titles.taxi.map.town import Town
from companion.titles.taxi.map.way import find_way
from companion.web.map.geometry import Box, overlap
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.streets import street_map

Json = dict[str, Any]
COLOURS = ("red", "yellow", "blue", "green", "white", "black")


@pytest.fixture(scope="module")
def town(board: Json, layout: Json) -> Town:
    return Town(board, layout)


def trip(town: Town, number: int) -> tuple[Json, list[list[Any]]]:
    """A position of six taxis with six goals, and a big throw with many tablets for one of its seats."""
    dice = random.Random(number)
    goals, stops = dice.sample(sorted(town.destinations), 6), dice.sample(town.stops(), 6)
    players = [
        {"seat": n + 1, "name": "A", "colour": COLOURS[n], "status": "in", "at": stops[n], "destination": goals[n]}
        for n in range(6)
    ]
    turn = dice.randrange(6)
    # At home, at a crossing, anywhere: the rank has pips of its own.
    players[turn]["at"] = (town.base, "h6", stops[turn])[number % 3]
    reach = street_map(parse_board(town.board), {}).reach(players[turn]["at"], 6 - number % 2, 5, 2)
    return {"turn": turn + 1, "players": players, "placed_barriers": []}, reach


def free_of_marks(town: Town, view: Json) -> list[tuple[str, Box]]:
    aims = {player["destination"] for player in view["players"]}
    found = []
    for name, data in town.destinations.items():
        parts = boxes(data["name"], town.layout["destinations"][name], name in aims)
        found += [(f"{key} of {name}", part) for key, part in parts.items()]
        found.append((f"X of {name}", x_box(town, name, 1.0)))
    assert town.base is not None
    x, y = town.xy(town.base)
    found.append(("the rank", (x - BASE_RADIUS, y - BASE_RADIUS, x + BASE_RADIUS, y + BASE_RADIUS)))
    return found


def marks(group: str) -> tuple[list[tuple[str, Box]], list[tuple[str, Box]]]:
    """The boxes of each pip and dot (with its lamps) and of each flag, as they are drawn."""
    small, flags = [], []
    for element in ElementTree.fromstring(group):
        kind = element.get("class") or ""
        if kind.startswith("pip"):
            dx, dy = map(float, (element.get("transform") or "")[len("translate(") : -1].split())
            small += [(kind, _round(circle, dx, dy)) for circle in element.findall("circle")]
        elif kind == "dot":
            small.append((kind, _round(element, 0, 0)))
        elif kind.startswith("flag"):
            rect = element.find("rect")
            assert rect is not None
            x, y, wide, high = (float(rect.get(key, "0")) for key in ("x", "y", "width", "height"))
            flags.append((kind, (x, y, x + wide, y + high)))
    return small, flags


def _round(circle: ElementTree.Element, dx: float, dy: float) -> Box:
    x, y, r = float(circle.get("cx", "0")) + dx, float(circle.get("cy", "0")) + dy, float(circle.get("r", "0"))
    return x - r, y - r, x + r, y + r


@pytest.mark.parametrize("number", range(9))
def test_marks_of_a_big_throw_cover_nothing(town: Town, number: int) -> None:
    view, reach = trip(town, number)
    small, flags = marks(draw_live(town.board, town.layout, view, reach=reach)["reach"])
    firm = free_of_marks(town, view)
    clashes = [f"{kind} / {name}" for kind, mark in small for name, box in firm if overlap(mark, box) > 0.5]
    # The flag points at its own X, or at the rank.
    clashes += [
        f"{kind} / {name}"
        for kind, mark in flags
        for name, box in firm
        if overlap(mark, box) > 0.5 and not name.startswith("X of")
    ]
    assert clashes == []
    corners = {row[0] for row in reach if "~" not in row[0]}
    pips = [mark for kind, mark in small if kind.startswith("pip")]
    assert len(pips) >= 0.85 * (len(corners) - len(town.destinations) - 1), "too many were left out"


def test_street_names_can_be_read_after_a_big_throw(town: Town) -> None:
    """Of the pips at most a few touch a printed word: where neither the street nor the kerb has room."""
    words = [box for label in all_labels(town) for box in label.boxes]
    for number in range(6):
        view, reach = trip(town, number)
        small, _ = marks(draw_live(town.board, town.layout, view, reach=reach)["reach"])
        touching = [mark for _, mark in small if sum(overlap(mark, box) for box in words) > 10]
        assert len(touching) <= 0.05 * len(small)


def test_marks_lie_on_no_other_mark(town: Town) -> None:
    for number in range(3):
        view, reach = trip(town, number)
        group = ElementTree.fromstring(draw_live(town.board, town.layout, view, reach=reach)["reach"])
        spots = [element.get("transform") for element in group if (element.get("class") or "").startswith("pip")]
        points = [tuple(map(float, str(spot)[len("translate(") : -1].split())) for spot in spots]
        close = [(a, b) for a, b in combinations(points, 2) if abs(a[0] - b[0]) < 15 and abs(a[1] - b[1]) < 15]
        assert close == []


def test_flags_cover_no_face_or_name_whoever_is_the_goal(town: Town) -> None:
    view, _ = trip(town, 4)
    for name, data in town.destinations.items():
        players = [
            {**player, "destination": name} if player["seat"] == view["turn"] else player for player in view["players"]
        ]
        mine = {**view, "players": players}
        labels = [[data["at"], 5, 2, 1], [data["at"], 12, 0, 0]]
        _, flags = marks(draw_live(town.board, town.layout, mine, reach=labels)["reach"])
        assert len(flags) == 2
        firm = [(what, box) for what, box in free_of_marks(town, mine) if what != f"X of {name}"]
        assert [what for _, flag in flags for what, box in firm if overlap(flag, box) > 0.5] == [], name


def test_a_glide_follows_its_way_and_takes_its_time(town: Town) -> None:
    goal = town.destinations["captain_brine"]["at"]
    way = find_way(town.board, town.layout, str(town.base), goal, green=30)
    assert way is not None
    milliseconds, *numbers = map(float, glide(town, way).split())
    assert milliseconds == min(STREET_MS * len(way["legs"]), LONGEST_MS)
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    for end, place in ((points[0], town.base), (points[-1], goal)):
        x, y = town.xy(str(place))
        assert abs(end[0] - x) < 1
        assert abs(end[1] - y) < 1
    on_streets = [
        line for leg in way["legs"] for line in (town.link_line(a, b) for a, b in zip(leg, leg[1:], strict=False))
    ]
    for point in points:
        assert min(_gap(line, point) for line in on_streets) < 2
    assert glide(town, {"legs": []}) == ""


def _gap(line: Any, point: tuple[float, float]) -> float:
    x, y, _ = line.at(line.nearest(point))
    return float(abs(x - point[0]) + abs(y - point[1]))
