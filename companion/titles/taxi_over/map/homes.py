"""The terrace where the players live: each house with its player's name and tokens, and the step on which a driver
stands who is out."""

from __future__ import annotations

from html import escape
from typing import Any

from companion.titles.taxi_over.map.ground import HOUSE
from companion.titles.taxi_over.map.moments import Moment
from companion.titles.taxi_over.map.ring import Ring
from companion.web.map.geometry import Point, number

SHELF = 5
SLOT = 26.0
STEP: Point = (36.0, 110.0)
"""Where a driver stands, in a house."""


def doorstep(here: Ring, seat: int) -> Point:
    """Where the driver of a seat stands who is out, on the page."""
    x, y = here.home(seat)
    return x + STEP[0], y + STEP[1]


def homes(here: Ring, view: Any, moment: Moment) -> str:
    """Every house: lived in, or to let."""
    players = {int(one["seat"]): one for one in (view or {}).get("players", ())}
    parts = []
    for seat in range(1, len(here.layout["homes"]) + 1):
        x, y = here.home(seat)
        inside = _lived_in(here, seat, players[seat], view, moment) if seat in players else _to_let()
        parts.append(f'<g transform="translate({number(x)} {number(y)})">{inside}</g>')
    return "".join(parts)


def _to_let() -> str:
    wide, _ = HOUSE
    return (
        f'<g class="let"><rect x="22" y="126" width="{wide - 44:.0f}" height="34" rx="3"/>'
        f'<text x="{wide / 2:.0f}" y="150">TO LET</text></g>'
    )


def _lived_in(here: Ring, seat: int, player: Any, view: Any, moment: Moment) -> str:
    wide, _ = HOUSE
    colour, name, held = str(player["colour"]), escape(_short(str(player["name"]))), int(player["held"])
    target = int(view["target"])
    left = player["status"] != "in"
    size = 24 if len(name) <= 8 else 19
    shown = view["result"]["winners"] if view["phase"] == "over" else [view["turn"]]
    now = " now" if seat in shown else ""
    gone = " gone" if left else ""
    parts = [
        f'<g class="home s-{colour}{now}{gone}"><title>{name}: {held} of {target} tokens</title>',
        f'<rect class="hs-n" x="0" y="0" width="{wide:.0f}" height="36" rx="4"/>',
        '<rect class="hs-c" x="0" y="0" width="36" height="36" rx="4"/>',
        f'<use href="#shp-{colour}" class="blm" transform="translate(18 18) scale(1.25)"/>',
        f'<text class="hs-t" x="44" y="26" style="font-size:{size}px">{name}</text>',
        f'<text class="hs-k" x="104" y="104">{held}</text>',
    ]
    slots = min(target, SHELF * 2)
    rows = (slots + SHELF - 1) // SHELF
    new = moment.taken.get(seat, 0)
    bx, by = here.layout["box"]["at"]
    hx, hy = here.home(seat)
    for index in range(max(slots, min(held, SHELF * 2))):
        row, column = divmod(index, SHELF)
        x = 21 + column * SLOT
        y = 132 + row * 25 if rows > 1 else 145
        filled = index < held
        fresh = filled and index >= held - new
        fly = f' style="--dx:{bx - hx - x:.0f}px;--dy:{by - hy - y:.0f}px"' if fresh else ""
        mark = "token" if filled else "slot"
        parts.append(
            f'<g transform="translate({number(x)} {number(y)})"><g class="coin{" pay" if fresh else ""}"{fly}>'
            f'<use href="#{mark}" transform="scale(.52)"/></g></g>'
        )
    return "".join(parts) + "</g>"


def _short(name: str) -> str:
    return name if len(name) <= 12 else name[:11] + "…"
