"""What stands on every title's map: seats' shapes, taxis, lamps, the rank, and taxis that the rules cannot explain.

Inside `<use>` an ancestor selector does not match, so a symbol takes its theme and its seat through custom properties
only (`--c`, `--c-on`, … of the classes `s-red` … `s-black` in `look.css`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from companion.web.map.geometry import Line, Point, number, pair
from companion.web.seat_shapes import SHAPES

Player = Mapping[str, Any]
Spot = tuple[float, float, float]
"""``(x, y, degrees)`` of a place, the angle that of its road."""

SEATS = ("red", "yellow", "blue", "green", "white", "black")
"""Colours of taxis, in the order of the rank's segments."""

_HOUSE = '<rect class="house" x="-6.5" y="-11" width="13" height="22" rx="4.5"/>'
LAMP_SIZE = (13.0, 22.0)
RANK_RADIUS = 34.0
CAB_SIZE = (42.0, 22.0)
FAN = 15.0
"""Page units between two taxis at one place, across the road."""

SYMBOLS = {
    "lamp-red": f'{_HOUSE}<circle class="lr" cy="-4.9" r="4.2"/><circle class="off" cy="5" r="3.2"/>',
    "lamp-green": f'{_HOUSE}<circle class="off" cy="-5" r="3.2"/><circle class="lg" cy="4.9" r="4.2"/>',
    "lamp-next": '<circle class="lnr" r="16.5"/><use href="#lamp-red"/>',
    "lamp-passed": '<use href="#lamp-green"/><circle class="lgr" cy="4.9" r="11"/>',
    "tree": '<path d="M-4.5 3.5q-3.5-5 1-7 3.5-5 7 0 4.5 2 1 7z"/><path d="M0 3.5v4.5"/>',
    "cab": (
        '<rect class="halo" x="-22" y="-12" width="44" height="24" rx="8.5"/>'
        '<rect class="tok" x="-21" y="-11" width="42" height="22" rx="7.5"/>'
        '<path class="glass" d="M7.5-8.5q5 8.5 0 17l-3.4-1.7q2.5-6.8 0-13.6zM-13.5-7.7q-3.4 7.7 0 15.4l2.5-1.7'
        'q-1.7-6 0-12z"/><path class="lamp" d="M18.5-8.5h2.5v4.2h-2.5zM18.5 4.3h2.5v4.2h-2.5z"/>'
        '<rect class="roof" x="-11" y="-8" width="16" height="16" rx="2.5"/>'
    ),
}


def symbols() -> str:
    """Return the inside of `<defs>`: shapes of seats as `shp-<colour>`, and :data:`SYMBOLS` under their names."""
    parts = [f'<g id="shp-{seat}">{SHAPES[seat]}</g>' for seat in SEATS]
    parts += [f'<g id="{name}">{drawing}</g>' for name, drawing in SYMBOLS.items()]
    return "".join(parts)


def players_in(view: Mapping[str, Any] | None) -> list[Player]:
    """Return the players of a view who still play, by seat."""
    players = (view or {}).get("players", ())
    return sorted((one for one in players if one.get("status", "in") == "in"), key=lambda one: int(one["seat"]))


def colour_on_turn(view: Mapping[str, Any] | None) -> str | None:
    """Return the colour of the seat on turn, None when nobody is."""
    turn = (view or {}).get("turn")
    return next((str(one["colour"]) for one in players_in(view) if one["seat"] == turn), None)


def taxi_spots(
    view: Mapping[str, Any] | None, at: Callable[[str], Spot], base: str | None, name: Callable[[str], str] = str
) -> dict[str, tuple[float, float, float, bool]]:
    """Return for each colour in play ``(x, y, degrees, at home)``; several at one place fan out across the road.

    ``name`` gives a place's one name where it can have several.
    """
    crowd: dict[str, list[str]] = {}
    for player in players_in(view):
        if (place := player.get("at")) is not None:
            crowd.setdefault(name(str(place)), []).append(str(player["colour"]))
    spots: dict[str, tuple[float, float, float, bool]] = {}
    for place, colours in crowd.items():
        x, y, angle = at(place)
        for index, colour in enumerate(colours):
            home = place == base
            off = 0.0 if home else (index - (len(colours) - 1) / 2) * FAN
            turn = math.radians(angle + 90)
            spots[colour] = (x + math.cos(turn) * off, y + math.sin(turn) * off, angle, home)
    return spots


def move(x: float, y: float, angle: float) -> str:
    """Return the style that puts a piece somewhere; it glides there when the page's styles say so."""
    return f"transform:translate({number(x)}px,{number(y)}px) rotate({angle:.0f}deg)"


def cab(colour: str) -> str:
    """Return a taxi of a seat's colour with the seat's shape on its roof sign, at the origin, nose to the right."""
    return f'<use href="#cab"/><use href="#shp-{colour}" class="roofm" transform="translate(-3) scale(.78)"/>'


