"""Where a taxi can go and how: reach pips with their cost, flags at the own destination, and the chosen way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.titles.taxi.map.destinations import boxes
from companion.titles.taxi.map.places import directory, targets
from companion.titles.taxi.map.roads import frame
from companion.titles.taxi.map.room import Room, between, pip_box, stands_in
from companion.titles.taxi.map.tokens import players_in
from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Box, Line, Point, grow, number, overlap, pair

Label = tuple[str, int, int, int]  # place, streets, green, white
PIP = 9.5
LEG = 11.0
FLAG = 22
DOT = 3.2
LAMPS_APART = 5.6
Spot = tuple[int, int, int, int]
"""Of a flag: above (-1) or below, right (1) or left, and how far up and aside from there."""


def cost_words(streets: int, green: int, white: int) -> str:
    """Return a cost as spoken: ``4 streets, 1 green``."""
    words = [f"{streets} street{'' if streets == 1 else 's'}"]
    words += [f"{green} green"] if green else []
    words += [f"{white} white"] if white else []
    return ", ".join(words)


def labels_by_place(town: Town, reach: Iterable[Sequence[Any]]) -> dict[str, list[Label]]:
    """Return the answer of `ask reachable` by place, for each place the label with the fewest tablets first."""
    found: dict[str, list[Label]] = {}
    for entry in reach:
        label = (town.canonical(str(entry[0])), int(entry[1]), int(entry[2]), int(entry[3]))
        found.setdefault(label[0], []).append(label)
    for labels in found.values():
        labels.sort(key=lambda one: (one[3], one[2], one[1]))
    return found


def _mover(view: Mapping[str, Any] | None) -> Mapping[str, Any]:
    turn = (view or {}).get("turn")
    return next((one for one in players_in(view) if one["seat"] == turn), {})


def reach_marks(town: Town, view: Mapping[str, Any] | None, reach: Iterable[Sequence[Any]], pressable: bool) -> str:
    """Return pips with the number of streets at each corner in reach, dots at the last stops, flags at the goal.

    Where the cheapest way opens lights or gates, the pip is smaller and has a green dot for each light and a white one
    for each gate. A street has a dot only where one comes no further, as before a light: a town full of dots says
    nothing. ``pressable`` adds a target round every place, named in words with its cost, in the order of the answer.
    """
    found = labels_by_place(town, reach)
    mover = _mover(view)
    start = town.canonical(str(mover["at"])) if mover.get("at") else None
    goal = town.destinations.get(str(mover.get("destination")), {}).get("at")
    if mover.get("destination") == "base":
        goal = town.base
    marked = {str(data["at"]) for data in town.destinations.values()}
    free = {place for place, labels in found.items() if labels[0][2:] == (0, 0)}
    room = Room(town, view)
    dots: dict[str, Box] = {}
    pips: dict[str, Box] = {}
    for place, labels in found.items():
        _, streets, green, white = labels[0]
        if place in (start, goal) or place in marked or (streets, green, white) == (0, 0, 0):
            continue
        if "~" not in place:
            paid = bool(green or white)
            pips[place] = pip_box(PIP - 2 if paid else PIP, min(green, 3) + min(white, 3), LAMPS_APART)
        elif (green, white) == (0, 0) and not all(end == start or end in free for end in place.split("~", 1)):
            dots[place] = (-DOT - 1, -DOT - 1, DOT + 1, DOT + 1)
    spots = room.lay({**pips, **dots})
    parts = [
        f'<circle class="dot" cx="{number(spots[place][0])}" cy="{number(spots[place][1])}" r="{DOT}"/>'
        for place in dots
        if place in spots
    ]
    parts += [_pip(found[place][0], spots[place]) for place in pips if place in spots]
    if goal in found:
        parts.append(_flags(town, goal, found[goal][:2], room))
    if pressable:
        names = directory(town).names
        words = {
            place: f"{names[place]}: " + " or ".join(cost_words(*label[1:]) for label in labels[:3])
            for place, labels in found.items()
        }
        places = [place for place in found if place != start]
        parts.append(targets(town, places, words, ' role="button" tabindex="0"'))
    return "".join(parts)


def _pip(label: Label, spot: Point) -> str:
    _, streets, green, white = label
    paid = " paid" if green or white else ""
    lamps = ["pg"] * min(green, 3) + ["pw"] * min(white, 3)
    drawn = "".join(
        f'<circle class="{kind}" cx="{number((index - (len(lamps) - 1) / 2) * LAMPS_APART)}" cy="8.5" r="2.8"/>'
        for index, kind in enumerate(lamps)
    )
    return (
        f'<g class="pip{paid}" transform="translate({pair(spot)})"><circle r="{PIP - 2 if paid else PIP}"/>'
        f'<text y="4.6">{streets}</text>{drawn}</g>'
    )


def _flags(town: Town, place: str, labels: list[Label], room: Room) -> str:
    """Return the ring round the goal and one flag for each way worth offering, the cheapest next to it and yellow.

    They stand above or below, left or right of the goal, as near as they can without covering a face or a name.
    """
    x, y = town.xy(place)
    page = frame(town)
    signs = [["lamp-green"] * min(green, 4) + ["gate"] * min(white, 3) for _, _, green, white in labels]
    widths = [22 + 7 * (len(str(one[1])) - 1) + 13 * len(icons) for one, icons in zip(labels, signs, strict=True)]
    # The goal's own X, or the rank, is what the flags point at.
    taken = [one for one in room.taken if not stands_in(one, (x, y)) and math.dist(one[:2], (x, y)) < 300]
    printed = [one for one in room.printed if math.dist(one[:2], (x, y)) < 300]

    def box(index: int, spot: Spot) -> Box:
        rise, side, up, aside = spot
        left = x + 9 + aside if side > 0 else x - 9 - aside - widths[index]
        top = y - 38 - up - 24 * index if rise < 0 else y + 16 + up + 24 * index
        return left, top, left + widths[index], top + FLAG

    def foot(spot: Spot) -> Point:
        left, top, right, bottom = box(0, spot)
        return (left + 4 if spot[1] > 0 else right - 4), (bottom if spot[0] < 0 else top)

    def cost(spot: Spot) -> float:
        flags = [box(index, spot) for index in range(len(labels))]
        outside = sum(FLAG * widths[i] - overlap(flag, page) for i, flag in enumerate(flags))
        hidden = sum(overlap(grow(flag, 1), other) for flag in flags for other in taken)
        stem = between((x, y), foot(spot), 6)
        hidden += sum(40 for point in stem for other in taken if stands_in(other, point))
        words = sum(overlap(flag, other) for flag in flags for other in printed)
        return 100 * (outside + hidden) + words + 4 * (spot[2] + spot[3])

    away = (0, 8, 16, 24, 36, 48)
    spot = min(((rise, side, up, by) for rise in (-1, 1) for side in (1, -1) for up in away for by in away), key=cost)
    rise, side = spot[:2]
    parts = [f'<circle class="halo2 main" cx="{number(x)}" cy="{number(y)}" r="12.5"/>']
    for index, (_, streets, _, _) in enumerate(labels):
        left, top, right, bottom = box(index, spot)
        stem = ""
        if index == 0:
            stem = f'<path d="M{pair((x, y + rise * 5))}L{pair(foot(spot))}h{side * 9}z"/>'
        icons = "".join(
            f'<use href="#{icon}" transform="translate({pair((right - 9 - 13 * i, top + 11))}) scale(.72)"/>'
            for i, icon in enumerate(reversed(signs[index]))
        )
        parts.append(
            f'<g class="flag{" main" if index == 0 else ""}">{stem}<rect x="{number(left)}" y="{number(top)}" '
            f'width="{widths[index]}" height="{FLAG}" rx="3"/>'
            f'<text x="{number(left + 11 + 3.5 * (len(str(streets)) - 1))}" y="{number(top + 16.5)}">{streets}</text>'
            f"{icons}</g>"
        )
    return "".join(parts)


def leg_line(town: Town, leg: Sequence[str]) -> Line | None:
    """Return the line of one street of a way: its places in order, a link at either end meaning its middle."""
    points: list[Point] = []
    for start, end in zip(leg, leg[1:], strict=False):
        if "~" in start:
            one, other = start.split("~", 1)
            line = town.link_line(other if end == one else one, end if "~" not in end else other)
            line = line.cut(line.length / 2, line.length)
        elif "~" in end:
            one, other = end.split("~", 1)
            line = town.link_line(start, other if start == one else one)
            line = line.cut(0, line.length / 2)
        else:
            line = town.link_line(start, end)
            if points and math.dist(points[-1], line.points[0]) > 1:
                points, line = _spliced(points, line)
        points += line.points
    return Line(points) if len(points) > 1 else None


def _spliced(points: list[Point], line: Line) -> tuple[list[Point], Line]:
    """Return two pieces of a way cut where a ramp's curve meets the ring road: ramps touch it beside their point."""
    before = Line(points)
    ahead = line.nearest(points[-1])
    if 1 < ahead < line.length - 1:
        return points, line.cut(ahead, line.length)
    if ahead >= line.length - 1:
        return points, Line([points[-1]])
    back = before.nearest(line.points[0])
    return (before.cut(0, back).points, line) if 1 < back < before.length - 1 else (points, line)


