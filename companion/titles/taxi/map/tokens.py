"""What stands on TAXI!'s map and moves: taxis, passengers, barriers, lights and gates, the rank in the middle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from companion.titles.taxi.map.destinations import boxes
from companion.titles.taxi.map.signs import PAWN_SIZE
from companion.titles.taxi.map.town import Town
from companion.web.map import pieces, sheet
from companion.web.map.geometry import Point, pair
from companion.web.map.pieces import RANK_RADIUS, SEATS, cab, players_in

__all__ = ["alarm", "band", "barriers", "cab", "lamps", "passengers", "players_in", "rank", "taxi_spots", "taxis"]


def taxi_spots(town: Town, view: Mapping[str, Any] | None) -> dict[str, tuple[float, float, float, bool]]:
    """Return for each colour in play ``(x, y, degrees, at home)``; several at one stop fan out across the road."""
    return pieces.taxi_spots(view, town.at, town.base, town.canonical)


def taxis(town: Town, view: Mapping[str, Any] | None, moved: Mapping[int, str] | None = None) -> str:
    """Return all taxis; ``moved`` holds by seat the way of one that has just driven, see ``glide.py``."""
    return pieces.taxis(view, taxi_spots(town, view), moved)


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
    return x + math.cos(turn) * (RANK_RADIUS + 8), y + math.sin(turn) * (RANK_RADIUS + 8) + PAWN_SIZE[1] / 2


def barriers(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the barriers placed, each a striped board square across its link."""
    parts = []
    for index, one in enumerate((view or {}).get("placed_barriers", ())):
        x, y, angle = town.at(town.canonical(str(one["on"])))
        parts.append(
            f'<use id="barrier-{index}" href="#board" transform="translate({pair((x, y))}) rotate({angle + 90:.0f})"/>'
        )
    return "".join(parts)


def rank(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the base: six segments, full while that seat's taxi stands there, pale while it is away."""
    if town.base is None:
        return ""
    home = None if view is None else [colour for colour, spot in taxi_spots(town, view).items() if spot[3]]
    return pieces.rank(town.xy(town.base), home, "RANK")


def band(town: Town, view: Mapping[str, Any] | None) -> str:
    """Return the seat band: the pattern of the seat on turn runs round the page; plain paper when nobody is."""
    return sheet.band(town.layout, pieces.colour_on_turn(view))


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
    """Return taxis that the rules cannot explain, see ``pieces.alarm``."""
    return pieces.alarm(unexplained, lambda place: town.at(town.canonical(place)))
