"""Finds places for signs and words where they cover neither a square nor one another, and as little road as may be.

Used by the layout tool only. What is taken is known in two ways: a raster of the roads, whose area under a box is asked
for many thousands of times, and lists of boxes that must stay free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.titles.destination_london.map import attractions, squares
from companion.titles.destination_london.map.london import Json, London
from companion.web.map import sheet
from companion.web.map.geometry import Box, Line, Point, around, grow, overlap

CELL = 3.0
WIDTH = {"minor": 16.0, "major": 22.5, "tunnel": 15.0}
GAPS = (2.0, 5.0, 9.0, 14.0, 20.0, 28.0, 38.0)
TURNS = 32
KEPT = 420
TRIES = 4
APART = 2.5
"""Page units between any two signs."""
COMPASS = {
    "n": (0.0, -1.0), "ne": (1.0, -1.0), "e": (1.0, 0.0), "se": (1.0, 1.0), "s": (0.0, 1.0), "sw": (-1.0, 1.0),
    "w": (-1.0, 0.0), "nw": (-1.0, -1.0),
}  # fmt: skip


class Field:
    """How much of a box is covered, for a set of discs and bands painted before; areas in square page units."""

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.rows = int(width / CELL) + 2, int(height / CELL) + 2
        self._cells = bytearray(self.columns * self.rows)
        self._sums: list[list[int]] | None = None

    def dab(self, point: Point, radius: float) -> None:
        """Paint a disc."""
        reach = int(radius / CELL) + 1
        column, row = int(point[0] / CELL), int(point[1] / CELL)
        for r in range(max(row - reach, 0), min(row + reach + 1, self.rows)):
            for c in range(max(column - reach, 0), min(column + reach + 1, self.columns)):
                if math.dist(((c + 0.5) * CELL, (r + 0.5) * CELL), point) <= radius:
                    self._cells[r * self.columns + c] = 1
        self._sums = None

    def band(self, line: Line, width: float) -> None:
        """Paint a band along a line."""
        for index in range(int(line.length / CELL) + 1):
            self.dab(line.at(index * CELL)[:2], width / 2)

    def lawn(self, area: Sequence[Point]) -> None:
        """Paint a polygon."""
        left, top, right, bottom = around(area)
        for r in range(max(int(top / CELL), 0), min(int(bottom / CELL) + 1, self.rows)):
            for c in range(max(int(left / CELL), 0), min(int(right / CELL) + 1, self.columns)):
                if inside(area, ((c + 0.5) * CELL, (r + 0.5) * CELL)):
                    self._cells[r * self.columns + c] = 1
        self._sums = None

    def fill(self, box: Box) -> None:
        """Paint every cell that a box touches."""
        for r in range(max(int(box[1] / CELL), 0), min(int(box[3] / CELL) + 1, self.rows)):
            for c in range(max(int(box[0] / CELL), 0), min(int(box[2] / CELL) + 1, self.columns)):
                self._cells[r * self.columns + c] = 1
        self._sums = None

    def covered(self, box: Box) -> float:
        """Return how much of a box is painted."""
        if self._sums is None:
            self._sums = self._added_up()
        left, top = max(int(box[0] / CELL), 0), max(int(box[1] / CELL), 0)
        right = min(int(box[2] / CELL) + 1, self.columns)
        bottom = min(int(box[3] / CELL) + 1, self.rows)
        if right <= left or bottom <= top:
            return 0.0
        sums = self._sums
        count = sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]
        return count * CELL * CELL

    def _added_up(self) -> list[list[int]]:
        sums = [[0] * (self.columns + 1)]
        for row in range(self.rows):
            last, here, run = sums[-1], [0], 0
            start = row * self.columns
            for column in range(self.columns):
                run += self._cells[start + column]
                here.append(run + last[column + 1])
            sums.append(here)
        return sums


def inside(area: Sequence[Sequence[float]], point: Point) -> bool:
    """Tell whether a point lies in a polygon."""
    x, y = point
    odd = False
    for index, (x1, y1) in enumerate(area):
        x0, y0 = area[index - 1]
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            odd = not odd
    return odd


class Ground:
    """A board's roads and river as fields, and the boxes of its squares."""

    def __init__(self, here: London) -> None:
        page = here.layout["page"]
        self.here = here
        self.frame = sheet.frame(here.layout)
        self.roads = Field(page["width"], page["height"])
        self.water = Field(page["width"], page["height"])
        self.tunnels = Field(page["width"], page["height"])
        self.parks = Field(page["width"], page["height"])
        self.discs = Field(page["width"], page["height"])
        for street in here.streets:
            field = self.tunnels if street["kind"] == "tunnel" else self.roads
            field.band(here.way_line(street["via"]), WIDTH[street["kind"]])
        if (river := here.river()) is not None:
            self.water.band(river, here.layout["river"]["width"] + 4)
        for park in here.layout.get("parks", ()):
            self.parks.lawn([(x, y) for x, y in park["area"]])
        for square in here.squares():
            self.discs.dab(here.xy(square), squares.radius(here, square) + 2.0)

    def on_page(self, box: Box, room: float = 4.0) -> bool:
        """Tell whether a box lies within the neat line."""
        left, top, right, bottom = self.frame
        return box[0] >= left + room and box[1] >= top + room and box[2] <= right - room and box[3] <= bottom - room

    def on_square(self, box: Box) -> bool:
        """Tell whether a box covers any square."""
        return self.discs.covered(box) > 0