def taxis(
    view: Mapping[str, Any] | None,
    spots: Mapping[str, tuple[float, float, float, bool]],
    moved: Mapping[int, str] | None = None,
) -> str:
    """Return all taxis, ``taxi-red`` …, each moved by a CSS transform so that it glides when its place changes.

    ``moved`` holds by seat the way of a taxi that has just driven (:func:`glide`); others glide straight. Taxis at home
    shrink into their segment of the rank. The seat on turn has a dashed ring, ``turn-ring``.
    """
    turn = (view or {}).get("turn")
    parts = []
    for player in players_in(view):
        colour = str(player["colour"])
        if colour not in spots:
            continue
        x, y, angle, home = spots[colour]
        if player["seat"] == turn and not home:
            parts.append(f'<g id="turn-ring" class="taxi" style="{move(x, y, 0)}"><circle class="me" r="28"/></g>')
        words = escape(f"{player.get('name', colour)}: the {colour} taxi")
        way = (moved or {}).get(int(player["seat"]))
        along = f' data-way="{way}"' if way else ""
        parts.append(
            f'<g id="taxi-{colour}" class="taxi s-{colour}{" parked" if home else ""}" data-seat="{player["seat"]}"'
            f'{along} style="{move(x, y, angle)}"><title>{words}</title><g>{cab(colour)}</g></g>'
        )
    return "".join(parts)


GLIDE_STEP = 12.0
"""Page units between two points of a way: a third of a taxi, so that it turns within its own length."""
GLIDE_POINTS = 64


def glide(line: Line, milliseconds: int) -> str:
    """Return a way driven as the attribute `data-way`: ``"1400 612.3 402.1 624.2 402.8 …"``, milliseconds, then points
    in even steps along it; "" for one that goes nowhere.
    """
    if len(line.points) < 2 or not line.length:
        return ""
    count = max(1, min(GLIDE_POINTS, round(line.length / GLIDE_STEP)))
    steps = [pair(line.at(line.length * index / count)[:2]) for index in range(count + 1)]
    return f"{milliseconds} {' '.join(steps)}"


def rank(at: Point, home: Iterable[str] | None, word: str) -> str:
    """Return the base: six segments, full while that seat's taxi stands there, pale while it is away; None: all full.

    ``word`` stands in the middle.
    """
    here = None if home is None else set(home)
    parts = [f'<g transform="translate({pair(at)})"><circle class="base0" r="{number(RANK_RADIUS)}"/>']
    for index, colour in enumerate(SEATS):
        middle = math.radians(index * 60 + 30)
        radius = 23.7
        spot = pair((radius * math.sin(middle), -radius * math.cos(middle)))
        away = "" if here is None or colour in here else " away"
        parts.append(
            f'<g class="s-{colour}{away}"><path class="seg" d="{_segment(index * 60, index * 60 + 60, 30.5, 17)}"/>'
            f'<use href="#shp-{colour}" class="blm" transform="translate({spot}) scale(.6)"/></g>'
        )
    return "".join(parts) + f'<circle class="base1" r="17"/><text class="nm-base" y="4.5">{escape(word)}</text></g>'


def _segment(start: float, end: float, outer: float, inner: float) -> str:
    corners: list[Point] = []
    for radius, angle in ((outer, start), (outer, end), (inner, end), (inner, start)):
        corners.append((radius * math.sin(math.radians(angle)), -radius * math.cos(math.radians(angle))))
    a, b, c, d = (pair(corner) for corner in corners)
    return f"M{a}A{outer} {outer} 0 0 1 {b}L{c}A{inner} {inner} 0 0 0 {d}z"


def alarm(unexplained: Iterable[Mapping[str, Any]], at: Callable[[str], Spot]) -> str:
    """Return taxis that the rules cannot explain: a hollow car where one was seen, a dotted one where it was expected.

    Each entry: ``colour``, ``seen`` (a place) and ``expected`` (a place, or None when any would do).
    """
    parts = []
    wide, high = CAB_SIZE
    shell = f'<rect x="{number(-wide / 2)}" y="{number(-high / 2)}" width="{wide:.0f}" height="{high:.0f}" rx="7.5"/>'
    for one in unexplained:
        x, y, angle = at(str(one["seen"]))
        seat = f"s-{one['colour']}"
        if one.get("expected"):
            ex, ey, turn = at(str(one["expected"]))
            place = f"translate({pair((ex, ey))}) rotate({turn:.0f})"
            parts.append(f'<g class="expected {seat}" transform="{place}">{shell}</g>')
            parts += _arrow((x, y), (ex, ey))
        parts.append(f'<g class="seen {seat}" transform="translate({pair((x, y))}) rotate({angle:.0f})">{shell}</g>')
    return "".join(parts)


def _arrow(start: Point, end: Point) -> Sequence[str]:
    gap = math.dist(start, end)
    if gap <= 70:
        return ()
    ux, uy = (end[0] - start[0]) / gap, (end[1] - start[1]) / gap
    tip = (end[0] - ux * 26, end[1] - uy * 26)
    left = (tip[0] - ux * 11 - uy * 6, tip[1] - uy * 11 + ux * 6)
    right = (tip[0] - ux * 11 + uy * 6, tip[1] - uy * 11 - ux * 6)
    tail = (start[0] + ux * 26, start[1] + uy * 26)
    return (f'<path class="arrow" d="M{pair(tail)}L{pair(tip)}M{pair(left)}L{pair(tip)}L{pair(right)}"/>',)
