"""The geometry of one ring: where its spaces, its bays at START and its sinkholes lie, and how one drives between them.

A layout holds, in page units: `road` (the box of the road's middle line, and the radii of its corners from the top
left, clockwise), `spaces` (each on that line), `start` (its middle, its paved area, the heading of taxis that wait),
`readers.START` (a bay for each taxi), `sinkholes`, `homes` (the top left corner of each player's house), `box`, `dice`,
`signs`, and scenery. The road runs clockwise from the top left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from companion.web.map.geometry import Line, Point, number

Json = dict[str, Any]
Spot = tuple[float, float, float]
"""(x, y, degrees)."""
START = "START"
ARC_STEPS = 24


class Ring:
    """Everything the renderer asks about one board with its layout. Build it with :func:`ring`."""

    def __init__(self, board: Json, layout: Json) -> None:
        self.board = board
        self.layout = layout
        self.loop: list[str] = list(board["loop"])
        self.crosses: list[str] = list(board["intersections"])
        self.bends: dict[str, str] = {bend: pit for pit, bend in board.get("sinkholes", {}).items()}
        self.memo: dict[str, str] = {}
        self.line = Line(_rounded(layout["road"]))
        self.length = self.line.length
        self._marks = {name: self.line.nearest(_point(layout["spaces"][name])) for name in self.loop}

    def at(self, place: str) -> Spot:
        """Where a space lies, with the heading of a taxi on it; of START its middle. KeyError for no such place."""
        if place == START:
            x, y = self.layout["start"]["at"]
            return x, y, self.layout["start"]["turn"]
        return self._walk(self._marks[place])

    def bay(self, index: int) -> Spot:
        """Where the taxi with this number (from 0) waits at START."""
        bays = self.layout["readers"][START]
        x, y = bays[index % len(bays)]
        return x, y, self.layout["start"]["turn"]

    def pit(self, name: str) -> Point:
        """The middle of a sinkhole."""
        return _point(self.layout["sinkholes"][name])

    def home(self, seat: int) -> Point:
        """The top left corner of a player's house."""
        return _point(self.layout["homes"][seat - 1])

    def beside(self, place: str, out: float) -> Point:
        """A point beside a space: `out` units to the outside of the ring, below 0 to its inside."""
        x, y, turn = self.at(place)
        angle = math.radians(turn - 90)
        return x + math.cos(angle) * out, y + math.sin(angle) * out

    def between(self, start: str, end: str, share: float) -> Spot:
        """A point on the road between two neighbouring spaces."""
        here, there = self._marks[start], self._marks[end]
        return self._walk(here + ((there - here) % self.length) * share)

    def leg(self, start: Spot, end: str, steps: int) -> list[Point]:
        """`steps` points of the way from a space, or from a bay at START, to the next space; its end is the last."""
        name = self.name_at(start)
        if name is None:
            x0, y0, _ = start
            x1, y1, _ = self.at(end)
            bow = (x1, y0 + (y1 - y0) * 0.25)
            return [_on_bow((x0, y0), bow, (x1, y1), (i + 1) / steps) for i in range(steps)]
        return [self.between(name, end, (i + 1) / steps)[:2] for i in range(steps)]

    def name_at(self, spot: Spot) -> str | None:
        """The space at a spot; None for a spot off the road."""
        return next((name for name in self.loop if math.dist(self.at(name)[:2], spot[:2]) < 1), None)

    def arc(self, start: str, way: Sequence[str]) -> str:
        """Path data of the road from a space over those of a way, without the first and last half taxi."""
        if not way:
            return ""
        points = [self.at(start)[:2]]
        for before, after in zip([start, *way], way, strict=False):
            points += [self.between(before, after, share)[:2] for share in (0.25, 0.5, 0.75, 1.0)]
        return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)

    def road(self) -> str:
        """Path data of the road's middle line."""
        left, top, right, bottom = self.layout["road"]["box"]
        first, second, third, fourth = self.layout["road"]["corners"]
        return (
            f"M{left + first} {top}H{right - second}A{second} {second} 0 0 1 {right} {top + second}V{bottom - third}"
            f"A{third} {third} 0 0 1 {right - third} {bottom}H{left + fourth}"
            f"A{fourth} {fourth} 0 0 1 {left} {bottom - fourth}V{top + first}A{first} {first} 0 0 1 {left + first} "
            f"{top}z"
        )

    def _walk(self, mark: float) -> Spot:
        x, y, turn = self.line.at(mark % self.length)
        return x, y, turn


def _rounded(road: Json) -> list[Point]:
    left, top, right, bottom = road["box"]
    first, second, third, fourth = road["corners"]
    corners = (
        (right - second, top + second, second, -90), (right - third, bottom - third, third, 0),
        (left + fourth, bottom - fourth, fourth, 90), (left + first, top + first, first, 180),
    )  # fmt: skip
    points: list[Point] = [(left + first, top)]
    for x, y, radius, begin in corners:
        for step in range(ARC_STEPS + 1):
            angle = math.radians(begin + 90 * step / ARC_STEPS)
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return points


def _point(pair: Sequence[float]) -> Point:
    return float(pair[0]), float(pair[1])


def _on_bow(start: Point, control: Point, end: Point, t: float) -> Point:
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]


_recent: dict[tuple[int, int], tuple[Json, Json, Ring]] = {}


def ring(board: Json, layout: Json) -> Ring:
    """The :class:`Ring` of a board and its layout; the last few are kept, by identity of the two objects."""
    key = (id(board), id(layout))
    held = _recent.get(key)
    if held is not None and held[0] is board and held[1] is layout:
        return held[2]
    made = Ring(board, layout)
    while len(_recent) >= 4:
        _recent.pop(next(iter(_recent)))
    _recent[key] = (board, layout, made)
    return made
