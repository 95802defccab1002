"""What stands on the map and moves: taxis, passengers, barriers, the rank in the middle and the band round the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from companion.titles.taxi.map.destinations import boxes
from companion.titles.taxi.map.signs import BASE_RADIUS, CAB_SIZE, PAWN_SIZE, SEATS
from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Point, number, pair

FAN = 15.0  # page units between two taxis at one stop, across the road
Player = Mapping[str, Any]


def players_in(view: Mapping[str, Any] | None) -> list[Player]:
    """Return the players of a view who still play, by seat."""
    players = (view or {}).get("players", ())
    return sorted((one for one in players if one.get("status", "in") == "in"), key=lambda one: int(one["seat"]))


def taxi_spots(town: Town, view: Mapping[str, Any] | None) -> dict[str, tuple[float, float, float, bool]]:
    """Return for each colour in play ``(x, y, degrees, at home)``; several at one stop fan out across the road."""
    crowd: dict[str, list[str]] = {}
    for player in players_in(view):
        if (place := player.get("at")) is not None:
            crowd.setdefault(town.canonical(str(place)), []).append(str(player["colour"]))
    spots: dict[str, tuple[float, float, float, bool]] = {}
    for place, colours in crowd.items():
        x, y, angle = town.at(place)
        for index, colour in enumerate(colours):
            home = place == town.base
            off = 0.0 if home else (index - (len(colours) - 1) / 2) * FAN
            turn = math.radians(angle + 90)
            spots[colour] = (x + math.cos(turn) * off, y + math.sin(turn) * off, angle, home)
    return spots


def _move(x: float, y: float, angle: float) -> str:
    return f"transform:translate({number(x)}px,{number(y)}px) rotate({angle:.0f}deg)"


def cab(colour: str) -> str:
    """Return a taxi of a seat's colour with the seat's shape on its roof sign, at the origin, nose to the right."""
    return f'<use href="#cab"/><use href="#shp-{colour}" class="roofm" transform="translate(-3) scale(.78)"/>'


def taxis(town: Town, view: Mapping[str, Any] | None, moved: Mapping[int, str] | None = None) -> str:
    """Return all taxis, ``taxi-red`` …, each moved by a CSS transform so that it glides when its place changes.

    ``moved`` holds by seat the way of a taxi that has just driven, see ``glide.py``; others glide straight.
    Taxis at the rank shrink into their segment of it. The seat on turn has a dashed ring, ``turn-ring``.
    """
    players = players_in(view)
    spots = taxi_spots(town, view)
    turn = (view or {}).get("turn")
    parts = []
    for player in players:
        colour = str(player["colour"])
        if colour not in spots:
            continue
        x, y, angle, home = spots[colour]
        if player["seat"] == turn and not home:
            parts.append(f'<g id="turn-ring" class="taxi" style="{_move(x, y, 0)}"><circle class="me" r="28"/></g>')
        words = escape(f"{player.get('name', colour)}: the {colour} taxi")
        way = (moved or {}).get(int(player["seat"]))
        along = f' data-way="{way}"' if way else ""
        parts.append(
            f'<g id="taxi-{colour}" class="taxi s-{colour}{" parked" if home else ""}" data-seat="{player["seat"]}"'
            f'{along} style="{_move(x, y, angle)}"><title>{words}</title><g>{cab(colour)}</g></g>'
        )
    return "".join(parts)


def passengers(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return each seat's passenger, on the blade of this trip's character until the trip is settled (T-029)."""
    parts = []
    for player in players_in(view):
        name, colour = player.get("destination"), str(player["colour"])
        if name in town.destinations:
            spot = town.layout["destinations"][name]
            left, _, right, bottom = boxes(str(town.destinations[name].get("name", name)), spot, True)["pawn"]
            x = (left + right) / 2
        elif name == "base" and town.base is not None:
            x, bottom = _on_rank(town, colour)
        else:
            continue
        parts.append(
            f'<g id="passenger-{colour}" class="s-{colour}" transform="translate({pair((x, bottom + 1))})">'
            f'<use href="#pawn"/><use href="#shp-{colour}" class="blm" transform="translate(0 -7.8) scale(.62)"/></g>'
        )
    return "".join(parts)


def _on_rank(town: Town, colour: str) -> Point:
    """Return where a passenger stands who waits at the rank: on the rim, over its own segment."""
    assert town.base is not None
    x, y = town.xy(town.base)
    turn = math.radians(-60 + 60 * SEATS.index(colour) if colour in SEATS else 0)
    return x + math.cos(turn) * (BASE_RADIUS + 8), y + math.sin(turn) * (BASE_RADIUS + 8) + PAWN_SIZE[1] / 2


