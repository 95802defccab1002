"""Lines on the page: points, Bézier pieces and polylines one can walk along.

Everything here is in page units (one unit is one pixel of the wall screen), x to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


def number(value: float) -> str:
    """Return ``value`` as SVG reads it, with at most one decimal: ``12``, ``-3.5``, ``0``."""
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """Return ``x y`` for SVG, one decimal each."""
    return f"{number(point[0])} {number(point[1])}"


class Pen:
    """Writes path data in steps from point to point, rounded to tenths without letting the rounding add up."""

    def __init__(self, start: Point) -> None:
        self.x, self.y = round(start[0] * 10), round(start[1] * 10)
        self.data = f"M{pair(start)}"

    def curve(self, first: Point, second: Point, end: Point) -> None:
        """Add one cubic Bézier piece."""
        steps = [(round(x * 10) - self.x, round(y * 10) - self.y) for x, y in (first, second, end)]
        self.data += "c" + _run([value for step in steps for value in step])
        self.x, self.y = self.x + steps[2][0], self.y + steps[2][1]

    def line(self, end: Point) -> None:
        """Add a straight line."""
        step = (round(end[0] * 10) - self.x, round(end[1] * 10) - self.y)
        self.data += "l" + _run(list(step))
        self.x, self.y = self.x + step[0], self.y + step[1]


def _run(tenths: list[int]) -> str:
    """Return numbers as path data: no blank before a minus, no nought before a point."""
    text = ""
    for value in tenths:
        word = f"{value / 10:.1f}".removesuffix(".0")
        word = word.replace("0.", ".", 1) if word.startswith(("0.", "-0.")) else word
        text += word if not text or word.startswith("-") else f" {word}"
    return text


def path_through(points: Sequence[Point], closed: bool = False) -> str:
    """Return path data of the Catmull-Rom curve through ``points`` as cubic Béziers (two points give a line)."""
    pen = Pen(points[0])
    if len(points) == 2 and not closed:
        pen.line(points[1])
        return pen.data
    count = len(points)
    for index in range(count if closed else count - 1):
        if closed:
            before, start, end, after = (points[(index + step) % count] for step in (-1, 0, 1, 2))
        else:
            before, start = points[max(index - 1, 0)], points[index]
            end, after = points[index + 1], points[min(index + 2, count - 1)]
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        pen.curve(first, second, end)
    return pen.data + ("z" if closed else "")


def bezier(start: Point, first: Point, second: Point, end: Point, steps: int = 8) -> list[Point]:
    """Return ``steps + 1`` points along one cubic Bézier piece, both ends included."""
    points = []
    for index in range(steps + 1):
        t = index / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * first[0] + c * second[0] + d * end[0],
                a * start[1] + b * first[1] + c * second[1] + d * end[1],
            )
        )
    return points


class Line:
    """A polyline that can be walked: ``at(distance)`` gives the point and the direction in degrees."""

    def __init__(self, points: Iterable[Point]) -> None:
        """Take two or more points; equal neighbours are dropped."""
        self.points: list[Point] = []
        for point in points:
            if not self.points or math.dist(point, self.points[-1]) > 1e-6:
                self.points.append(point)
        self.marks = [0.0]
        for start, end in zip(self.points, self.points[1:], strict=False):
            self.marks.append(self.marks[-1] + math.dist(start, end))

    @property
    def length(self) -> float:
        """Length in page units."""
        return self.marks[-1]

    def at(self, distance: float) -> tuple[float, float, float]:
        """Return ``(x, y, degrees)`` at ``distance`` from the start; beyond the ends it stays at the end."""
        if len(self.points) == 1:
            return (*self.points[0], 0.0)
        distance = min(max(distance, 0.0), self.length)
        index = 0
        while index < len(self.points) - 2 and self.marks[index + 1] < distance:
            index += 1
        (x0, y0), (x1, y1) = self.points[index], self.points[index + 1]
        span = self.marks[index + 1] - self.marks[index]
        t = (distance - self.marks[index]) / span
        return x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, math.degrees(math.atan2(y1 - y0, x1 - x0))

    def cut(self, start: float, end: float) -> Line:
        """Return the part between two distances (``start`` < ``end``)."""
        inner = [p for p, mark in zip(self.points, self.marks, strict=True) if start < mark < end]
        return Line([self.at(start)[:2], *inner, self.at(end)[:2]])

    def nearest(self, point: Point) -> float:
        """Return the distance along the line of its point nearest to ``point``."""
        best, found = math.inf, 0.0
        for (x0, y0), (x1, y1), mark in zip(self.points, self.points[1:], self.marks, strict=False):
            dx, dy = x1 - x0, y1 - y0
            span = dx * dx + dy * dy
            t = min(max(((point[0] - x0) * dx + (point[1] - y0) * dy) / span, 0.0), 1.0)
            gap = math.dist(point, (x0 + dx * t, y0 + dy * t))
            if gap < best:
                best, found = gap, mark + t * math.sqrt(span)
        return found


def grow(box: Box, by: float) -> Box:
    """Return ``box`` made larger by ``by`` on each side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def overlap(one: Box, other: Box) -> float:
    """Return the area two boxes share, 0 when they only touch."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def around(points: Iterable[Point]) -> Box:
    """Return the smallest box around ``points``."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def clip_cell(centre: Point, rivals: Iterable[tuple[Point, float]], reach: float, corners: int = 10) -> list[Point]:
    """Return the polygon of all that lies nearer to ``centre`` than to any rival, within ``reach`` of it.

    So a tap beside a road always goes to the nearest place, and targets never hide one another. Each rival is
    ``(point, lean)``: the line between the two is moved ``lean`` units towards the rival (or away from it, below 0).
    """
    cell = [
        (
            centre[0] + reach * math.cos(math.tau * index / corners),
            centre[1] + reach * math.sin(math.tau * index / corners),
        )
        for index in range(corners)
    ]
    for rival, lean in rivals:
        dx, dy = rival[0] - centre[0], rival[1] - centre[1]
        span = dx * dx + dy * dy
        if span < 1 or span > 4 * reach * reach:
            continue
        limit = (rival[0] ** 2 + rival[1] ** 2 - centre[0] ** 2 - centre[1] ** 2) / 2 + lean * math.sqrt(span)
        kept: list[Point] = []
        for index, (x, y) in enumerate(cell):
            px, py = cell[index - 1]
            here, there = dx * x + dy * y - limit, dx * px + dy * py - limit
            if (here <= 0) != (there <= 0):
                t = there / (there - here)
                kept.append((px + (x - px) * t, py + (y - py) * t))
            if here <= 0:
                kept.append((x, y))
        cell = kept
    return cell
