"""The printed ground of a London: land, quarters, parks, the river, the grid, roads with their bridges and tunnels.

Order matters: all casings come before any fill, that is what makes junctions open; bridges get their parapets before
that, tunnels are dashes on the water.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from companion.titles.destination_london.map.london import London
from companion.web.map import sheet
from companion.web.map.geometry import Line, Pen, Point, number, pair, path_through

ARROW = 4.6
"""Half the width of a one-way arrow."""
ARROW_STEP = 19.0
ROOM_AT_SQUARES = 21.0
"""Page units from a square's middle that no arrow comes nearer than."""
PARAPET = 7.0
"""Page units that a bridge reaches beyond the water on each side."""


def _lawn(points: list[list[float]]) -> str:
    """Return path data of an area with rounded edges, as lawns have."""
    return path_through([(x, y) for x, y in points], closed=True)


def land(here: London) -> str:
    """Return the sheet, the land with its quarters, parks and water, and the fine blue grid."""
    page = here.layout["page"]
    left, top, right, bottom = sheet.frame(here.layout)
    box = f'x="{number(left)}" y="{number(top)}" width="{number(right - left)}" height="{number(bottom - top)}"'
    parts = [
        f'<rect class="margin" width="{page["width"]}" height="{page["height"]}"/><rect class="land" {box}/>',
        f'<clipPath id="map-clip"><rect {box}/></clipPath><g clip-path="url(#map-clip)">',
    ]
    for quarter in here.layout.get("quarters", ()):
        if quarter.get("tint"):
            parts.append(f'<path class="built{quarter["tint"]}" d="{_lawn(quarter["area"])}"/>')
    for park in here.layout.get("parks", ()):
        parts.append(f'<path class="park" d="{_park_edge(park["area"])}"/>')
    for park in here.layout.get("parks", ()):
        if water := park.get("water"):
            parts.append(_stream(water["through"], water["width"], 3.0))
    if river := here.layout.get("river"):
        parts.append(_stream(river["through"], river["width"], 5.0))
    parts += [f'<use href="#boat" transform="translate({pair((x, y))})"/>' for x, y in here.layout.get("boats", ())]
    parts.append(sheet.grid(here.layout))
    for park in here.layout.get("parks", ()):
        parts += [f'<use href="#tree" class="tree" x="{number(x)}" y="{number(y)}"/>' for x, y in park.get("trees", ())]
    parts.append("</g>")
    return "".join(parts)


def _park_edge(area: list[list[float]]) -> str:
    """Return path data of a park: straight along its streets, corners cut by a small curve."""
    data = ""
    for index, here in enumerate(area):
        before, after = area[index - 1], area[(index + 1) % len(area)]
        start, end = _short_of(here, before), _short_of(here, after)
        data += f"{'L' if data else 'M'}{pair(start)}Q{pair((here[0], here[1]))} {pair(end)}"
    return data + "z"


def _short_of(corner: Sequence[float], other: Sequence[float], by: float = 12.0) -> Point:
    gap = math.dist(corner, other)
    share = min(by, gap / 2) / gap
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


def _stream(through: list[list[float]], width: float, banks: float) -> str:
    course = path_through([(x, y) for x, y in through])
    return (
        f'<path class="bank" style="stroke-width:{number(width + banks)}" d="{course}"/>'
        f'<path class="water" style="stroke-width:{number(width)}" d="{course}"/>'
    )


def roads(here: London) -> str:
    """Return all roads: tunnels, parapets, casings, fills, arrows. Outlines are written once and used twice."""
    paths: dict[str, str] = {"minor": "", "major": "", "tunnel": ""}
    for street in here.streets:
        paths[street["kind"]] += _course(here, street["via"])
    used = [name for name in ("minor", "major", "tunnel") if paths[name]]
    outline = "".join(f'<path id="r-{name}" d="{paths[name]}"/>' for name in used)
    parts = [f"<defs>{outline}</defs>"]
    if paths["tunnel"]:
        parts += ['<use href="#r-tunnel" class="tunnel-c"/>', '<use href="#r-tunnel" class="tunnel"/>']
    parts.append(_parapets(here))
    parts += [f'<use href="#r-{name}" class="{name}-c"/>' for name in ("minor", "major") if paths[name]]
    parts += [f'<use href="#r-{name}" class="{name}"/>' for name in ("minor", "major") if paths[name]]
    arrows = "".join(_arrows(here.line(start, end)) for start, end in sorted(here.one_way))
    parts.append(f'<path class="oneway" d="{arrows}"/>' if arrows else "")
    return "".join(parts)


