"""The sheet that every board is printed on: its page, the grid with letters and figures, and the seat's band round it.

A layout's ``page`` holds ``width``, ``height``, ``frame`` (left, top, right, bottom of the neat line, in page units)
and ``joins``: up to four words in the margin, where a street directory names the neighbouring sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from companion.web.map.geometry import Box, Point, around, number
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


def picture(
    layout: Mapping[str, Any],
    inner: str,
    *,
    mode: str,
    label: str,
    crop: str | None,
    look: str = "",
    fit: str = "slice",
) -> str:
    """Return the whole map as one inline SVG.

    ``mode``: ``wall`` is a picture (``role="img"``), every other mode a group that can be pressed. ``label``: the map
    in words. ``crop``: the viewBox, as :func:`window` gives; without it the whole page. ``look``: a class of the
    title's own. ``fit``: ``slice`` fills the window, ``meet`` shows all of the viewBox.
    """
    page = layout["page"]
    box = crop or f"0 0 {page['width']} {page['height']}"
    classes = f"map map-{mode} {look}".rstrip()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{classes}" viewBox="{box}" '
        f'role="{"img" if mode == "wall" else "group"}" aria-label="{escape(label)}" '
        f'preserveAspectRatio="xMidYMid {fit}">{inner}</svg>'
    )


def window(layout: Mapping[str, Any], shown: Sequence[Box], width: float, height: float, scale: float) -> str:
    """Return the viewBox that shows all boxes in a window of that many pixels; its middle for none.

    ``scale`` is the greatest enlargement; it shrinks until all boxes fit, and the window stays inside the neat line.
    """
    left, top, right, bottom = frame(layout)
    middle = ((left + right) / 2, (top + bottom) / 2)
    x0, y0, x1, y1 = around(corner for box in shown or [(*middle, *middle)] for corner in (box[:2], box[2:]))
    wide, high = max(x1 - x0, 1.0), max(y1 - y0, 1.0)
    scale = min(scale, width / wide, height / high)
    scale = max(scale, min(width / (right - left), height / (bottom - top)))
    box_w, box_h = width / scale, height / scale
    x = min(max((x0 + x1 - box_w) / 2, left), max(right - box_w, left))
    y = min(max((y0 + y1 - box_h) / 2, top), max(bottom - box_h, top))
    return f"{x:.0f} {y:.0f} {box_w:.0f} {box_h:.0f}"
