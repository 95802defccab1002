"""Finding room on the map: obstacles, how much road a box would cover, and where a label lies best.

Used by the layout tool only. Everything is deterministic: candidates are tried in a fixed order, and of equals the
first is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from companion.titles.taxi.map.destinations import CARD, TUCK, blade_size, boxes, x_box
from companion.titles.taxi.map.roads import frame
from companion.titles.taxi.map.signs import BASE_RADIUS, GATE_RADIUS, LIGHT_SIZE
from companion.titles.taxi.map.town import CASING, Json, Town
from companion.web.map.geometry import Box, Line, Point, around, grow, overlap
from companion.web.map.lettering import STYLES, Label, along

FURTHEST = 26.0  # page units between an X and its face or name: no doubt which belong together
CELL = 4.0  # page units of the raster that counts covered road


class Ground:
    """How busy each spot of the page is: a raster of road surfaces, summed so that a box is looked up at once."""

    def __init__(self, town: Town) -> None:
        self.left, self.top, right, bottom = frame(town)
        self.columns = int((right - self.left) / CELL) + 1
        self.rows = int((bottom - self.top) / CELL) + 1
        weight = [[0.0] * self.columns for _ in range(self.rows)]
        costs = {"minor": 1.0, "major": 1.5, "lead_on": 2.5, "off_ramp": 2.5, "freeway": 6.0}
        for road in town.roads:
            half = CASING[road.kind] / 2 if len(road.via) > 2 or road.kind != "freeway" else CASING["off_ramp"] / 2
            distance = 0.0
            while distance <= road.line.length:
                x, y, _ = road.line.at(distance)
                for column, row in self._round(x, y, half):
                    weight[row][column] = max(weight[row][column], costs[road.kind])
                distance += CELL / 2
        for name, others in town.neighbours.items():
            if len(others) >= 3 and all(town.kind(name, other) != "freeway" for other in others):
                for column, row in self._round(*town.xy(name), 11.0):  # a reach pip stands on every corner
                    weight[row][column] = max(weight[row][column], 9.0)
        self.sums = [[0.0] * (self.columns + 1)]
        for row_of in weight:
            total, line = 0.0, [0.0]
            for index, value in enumerate(row_of):
                total += value
                line.append(self.sums[-1][index + 1] + total)
            self.sums.append(line)

    def _round(self, x: float, y: float, radius: float) -> Iterator[tuple[int, int]]:
        for row in range(int((y - radius - self.top) / CELL), int((y + radius - self.top) / CELL) + 1):
            for column in range(int((x - radius - self.left) / CELL), int((x + radius - self.left) / CELL) + 1):
                middle = (self.left + (column + 0.5) * CELL, self.top + (row + 0.5) * CELL)
                if 0 <= row < self.rows and 0 <= column < self.columns and math.dist(middle, (x, y)) <= radius:
                    yield column, row

    def covered(self, box: Box) -> float:
        """Return the weighted number of page units of road that a box would cover."""
        x0 = min(max(int((box[0] - self.left) / CELL), 0), self.columns)
        x1 = min(max(math.ceil((box[2] - self.left) / CELL), 0), self.columns)
        y0 = min(max(int((box[1] - self.top) / CELL), 0), self.rows)
        y1 = min(max(math.ceil((box[3] - self.top) / CELL), 0), self.rows)
        return (self.sums[y1][x1] - self.sums[y0][x1] - self.sums[y1][x0] + self.sums[y0][x0]) * CELL * CELL


def fixed_boxes(town: Town) -> list[Box]:
    """Return the boxes of all that is drawn at its place and may never be covered: lights, gates, X's, the rank."""
    found: list[Box] = []
    for name in town.lights:
        x, y = town.xy(name)
        found.append((x - LIGHT_SIZE[0] / 2, y - LIGHT_SIZE[1] / 2, x + LIGHT_SIZE[0] / 2, y + LIGHT_SIZE[1] / 2))
    for name in town.gates:
        x, y = town.xy(name)
        found.append((x - GATE_RADIUS, y - GATE_RADIUS, x + GATE_RADIUS, y + GATE_RADIUS))
    found += [x_box(town, name) for name in sorted(town.destinations)]
    if town.base:
        x, y = town.xy(town.base)
        found.append((x - BASE_RADIUS, y - BASE_RADIUS, x + BASE_RADIUS, y + BASE_RADIUS))
    return found


def inside(box: Box, page: Box, room: float = 4.0) -> bool:
    """Tell whether a box lies within the neat line, ``room`` units from it."""
    return (
        box[0] >= page[0] + room and box[1] >= page[1] + room and box[2] <= page[2] - room and box[3] <= page[3] - room
    )


