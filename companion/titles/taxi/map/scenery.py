"""Fills what room the streets leave: the river, parks with trees, quarters and the asides that make the town one.

Used by the layout tool only, after the characters and the street names have their places.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from companion.titles.taxi.map import town_names as names
from companion.titles.taxi.map.placing import Ground, inside, settle_text
from companion.titles.taxi.map.roads import frame
from companion.titles.taxi.map.town import Json, Town
from companion.web.map.geometry import Box, Line, Point, around, grow, overlap
from companion.web.map.lettering import Label, along

APART = 100.0  # page units between two asides, or an aside and the name of a quarter
MOST_ASIDES = 15
RIVER = (
    (9.35, 12.9), (9.5, 11.2), (9.5, 9.5), (10.5, 8.5), (10.55, 7.45), (11.5, 6.5), (12.5, 6.45), (13.5, 6.55),
    (14.9, 6.3), (16.9, 6.6),
)  # fmt: skip


def shields(line: Line) -> Json:
    spots = []
    for share in (0.11, 0.36, 0.61, 0.86):
        x, y, _ = line.at(line.length * share)
        spots.append([round(x, 1), round(y, 1)])
    return {"name": names.FREEWAY, "at": spots}


def _faces(town: Town) -> list[list[tuple[int, int]]]:
    """Return the blocks of a lattice town, each as its unit squares (by south-west corner); [] for other towns."""
    west, south, east, north = (round(value) for value in town.layout["warp"]["core"])
    open_edge: set[tuple[int, int, str]] = set()
    for start, end in town.kinds:
        (x0, y0), (x1, y1) = town.points[start], town.points[end]
        if y0 == y1:
            open_edge |= {(x, round(y0), "h") for x in range(math.floor(min(x0, x1)), math.ceil(max(x0, x1)))}
        elif x0 == x1:
            open_edge |= {(round(x0), y, "v") for y in range(math.floor(min(y0, y1)), math.ceil(max(y0, y1)))}
        elif town.kind(start, end) in ("minor", "major"):
            return []
    seen: set[tuple[int, int]] = set()
    faces = []
    for cell in [(x, y) for x in range(west, east) for y in range(south, north)]:
        if cell in seen:
            continue
        face, queue = [], [cell]
        seen.add(cell)
        while queue:
            x, y = queue.pop()
            face.append((x, y))
            steps = (
                ((x + 1, y), (x + 1, y, "v")),
                ((x - 1, y), (x, y, "v")),
                ((x, y + 1), (x, y + 1, "h")),
                ((x, y - 1), (x, y, "h")),
            )
            for other, edge in steps:
                if edge in open_edge or other in seen or not (west <= other[0] < east and south <= other[1] < north):
                    continue
                seen.add(other)
                queue.append(other)
        faces.append(sorted(face))
    return faces


def _face_box(town: Town, face: list[tuple[int, int]]) -> Box:
    return around(town.warp((x + dx, y + dy)) for x, y in face for dx in (0, 1) for dy in (0, 1))


def _is_rectangle(face: list[tuple[int, int]]) -> bool:
    xs, ys = {x for x, _ in face}, {y for _, y in face}
    return len(face) == len(xs) * len(ys)


def scenery(town: Town, ground: Ground, layout: Json, taken: list[Box]) -> None:
    """Lay the river, parks, quarters and asides into what room is left."""
    page = frame(town)
    faces = _faces(town)
    if faces:
        layout["river"] = {"name": names.RIVER, "through": [list(point) for point in RIVER], "label": None}
        line = Line([town.warp(point) for point in RIVER])
        best = _river_name(line, ground, taken, page)
        if best is not None:
            layout["river"]["label"] = {"at": best}
            taken += along(line, best, names.RIVER, "nm-water").boxes
        water = [line.at(step * 8.0)[:2] for step in range(int(line.length / 8))]
    else:
        water = []
    dry = [face for face in faces if not any(_holds(town, face, point) for point in water)]
    _parks(town, ground, layout, taken, dry)
    _quarters(town, ground, layout, taken, faces)
    wet = [(x - 16, y - 16, x + 16, y + 16) for x, y in water]
    parks = [around(town.warp(corner) for corner in park["area"]) for park in layout["parks"]]
    layout["asides"] = []
    left = list(names.ASIDES)
    spots: list[Point] = [(one["at"][0], one["at"][1]) for one in layout["quarters"]]
    for face in sorted(faces, key=lambda one: (-len(one), one)):
        area = _face_box(town, face)
        if any(overlap(area, park) > 400 for park in parks):
            continue
        for lines in left:
            at = settle_text("nm-it", lines, area, [*taken, *wet], ground, page)
            if at is None or any(math.dist(at, spot) < APART for spot in spots):
                continue
            left.remove(lines)
            spots.append(at)
            layout["asides"].append({"lines": list(lines), "at": list(at)})
            taken += Label("nm-it", tuple(lines), at).boxes
            break
        if len(layout["asides"]) >= MOST_ASIDES:
            break


def _holds(town: Town, face: list[tuple[int, int]], point: Point) -> bool:
    return any(
        box[0] - 14 < point[0] < box[2] + 14 and box[1] - 14 < point[1] < box[3] + 14
        for box in (_face_box(town, [cell]) for cell in face)
    )


def _river_name(line: Line, ground: Ground, taken: list[Box], page: Box) -> float | None:
    best: tuple[float, float] | None = None
    half = Label("nm-water", (names.RIVER,), (0.0, 0.0)).width / 2
    middle = half + 60
    while middle < line.length - half - 60:
        label = along(line, middle, names.RIVER, "nm-water")
        if all(inside(box, page) for box in label.boxes) and not any(
            overlap(grow(a, 1), b) for a in label.boxes for b in taken
        ):
            bow = 0.0
            if label.path:
                (x0, y0), (cx, cy), (x1, y1) = label.path
                bow = math.dist((cx, cy), ((x0 + x1) / 2, (y0 + y1) / 2))
            cost = sum(ground.covered(box) for box in label.boxes) + bow * 6
            if best is None or cost < best[0]:
                best = (cost, middle)
        middle += 4
    return round(best[1], 1) if best else None


def _parks(town: Town, ground: Ground, layout: Json, taken: list[Box], faces: list[list[tuple[int, int]]]) -> None:
    layout["parks"] = []
    page = frame(town)
    left = list(names.PARKS)
    random = Random(3)
    whole = [face for face in faces if 2 <= len(face) <= 4 and _is_rectangle(face)]
    centres: list[Point] = []
    for face in sorted(whole, key=lambda one: (abs(len(one) - 3), one[0][0] * 7 % 5, one)):
        area = _face_box(town, face)
        middle = ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
        if any(math.dist(middle, other) < 300 for other in centres):
            continue
        for lines in left:
            written = lines
            at = settle_text("nm-park", written, area, taken, ground, page)
            if at is None:
                continue
            left.remove(lines)
            centres.append(middle)
            taken += Label("nm-park", tuple(written), at).boxes
            xs, ys = [x for x, _ in face], [y for _, y in face]
            west, south, east, north = min(xs), min(ys), max(xs) + 1, max(ys) + 1
            park: dict[str, Any] = {
                "lines": list(written),
                "at": list(at),
                "area": [[west, south], [east, south], [east, north], [west, north]],
                "trees": [],
            }
            for _ in range(120):
                spot = (random.uniform(area[0], area[2]), random.uniform(area[1], area[3]))
                box = (spot[0] - 8, spot[1] - 9, spot[0] + 8, spot[1] + 10)
                if len(park["trees"]) < 7 and not ground.covered(box) and not any(overlap(box, b) for b in taken):
                    park["trees"].append([round(spot[0], 1), round(spot[1], 1)])
                    taken.append(box)
            layout["parks"].append(park)
            break
        if len(layout["parks"]) >= 4:
            break


def _quarters(town: Town, ground: Ground, layout: Json, taken: list[Box], faces: list[list[tuple[int, int]]]) -> None:
    layout["quarters"] = []
    if not faces:
        return
    page = frame(town)
    west, south, east, north = (round(value) for value in town.layout["warp"]["core"])
    third = (east - west) / 3
    middle_y = (south + north) / 2
    regions = [
        ((west, south, west + third, middle_y), None),
        ((east - third, south, east, middle_y), 2),
        ((west, middle_y, west + third, north), 2),
        ((east - third, middle_y, east, north), None),
        ((west + third, south, east - third, middle_y), 3),
    ]
    for (x0, y0, x1, y1), tint in regions:
        for lines in names.QUARTERS:
            if any(one["lines"] == list(lines) for one in layout["quarters"]):
                continue
            inner = [
                face
                for face in faces
                if all(x0 - 0.5 <= x and x + 1 <= x1 + 0.5 and y0 <= y and y + 1 <= y1 for x, y in face)
            ]
            for face in sorted(inner, key=lambda one: (-len(one), one)):
                at = settle_text("nm-area", lines, _face_box(town, face), taken, ground, page, room=2.0)
                if at is None:
                    continue
                sides = round(x0), round(y0), round(x1), round(y1)
                corners = [[sides[i], sides[j]] for i, j in ((0, 1), (2, 1), (2, 3), (0, 3))]
                layout["quarters"].append({"lines": list(lines), "at": list(at), "area": corners, "tint": tint})
                upper = tuple(line.upper() for line in lines)
                taken += Label("nm-area", upper, at).boxes
                break
            else:
                continue
            break