def _course(here: London, via: list[str]) -> str:
    pen = Pen(here.xy(via[0]))
    for start, end in zip(via, via[1:], strict=False):
        pen.curve(*here.piece(start, end)[1:])
    return pen.data


def over_water(here: London, line: Line, width: float) -> tuple[float, float] | None:
    """Return from where to where along a line it lies over the river, None where it does not."""
    river = here.river()
    if river is None:
        return None
    steps = max(2, round(line.length / 3))
    wet = []
    for index in range(steps + 1):
        along = line.length * index / steps
        point = line.at(along)[:2]
        spot = river.at(river.nearest(point))[:2]
        if math.dist(point, spot) <= width / 2:
            wet.append(along)
    return (min(wet), max(wet)) if wet else None


def _parapets(here: London) -> str:
    """Return the railings of each bridge, from bank to bank."""
    river = here.layout.get("river")
    if not river:
        return ""
    found = {"minor": "", "major": ""}
    for street in here.streets:
        if street["kind"] not in found:
            continue
        line = here.way_line(street["via"])
        wet = over_water(here, line, river["width"])
        if wet is None:
            continue
        part = line.cut(max(wet[0] - PARAPET, 0.1), min(wet[1] + PARAPET, line.length - 0.1))
        found[street["kind"]] += "M" + "L".join(pair(point) for point in part.points)
    return "".join(f'<path class="parapet {kind}" d="{data}"/>' for kind, data in found.items() if data)


def _arrows(line: Line) -> str:
    """Return path data of the arrows of a one-way link, in pairs around its middle, clear of the squares."""
    room = line.length - 2 * ROOM_AT_SQUARES
    count = max(1, min(3, int(room / ARROW_STEP) + 1))
    first = line.length / 2 - (count - 1) / 2 * ARROW_STEP
    return "".join(_chevron(line, first + index * ARROW_STEP) for index in range(count))


def _chevron(line: Line, along: float) -> str:
    x, y, angle = line.at(along)
    turn = math.radians(angle)
    ahead, aside = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    tails = [(x - ahead[0] * 2.6 + aside[0] * s, y - ahead[1] * 2.6 + aside[1] * s) for s in (-ARROW, ARROW)]
    pen = Pen(tails[0])
    pen.line((x + ahead[0] * 2.6, y + ahead[1] * 2.6))
    pen.line(tails[1])
    return pen.data


SYMBOLS = {
    "boat": (
        '<path class="boat" d="M-13 1h26l-4 7H-9z"/><path class="boat1" d="M-7 1v-4H6v4zM-2-3v-7h4v7z"/>'
        '<path class="wake" d="M-20 9q3-2.4 6 0M14 9q3-2.4 6 0"/>'
    ),
}  # fmt: skip
"""What the river carries."""


def compass(here: London) -> str:
    """Return the compass card, where the layout has one."""
    spot = here.layout.get("compass")
    if not spot:
        return ""
    long, short = "M0-28L6-6 0 0-6-6zM0 28L6 6 0 0-6 6zM-28 0L-6-6 0 0-6 6zM28 0L6-6 0 0 6 6z", "M0-28L6-6 0 0z"
    rest = "M0 28L-6 6 0 0zM-28 0L-6-6 0 0zM28 0L6 6 0 0z"
    return (
        f'<g class="compass" transform="translate({pair((spot[0], spot[1]))})"><circle r="21"/><path d="{long}"/>'
        f'<path class="dark" d="{short}{rest}"/><text y="-33">N</text></g>'
    )


def cartouche(here: London) -> str:
    """Return the title of the sheet in its frame, with a north arrow and a scale that nobody should trust."""
    data: Any = here.layout.get("cartouche")
    if not data or "at" not in data:
        return ""
    x, y = data["at"]
    lines = [escape(line, quote=False) for line in data["lines"]]
    return (
        f'<g class="cartouche" transform="translate({pair((x, y))})">'
        '<rect x="-104" y="-40" width="208" height="80" rx="3"/>'
        '<rect class="inner" x="-100" y="-36" width="200" height="72" rx="2"/>'
        f'<text class="t1" y="-6">{lines[0]}</text><text class="t2" y="14">{lines[-1]}</text>'
        '<path class="bar" d="M-60 24h30M0 24h30"/><path class="bar2" d="M-30 24h30M30 24h30"/></g>'
    )