def _spots(town: Town, name: str) -> Iterator[tuple[float, Json]]:
    """Yield ``(cost, spot)`` for every way to stand a destination's face and name by its X.

    The name is under the face or beside it, in one line or two; the whole stands on either side of the road, its edge
    on the road's edge, and slides along it.
    """
    data = town.destinations[name]
    title = str(data.get("name", name))
    x, y, angle = town.at(data["at"])
    neighbour = town.neighbours[data["at"]][0]
    edge = CASING[town.kind(data["at"], neighbour)] / 2 + 1.0
    lying = abs(math.sin(math.radians(angle))) < 0.7
    for form, lines in (("under", 2), ("under", 1), ("right", 2), ("left", 2), ("right", 1), ("left", 1)):
        if lines == 2 and len(title.split()) < 2:
            continue
        wide, high = blade_size(title, lines)
        shares = (0.0, -1.0, 1.0, -0.5, 0.5) if form == "under" else (0.0,)
        extra = {"under": 0.0, "right": 60.0, "left": 70.0}[form] + (40.0 if lines == 1 else 0.0)
        for share in shares:
            # the plate's middle, seen from the face's
            if form == "under":
                off_x, off_y = share * (wide / 2 - CARD / 2), CARD / 2 - TUCK + high / 2
            else:
                off_x, off_y = (1 if form == "right" else -1) * (CARD / 2 - TUCK + wide / 2), (CARD - high) / 2
            up, down = CARD / 2, max(CARD / 2, off_y + high / 2)
            west, east = max(CARD / 2, wide / 2 - off_x), max(CARD / 2, wide / 2 + off_x)
            for slide in (0.0, -7.0, 7.0, -14.0, 14.0, -21.0, 21.0, -30.0, 30.0):
                for side in (-1, 1):
                    if lying:
                        hx = x + slide
                        slope = math.tan(math.radians(angle))
                        tilt = [slope * slide, slope * (slide + off_x)]
                        hy = y + (min(tilt) - edge - down if side < 0 else max(tilt) + edge + up)
                    else:
                        hy = y + slide
                        tilt = [slide / math.tan(math.radians(angle)), (slide + off_y) / math.tan(math.radians(angle))]
                        hx = x + (min(tilt) - edge - east if side < 0 else max(tilt) + edge + west)
                    spot = {
                        "head": [round(hx, 1), round(hy, 1)],
                        "plate": [round(hx + off_x, 1), round(hy + off_y, 1)],
                        "lines": lines,
                    }
                    near = _gap((x, y), boxes(title, spot, True))
                    if near <= FURTHEST:
                        yield math.dist((hx, hy), (x, y)) * 3 + near * 8 + extra, spot


def _gap(point: Point, parts: Mapping[str, Box]) -> float:
    """Return how far a point is from a face or its name, whichever is nearer."""
    gaps = []
    for key in ("head", "name"):
        box = parts[key]
        away = max(box[0] - point[0], 0.0, point[0] - box[2]), max(box[1] - point[1], 0.0, point[1] - box[3])
        gaps.append(math.hypot(*away))
    return min(gaps)


@dataclass(frozen=True)
class _Stand:
    """One way to stand a face and its name: what it costs by itself, the layout's entry, and what it covers."""

    cost: float
    spot: Json
    parts: tuple[Box, ...]
    hull: Box

    def clash(self, other: _Stand) -> float:
        """Return what it costs that two of them cover one another; 0 when they do not."""
        if not overlap(self.hull, other.hull):
            return 0.0
        return sum(3000 + 20 * shared for a in self.parts for b in other.parts if (shared := overlap(a, b)))


def place_destinations(town: Town, ground: Ground, fixed: Sequence[Box], seed: int = 1) -> dict[str, Json]:
    """Return the layout's ``destinations``: for each the spot where least road is covered and nothing overlaps.

    Raises ValueError when a destination cannot stand anywhere without covering a light, an X or another one.
    """
    page = frame(town)
    choices: dict[str, list[_Stand]] = {}
    for name in sorted(town.destinations):
        title = str(town.destinations[name].get("name", name))
        found = []
        for cost, spot in _spots(town, name):
            parts = tuple(grow(box, 1.5) for box in boxes(title, spot, True).values())
            if all(inside(box, page) for box in parts) and not any(overlap(a, b) for a in parts for b in fixed):
                hull = around(corner for box in parts for corner in (box[:2], box[2:]))
                found.append(_Stand(cost + sum(ground.covered(box) for box in parts), spot, parts, hull))
        if not found:
            raise ValueError(f"destination {name}: no room at {town.destinations[name]['at']}; move its X")
        found.sort(key=lambda one: one.cost)
        choices[name] = found[:60]
    chosen = _least_clashes(choices, seed)
    for one, other in combinations(sorted(chosen), 2):
        if chosen[one].clash(chosen[other]):
            raise ValueError(f"{one} and {other} crowd one another: their X's are too near to stand both beside them")
    return {name: chosen[name].spot for name in sorted(chosen)}


