"""A London board laid on the page: where squares and roads lie, and the lines that taxis drive along.

The board (`shared_rules/games/destination_london/boards/<id>.json`) counts in millimetres, x east and y north; the
layout's ``sheet`` turns them into page units. Roads are drawn as curves through their squares; where one road goes on
as another the curve goes on, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from companion.web.map.geometry import Line, Point, bezier

Json = dict[str, Any]
Link = tuple[str, str]

GOES_ON = 50.0
"""Degrees by which one road may turn into the next and still be drawn as one curve."""
OTHER_KIND = 15.0
"""Degrees that a road of another kind counts more when it is looked for where a road goes on."""
PIECES = 10


class London:
    """Everything the renderer asks about one board with its layout. Build it with :func:`london`.

    ``neighbours[square]`` are those beside it whichever way the road is driven, ``exits[square]`` those one may drive
    to. ``attractions_at[square]`` are the ids of what stands there.
    """

    def __init__(self, board: Json, layout: Json) -> None:
        self.board = board
        self.layout = layout
        sheet = layout["sheet"]
        self._unit: float = sheet["unit"]
        self._origin: Point = (sheet["origin"][0], sheet["origin"][1])
        self._xy = {name: self.page_point(xy) for name, xy in board["squares"].items()}
        self.base: str = board["base"]
        self.garages: list[str] = list(board["garages"])
        self.lights: list[str] = sorted(board["lights"])
        self.attractions: Json = board["attractions"]
        self.attractions_at: dict[str, list[str]] = {}
        for name in sorted(self.attractions):
            one = self.attractions[name]
            for square in [one["square"], *one.get("opposite", ())]:
                self.attractions_at.setdefault(square, []).append(name)
        self.fares: dict[str, int] = {}
        for card in board["cards"].values():
            self.fares[card["attraction"]] = max(card["fare"], self.fares.get(card["attraction"], 0))
        self.neighbours: dict[str, list[str]] = {name: [] for name in self._xy}
        self.exits: dict[str, list[str]] = {name: [] for name in self._xy}
        self.one_way: set[Link] = set()
        for road in board["roads"]:
            for start, end in zip(road["via"], road["via"][1:], strict=False):
                self._join(start, end, bool(road["one_way"]))
        self.memo: dict[str, Any] = {}  # what others derive from this board once: its printed part, its names
        self.streets: list[Json] = layout["streets"]
        self.kinds: dict[frozenset[str], str] = {}
        self.street_of: dict[frozenset[str], str] = {}
        self._course: dict[Link, tuple[str | None, str | None]] = {}
        for street in self.streets:
            for start, end in zip(street["via"], street["via"][1:], strict=False):
                self.kinds[frozenset((start, end))] = street["kind"]
                self.street_of[frozenset((start, end))] = street["name"]
        self._set_courses()
        self._lines: dict[Link, Line] = {}

    def _join(self, start: str, end: str, alone: bool) -> None:
        self.neighbours[start].append(end)
        self.neighbours[end].append(start)
        self.exits[start].append(end)
        if alone:
            self.one_way.add((start, end))
        else:
            self.exits[end].append(start)

    # --- places ---------------------------------------------------------------------------------------------------

    def page_point(self, point: Iterable[float]) -> Point:
        """Return where a point of the board lies on the page."""
        x, y = point
        return self._origin[0] + x * self._unit, self._origin[1] - y * self._unit

    def squares(self) -> list[str]:
        """Return all squares, sorted."""
        return sorted(self._xy)

    def xy(self, square: str) -> Point:
        """Return where a square lies on the page. KeyError for one that the board does not have."""
        if square not in self._xy:
            raise KeyError(f"the board {self.board.get('id')!r} has no square {square!r}")
        return self._xy[square]

    def at(self, square: str) -> tuple[float, float, float]:
        """Return ``(x, y, degrees)`` of a square; the angle is that of its widest road, so that a taxi stands along."""
        x, y = self.xy(square)
        if square == self.base or not self.neighbours[square]:
            return x, y, 0.0
        order = {"major": 0, "minor": 1}
        other = min(self.neighbours[square], key=lambda name: (order.get(self.kind(square, name), 2), name))
        return x, y, self.line(square, other).at(0)[2]

    def kind(self, start: str, end: str) -> str:
        """Return how the road between two squares is drawn: ``major``, ``minor`` or ``tunnel``."""
        return self.kinds[frozenset((start, end))]

    # --- roads ----------------------------------------------------------------------------------------------------

    def line(self, start: str, end: str) -> Line:
        """Return the line one drives along from one square to the next, which a road must join."""
        if (start, end) not in self._lines:
            points = bezier(*self.piece(start, end), steps=PIECES)
            self._lines[start, end] = Line(points)
            self._lines[end, start] = Line(points[::-1])
        return self._lines[start, end]

    def way_line(self, squares: list[str]) -> Line:
        """Return the line along a way of squares, each joined to the next."""
        points: list[Point] = []
        for start, end in zip(squares, squares[1:], strict=False):
            points += self.line(start, end).points
        return Line(points)

    def piece(self, start: str, end: str) -> tuple[Point, Point, Point, Point]:
        """Return the Bézier piece between two neighbouring squares."""
        if (start, end) not in self._course:
            first, second, third, last = self.piece(end, start)
            return last, third, second, first
        before, after = self._course[start, end]
        a, b = self.xy(start), self.xy(end)
        reach = math.dist(a, b) / 3
        ahead = _towards(self.xy(before) if before else a, b if before else b)
        back = _towards(a, self.xy(after) if after else b)
        return (
            a,
            (a[0] + ahead[0] * reach, a[1] + ahead[1] * reach),
            (b[0] - back[0] * reach, b[1] - back[1] * reach),
            b,
        )

    def _set_courses(self) -> None:
        for street in self.streets:
            via = street["via"]
            for index, (start, end) in enumerate(zip(via, via[1:], strict=False)):
                before = via[index - 1] if index else self._onward(end, start, street["kind"])
                after = via[index + 2] if index + 2 < len(via) else self._onward(start, end, street["kind"])
                self._course[start, end] = (before, after)

    def _onward(self, before: str, at: str, kind: str) -> str | None:
        """Return the square behind the end of a road where another road ends that goes on from it, and back."""
        ahead = self._best(before, at, kind)
        if ahead is None or self._best(ahead, at, self.kind(at, ahead)) != before:
            return None
        return ahead

    def _best(self, before: str, at: str, kind: str) -> str | None:
        own = self.street_of[frozenset((before, at))]
        found: list[tuple[float, str]] = []
        for name in self.neighbours[at]:
            street = self.street_of[frozenset((at, name))]
            if street == own or not self._ends(street, at):
                continue
            bend = self.deflection(before, at, name)
            if bend <= GOES_ON:
                found.append((bend + OTHER_KIND * (self.kind(at, name) != kind), name))
        return min(found)[1] if found else None

    def _ends(self, name: str, square: str) -> bool:
        via = next(street["via"] for street in self.streets if street["name"] == name)
        return square in (via[0], via[-1])

    def deflection(self, before: str, at: str, after: str) -> float:
        """Return by how many degrees one turns at a square between two of its neighbours."""
        (x0, y0), (x1, y1), (x2, y2) = self.xy(before), self.xy(at), self.xy(after)
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1) - math.atan2(y1 - y0, x1 - x0))
        return abs((turn + 180) % 360 - 180)

    # --- water ----------------------------------------------------------------------------------------------------

    def river(self) -> Line | None:
        """Return the middle line of the river, or None."""
        if "river" not in self.memo:
            through = (self.layout.get("river") or {}).get("through")
            self.memo["river"] = Line(smooth([(x, y) for x, y in through])) if through else None
        found: Line | None = self.memo["river"]
        return found


def _towards(start: Point, end: Point) -> Point:
    gap = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / gap, (end[1] - start[1]) / gap


def smooth(points: list[Point], steps: int = 6) -> list[Point]:
    """Return points along the Catmull-Rom curve through the given ones."""
    found: list[Point] = []
    for index in range(len(points) - 1):
        before, start = points[max(index - 1, 0)], points[index]
        end, after = points[index + 1], points[min(index + 2, len(points) - 1)]
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        found += bezier(start, first, second, end, steps)
    return found


def beside(line: Line, off: float) -> Line:
    """Return a line that runs beside another, ``off`` units to its right (left, below 0)."""
    points: list[Point] = []
    steps = max(2, round(line.length / 6))
    for index in range(steps + 1):
        x, y, angle = line.at(line.length * index / steps)
        turn = math.radians(angle + 90)
        points.append((x + math.cos(turn) * off, y + math.sin(turn) * off))
    return Line(points)


_LONDONS: dict[tuple[int, int], tuple[Json, Json, London]] = {}


def london(board: Json, layout: Json) -> London:
    """Return the :class:`London` of a board and layout; kept for as long as these two objects are used."""
    key = (id(board), id(layout))
    kept = _LONDONS.get(key)
    if kept is None or kept[0] is not board or kept[1] is not layout:
        if len(_LONDONS) > 8:
            _LONDONS.clear()
        kept = (board, layout, London(board, layout))
        _LONDONS[key] = kept
    return kept[2]


def shown_list(view: Mapping[str, Any] | None, key: str) -> list[Any]:
    """Return a list of a view, empty where the view is None or has no such list."""
    found = (view or {}).get(key)
    return list(found) if isinstance(found, list | tuple) else []
