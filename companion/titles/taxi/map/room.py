"""Room on the map for what a throw adds to it: marks that lie beside words and faces, never on them.

Faces, names, passengers, X's, lamps, gates and the rank must stay free; street names and other printed words are kept
free as far as a mark may move. A mark moves along its place's streets, at most a quarter of a block, or to the kerb
beside it, so that one still sees to which corner it belongs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.taxi.map.destinations import boxes, x_box
from companion.titles.taxi.map.labels import all_labels
from companion.titles.taxi.map.signs import BASE_RADIUS, GATE_RADIUS, LIGHT_SIZE
from companion.titles.taxi.map.tokens import players_in
from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Box, Point, overlap

STEPS = (0.0, 4.0, 7.0, 10.0, 13.0, 16.0)
FROM_RANK = (BASE_RADIUS + 10, BASE_RADIUS + 14, BASE_RADIUS + 18)
BESIDE = (13.0, 16.0, 19.0)
OFF_ROAD = 6.0  # what it is worth to stay on the road, in units of moving
STEP_COST = 3.0  # square units of a printed word that one unit of moving is worth
NEAR = 60.0


class Room:
    """What is taken on one town's map in one position. ``taken`` must stay free, ``printed`` if that can be."""

    def __init__(self, town: Town, view: Mapping[str, Any] | None) -> None:
        """Take the position for which characters are this trip's: their blades are larger, with a passenger."""
        self.town = town
        aims = {str(player.get("destination")) for player in players_in(view)}
        if "signs" not in town.memo:
            town.memo["signs"] = _signs(town)
            town.memo["words"] = [box for label in all_labels(town) for box in label.boxes]
        self.taken: list[Box] = list(town.memo["signs"])
        self.printed: list[Box] = town.memo["words"]
        for name, data in town.destinations.items():
            self.taken += boxes(str(data.get("name", name)), town.layout["destinations"][name], name in aims).values()

    def covers(self, box: Box) -> tuple[float, float]:
        """Return how much of what must stay free, and of the printed words, a box would cover, in square units."""
        return sum(overlap(box, one) for one in self.taken), sum(overlap(box, one) for one in self.printed)

    def lay(self, marks: Mapping[str, Box]) -> dict[str, Point]:
        """Return where to draw each mark, by its place; marks for which there is no room are left out.

        ``marks`` are boxes round the mark's own middle. Those that can stay where they belong are laid first; no two
        lie on one another.
        """
        found: dict[str, Point] = {}
        crowded: list[str] = []
        laid: list[Box] = []
        for place, shape in marks.items():
            spot = self.town.xy(place)
            box = _moved(shape, spot)
            if place == self.town.base or self.covers(box) != (0, 0):
                crowded.append(place)
            else:
                found[place] = spot
                laid.append(box)
        for place in crowded:
            if (best := self._best(place, marks[place], laid)) is not None:
                found[place] = best
                laid.append(_moved(marks[place], best))
        return found

    def _best(self, place: str, shape: Box, laid: Sequence[Box]) -> Point | None:
        x, y = self.town.xy(place)
        around = (x - NEAR, y - NEAR, x + NEAR, y + NEAR)
        taken = [box for box in (*self.taken, *laid) if overlap(box, around)]
        printed = [box for box in self.printed if overlap(box, around)]
        best: tuple[float, Point] | None = None
        for away, spot in self._spots(place):
            box = _moved(shape, spot)
            if any(overlap(box, one) for one in taken):
                continue
            cost = sum(overlap(box, one) for one in printed) + STEP_COST * away
            if best is None or cost < best[0]:
                best = (cost, spot)
        return best[1] if best else None

    def _spots(self, place: str) -> list[tuple[float, Point]]:
        """Return (how far away, where) for all spots along the streets at a place."""
        here = self.town
        if "~" in place:
            line = here.link_line(*place.split("~", 1))
            middle = line.nearest(here.xy(place))
            steps = [(step, middle + side * step) for step in STEPS for side in (1, -1)]
            return [(step, line.at(mark)[:2]) for step, mark in steps if 0 <= mark <= line.length]
        found: list[tuple[float, Point]] = []
        for name in sorted(here.neighbours[place]):
            line = here.link_line(place, name)
            for step in FROM_RANK if place == here.base else STEPS:
                if step <= line.length:
                    found.append((step, line.at(step)[:2]))
        x, y, angle = here.at(place)
        for step in () if place == here.base else BESIDE:
            for turn in (math.radians(angle - 90), math.radians(angle + 90)):
                found.append((step + OFF_ROAD, (x + math.cos(turn) * step, y + math.sin(turn) * step)))
        return found


def _moved(box: Box, by: Point) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


def _signs(town: Town) -> list[Box]:
    """Return the boxes of what always stands on the map."""
    found = [x_box(town, name) for name in town.destinations]
    for names, wide, high in (
        (town.lights, LIGHT_SIZE[0] / 2, LIGHT_SIZE[1] / 2),
        (town.gates, GATE_RADIUS, GATE_RADIUS),
        ([town.base] if town.base else [], BASE_RADIUS, BASE_RADIUS),
    ):
        for name in names:
            x, y = town.xy(name)
            found.append((x - wide, y - high, x + wide, y + high))
    return found


def stands_in(box: Box, point: Point) -> bool:
    """Tell whether a point lies in a box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def between(start: Point, end: Point, count: int) -> list[Point]:
    """Return ``count`` points from one point to another, both ends left out."""
    shares = [(index + 1) / (count + 1) for index in range(count)]
    return [(start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t) for t in shares]


def pip_box(radius: float, lamps: int, spread: float) -> Box:
    """Return the box of a pip with its lamps below, round its middle, strokes included."""
    half = max(radius + 1.0, (lamps - 1) * spread / 2 + 3.5 if lamps else 0.0)
    return -half, -radius - 1.0, half, 12.0 if lamps else radius + 1.0
