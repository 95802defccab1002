"""No word on the map covers another, a face, a light, a gate or an X, as computed from the fonts' own widths."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest

from companion.titles.taxi.map.destinations import boxes, x_box
from companion.titles.taxi.map.labels import all_labels
from companion.titles.taxi.map.placing import inside
from companion.titles.taxi.map.roads import frame
from companion.titles.taxi.map.signs import BASE_RADIUS, GATE_RADIUS, LIGHT_SIZE
from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Box, overlap

Json = dict[str, Any]
Named = list[tuple[str, list[Box]]]


@pytest.fixture(scope="module")
def town(board: Json, layout: Json) -> Town:
    return Town(board, layout)


def words_and_faces(town: Town, in_trip: bool) -> Named:
    found: Named = [(" ".join(label.lines), label.boxes) for label in all_labels(town)]
    for name, data in town.destinations.items():
        parts = boxes(data["name"], town.layout["destinations"][name], in_trip)
        found.append((data["name"], list(parts.values())))
    return found


def fixed_signs(town: Town) -> Named:
    found: Named = []
    for name in town.lights:
        x, y = town.xy(name)
        half_x, half_y = LIGHT_SIZE[0] / 2, LIGHT_SIZE[1] / 2
        found.append((name, [(x - half_x, y - half_y, x + half_x, y + half_y)]))
    for name in town.gates:
        x, y = town.xy(name)
        found.append((name, [(x - GATE_RADIUS, y - GATE_RADIUS, x + GATE_RADIUS, y + GATE_RADIUS)]))
    for name in town.destinations:
        found.append((f"X of {name}", [x_box(town, name)]))
    assert town.base is not None
    x, y = town.xy(town.base)
    found.append(("the rank", [(x - BASE_RADIUS, y - BASE_RADIUS, x + BASE_RADIUS, y + BASE_RADIUS)]))
    return found


@pytest.mark.parametrize("in_trip", [False, True])
def test_nothing_written_covers_anything(town: Town, in_trip: bool) -> None:
    """For all 28 characters at once, quiet or as blades of this trip with their passengers."""
    written, signs = words_and_faces(town, in_trip), fixed_signs(town)
    pairs = [*combinations(written, 2), *((one, other) for one in written for other in signs)]
    clashes = [
        f"{one[0]} / {other[0]}" for one, other in pairs if any(overlap(a, b) > 0 for a in one[1] for b in other[1])
    ]
    assert clashes == []


def test_signs_keep_clear_of_one_another(town: Town) -> None:
    pairs = combinations(fixed_signs(town), 2)
    assert [f"{a[0]} / {b[0]}" for a, b in pairs if overlap(a[1][0], b[1][0]) > 0] == []


def test_all_words_lie_on_the_page(town: Town) -> None:
    page = frame(town)
    outside = [name for name, parts in words_and_faces(town, True) if not all(inside(b, page, 1.0) for b in parts)]
    assert outside == []


def test_every_face_stands_by_its_x(town: Town) -> None:
    """The face's box or its name is next to the X: less than a block's half away."""
    for name, data in town.destinations.items():
        x, y = town.xy(data["at"])
        parts = boxes(data["name"], town.layout["destinations"][name], True)
        gap = min(_gap((x, y), box) for key, box in parts.items() if key != "pawn")
        assert gap <= 30, name


def test_all_faces_are_named_and_main_roads_too(town: Town, board: Json) -> None:
    assert set(town.layout["destinations"]) == set(board["destinations"])
    major = [street for street in town.layout["streets"] if street["kind"] == "major"]
    assert len(major) >= 6
    assert [street["name"] for street in major if street["label"] is None] == []


def test_most_streets_carry_their_name(town: Town) -> None:
    streets = town.layout["streets"]
    assert sum(street["label"] is not None for street in streets) >= 0.75 * len(streets)
    assert len({street["name"] for street in streets}) == len(streets)


def _gap(point: tuple[float, float], box: Box) -> float:
    dx = max(box[0] - point[0], 0.0, point[0] - box[2])
    dy = max(box[1] - point[1], 0.0, point[1] - box[3])
    return math.hypot(dx, dy)