class Sign(NamedTuple):
    """A way to put up one attraction's sign: the layout's entry, its boxes, and what is wrong with it by itself."""

    spot: Json
    parts: tuple[Box, Box]
    grown: tuple[Box, Box]
    cost: float


def splits(name: str) -> list[list[str]]:
    """Return a name in one, two or three lines, each way of breaking it between words."""
    words = name.split()
    found = [[name]]
    for first in range(1, len(words)):
        found.append([" ".join(words[:first]), " ".join(words[first:])])
        for second in range(first + 1, len(words)):
            found.append([" ".join(words[:first]), " ".join(words[first:second]), " ".join(words[second:])])
    return found


def shapes(lines: Sequence[str], fare: int) -> Iterator[tuple[Point, Point]]:
    """Yield where emblem and plate stand to each other: their middles, from the middle of the emblem."""
    wide, high = attractions.plate_size(lines, fare)
    half = attractions.CARD / 2
    tuck = half + high / 2 - 2
    slides = sorted({0.0, max(wide / 2 - half, 0.0), -max(wide / 2 - half, 0.0)})
    for slide in slides:
        yield (0.0, 0.0), (slide, tuck)
        yield (0.0, 0.0), (slide, -tuck)
    aside = half + wide / 2 - 2
    for level in (0.0, half - high / 2, high / 2 - half):
        yield (0.0, 0.0), (aside, level)
        yield (0.0, 0.0), (-aside, level)


def candidates(ground: Ground, name: str) -> list[Sign]:
    """Return the best ways to put up one attraction's sign, each clear of squares and on the page."""
    here = ground.here
    fare = here.fares.get(name, 0)
    square = here.attractions[name]["square"]
    centre = here.xy(square)
    radius = squares.radius(here, square)
    rivals = [here.xy(one) for one in here.squares() if one != square and math.dist(here.xy(one), centre) < 200]
    lean = COMPASS.get(here.layout.get("leans", {}).get(name, ""))
    found: list[Sign] = []
    for lines in splits(str(here.attractions[name]["name"])):
        wide, high = attractions.plate_size(lines, fare)
        for (ex, ey), (px, py) in shapes(lines, fare):
            half = attractions.CARD / 2
            box = around(
                [(ex - half, ey - half), (ex + half, ey + half), (px - wide / 2, py - high / 2),
                 (px + wide / 2, py + high / 2)]
            )  # fmt: skip
            for gap, turn in ((gap, turn) for gap in GAPS for turn in range(TURNS)):
                dx, dy = _placed(box, centre, radius + gap, math.tau * turn / TURNS)
                spot = {
                    "emblem": [round(ex + dx, 1), round(ey + dy, 1)],
                    "plate": [round(px + dx, 1), round(py + dy, 1)],
                    "lines": list(lines),
                }
                parts = attractions.boxes(spot, fare)
                if lean and _aside(lean, centre, parts["emblem"]):
                    continue
                cost = _alone(ground, name, parts, rivals)
                if cost is not None:
                    cost += gap * 8 + 10 * (len(lines) > 2)
                    both = parts["emblem"], parts["plate"]
                    found.append(Sign(spot, both, (grow(both[0], APART), grow(both[1], APART)), cost))
    found.sort(key=lambda one: one.cost)
    return found[:KEPT]


def _placed(box: Box, centre: Point, away: float, turn: float) -> Point:
    """Return how far to move a box so that it touches the circle round a square, seen from there in a direction."""
    ux, uy = math.cos(turn), math.sin(turn)
    touch = (centre[0] + ux * away, centre[1] + uy * away)
    anchor_x = box[0] + (box[2] - box[0]) * (0.5 - 0.5 * max(-1.0, min(1.0, ux * 1.6)))
    anchor_y = box[1] + (box[3] - box[1]) * (0.5 - 0.5 * max(-1.0, min(1.0, uy * 1.6)))
    return touch[0] - anchor_x, touch[1] - anchor_y


def _aside(lean: Point, centre: Point, emblem: Box) -> bool:
    """Tell whether an emblem does not stand on the side of its post that the layout wants."""
    x, y = (emblem[0] + emblem[2]) / 2 - centre[0], (emblem[1] + emblem[3]) / 2 - centre[1]
    return x * lean[0] + y * lean[1] < 0.6 * math.hypot(x, y) * math.hypot(*lean)


