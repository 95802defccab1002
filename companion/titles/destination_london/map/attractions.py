"""Attractions on the map: an emblem in a box, a plate with the name and the fare, a line to the post on the road."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from companion.titles.destination_london.map import squares
from companion.titles.destination_london.map.emblems import emblem
from companion.titles.destination_london.map.london import London
from companion.web.map.geometry import Box, Point, number, pair
from companion.web.map.type_metrics import text_width

CARD = 37.0
"""Side of the box round an emblem."""
TYPE, LINE, PAD = 14.0, 13.6, 4.5
FARE_TYPE, FARE_PAD = 12.5, 4.0
LEADER = 2.5
"""A gap between post and sign above which a line joins them."""


def fare_text(fare: int) -> str:
    """Return a fare as the plate shows it: ``£60``."""
    return f"£{fare}"


def cap_width(fare: int) -> float:
    """Return how wide the yellow end of a plate is."""
    return text_width(fare_text(fare), FARE_TYPE) + 2 * FARE_PAD


def plate_size(lines: Sequence[str], fare: int) -> tuple[float, float]:
    """Return width and height of the plate with a name in these lines, and its fare."""
    wide = max(text_width(line, TYPE) for line in lines) + 2 * PAD + cap_width(fare)
    return wide, LINE * len(lines) + 5.0


def boxes(spot: Mapping[str, Any], fare: int) -> dict[str, Box]:
    """Return the boxes of an attraction as drawn: ``emblem`` and ``plate``.

    ``spot`` is the layout's entry: ``emblem`` and ``plate`` (middles), ``lines`` of the name.
    """
    (ex, ey), (px, py) = spot["emblem"], spot["plate"]
    wide, high = plate_size(spot["lines"], fare)
    half = CARD / 2
    return {
        "emblem": (ex - half, ey - half, ex + half, ey + half),
        "plate": (px - wide / 2, py - high / 2, px + wide / 2, py + high / 2),
    }


def sign(here: London, name: str) -> str:
    """Return one attraction as printed."""
    spot = here.layout["attractions"][name]
    fare = here.fares.get(name, 0)
    parts = boxes(spot, fare)
    left, top, right, bottom = parts["plate"]
    cap = cap_width(fare)
    drawn = [
        f'<g id="sight-{name}" class="sight">{_leader(here, name, parts)}{_picture(name, parts["emblem"])}',
        f'<path class="npl" d="{_rounded(parts["plate"])}"/>',
        f'<path class="cap" d="M{pair((right - cap, top))}h{number(cap - 2.5)}a2.5 2.5 0 0 1 2.5 2.5v'
        f'{number(bottom - top - 5)}a2.5 2.5 0 0 1-2.5 2.5h{number(2.5 - cap)}z"/>',
    ]
    middle = (left + right - cap) / 2
    for index, text in enumerate(spot["lines"]):
        down = top + 2.5 + LINE * index + 11.6
        drawn.append(f'<text class="nm-s" x="{number(middle)}" y="{number(down)}">{escape(text, quote=False)}</text>')
    drawn.append(
        f'<text class="nm-f" x="{number(right - cap / 2)}" y="{number((top + bottom) / 2 + 4.5)}">{fare_text(fare)}'
        "</text></g>"
    )
    return "".join(drawn)


def _rounded(box: Box, radius: float = 2.5) -> str:
    left, top, right, bottom = box
    wide, high = number(right - left - 2 * radius), number(bottom - top - 2 * radius)
    r = number(radius)
    return (
        f"M{pair((left + radius, top))}h{wide}a{r} {r} 0 0 1 {r} {r}v{high}a{r} {r} 0 0 1-{r} {r}h-{wide}"
        f"a{r} {r} 0 0 1-{r}-{r}v-{high}a{r} {r} 0 0 1 {r}-{r}z"
    )


def _picture(name: str, box: Box) -> str:
    x, y = box[0], box[1]
    card = f'<rect class="card" x="{number(x)}" y="{number(y)}" width="{number(CARD)}" height="{number(CARD)}" rx="3"/>'
    if not emblem(name):
        return card
    return (
        f'{card}<use href="#em-{name}" x="{number(x + 1.5)}" y="{number(y + 1.5)}" width="{number(CARD - 3)}" '
        f'height="{number(CARD - 3)}"/>'
    )


def nearest(box: Box, point: Point) -> Point:
    """Return the point of a box that lies nearest to another."""
    return min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])


def leader_ends(here: London, name: str, parts: Mapping[str, Box]) -> tuple[Point, Point] | None:
    """Return the ends of the line from the post to the sign, None where they touch."""
    square = here.attractions[name]["square"]
    centre = here.xy(square)
    end = min((nearest(box, centre) for box in parts.values()), key=lambda spot: math.dist(spot, centre))
    gap = math.dist(centre, end)
    away = squares.radius(here, square) + 2
    if gap - away <= LEADER:
        return None
    share = away / gap
    return (centre[0] + (end[0] - centre[0]) * share, centre[1] + (end[1] - centre[1]) * share), end


def _leader(here: London, name: str, parts: Mapping[str, Box]) -> str:
    ends = leader_ends(here, name, parts)
    return f'<path class="lead" d="M{pair(ends[0])}L{pair(ends[1])}"/>' if ends else ""


def signs(here: London) -> str:
    """Return all attractions as printed."""
    return "".join(sign(here, name) for name in sorted(here.attractions))


def gone(here: London, cards: Iterable[str]) -> str:
    """Return a tick over the emblem of each attraction whose cards have all left the game: nobody drives there now."""
    left = {card: one["attraction"] for card, one in here.board["cards"].items()}
    for card in cards:
        left.pop(card, None)
    done = sorted(set(here.attractions) - set(left.values()))
    parts = []
    for name in done:
        box = boxes(here.layout["attractions"][name], here.fares.get(name, 0))["emblem"]
        x, y = number(box[0]), number(box[1])
        parts.append(
            f'<g id="gone-{name}"><rect class="gone" x="{x}" y="{y}" width="{number(CARD)}" height="{number(CARD)}" '
            f'rx="3"/><path class="gone1" transform="translate({x} {y})" d="M9 19l7 8 12-17"/></g>'
        )
    return "".join(parts)