def way(town: Town, route: Mapping[str, Any], view: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return the chosen way as a dashed seat line on a cream casing, and the black numbers, one for each street.

    ``route`` is what ``way.find_way`` gives, with the ``colour`` of its seat if that is not the seat on turn.
    """
    colour = str(route.get("colour") or _mover(view).get("colour", "black"))
    lines = [line for leg in route.get("legs", ()) if (line := leg_line(town, leg)) is not None]
    if not lines:
        return "", ""
    outline = ""
    for index, line in enumerate(lines):
        outline += ("L" if index else "M") + "L".join(pair(point) for point in line.points)
    drawn = f'<path class="rt-c" d="{outline}"/><path class="rt s-{colour}" d="{outline}"/>'
    taken = [town.xy(name) for name in [*town.lights, *town.gates]]
    taken += [town.xy(data["at"]) for data in town.destinations.values()]
    taken.append(lines[0].at(0)[:2])
    for player in players_in(view):
        if (name := str(player.get("destination"))) in town.destinations:
            title = str(town.destinations[name].get("name", name))
            left, top, right, bottom = boxes(title, town.layout["destinations"][name], True)["pawn"]
            taken.append(((left + right) / 2, (top + bottom) / 2))
    numbers = []
    for leg in route["legs"]:
        taken += [town.xy(place) for place in leg if "~" not in place and len(town.neighbours[place]) > 2]
    for index, line in enumerate(lines):
        spots = [line.at(line.length * part)[:2] for part in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)]
        best = max(spots, key=lambda spot: min(22.0, min(math.dist(spot, other) for other in taken)))
        taken.append(best)
        mark = f'<circle r="{LEG}"/><text y="5.5">{index + 1}</text>'
        numbers.append(f'<g class="leg" transform="translate({pair(best)})">{mark}</g>')
    return drawn, "".join(numbers)
