"""The sheet that every board is printed on: its page, the grid with letters and figures, and the seat's band round it.

A layout's ``page`` holds ``width``, ``height``, ``frame`` (left, top, right, bottom of the neat line, in page units)
and ``joins``: up to four words in the margin, where a street directory names the neighbouring sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from companion.web.map.geometry import Box, Point, number
from companion.web.seat_shapes import SHAPES

Json = dict[str, Any]
COLUMNS = "ABCDEFGHJKLM"  # no I, as in every street directory
ROWS = 9


def frame(layout: Mapping[str, Any]) -> Box:
    """Return the neat line round the map, in page units."""
    left, top, right, bottom = layout["page"]["frame"]
    return float(left), float(top), float(right), float(bottom)


def reference(layout: Mapping[str, Any], point: Point) -> str:
    """Return the square of the printed grid in which a point lies, as ``"M 1"``."""
    left, top, right, bottom = frame(layout)
    column = min(max(int((point[0] - left) / (right - left) * len(COLUMNS)), 0), len(COLUMNS) - 1)
    row = min(max(int((point[1] - top) / (bottom - top) * ROWS), 0), ROWS - 1)
    return f"{COLUMNS[column]} {row + 1}"


def grid(layout: Mapping[str, Any]) -> str:
    """Return the fine blue lines of the grid."""
    left, top, right, bottom = frame(layout)
    wide = (right - left) / len(COLUMNS)
    lines = [f"M{number(left + wide * i)} {number(top)}V{number(bottom)}" for i in range(1, len(COLUMNS))]
    lines += [f"M{number(left)} {number(top + (bottom - top) * i / ROWS)}H{number(right)}" for i in range(1, ROWS)]
    return f'<path class="grid" d="{"".join(lines)}"/>'


def margin(layout: Mapping[str, Any]) -> str:
    """Return the neat line, the grid's letters and figures, and the words of the margin."""
    left, top, right, bottom = frame(layout)
    parts = [f'<path class="neat" d="M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"/>']
    wide, high = (right - left) / len(COLUMNS), (bottom - top) / ROWS
    letters = []
    for index, letter in enumerate(COLUMNS):
        x = number(left + wide * (index + 0.5))
        letters += [f'<text x="{x}" y="{number(y)}">{letter}</text>' for y in (top - 7, bottom + 20.5)]
    for index in range(ROWS):
        spot = number(top + high * (index + 0.5) + 6)
        letters += [f'<text x="{number(side)}" y="{spot}">{index + 1}</text>' for side in (left - 14, right + 14)]
    parts.append(f'<g class="gridL">{"".join(letters)}</g>')
    spots = [(3, top - 8.5), (9, top - 8.5), (3, bottom + 19), (9, bottom + 19)]
    for text, (column, y) in zip(layout["page"].get("joins", []), spots, strict=False):
        words = escape(text, quote=False)
        parts.append(f'<text class="joins" x="{number(left + wide * column)}" y="{number(y)}">{words}</text>')
    return "".join(parts)


def band(layout: Mapping[str, Any], colour: str | None) -> str:
    """Return the seat band: the pattern of the seat on turn runs round the page; plain paper for None."""
    page = layout["page"]
    wide, high = page["width"], page["height"]
    line = f'<rect class="bandline" x="16" y="16" width="{wide - 32}" height="{high - 32}"/>'
    if colour not in SHAPES:
        return line
    return (
        f'<g class="s-{colour}"><pattern id="band-of-{colour}" x="-7" y="-7" width="30" height="30" '
        f'patternUnits="userSpaceOnUse"><rect class="bandc" width="30" height="30"/>'
        f'<use href="#shp-{colour}" class="blm" transform="translate(15 15) scale(.82)"/></pattern>'
        f'<path class="bandp" style="stroke:url(#band-of-{colour})" d="M8 8H{wide - 8}V{high - 8}H8z"/></g>{line}'
    )
