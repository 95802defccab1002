"""A board laid on the page: where every point, link and place lies, and which streets run through it.

The board (`shared_rules/games/taxi/boards/<id>.json`) counts in blocks, x to the east and y to the north. The layout's
warp turns that into page units: a stretch to the page, a squeeze of what lies outside the town (the ring road), and
a few long waves, so that the lattice looks surveyed. Slopes stay under ten degrees each way, so that no bend
becomes doubtful (BD-08).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from companion.web.map.geometry import Line, Pen, Point, bezier, path_through

Json = dict[str, Any]

STRAIGHT = 45.01  # degrees a street may bend and stay the same street (T-044)
FILLET = 1.25  # blocks: how early the ring road begins its corners
MERGE = 0.75  # blocks along the ring that a ramp takes to join it
CHUNK = 3.0  # blocks of road drawn with one Bézier piece; the waves are much longer
WIDTH = {"minor": 13.0, "major": 18.5, "lead_on": 13.0, "off_ramp": 13.0, "freeway": 25.0}
CASING = {"minor": 16.0, "major": 22.5, "lead_on": 16.5, "off_ramp": 16.5, "freeway": 31.0}


class Warp:
    """From board coordinates (blocks, y up) to page coordinates (units, y down)."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Take the layout's ``warp``: ``block``, ``origin``, ``core``, ``outside`` and ``waves``."""
        self.block_x, self.block_y = data["block"]
        self.left, self.bottom = data["origin"]
        self.core = tuple(data["core"])
        self.outside = float(data["outside"])
        self.waves = [(w["axis"], w["size"], w["by"][0], w["by"][1], w["shift"]) for w in data["waves"]]

    def _squeeze(self, value: float, low: float, high: float) -> float:
        if value < low:
            return low + (value - low) * self.outside
        if value > high:
            return high + (value - high) * self.outside
        return value

    def __call__(self, point: Iterable[float]) -> Point:
        """Return the page position of a board position."""
        x, y = point
        west, south, east, north = self.core
        u, v = self._squeeze(x, west, east), self._squeeze(y, south, north)
        across, down = self.left + u * self.block_x, self.bottom - v * self.block_y
        shift_x = shift_y = 0.0
        for axis, size, by_x, by_y, shift in self.waves:
            push = size * math.sin(by_x * u + by_y * v + shift)
            if axis == "x":
                shift_x += push
            else:
                shift_y += push
        return across + shift_x, down + shift_y

    def piece(self, start: Point, end: Point) -> tuple[Point, Point, Point, Point]:
        """Return the Bézier piece that follows the warped straight line from ``start`` to ``end``."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        step = 0.001
        first, last = self(start), self(end)
        on = self((start[0] + dx * step, start[1] + dy * step))
        back = self((end[0] - dx * step, end[1] - dy * step))
        third = 1 / (3 * step)
        return (
            first,
            (first[0] + (on[0] - first[0]) * third, first[1] + (on[1] - first[1]) * third),
            (last[0] + (back[0] - last[0]) * third, last[1] + (back[1] - last[1]) * third),
            last,
        )


class Road:
    """One road of the board as drawn: its kind, its points, its path data and the line one drives along."""

    def __init__(self, kind: str, via: list[str], path: str, line: Line) -> None:
        self.kind = kind
        self.via = via
        self.path = path
        self.line = line


class Town:
    """Everything the renderer asks about one board with its layout. Build it with :func:`town`."""

    def __init__(self, board: Json, layout: Json) -> None:
        self.board = board
        self.layout = layout
        self.warp = Warp(layout["warp"])
        self.points: dict[str, Point] = {name: (xy[0], xy[1]) for name, xy in board["points"].items()}
        self.base: str | None = board.get("base")
        self.lights: list[str] = sorted(board.get("lights", ()))
        self.gates: list[str] = sorted(board.get("gates", ()))
        self.destinations: Json = board.get("destinations", {})
        self.kinds: dict[tuple[str, str], str] = {}
        self.neighbours: dict[str, list[str]] = {name: [] for name in self.points}
        for road in board["roads"]:
            for start, end in zip(road["via"], road["via"][1:], strict=False):
                self.kinds[start, end] = road["kind"]
                self.neighbours[start].append(end)
                self.neighbours[end].append(start)
        self.memo: dict[str, Any] = {}  # what others derive from this town once: its printed part, its names
        self._xy = {name: self.warp(xy) for name, xy in self.points.items()}
        self._ring = self._freeway_ring()
        self.roads = [self._draw_road(road["kind"], list(road["via"])) for road in board["roads"]]
        self._road_of: dict[tuple[str, str], Road] = {}
        for drawn in self.roads:
            for start, end in zip(drawn.via, drawn.via[1:], strict=False):
                self._road_of[start, end] = drawn

    # --- places ---------------------------------------------------------------------------------------------------

    def kind(self, start: str, end: str) -> str:
        """Return the kind of the link between two points; KeyError when there is none."""
        return self.kinds[(start, end) if (start, end) in self.kinds else (end, start)]

    def link(self, start: str, end: str) -> str:
        """Return the link's own name, ``P~Q`` in its road's order."""
        return f"{start}~{end}" if (start, end) in self.kinds else f"{end}~{start}"

    def canonical(self, place: str) -> str:
        """Return a place under its own name: links in their road's order. KeyError when the board has no such place."""
        start, _, end = place.partition("~")
        if end and ((start, end) in self.kinds or (end, start) in self.kinds):
            return self.link(start, end)
        if place not in self.points:
            raise KeyError(f"the board {self.board.get('id')!r} has no place {place!r}")
        return place

    def stops(self) -> list[str]:
        """Return all places where a taxi may stand (no light, gate or freeway), points first, each kind sorted."""
        closed = set(self.lights) | set(self.gates)
        for (start, end), kind in self.kinds.items():
            if kind == "freeway":
                closed |= {start, end}
        points = sorted(name for name in self.points if name not in closed)
        links = sorted(f"{start}~{end}" for (start, end), kind in self.kinds.items() if kind != "freeway")
        return points + links

    def xy(self, place: str) -> Point:
        """Return where a place lies on the page; of a link its middle."""
        return self.at(place)[:2]

    def at(self, place: str) -> tuple[float, float, float]:
        """Return ``(x, y, degrees)`` of a place; the angle is that of its (widest) road."""
        if "~" in place:
            start, end = place.split("~", 1)
            line = self.link_line(start, end)
            return line.at(line.length * (0.62 if self.kind(start, end) == "off_ramp" else 0.5))
        x, y = self._xy[place]
        if place == self.base or not self.neighbours[place]:
            return x, y, 0.0
        order = {"major": 0, "minor": 1, "lead_on": 2, "off_ramp": 3, "freeway": 4}
        other = min(self.neighbours[place], key=lambda name: (order[self.kind(place, name)], name))
        line = self.link_line(place, other)
        return x, y, line.at(0)[2]

    def link_line(self, start: str, end: str) -> Line:
        """Return the line one drives along from ``start`` to ``end``, which a link must join."""
        kind = self.kind(start, end)
        road = self._road_of.get((start, end)) or self._road_of[end, start]
        if kind in ("off_ramp", "freeway") and road.line.length:
            marks = [road.line.nearest(self._xy[start]), road.line.nearest(self._xy[end])]
            if kind == "off_ramp" and start == road.via[0]:
                marks[0] = 0.0
            elif kind == "off_ramp" and end == road.via[0]:
                marks[1] = 0.0
            if marks[0] == marks[1]:
                return Line([self._xy[start], self._xy[end]])
            low, high = min(marks), max(marks)
            part = road.line.cut(low, high)
            return part if marks[0] < marks[1] else Line(part.points[::-1])
        return Line(bezier(*self.warp.piece(self.points[start], self.points[end]), steps=4))

    # --- streets --------------------------------------------------------------------------------------------------

    def deflection(self, before: str, at: str, after: str) -> float:
        """Return by how many degrees one turns, on the board, when going from link before~at to at~after."""
        (x0, y0), (x1, y1), (x2, y2) = self.points[before], self.points[at], self.points[after]
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1) - math.atan2(y1 - y0, x1 - x0))
        return abs((turn + 180) % 360 - 180)

    def onward(self, before: str, at: str) -> str | None:
        """Return the neighbour straight ahead, or None where the street ends; freeway and ramps do not count."""
        ahead = [
            name
            for name in self.neighbours[at]
            if name != before
            and self.kind(at, name) not in ("freeway", "off_ramp")
            and self.deflection(before, at, name) <= STRAIGHT
        ]
        return min(ahead, key=lambda name: (self.deflection(before, at, name), name)) if ahead else None

    def runs(self) -> list[list[str]]:
        """Return the straight runs of road, longest possible, each from west to east or south to north, sorted."""
        seen: set[frozenset[str]] = set()
        found: list[list[str]] = []
        for (start, end), kind in sorted(self.kinds.items()):
            if kind in ("freeway", "off_ramp") or frozenset((start, end)) in seen:
                continue
            run = [start, end]
            while (ahead := self.onward(run[-2], run[-1])) and ahead not in run:
                run.append(ahead)
            while (ahead := self.onward(run[1], run[0])) and ahead not in run:
                run.insert(0, ahead)
            seen.update(frozenset(two) for two in zip(run, run[1:], strict=False))
            if self.points[run[0]] > self.points[run[-1]]:
                run.reverse()
            found.append(run)
        return sorted(found, key=lambda run: (self.points[run[0]], self.points[run[-1]]))

    def run_kind(self, run: list[str]) -> str:
        """Return the class of a street: ``major`` as soon as one of its links is."""
        kinds = {self.kind(start, end) for start, end in zip(run, run[1:], strict=False)}
        return "major" if "major" in kinds else "minor" if "minor" in kinds else "lead_on"

    def run_line(self, run: list[str]) -> Line:
        """Return the line through a straight run of points."""
        points: list[Point] = []
        for start, end in zip(run, run[1:], strict=False):
            points += self.link_line(start, end).points
        return Line(points)

    # --- roads as drawn -------------------------------------------------------------------------------------------

    def _freeway_ring(self) -> Line | None:
        """Return the longest freeway in board coordinates, corners rounded; None on a board without one."""
        roads = [road["via"] for road in self.board["roads"] if road["kind"] == "freeway"]
        if not roads:
            return None
        via = max(roads, key=lambda names: (len(names), names))
        corners = [self.points[name] for name in via]
        closed = via[0] == via[-1]
        if closed:
            corners.pop()
        rounded: list[Point] = []
        for index, here in enumerate(corners):
            if not closed and index in (0, len(corners) - 1):
                rounded.append(here)
                continue
            before, after = corners[index - 1], corners[(index + 1) % len(corners)]
            into, out = math.dist(before, here), math.dist(here, after)
            cosine = ((here[0] - before[0]) * (after[0] - here[0]) + (here[1] - before[1]) * (after[1] - here[1])) / (
                into * out
            )
            if cosine > 0.99:
                rounded.append(here)
                continue
            early, late = min(FILLET, into * 0.5), min(FILLET, out * 0.5)
            start = (here[0] + (before[0] - here[0]) * early / into, here[1] + (before[1] - here[1]) * early / into)
            end = (here[0] + (after[0] - here[0]) * late / out, here[1] + (after[1] - here[1]) * late / out)
            bow = 0.55
            rounded += bezier(
                start,
                (start[0] + (here[0] - start[0]) * bow, start[1] + (here[1] - start[1]) * bow),
                (end[0] + (here[0] - end[0]) * bow, end[1] + (here[1] - end[1]) * bow),
                end,
                steps=4,
            )
        if closed:
            rounded.append(rounded[0])
        return Line(rounded)

    def _draw_road(self, kind: str, via: list[str]) -> Road:
        if kind == "freeway" and len(via) > 2 and self._ring is not None:
            ring = self._ring
            spread = [ring.at(ring.length * index / 72)[:2] for index in range(73)]
            closed = via[0] == via[-1]
            shape = [self.warp(point) for point in (spread[:-1] if closed else spread)]
            fine = [self.warp(ring.at(ring.length * index / 288)[:2]) for index in range(289)]
            return Road(kind, via, path_through(shape, closed), Line(fine))
        if kind in ("freeway", "off_ramp") and len(via) == 2:
            curve = self._ramp(self.points[via[0]], self.points[via[1]], joins=kind == "freeway")
            if curve:
                shape = [self.warp(point) for point in curve]
                return Road(kind, via, path_through(shape), Line(shape))
        corners = [self.points[name] for name in via]
        pen = Pen(self.warp(corners[0]))
        points: list[Point] = []
        start = 0
        for index in range(1, len(corners)):
            last = index == len(corners) - 1
            if not last and kind in ("minor", "major"):
                long_enough = math.dist(corners[start], corners[index + 1]) > CHUNK
                if not long_enough and self.deflection(via[index - 1], via[index], via[index + 1]) < 1:
                    continue
            piece = self.warp.piece(corners[start], corners[index])
            pen.curve(*piece[1:])
            points += bezier(*piece)
            start = index
        return Road(kind, via, pen.data, Line(points))

    def _ramp(self, start: Point, end: Point, joins: bool) -> list[Point]:
        """Return the curve of a ramp in board coordinates, tangent to the ring: joining it, or leaving it."""
        ring = self._ring
        if ring is None:
            return []
        node = end if joins else start
        mark = ring.nearest(node)
        if math.dist(ring.at(mark)[:2], node) > 0.4:
            return []
        touch = ring.at((mark + (MERGE if joins else -MERGE)) % ring.length)
        ahead = math.radians(touch[2])
        along = (math.cos(ahead) * MERGE * 0.6, math.sin(ahead) * MERGE * 0.6)
        if joins:
            third = (start[0] + (end[0] - start[0]) * 0.8, start[1] + (end[1] - start[1]) * 0.8)
            return bezier(start, third, (touch[0] - along[0], touch[1] - along[1]), touch[:2], steps=5)
        straight = (start[0] + (end[0] - start[0]) * 0.6, start[1] + (end[1] - start[1]) * 0.6)
        pull = (start[0] + (end[0] - start[0]) * 0.2, start[1] + (end[1] - start[1]) * 0.2)
        return [*bezier(touch[:2], (touch[0] + along[0], touch[1] + along[1]), pull, straight, steps=5), end]


_recent: dict[tuple[int, int], tuple[Json, Json, Town]] = {}


def town(board: Json, layout: Json) -> Town:
    """Return the :class:`Town` of a board and its layout; the last few are kept, by identity of the two objects."""
    key = (id(board), id(layout))
    held = _recent.get(key)
    if held is not None and held[0] is board and held[1] is layout:
        return held[2]
    made = Town(board, layout)
    while len(_recent) >= 4:
        _recent.pop(next(iter(_recent)))
    _recent[key] = (board, layout, made)
    return made
