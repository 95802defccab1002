"""Words on a map: along roads, on water, in parks, for quarters, and asides. For every title's map.

A word is a :class:`Label`: what is written, where, and the boxes that it covers. Layout tools place labels by their
boxes, tests prove with them that no two cover one another, and :func:`write` writes what they hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from companion.web.map.geometry import Box, Line, Point, number, pair
from companion.web.map.type_metrics import CAP_HEIGHT, DESCENT, text_width

# class of the text: (voice, size, letter spacing in em, line height)
STYLES: dict[str, tuple[str, float, float, float]] = {
    "nm-major": ("sign", 13.0, 0.1, 14.0),
    "nm-minor": ("sign", 11.0, 0.07, 11.0),
    "nm-park": ("print", 13.0, 0.0, 14.0),
    "nm-water": ("print", 14.0, 0.06, 15.0),
    "nm-it": ("print", 11.5, 0.0, 13.0),
    "nm-area": ("sign", 13.0, 0.17, 16.0),
}
UPPER = ("nm-major", "nm-minor", "nm-area")
"""Styles in capitals: nothing hangs below their line."""
SAG = 1.0
"""Page units a road may bow under its name before the name has to bow with it."""


@dataclass(frozen=True)
class Label:
    """One piece of text. ``boxes`` are the page boxes that it covers, letter group by letter group when it slants."""

    style: str
    lines: tuple[str, ...]
    at: Point  # middle of the text
    angle: float = 0.0
    path: tuple[Point, Point, Point] | None = None  # start, control point, end of the bow it is written on

    @property
    def width(self) -> float:
        """Width of the widest line."""
        voice, size, spacing, _ = STYLES[self.style]
        return max(text_width(line, size, voice, spacing) - spacing * size for line in self.lines)

    @property
    def rise_and_drop(self) -> tuple[float, float]:
        """How far the ink goes above and below the line that it stands on."""
        voice, size, _, _ = STYLES[self.style]
        return size * CAP_HEIGHT[voice], 0.0 if self.style in UPPER else size * DESCENT[voice]

    @property
    def boxes(self) -> list[Box]:
        """Upright boxes that together cover the ink, about one for each two letters of a slanting line."""
        _, size, _, height = STYLES[self.style]
        rise, drop = self.rise_and_drop
        tall = rise + drop + height * (len(self.lines) - 1)
        if abs(self.angle) < 0.5 and self.path is None:
            return [_box(self.at, self.width, tall, 0.0)]
        count = max(1, round(self.width / (size * 1.2)))
        step = self.width / count
        found = []
        for index in range(count):
            along = (index + 0.5) * step - self.width / 2
            turn = math.radians(self.angle)
            centre = (self.at[0] + along * math.cos(turn), self.at[1] + along * math.sin(turn))
            if self.path:
                centre = _on_bow(self.path, (index + 0.5) / count)
            found.append(_box(centre, step, tall, self.angle))
        return found


def _box(centre: Point, width: float, height: float, angle: float) -> Box:
    turn = math.radians(angle)
    half_x = (abs(width * math.cos(turn)) + abs(height * math.sin(turn))) / 2
    half_y = (abs(width * math.sin(turn)) + abs(height * math.cos(turn))) / 2
    return centre[0] - half_x, centre[1] - half_y, centre[0] + half_x, centre[1] + half_y


def _on_bow(path: tuple[Point, Point, Point], t: float) -> Point:
    (x0, y0), (x1, y1), (x2, y2) = path
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2


def along(line: Line, middle: float, text: str, style: str) -> Label:
    """Return the label for ``text`` on a line with its middle ``middle`` units from the start.

    Names read from left to right, and downwards on roads that run north and south; they bow with a road that bends.
    """
    voice, size, spacing, _ = STYLES[style]
    half = (text_width(text, size, voice, spacing) - spacing * size) / 2
    x0, y0, _ = line.at(middle - half)
    x1, y1, _ = line.at(middle + half)
    xm, ym, _ = line.at(middle)
    if (abs(y1 - y0) > abs(x1 - x0) and y1 < y0) or (abs(x1 - x0) >= abs(y1 - y0) and x1 < x0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
    bow = math.dist((xm, ym), ((x0 + x1) / 2, (y0 + y1) / 2))
    if bow <= SAG:
        return Label(style, (text,), (xm, ym), angle)
    control = (2 * xm - (x0 + x1) / 2, 2 * ym - (y0 + y1) / 2)
    return Label(style, (text,), (xm, ym), angle, ((x0, y0), control, (x1, y1)))


def write(labels: Iterable[Label]) -> str:
    """Return labels as SVG, grouped by class; those that bow are written on paths ``bow0`` …."""
    groups: dict[str, list[str]] = {}
    bows: list[str] = []
    for label in labels:
        _, _, _, height = STYLES[label.style]
        rise, drop = label.rise_and_drop
        first = (rise - drop - height * (len(label.lines) - 1)) / 2
        parts = groups.setdefault(label.style, [])
        if label.path:
            start, control, end = label.path
            name = f"bow{len(bows)}"
            bows.append(f'<path id="{name}" d="M{pair(start)}Q{pair(control)} {pair(end)}"/>')
            parts.append(
                f'<text class="bow" dy="{number(first)}"><textPath href="#{name}" startOffset="50%">'
                f"{escape(label.lines[0], quote=False)}</textPath></text>"
            )
            continue
        for index, text in enumerate(label.lines):
            down = first + index * height
            x, y = label.at
            if abs(label.angle) < 0.5:
                place = f'x="{number(x)}" y="{number(y + down)}"'
            else:
                place = f'transform="translate({pair(label.at)}) rotate({number(label.angle)})" y="{number(down)}"'
            parts.append(f"<text {place}>{escape(text, quote=False)}</text>")
    defs = f"<defs>{''.join(bows)}</defs>" if bows else ""
    return defs + "".join(f'<g class="{style}">{"".join(parts)}</g>' for style, parts in groups.items())