def barriers(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the barriers placed, each a striped board square across its link."""
    parts = []
    for index, one in enumerate((view or {}).get("placed_barriers", ())):
        x, y, angle = town.at(town.canonical(str(one["on"])))
        parts.append(
            f'<use id="barrier-{index}" href="#board" transform="translate({pair((x, y))}) rotate({angle + 90:.0f})"/>'
        )
    return "".join(parts)


def _segment(start: float, end: float, outer: float, inner: float) -> str:
    corners: list[Point] = []
    for radius, angle in ((outer, start), (outer, end), (inner, end), (inner, start)):
        corners.append((radius * math.sin(math.radians(angle)), -radius * math.cos(math.radians(angle))))
    a, b, c, d = (pair(corner) for corner in corners)
    return f"M{a}A{outer} {outer} 0 0 1 {b}L{c}A{inner} {inner} 0 0 0 {d}z"


def rank(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the base: six segments, full while that seat's taxi stands there, pale while it is away."""
    if town.base is None:
        return ""
    x, y = town.xy(town.base)
    home = {colour for colour, spot in taxi_spots(town, view).items() if spot[3]}
    parts = [f'<g transform="translate({pair((x, y))})"><circle class="base0" r="{number(BASE_RADIUS)}"/>']
    for index, colour in enumerate(SEATS):
        middle = math.radians(index * 60 + 30)
        radius = 23.7
        spot = pair((radius * math.sin(middle), -radius * math.cos(middle)))
        away = "" if colour in home or view is None else " away"
        parts.append(
            f'<g class="s-{colour}{away}"><path class="seg" d="{_segment(index * 60, index * 60 + 60, 30.5, 17)}"/>'
            f'<use href="#shp-{colour}" class="blm" transform="translate({spot}) scale(.6)"/></g>'
        )
    return "".join(parts) + '<circle class="base1" r="17"/><text class="nm-base" y="4.5">RANK</text></g>'


def band(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the seat band: the pattern of the seat on turn runs round the page; plain paper when nobody is."""
    page = town.layout["page"]
    wide, high = page["width"], page["height"]
    turn = (view or {}).get("turn")
    colour = next((str(one["colour"]) for one in players_in(view) if one["seat"] == turn), None)
    line = f'<rect class="bandline" x="16" y="16" width="{wide - 32}" height="{high - 32}"/>'
    if colour not in SEATS:
        return line
    return (
        f'<g class="s-{colour}"><pattern id="band-of-{colour}" x="-7" y="-7" width="30" height="30" '
        f'patternUnits="userSpaceOnUse"><rect class="bandc" width="30" height="30"/>'
        f'<use href="#shp-{colour}" class="blm" transform="translate(15 15) scale(.82)"/></pattern>'
        f'<path class="bandp" style="stroke:url(#band-of-{colour})" d="M8 8H{wide - 8}V{high - 8}H8z"/></g>{line}'
    )


def lamps(town: Town, opening: Iterable[str] = (), passed: Iterable[str] = ()) -> str:
    """Return all lights and gates: red, ringed when the chosen way will open them, green when just passed."""
    soon, done = set(opening), set(passed)
    parts = []
    for name in town.lights:
        sign = "lamp-passed" if name in done else "lamp-next" if name in soon else "lamp-red"
        parts.append(f'<use id="light-{name}" href="#{sign}" transform="translate({pair(town.xy(name))})"/>')
    for name in town.gates:
        ring = ' class="opening"' if name in soon else ' class="passed"' if name in done else ""
        parts.append(f'<use id="gate-{name}"{ring} href="#gate" transform="translate({pair(town.xy(name))})"/>')
    return "".join(parts)


def alarm(town: Town, unexplained: Iterable[Mapping[str, Any]]) -> str:
    """Return taxis that the rules cannot explain: a hollow car where one was seen, a dotted one where it was expected.

    Each entry: ``colour``, ``seen`` (a place) and ``expected`` (a place, or None when any would do).
    """
    parts = []
    wide, high = CAB_SIZE
    shell = f'<rect x="{number(-wide / 2)}" y="{number(-high / 2)}" width="{wide:.0f}" height="{high:.0f}" rx="7.5"/>'
    for one in unexplained:
        x, y, angle = town.at(town.canonical(str(one["seen"])))
        seat = f"s-{one['colour']}"
        turned = f'transform="translate({pair((x, y))}) rotate({angle:.0f})"'
        if one.get("expected"):
            ex, ey, turn = town.at(town.canonical(str(one["expected"])))
            place = f"translate({pair((ex, ey))}) rotate({turn:.0f})"
            parts.append(f'<g class="expected {seat}" transform="{place}">{shell}</g>')
            gap = math.dist((x, y), (ex, ey))
            if gap > 70:
                ux, uy = (ex - x) / gap, (ey - y) / gap
                tip = (ex - ux * 26, ey - uy * 26)
                left = (tip[0] - ux * 11 - uy * 6, tip[1] - uy * 11 + ux * 6)
                right = (tip[0] - ux * 11 + uy * 6, tip[1] - uy * 11 - ux * 6)
                parts.append(
                    f'<path class="arrow" d="M{pair((x + ux * 26, y + uy * 26))}L{pair(tip)}M{pair(left)}L{pair(tip)}'
                    f'L{pair(right)}"/>'
                )
        parts.append(f'<g class="seen {seat}" {turned}>{shell}</g>')
    return "".join(parts)