def _least_clashes(choices: dict[str, list[_Stand]], seed: int) -> dict[str, _Stand]:
    """Return one stand for each name: from several starts, each in turn takes what costs least beside the others."""
    random = Random(seed)
    names = sorted(choices)
    best: tuple[float, dict[str, _Stand]] = (math.inf, {})
    for _ in range(12):
        chosen = {name: choices[name][0] for name in names}
        for _round in range(30):
            before = dict(chosen)
            random.shuffle(names)
            for name in names:
                rivals = [chosen[other] for other in names if other != name]
                chosen[name] = min(choices[name], key=lambda one: one.cost + sum(map(one.clash, rivals)))
            if chosen == before:
                break
        clashes = sum(chosen[a].clash(chosen[b]) for a, b in combinations(sorted(chosen), 2))
        cost = sum(stand.cost for stand in chosen.values()) + 1000 * clashes
        if cost < best[0]:
            best = (cost, chosen)
    return best[1]


def free_spans(line: Line, tall: float, blocked: Callable[[Box], bool], step: float = 3.0) -> list[tuple[float, float]]:
    """Return the stretches of a line (distances from its start) where a label of that height covers nothing."""
    spans: list[tuple[float, float]] = []
    start: float | None = None
    distance = 0.0
    while distance <= line.length:
        x, y, _ = line.at(distance)
        clear = not blocked((x - tall / 2, y - tall / 2, x + tall / 2, y + tall / 2))
        if clear and start is None:
            start = distance
        if not clear and start is not None:
            spans.append((start, distance - step))
            start = None
        distance += step
    if start is not None:
        spans.append((start, line.length))
    return [span for span in spans if span[1] - span[0] > 8]


def slide_label(
    line: Line, text: str, style: str, taken: Iterable[Box], corners: Sequence[Box], page: Box
) -> tuple[float, float, Label] | None:
    """Return ``(penalty, middle, label)`` of the best place for a name on its street, or None: then it gets no name."""
    half = Label(style, (text,), (0.0, 0.0)).width / 2 + 2
    beside = grow(around(line.points), 20.0)
    taken = [box for box in taken if overlap(box, beside)]
    best: tuple[float, float, Label] | None = None
    middle = half
    while middle <= line.length - half:
        label = along(line, middle, text, style)
        parts = [grow(box, 1.0) for box in label.boxes]
        if all(inside(box, page) for box in parts) and not any(overlap(a, b) for a in parts for b in taken):
            crossed = sum(overlap(a, b) for a in parts for b in corners)
            penalty = crossed + abs(middle - line.length / 2) * 0.05
            if best is None or penalty < best[0]:
                best = (penalty, middle, label)
        middle += 3.0
    return best


def settle_text(
    style: str, lines: Sequence[str], area: Box, taken: Sequence[Box], ground: Ground, page: Box, room: float = 3.0
) -> tuple[float, float] | None:
    """Return the place for free-standing words inside ``area`` with the most air round them, or None."""
    label = Label(style, tuple(line.upper() if style == "nm-area" else line for line in lines), (0.0, 0.0))
    box = label.boxes[0]
    near = grow(area, room + 1)
    taken = [other for other in taken if overlap(other, near)]
    best: tuple[float, tuple[float, float]] | None = None
    centre = ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
    y = area[1] - box[1]
    while y <= area[3] - box[3]:
        x = area[0] - box[0]
        while x <= area[2] - box[2]:
            here = (box[0] + x - room, box[1] + y - room, box[2] + x + room, box[3] + y + room)
            if inside(here, page) and not ground.covered(here) and not any(overlap(here, other) for other in taken):
                cost = math.dist((x, y), centre)
                if best is None or cost < best[0]:
                    best = (cost, (round(x, 1), round(y, 1)))
            x += 4.0
        y += 4.0
    return best[1] if best else None


def type_height(style: str) -> float:
    """Return the height that a street name of this style needs on its road."""
    return STYLES[style][1] * 0.75