def _alone(ground: Ground, name: str, parts: dict[str, Box], rivals: list[Point]) -> float | None:
    emblem, plate = parts["emblem"], parts["plate"]
    if not ground.on_page(emblem) or not ground.on_page(plate):
        return None
    if ground.on_square(grow(emblem, 1)) or ground.on_square(grow(plate, 1)):
        return None
    here = ground.here
    square = here.attractions[name]["square"]
    centre = here.xy(square)
    cost = (ground.roads.covered(grow(emblem, 1)) + ground.roads.covered(grow(plate, 1))) * 3.0
    cost += ground.water.covered(emblem) * 0.25 + ground.water.covered(plate) * 0.25
    cost += (ground.parks.covered(emblem) + ground.parks.covered(plate)) * 0.04
    spot = attractions.nearest(emblem, centre)
    cost += math.dist(spot, centre) * 3  # the emblem itself should stand by its post
    mine = min(math.dist(attractions.nearest(box, centre), centre) for box in (emblem, plate))
    cost += _over_roads(ground, here, name, parts)
    for other in rivals:
        near = min(math.dist(attractions.nearest(box, other), other) for box in (emblem, plate))
        if near < mine + 6:
            cost += 200 + (mine + 6 - near) * 12  # or one takes it for another square's
    return cost


def _over_roads(ground: Ground, here: London, name: str, parts: dict[str, Box]) -> float:
    """Return what it costs that the line from post to sign leads over a road; on its own side it does not."""
    ends = attractions.leader_ends(here, name, parts)
    if ends is None:
        return 0.0
    (x0, y0), (x1, y1) = ends
    count = max(1, round(math.dist(*ends) / 3))
    cost = 0.0
    for index in range(count + 1):
        x, y = x0 + (x1 - x0) * index / count, y0 + (y1 - y0) * index / count
        if math.dist((x, y), (x0, y0)) > 9 and ground.roads.covered((x - 1, y - 1, x + 1, y + 1)):
            cost += 16
    return cost


def put_up(ground: Ground, taken: Sequence[Box], seed: int, rounds: int) -> tuple[float, dict[str, Json]]:
    """Return the layout's entries of all attractions, annealed so that no two signs cover one another, and their cost.

    ValueError when one has no room at all.
    """
    here = ground.here
    names = sorted(here.attractions)
    choices: dict[str, list[Sign]] = {}
    for name in names:
        free = [
            one for one in candidates(ground, name)
            if not any(overlap(box, other) > 0 for box in one.grown for other in taken)
        ]  # fmt: skip
        if not free:
            raise ValueError(f"there is no room for {name}: move its square, or what is round it")
        choices[name] = free
    near = _close(here, names)
    tries = [_annealed(names, choices, near, Random(f"{seed}.{turn}"), rounds) for turn in range(TRIES)]
    least, best = min(tries, key=lambda one: one[0])
    return least, {name: best[name].spot for name in names}


def _annealed(
    names: list[str], choices: dict[str, list[Sign]], near: dict[str, list[str]], random: Random, rounds: int
) -> tuple[float, dict[str, Sign]]:
    now = {name: choices[name][0] for name in names}

    def clash(name: str, sign: Sign) -> float:
        total = 0.0
        for other in near[name]:
            for box in now[other].parts:
                for mine in sign.grown:
                    area = overlap(mine, box)
                    if area > 0:
                        total += 400 + area * 4
        return total

    heat = 300.0
    best, least = dict(now), math.inf
    cool = (1.5 / heat) ** (1 / rounds)
    for turn in range(rounds):
        name = names[random.randrange(len(names))]
        choice = choices[name][min(int(random.random() ** 2 * len(choices[name])), len(choices[name]) - 1)]
        change = choice.cost + clash(name, choice) - now[name].cost - clash(name, now[name])
        if change <= 0 or random.random() < math.exp(-change / heat):
            now[name] = choice
        heat *= cool
        if turn % 2000 == 0 or (turn > rounds * 0.9 and turn % 200 == 0):
            total = sum(one.cost + clash(key, one) / 2 for key, one in now.items())
            if total < least:
                best, least = dict(now), total
    return least, best


def _close(here: London, names: list[str]) -> dict[str, list[str]]:
    at = {name: here.xy(here.attractions[name]["square"]) for name in names}
    return {
        name: [other for other in names if other != name and math.dist(at[name], at[other]) < 330] for name in names
    }


class Taken:
    """Boxes that must stay free of words: a list for certainty, a field for speed."""

    def __init__(self, here: London, boxes: Iterable[Box] = ()) -> None:
        page = here.layout["page"]
        self.boxes: list[Box] = []
        self._field = Field(page["width"], page["height"])
        self.add(boxes)

    def add(self, boxes: Iterable[Box]) -> None:
        """Take more boxes."""
        for box in boxes:
            self.boxes.append(box)
            self._field.fill(box)

    def clear(self, boxes: Iterable[Box], room: float = 1.5) -> bool:
        """Tell whether boxes keep that far away from all that is taken."""
        for box in boxes:
            grown = grow(box, room)
            if self._field.covered(grown) and any(overlap(grown, other) > 0 for other in self.boxes):
                return False
        return True


def json_spot(point: Point) -> list[Any]:
    """Return a point as the layout holds it."""
    return [round(point[0], 1), round(point[1], 1)]
