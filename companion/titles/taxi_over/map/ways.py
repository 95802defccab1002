"""What the next decision would do, drawn on the ring: the flag where stopping ends, outlines of those who would be
pushed, and a small card at each place where the next die may lead."""

from __future__ import annotations

import math
from collections.abc import Collection

from companion.titles.taxi_over.map.glide import bay_of
from companion.titles.taxi_over.map.ring import START, Ring
from companion.titles.taxi_over.map.signs import CAB_SIZE, die_face
from companion.titles.taxi_over.outlook import Chance, Outcome, Outlook
from companion.web.map.geometry import Point, number, pair

NEAR_START = 190.0


def route(here: Ring, outlook: Outlook | None, colour: str) -> str:
    """The dashed way to where stopping now ends."""
    if outlook is None or outlook.stop is None or not outlook.stop.distance or outlook.taxi is None:
        return ""
    way = _way(here, outlook.at, outlook.stop.distance)
    data = here.arc(outlook.at if outlook.at != START else way[0], way)
    if outlook.at == START:
        x, y, _ = bay_of(here, outlook.taxi)
        data = f"M{pair((x, y))}L" + data[1:]
    return f'<g class="s-{colour}"><path class="rt-c wide" d="{data}"/><path class="rt wide" d="{data}"/></g>'


def marks(here: Ring, outlook: Outlook | None, taken: Collection[str] = ()) -> str:
    """Flag, outlines and cards; `taken` are the spaces where taxis stand."""
    if outlook is None or outlook.taxi is None:
        return ""
    parts = []
    stop = outlook.stop
    if stop is not None and stop.distance:
        parts.append(_ghosts(here, outlook, stop))
        parts.append(_flag(here, stop.to, stop.distance, taken))
    if outlook.dice:
        lies = stop.to if stop is not None else ""
        for chance in outlook.next:
            if not chance.outcome.violation and chance.outcome.to not in (lies, START):
                parts.append(_card(here, chance, taken))
    return "".join(parts)


def _way(here: Ring, at: str, steps: int) -> list[str]:
    first = here.loop.index(str(here.board["entry"])) if at == START else here.loop.index(at) + 1
    return [here.loop[(first + step) % len(here.loop)] for step in range(steps)]


def _ghosts(here: Ring, outlook: Outlook, stop: Outcome) -> str:
    wide, high = CAB_SIZE
    shell = f'<rect x="{-wide / 2:.0f}" y="{-high / 2:.0f}" width="{wide:.0f}" height="{high:.0f}" rx="16"/>'
    parts = []
    for taxi in stop.pushed:
        if taxi in stop.fell:
            continue
        x, y, turn = here.at(stop.taxis[taxi])
        parts.append(f'<g class="ghost" transform="translate({pair((x, y))}) rotate({turn:.0f})">{shell}</g>')
    if stop.fell:
        for bend, pit in here.bends.items():
            if bend in _way(here, outlook.at, stop.distance + 1):
                x, y = here.pit(pit)
                parts.append(f'<circle class="danger" cx="{number(x)}" cy="{number(y)}" r="70"/>')
    return "".join(parts)


def _spot(here: Ring, place: str, taken: Collection[str]) -> tuple[str, Point]:
    """Where a sign about a space goes: onto it, or beside it where a taxi stands (inside the ring near START)."""
    x, y, _ = here.at(place)
    if place not in taken:
        return " free", (x, y)
    start_x, start_y = here.layout["start"]["at"]
    near = math.dist((x, y), (start_x, start_y)) < NEAR_START
    return "", here.beside(place, -66 if near else 66)


def _flag(here: Ring, place: str, distance: int, taken: Collection[str]) -> str:
    x, y, _ = here.at(place)
    free, spot = _spot(here, place, taken)
    return (
        f'<circle class="landing{free}" cx="{number(x)}" cy="{number(y)}" r="58"/>'
        f'<g class="stopflag" transform="translate({pair(spot)})"><rect x="-36" y="-22" width="72" height="44" rx="4"/>'
        f'<text y="12">{distance}</text></g>'
    )


def _card(here: Ring, chance: Chance, taken: Collection[str]) -> str:
    x, y, _ = here.at(chance.outcome.to)
    free, spot = _spot(here, chance.outcome.to, taken)
    percent = round(100 * chance.n / chance.d)
    return (
        f'<circle class="maybe{free}" cx="{number(x)}" cy="{number(y)}" r="58"/>'
        f'<g class="chance" transform="translate({pair(spot)})"><rect x="-43" y="-20" width="86" height="40" rx="4"/>'
        f'<g transform="translate(-24 0) scale(.62)">{die_face(chance.face)}</g><text x="-6" y="8">{percent} '
        "%</text></g>"
    )
