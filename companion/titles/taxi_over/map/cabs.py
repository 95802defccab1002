"""What stands on the map and moves: neutral taxis with a roof lamp, their drivers, the ring round the one on turn, and
pieces that the rules cannot explain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from companion.titles.taxi_over.map.glide import Glide, bay_of, glides
from companion.titles.taxi_over.map.homes import doorstep
from companion.titles.taxi_over.map.moments import Moment
from companion.titles.taxi_over.map.ring import START, Ring, Spot
from companion.titles.taxi_over.map.signs import CAB_SIZE, DRIVER_FEET, cab, driver
from companion.web.map.geometry import number, pair


def spot_of(here: Ring, taxi: str, place: str) -> Spot:
    """Where a taxi is drawn."""
    return bay_of(here, taxi) if place == START else here.at(place)


def _move(x: float, y: float, angle: float) -> str:
    return f"transform:translate({number(x)}px,{number(y)}px) rotate({angle:.0f}deg)"


def traffic(here: Ring, view: Any, moment: Moment) -> str:
    """Taxis as `taxi-T1` …, drivers as `driver-red` …, each an element that stays itself while it moves; the
    dashed ring `on-turn` goes with whoever is on turn."""
    if not view:
        return ""
    players = [one for one in view["players"] if one["status"] == "in"]
    riders = {one["driver"]: one for one in players if one["driver"]}
    ways = glides(here, moment.events)
    taxis: list[str] = []
    drivers: list[str] = []
    ring = ""
    for name, entry in view["taxis"].items():
        x, y, turn = spot_of(here, name, entry["at"])
        rider = riders.get(name)
        way = ways.get(name)
        number_of = name[1:]
        words = f"{rider['name']}’s taxi" if rider else f"empty taxi {number_of}"
        taxis.append(
            f'<g id="taxi-{name}" class="taxi{"" if rider else " free"}"{_along(way)} style="{_move(x, y, turn)}">'
            f"<title>{escape(words)}</title><g>{cab(number_of, rider is None)}</g></g>"
        )
        if rider:
            drivers.append(_driver(rider, x, y, way))
            if view["turn"] == rider["seat"] and view["phase"] != "over":
                ring = _on_turn(x, y, 62, way)
    for player in players:
        if player["driver"] is None:
            x, y = doorstep(here, int(player["seat"]))
            drivers.append(_driver(player, x, y - DRIVER_FEET, None))
            if view["turn"] == player["seat"] and view["phase"] != "over":
                ring = _on_turn(x, y - DRIVER_FEET, 36, None)
    return "".join([ring, *taxis, *drivers])


def _on_turn(x: float, y: float, radius: int, way: Glide | None) -> str:
    along = f'data-upright=""{_along(way)} style="{_move(x, y, 0)}"'
    return f'<g id="on-turn" class="taxi" {along}><circle class="me" r="{radius}"/></g>'


def _along(way: Glide | None) -> str:
    return way.attributes if way else ""


def _driver(player: Any, x: float, y: float, way: Glide | None) -> str:
    colour = str(player["colour"])
    words = escape(f"{player['name']}’s driver")
    return (
        f'<g id="driver-{colour}" class="taxi s-{colour}" data-upright=""{_along(way)} style="{_move(x, y, 0)}">'
        f'<title>{words}</title><g><g transform="translate(0 {DRIVER_FEET:.0f})">{driver(colour)}</g></g></g>'
    )


def alarm(here: Ring, unexplained: Iterable[Mapping[str, Any]]) -> str:
    """Pieces that lie where the rules cannot have them: a hollow car where one was seen, a dotted one where it
    should be."""
    wide, high = CAB_SIZE
    shell = f'<rect x="{-wide / 2:.0f}" y="{-high / 2:.0f}" width="{wide:.0f}" height="{high:.0f}" rx="16"/>'
    parts = []
    for one in unexplained:
        seat = f" s-{one['colour']}" if one.get("colour") else " s-none"
        for kind, place in (("expected", one.get("expected")), ("seen", one.get("seen"))):
            if place:
                x, y, turn = here.at(str(place))
                parts.append(
                    f'<g class="{kind}{seat}" transform="translate({pair((x, y))}) rotate({turn:.0f})">{shell}</g>'
                )
    return "".join(parts)
