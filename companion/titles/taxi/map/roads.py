"""The printed ground of the map: land, quarters, river, parks, the grid, and the roads with their casings.

Order matters: all casings come before any fill, that is what makes junctions open; the freeway comes last, because it
is always a bridge.
"""

from __future__ import annotations

import math

from companion.titles.taxi.map.town import Road, Town
from companion.web.map import sheet
from companion.web.map.geometry import Box, Line, Pen, Point, number, pair, path_through

CHEVRON_STEP = 46.0  # page units between two arrows on the freeway


def frame(town: Town) -> Box:
    """Return the neat line round the map, in page units."""
    return sheet.frame(town.layout)


def _area(town: Town, corners: list[list[float]]) -> str:
    """Return path data of a board-coordinate polygon, its edges cut fine enough to follow the warp."""
    points: list[Point] = []
    for index, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(index + 1) % len(corners)]
        steps = max(1, round(math.dist((x0, y0), (x1, y1)) / 2))
        points += [town.warp((x0 + (x1 - x0) * s / steps, y0 + (y1 - y0) * s / steps)) for s in range(steps)]
    return "M" + "L".join(pair(point) for point in points) + "z"


def river_line(town: Town) -> Line | None:
    """Return the middle line of the river on the page, or None for a town without one."""
    river = town.layout.get("river")
    return Line([town.warp(point) for point in river["through"]]) if river else None


def land(town: Town) -> str:
    """Return the sheet, the land with its quarters, the river, the parks and the fine blue grid."""
    page = town.layout["page"]
    left, top, right, bottom = frame(town)
    box = f'x="{number(left)}" y="{number(top)}" width="{number(right - left)}" height="{number(bottom - top)}"'
    parts = [
        f'<rect class="margin" width="{page["width"]}" height="{page["height"]}"/><rect class="land" {box}/>',
        f'<clipPath id="map-clip"><rect {box}/></clipPath><g clip-path="url(#map-clip)">',
    ]
    for quarter in town.layout.get("quarters", ()):
        if quarter.get("tint"):
            parts.append(f'<path class="built{quarter["tint"]}" d="{_area(town, quarter["area"])}"/>')
    if river := town.layout.get("river"):
        course = path_through([town.warp(point) for point in river["through"]])
        parts.append(f'<defs><path id="river" d="{course}"/></defs>')
        parts.append('<use href="#river" class="bank"/><use href="#river" class="water"/>')
    for park in town.layout.get("parks", ()):
        parts.append(f'<path class="park" d="{_area(town, park["area"])}"/>')
        if pond := park.get("pond"):
            x, y, rx, ry = pond
            parts.append(f'<ellipse class="pond" cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"/>')
        parts += [f'<use href="#tree" class="tree" x="{number(x)}" y="{number(y)}"/>' for x, y in park["trees"]]
    parts.append(f"{sheet.grid(town.layout)}</g>")
    return "".join(parts)


def _is_ramp(road: Road) -> bool:
    return road.kind in ("lead_on", "off_ramp") or (road.kind == "freeway" and len(road.via) == 2)


def _chevrons(line: Line, step: float, offset: float, size: float, skip: list[Point]) -> str:
    """Return path data of one arrow every ``step`` units along a line, none where something in ``skip`` stands."""
    marks = ""
    distance = offset
    while distance < line.length - step / 4:
        x, y, angle = line.at(distance)
        if all(math.dist((x, y), point) > step * 0.75 for point in skip):
            turn = math.radians(angle)
            ahead, aside = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
            back = -0.55 * size
            tail = [(x + ahead[0] * back + aside[0] * s, y + ahead[1] * back + aside[1] * s) for s in (-size, size)]
            pen = Pen(tail[0])
            pen.line((x + ahead[0] * 0.45 * size, y + ahead[1] * 0.45 * size))
            pen.line(tail[1])
            marks += pen.data
        distance += step
    return marks


def roads(town: Town) -> str:
    """Return all roads: casings, fills, then the freeway with its arrows. Outlines are written once, used twice."""
    paths = {"minor": "", "major": "", "ramp": "", "fw": ""}
    for road in town.roads:
        name = "ramp" if _is_ramp(road) else "fw" if road.kind == "freeway" else road.kind
        paths[name] += road.path
    outline = "".join(f'<path id="r-{name}" d="{data}"/>' for name, data in paths.items() if data)
    used = [name for name in ("minor", "major", "ramp", "fw") if paths[name]]
    order = [f"{n}-c" for n in used if n != "fw"] + [n for n in ("ramp", "minor", "major") if n in used]
    order += ["fw-c", "fw"] if "fw" in used else []
    parts = [f"<defs>{outline}</defs>"]
    parts += [f'<use href="#r-{name.removesuffix("-c")}" class="{name}"/>' for name in order]
    shields = [(float(x), float(y)) for x, y in town.layout.get("shields", {}).get("at", ())]
    arrows, small = [], []
    for road in town.roads:
        if road.kind == "freeway" and len(road.via) > 2:
            arrows.append(_chevrons(road.line, CHEVRON_STEP, CHEVRON_STEP / 2, 6.0, shields))
        elif road.kind == "off_ramp":
            small.append(_chevrons(road.line, 1e6, road.line.length * 0.66, 4.2, []))
    parts.append(f'<path class="chev" d="{"".join(arrows)}"/>' if any(arrows) else "")
    parts.append(f'<path class="rchev" d="{"".join(small)}"/>' if any(small) else "")
    name = town.layout.get("shields", {}).get("name", "")
    for x, y in shields:
        parts.append(
            f'<g class="shield" transform="translate({pair((x, y))})">'
            f'<path d="M-13-10q13-5 26 0v8.5q0 8.5-13 14-13-5.5-13-14z"/><text y="4.5">{name}</text></g>'
        )
    return "".join(parts)


def margin(town: Town) -> str:
    """Return the neat line, the grid letters and figures, and the names of the neighbouring sheets."""
    return sheet.margin(town.layout)
