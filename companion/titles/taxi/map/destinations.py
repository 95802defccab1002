"""The characters on the map: a face in a box that touches the block, the X on the road, and the name beneath.

Those of this trip carry a blade with the seat's cap and are larger in ink; the others a quiet plate in the same place,
so nothing on the map moves when a new trip begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from companion.titles.taxi.map.signs import PAWN_SIZE, X_HALF, head
from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Box, number, pair
from companion.web.map.type_metrics import text_width

CARD = 37.0  # side of the box round a face
CAP = 20.0  # the seat's cap on a blade
BLADE_TYPE, BLADE_SPACING, BLADE_LINE, BLADE_PAD = 16.0, 0.02, 16.0, 5.0
PLATE_TYPE, PLATE_LINE, PLATE_PAD = 14.5, 14.5, 4.0
TUCK = 2.0  # how far the box stands behind the plate


def name_lines(name: str, lines: int) -> list[str]:
    """Return a name in one line or, split before its last word, in two."""
    words = name.split()
    return [name] if lines < 2 or len(words) < 2 else [" ".join(words[:-1]), words[-1]]


def blade_size(name: str, lines: int) -> tuple[float, float]:
    """Return width and height of the blade that carries ``name``, cap included."""
    texts = [line.upper() for line in name_lines(name, lines)]
    wide = max(text_width(text, BLADE_TYPE, "sign", BLADE_SPACING) for text in texts)
    return wide + 2 * BLADE_PAD + CAP, BLADE_LINE * len(texts) + 6


def plate_size(name: str, lines: int) -> tuple[float, float]:
    """Return width and height of the quiet plate of a character that nobody drives to in this trip."""
    texts = name_lines(name, lines)
    return max(text_width(text, PLATE_TYPE) for text in texts) + 2 * PLATE_PAD, PLATE_LINE * len(texts) + 4


def boxes(name: str, spot: Mapping[str, Any], in_trip: bool) -> dict[str, Box]:
    """Return the boxes of one destination as drawn: ``head``, ``name`` and, in this trip, ``pawn``.

    ``spot`` is the layout's entry: ``head`` (middle of the face's box), ``plate`` (middle of the blade) and ``lines``.
    """
    (hx, hy), (px, py), lines = spot["head"], spot["plate"], spot["lines"]
    wide, high = blade_size(name, lines)
    half = CARD / 2
    found = {"head": (hx - half, hy - half, hx + half, hy + half)}
    if in_trip:
        found["name"] = (px - wide / 2, py - high / 2, px + wide / 2, py + high / 2)
        side = pawn_side(spot)
        left = hx + side * (half + 1) - (PAWN_SIZE[0] if side < 0 else 0)
        top = py - high / 2
        found["pawn"] = (left, top - PAWN_SIZE[1], left + PAWN_SIZE[0], top)
    else:
        small, low = plate_size(name, lines)
        x = min(max(hx, px - wide / 2 + small / 2), px + wide / 2 - small / 2)
        top = py - high / 2
        found["name"] = (x - small / 2, top, x + small / 2, top + low)
    return found


def pawn_side(spot: Mapping[str, Any]) -> int:
    """Return 1 when the passenger stands to the right of the face, -1 for the left: where there is more plate."""
    return 1 if spot["head"][0] <= spot["plate"][0] + 0.1 else -1


def face(destination: str, box: Box) -> str:
    """Return the white box with the character's face; an unknown character gets an empty one."""
    x, y = box[0], box[1]
    card = f'<rect class="card" x="{number(x)}" y="{number(y)}" width="{number(CARD)}" height="{number(CARD)}" rx="3"/>'
    if not head(destination):
        return card
    return (
        f'{card}<use href="#hd-{destination}" x="{number(x + 1.5)}" y="{number(y + 1.5)}" '
        f'width="{number(CARD - 3)}" height="{number(CARD - 3)}"/>'
    )


def destination(town: Town, name: str, colour: str | None) -> str:
    """Return one destination's X, face and name; with a seat's ``colour`` the blade of this trip."""
    data = town.destinations[name]
    title = str(data.get("name", name))
    spot = town.layout["destinations"][name]
    box = boxes(title, spot, colour is not None)
    x, y = town.xy(data["at"])
    seat = f" s-{colour}" if colour else ""
    scale = f" scale({1.3 if colour else 1})" if colour else ""
    parts = [
        f'<g id="dest-{name}" class="dest{" on" if colour else ""}{seat}">',
        f'<use href="#xmark" transform="translate({pair((x, y))}){scale}"/>',
        face(name, box["head"]),
    ]
    left, top, right, bottom = box["name"]
    if colour:
        parts.append(
            f'<rect class="bl" x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" rx="3"/>'
            f'<path class="blc" d="M{number(left + CAP)} {number(top)}v{number(bottom - top)}h{number(3 - CAP)}'
            f'a3 3 0 0 1-3-3V{number(top + 3)}a3 3 0 0 1 3-3z"/>'
            f'<use href="#shp-{colour}" class="blm" '
            f'transform="translate({pair((left + CAP / 2, (top + bottom) / 2))}) scale(.82)"/>'
        )
        middle = left + CAP + (right - left - CAP) / 2
        for index, text in enumerate(name_lines(title, spot["lines"])):
            down = top + 3 + BLADE_LINE * index + 13.6
            parts.append(
                f'<text class="bln" x="{number(middle)}" y="{number(down)}">{escape(text.upper(), quote=False)}</text>'
            )
    else:
        parts.append(
            f'<rect class="npl" x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" rx="2.5"/>'
        )
        for index, text in enumerate(name_lines(title, spot["lines"])):
            down = top + 2 + PLATE_LINE * index + 12.2
            parts.append(
                f'<text class="nm-d" x="{number((left + right) / 2)}" y="{number(down)}">'
                f"{escape(text, quote=False)}</text>"
            )
    return "".join(parts) + "</g>"


def x_box(town: Town, name: str, scale: float = 1.3) -> Box:
    """Return the box of a destination's X."""
    x, y = town.xy(town.destinations[name]["at"])
    half = X_HALF * scale + 1
    return x - half, y - half, x + half, y + half
