"""Pictures of figures as inline SVG, for the page of a simulation: no library, no script, colours from its style sheet.

Every function gives one `<svg>` of `WIDTH` units; numbers that a picture shows stand beside it in words, so it needs no
legend and can be read without colours.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 660
ROW = 30
LABELS = 198
"""Units for the words on the left."""
NUMBERS = 148
"""Units for the words on the right."""

Says = Callable[[float], str]


@dataclass(frozen=True)
class Whisker:
    """A value with its interval on one line; `words` stand on the right, `mark` is a class of the style sheet."""

    label: str
    value: float
    low: float
    high: float
    words: str
    mark: str = ""


@dataclass(frozen=True)
class Box:
    """How some values lie: percentiles 5, 25, 50, 75 and 95 on one line."""

    label: str
    at: tuple[float, float, float, float, float]
    words: str


def whiskers(
    rows: Sequence[Whisker], says: Says, name: str, fair: float | None = None, span: tuple[float, float] | None = None
) -> str:
    """Dots with intervals; `fair` is drawn through as a line. `span` is what the axis must show at least."""
    ends = [end for row in rows for end in (row.low, row.high, row.value)] + list(span or ())
    axis = _Axis(min(ends + ([fair] if fair is not None else [])), max(ends + ([fair] if fair is not None else [])))
    out = [axis.drawn(len(rows), says)]
    if fair is not None:
        x = axis.at(fair)
        out.append(f'<line class="fair" x1="{x}" x2="{x}" y1="4" y2="{_y(len(rows))}"/>')
    for index, row in enumerate(rows):
        y = _y(index) + ROW / 2
        out.append(_label(row.label, y) + _words(row.words, y))
        out.append(
            f'<g class="{row.mark}"><line class="bar" x1="{axis.at(row.low)}" x2="{axis.at(row.high)}" y1="{y}" '
            f'y2="{y}"/><circle class="dot" cx="{axis.at(row.value)}" cy="{y}" r="6"/></g>'
        )
    return _svg(out, len(rows), name)


def bars(rows: Sequence[tuple[str, float, str]], says: Says, name: str) -> str:
    """(label, value, words) as bars to both sides of 0."""
    values = [value for _, value, _ in rows]
    axis = _Axis(min([0.0, *values]), max([0.0, *values]))
    out = [axis.drawn(len(rows), says)]
    zero = axis.at(0)
    for index, (label, value, words) in enumerate(rows):
        y = _y(index)
        x = axis.at(value)
        mark = "gain" if value >= 0 else "loss"
        left, wide = min(zero, x), abs(x - zero)
        out.append(f'<rect class="{mark}" x="{left:.1f}" y="{y + 6}" width="{wide:.1f}" height="{ROW - 12}" rx="2"/>')
        out.append(_label(label, y + ROW / 2) + _words(words, y + ROW / 2))
    out.append(f'<line class="zero" x1="{zero}" x2="{zero}" y1="4" y2="{_y(len(rows))}"/>')
    return _svg(out, len(rows), name)


def boxes(rows: Sequence[Box], says: Says, name: str) -> str:
    """Boxes from the lower to the upper quarter, lines to percentiles 5 and 95."""
    axis = _Axis(min(row.at[0] for row in rows), max(row.at[4] for row in rows))
    out = [axis.drawn(len(rows), says)]
    for index, row in enumerate(rows):
        y = _y(index)
        x = [axis.at(value) for value in row.at]
        middle = y + ROW / 2
        out.append(
            f'<line class="bar" x1="{x[0]}" x2="{x[4]}" y1="{middle}" y2="{middle}"/>'
            f'<rect class="box" x="{x[1]}" y="{y + 6}" width="{x[3] - x[1]:.1f}" height="{ROW - 12}" rx="2"/>'
            f'<line class="median" x1="{x[2]}" x2="{x[2]}" y1="{y + 5}" y2="{y + ROW - 5}"/>'
        )
        out.append(_label(row.label, middle) + _words(row.words, middle))
    return _svg(out, len(rows), name)


def histogram(values: Sequence[float], says: Says, name: str, most: int = 28) -> str:
    """How often each value came; whole numbers have a column each as long as there is room."""
    least, largest = min(values), max(values)
    whole = all(value == int(value) for value in values)
    step = max(1, math.ceil((largest - least + 1) / most)) if whole else max((largest - least) / most, 1e-9)
    columns = [0] * (int((largest - least) / step) + 1)
    for value in values:
        columns[int((value - least) / step)] += 1
    height, left = 170, 8
    wide = (WIDTH - 2 * left) / len(columns)
    out = []
    for index, count in enumerate(columns):
        tall = height * count / max(columns)
        x = left + index * wide
        out.append(
            f'<rect class="column" x="{x + 1:.1f}" y="{10 + height - tall:.1f}" width="{max(1.0, wide - 2):.1f}" '
            f'height="{tall:.1f}"><title>{says(least + index * step)}: {count}</title></rect>'
        )
    mean = statistics.fmean(values)
    # A column of whole numbers stands for its middle.
    x = left + wide * ((mean - least) / step + (0.5 if whole and step == 1 else 0))
    out.append(f'<line class="fair" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{10 + height}"/>')
    out.append(f'<line class="axis" x1="{left}" x2="{WIDTH - left}" y1="{10 + height}" y2="{10 + height}"/>')
    for value, anchor, at in ((least, "start", left), (largest, "end", WIDTH - left)):
        out.append(f'<text class="tick" x="{at}" y="{height + 30}" text-anchor="{anchor}">{says(value)}</text>')
    if 90 < x < WIDTH - 90:
        out.append(f'<text class="tick" x="{x:.1f}" y="{height + 30}" text-anchor="middle">mean {says(mean)}</text>')
    return _whole(out, height + 40, name)


def steps(points: Sequence[Whisker], says: Says, axis_name: str, name: str, fair: float) -> str:
    """Shares from left to right, each with its interval: how a chance rises with what is told below it."""
    height, left, top = 230, 50, 12
    room = (WIDTH - left - 10) / len(points)
    out = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + height * (1 - share)
        out.append(f'<line class="grid" x1="{left}" x2="{WIDTH - 10}" y1="{y}" y2="{y}"/>')
        out.append(f'<text class="tick" x="{left - 8}" y="{y + 5}" text-anchor="end">{says(share)}</text>')
    y = top + height * (1 - fair)
    out.append(f'<line class="fair" x1="{left}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
    places = []
    for index, point in enumerate(points):
        x = left + room * (index + 0.5)
        low, high, at = (top + height * (1 - value) for value in (point.low, point.high, point.value))
        places.append(f"{x:.1f},{at:.1f}")
        out.append(f'<line class="bar" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
        out.append(
            f'<circle class="dot" cx="{x:.1f}" cy="{at:.1f}" r="6"><title>{escape(point.words)}</title></circle>'
        )
        out.append(f'<text class="tick" x="{x:.1f}" y="{top + height + 22}" text-anchor="middle">{point.label}</text>')
    out.insert(0, f'<polyline class="path" points="{" ".join(places)}"/>')
    middle = left + (WIDTH - left - 10) / 2
    out.append(
        f'<text class="tick" x="{middle}" y="{top + height + 44}" text-anchor="middle">{escape(axis_name)}</text>'
    )
    return _whole(out, top + height + 52, name)


class _Axis:
    """Values between the labels and the numbers, with a few round marks."""

    def __init__(self, low: float, high: float) -> None:
        if high - low < 1e-12:
            low, high = low - 0.5, high + 0.5
        self.step = _round_step((high - low) / 4)
        self.low = math.floor(low / self.step + 1e-9) * self.step
        self.high = math.ceil(high / self.step - 1e-9) * self.step

    def at(self, value: float) -> float:
        room = WIDTH - LABELS - NUMBERS
        return round(LABELS + room * (value - self.low) / (self.high - self.low), 1)

    def drawn(self, rows: int, says: Says) -> str:
        out = []
        for index in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + index * self.step
            x = self.at(value)
            out.append(f'<line class="grid" x1="{x}" x2="{x}" y1="4" y2="{_y(rows)}"/>')
            out.append(f'<text class="tick" x="{x}" y="{_y(rows) + 20}" text-anchor="middle">{says(value)}</text>')
        return "".join(out)


def _round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, not below `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def _y(row: int) -> int:
    return 6 + row * ROW


def _label(text: str, y: float) -> str:
    return f'<text class="label" x="{LABELS - 14}" y="{y + 6}" text-anchor="end">{escape(text)}</text>'


def _words(text: str, y: float) -> str:
    return f'<text class="words" x="{WIDTH - 4}" y="{y + 6}" text-anchor="end">{escape(text)}</text>'


def _svg(parts: Sequence[str], rows: int, name: str) -> str:
    return _whole(parts, _y(rows) + 28, name)


def _whole(parts: Sequence[str], height: float, name: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(name)}">' + "".join(parts) + "</svg>"
    )
