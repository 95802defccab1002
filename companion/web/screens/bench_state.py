"""The hardware as it is, for the bench page: readers with their tags, lights, die, link and figures, and the tags
drawn onto the map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from companion.application import Application
from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.web.screens.seats import Screen

SPARE_TAGS = {
    "red": "04ca8500000001",
    "yellow": "04ca8500000002",
    "blue": "04ca8500000003",
    "green": "04ca8500000004",
    "white": "04ca8500000005",
    "black": "04ca8500000006",
}
"""The tags that the virtual table's six taxis carry until others are learned."""


@dataclass
class Taxi:
    """One taxi in the hand: its seat, its tag, the socket it lies on (None: in the air or on the road) and the place
    of that socket.
    """

    seat: int
    name: str
    colour: str
    uid: str
    learned: bool
    socket: int | None
    place: str | None


@dataclass
class Bench:
    """Everything that the page shows of the hardware."""

    taxis: list[Taxi]
    sockets: list[tuple[int, str, str, list[str]]]
    """(number, place, the place in words, tags on it)"""
    lights: list[tuple[int, str, str]]
    """(number, place, colour as CSS)"""
    die_lights: list[str]
    figures: list[tuple[str, str]] = field(default_factory=list)


def taxis_of(table: TableActor, layout: Json, tags: dict[str, int]) -> list[Taxi]:
    """The taxis of the seats with where their tags lie; a seat without a learned tag has its spare one."""
    places = {number: place for place, number in layout["sockets"].items()}
    found = []
    for seat in table.setup["seats"]:
        uid = seat.get("tag") or SPARE_TAGS[seat["colour"]]
        socket = tags.get(uid)
        found.append(
            Taxi(
                seat["seat"],
                seat["name"],
                seat["colour"],
                uid,
                bool(seat.get("tag")),
                socket,
                places.get(socket) if socket is not None else None,
            )
        )
    return found


def css(light: Sequence[int]) -> str:
    """A light's colour for the page: dark housing when off, else its own hue at full strength."""
    most = max(light, default=0)
    if most == 0:
        return "var(--lamp-off)"
    return "rgb({})".format(" ".join(str(round(255 * value / most)) for value in light[:3]))


def bench_of(application: Application, table: TableActor, screen: Screen, stats: Json) -> Bench:
    """The newest state of the hardware that the companion knows."""
    layout, hands = screen.town.layout, application.bench
    tags: dict[str, int] = dict(hands.tags_seen) if hands is not None else {}
    lights: dict[str, list[list[int]]] = hands.lights_seen if hands is not None else {"board": [], "die": []}
    taxis = taxis_of(table, layout, tags)
    names = {taxi.uid: taxi.colour for taxi in taxis}
    on_socket: dict[int, list[str]] = {}
    for uid, number in tags.items():
        on_socket.setdefault(number, []).append(names.get(uid, uid))
    sockets = [
        (number, place, screen.town.place(place), on_socket.get(number, []))
        for place, number in sorted(layout["sockets"].items(), key=lambda row: int(row[1]))
    ]
    leds = [
        (number, place, css(lights["board"][number]) if number < len(lights["board"]) else "var(--lamp-off)")
        for place, number in sorted(layout.get("leds", {}).items(), key=lambda row: int(row[1]))
    ]
    return Bench(taxis, sockets, leds, [css(light) for light in lights["die"]], figures_of(application, stats))


def figures_of(application: Application, stats: Json) -> list[tuple[str, str]]:
    """Names and figures: the link's own counters first, then the firmware's."""
    rows: list[tuple[str, str]] = [("link", application.link.state)]
    device = application.link.device or {}
    rows += [(str(key), _shown(value)) for key, value in device.items() if not isinstance(value, (dict, list))]
    rows += [(key, _shown(value)) for key, value in application.link.counters.items()]
    for key, value in stats.items():
        if isinstance(value, dict):
            rows += [(f"{key}.{inner}", _shown(shown)) for inner, shown in value.items()]
        elif key != "link":
            rows.append((key, _shown(value)))
    return rows


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.1f}" if isinstance(value, float) else str(value)


def hands_group(bench: Bench, screen: Screen) -> str:
    """The map's overlay: a ring for each reader, a bulb for each light as it really shines, and the taxis to drag."""
    points = screen.town.points
    parts = ['<g id="hands">']
    for number, place, words, tags in bench.sockets:
        if place in points:
            x, y = points[place]
            full = " full" if tags else ""
            title = f"<title>{escape(words)}</title>"
            parts.append(f'<circle class="sock{full}" data-socket="{number}" cx="{x}" cy="{y}" r="17">{title}</circle>')
    together: dict[str, list[str]] = {}
    for taxi in bench.taxis:
        if taxi.place is not None:
            together.setdefault(taxi.place, []).append(taxi.colour)
    for index, taxi in enumerate(bench.taxis):
        x, y = 120.0 + 84 * index, 1076.0  # in the air: below the page
        if taxi.place is not None and taxi.place in points:
            x, y = points[taxi.place]
            others = together[taxi.place]
            if len(others) > 1:
                turn = 2 * math.pi * others.index(taxi.colour) / len(others) - math.pi / 2
                x, y = x + 46 * math.cos(turn), y + 32 * math.sin(turn)
        shape = f'<use href="#shp-{taxi.colour}" class="roofm" transform="translate(-3) scale(.78)"/>'
        parts.append(
            f'<g id="hold-{taxi.colour}" class="hold s-{taxi.colour}" data-uid="{escape(taxi.uid)}" '
            f'style="transform:translate({x:.0f}px,{y:.0f}px)"><title>{escape(taxi.name)}</title>'
            f'<circle class="grab" r="30"/><use href="#cab"/>{shape}</g>'
        )
    return "".join(parts) + "</g>"
