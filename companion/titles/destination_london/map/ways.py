"""Where a taxi can go and how: rings round the squares in reach, and a way from square to square for showing it.

Which squares can be reached is the rules' business (`ask ends`, the `move` prompt). `find_way` finds a way that keeps
to them: of exactly so many squares where there is one, else the shortest (an early stop, LQ-15), never against a
one-way road, through the Base or straight back (LQ-16, LQ-17, LQ-23).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.titles.destination_london.map import squares
from companion.titles.destination_london.map.london import London
from companion.web.map.geometry import number, pair
from companion.web.map.pieces import colour_on_turn

RING = 3.6
"""Page units from a square to the ring that says it can be reached."""
SQUARE_MS = 230
LONGEST_MS = 2200


def find_way(here: London, start: str, goal: str, count: int) -> list[str] | None:
    """Return the squares of a way from ``start`` to ``goal``, both included, with ``count`` steps or, where there is
    none, with the fewest; None when one cannot get there at all in so many.

    KeyError for a square that the board does not have.
    """
    here.xy(start)
    here.xy(goal)
    edge: dict[tuple[str, str], list[str]] = {("", start): [start]}
    shortest: list[str] | None = None
    for step in range(count + 1):
        ends = [way for (_, at), way in sorted(edge.items()) if at == goal]
        if ends and (step == count or shortest is None):
            shortest = ends[0]
            if step == count:
                return ends[0]
        further: dict[tuple[str, str], list[str]] = {}
        for (before, at), way in sorted(edge.items()):
            if at == here.base and step:
                continue
            onward = [name for name in here.exits[at] if name != before]
            if not onward and before in here.exits[at]:
                onward = [before]
            for name in onward:
                further.setdefault((at, name), [*way, name])
        edge = further
    return shortest


def reach_marks(here: London, reach: Iterable[str], pressable: bool) -> str:
    """Return a ring round each square in reach; ``pressable`` adds a target for each, with the square's name."""
    found = sorted(set(reach), key=lambda name: (here.xy(name)[0], name))
    parts = []
    for square in found:
        size = number(squares.radius(here, square) + RING)
        spot = pair(here.xy(square))
        parts.append(
            f'<g class="goal" transform="translate({spot})"><circle class="goal0" r="{size}"/>'
            f'<circle class="goal1" r="{size}"/></g>'
        )
    if pressable:
        parts.append(squares.targets(here, found, {}))
    return "".join(parts)


def route_line(here: London, way: Sequence[str], colour: str) -> str:
    """Return a way as a dashed line in a seat's colour on a pale casing."""
    line = here.way_line(list(way))
    if len(line.points) < 2:
        return ""
    outline = "M" + "L".join(pair(point) for point in line.points)
    return f'<path class="rt-c" d="{outline}"/><path class="rt s-{colour}" d="{outline}"/>'


def route(here: London, wanted: Mapping[str, Any] | None, view: Mapping[str, Any] | None) -> str:
    """Return the chosen way: ``wanted`` has ``squares`` and, if it is not the seat on turn's, ``colour``."""
    if not wanted or len(wanted.get("squares", ())) < 2:
        return ""
    return route_line(here, wanted["squares"], str(wanted.get("colour") or colour_on_turn(view) or "black"))
