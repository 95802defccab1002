"""The hardware as it is, for the bench page: readers with their tags, lights, die, link and figures, and the tags
drawn onto the map.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup, escape

from companion.application import Application
from companion.tables.lay_out import spare_tag
from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.titles.contract import Piece
from companion.web.screens.asks import piece_words
from companion.web.screens.map_groups import HAND_STRIP, page_size
from companion.web.screens.seats import Screen
from companion.web.texts import Texts

IN_THE_AIR = 84.0
"""Map units between two pieces that lie on no reader, below the page."""
TRAY_TEXT = 250.0
"""Map units at the left of the tray, for its words."""
BESIDE = (46.0, 32.0)
"""How far pieces on one reader are drawn from its middle."""


@dataclass
class Held:
    """One piece in the hand: its tag, the socket it lies on (None: in the air or on the road) and the place of that
    socket.
    """

    piece: Piece
    name: Markup
    uid: str
    learned: bool
    socket: int | None
    place: str | None


@dataclass
class Bench:
    """Everything that the page shows of the hardware."""

    pieces: list[Held]
    sockets: list[tuple[int, str, str, list[tuple[str, str]]]]
    """(number, place, the place in words, tags on it: colour or "", words)"""
    lights: list[tuple[int, str, str]]
    """(number, place, colour as CSS)"""
    die_lights: list[str]
    devices: list[tuple[str, str]]
    """(name, link: off, silent, advertising or connected) of every virtual device"""
    dice: list[tuple[str, str, int | None, str]]
    """(name, what it does: rests, leans, thrown, …; the face it shows, its light as CSS) of each die that is thrown"""
    figures: list[tuple[str, str]] = field(default_factory=list)
    riding: Mapping[str, str] = field(default_factory=dict)
    """Piece → the piece that it rides on: drawn upon it while both are on one reader, or on none."""


def pieces_of(table: TableActor, screen: Screen, tags: dict[str, int], t: Texts) -> list[Held]:
    """The pieces of the game with where their tags lie; one without a learned tag has its spare one."""
    learned = table.setup["tags"]
    found = []
    for piece in table.pieces:
        uid = learned.get(piece.id) or spare_tag(piece)
        socket = tags.get(uid)
        place = table.explanations.plan.place_of(socket) if socket is not None else None
        found.append(Held(piece, piece_words(piece, screen, t), uid, piece.id in learned, socket, place))
    return found


def css(light: Sequence[int]) -> str:
    """A light's colour for the page: dark housing when off, else its own hue at full strength."""
    most = max(light, default=0)
    if most == 0:
        return "var(--lamp-off)"
    return "rgb({})".format(" ".join(str(round(255 * value / most)) for value in light[:3]))


def bench_of(application: Application, table: TableActor, screen: Screen, stats: Json, t: Texts) -> Bench:
    """The newest state of the hardware that the companion knows."""
    plan, hands, riding = table.explanations.plan, application.bench, table.explanations.glance.riding
    tags: dict[str, int] = dict(hands.tags_seen) if hands is not None else {}
    lights: dict[str, list[list[int]]] = hands.lights_seen if hands is not None else {"board": [], "die": []}
    pieces = pieces_of(table, screen, tags, t)
    names = {held.uid: (held.piece.colour, held.name) for held in pieces}
    on_socket: dict[int, list[tuple[str, str]]] = {}
    for uid, number in tags.items():
        on_socket.setdefault(number, []).append(names.get(uid, ("", uid)))
    sockets = [
        (number, place, screen.places.place(place), on_socket.get(number, []))
        for number, place in sorted(plan.sockets.items())
    ]
    leds = [
        (number, place, css(lights["board"][number]) if number < len(lights["board"]) else "var(--lamp-off)")
        for place, number in sorted(plan.leds.items(), key=lambda row: row[1])
    ]
    dice = []
    for name, die in (hands.dice if hands is not None else {}).items():
        shone = hands.lights_of.get((name, "die")) if hands is not None else None
        dice.append((name, str(die["doing"]), die.get("face"), css((shone or [(0, 0, 0)])[0])))
    return Bench(
        pieces,
        sockets,
        leds,
        [css(light) for light in lights["die"]],
        list(hands.links.items()) if hands is not None else [],
        dice,
        figures_of(application, stats),
        riding,
    )


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


def hands_group(bench: Bench, screen: Screen, t: Texts) -> str:
    """The map's overlay: a ring for each reader, below the map a tray for what lies on none, and the pieces to drag."""
    points = screen.places.points
    wide, high = page_size(screen)
    parts = [
        f'<g id="hands"><rect class="offreaders" x="12" y="{high + 8:g}" width="{wide - 24:g}" '
        f'height="{HAND_STRIP - 14}" rx="8"/>'
        f'<text class="offreaders-t" x="28" y="{high + HAND_STRIP / 2:g}">{t("bench.in_the_air")}</text>'
    ]
    spots = _sockets_on_map(bench, screen)
    for number, _, words, tags in bench.sockets:
        if number in spots:
            x, y = spots[number]
            full = " full" if tags else ""
            title = f"<title>{escape(words)}</title>"
            parts.append(
                f'<circle class="sock{full}" data-socket="{number}" cx="{x:g}" cy="{y:g}" r="17">{title}</circle>'
            )
    lies = {held.piece.id: held.socket for held in bench.pieces}
    upon = {rider: on for rider, on in bench.riding.items() if rider in lies and on in lies and lies[rider] == lies[on]}
    uids = {held.piece.id: held.uid for held in bench.pieces}
    together: dict[int, list[str]] = {}
    for held in bench.pieces:
        if held.socket is not None and held.piece.id not in upon:
            together.setdefault(held.socket, []).append(held.piece.id)
    at: dict[str, tuple[float, float]] = {}
    for index, held in sorted(enumerate(bench.pieces), key=lambda row: (row[1].piece.id in upon, row[0])):
        x, y = TRAY_TEXT + IN_THE_AIR * index, high + HAND_STRIP / 2
        if held.socket is not None and held.place in points:
            x, y = spots[held.socket]
            others = together.get(held.socket, [])
            if len(others) > 1 and held.piece.id in others:
                turn = 2 * math.pi * others.index(held.piece.id) / len(others) - math.pi / 2
                x, y = x + BESIDE[0] * math.cos(turn), y + BESIDE[1] * math.sin(turn)
        on = ""
        if held.piece.id in upon:
            x, y = at[upon[held.piece.id]]
            on = f' data-on="{escape(uids[upon[held.piece.id]])}"'
        at[held.piece.id] = (x, y)
        seat = f" s-{held.piece.colour}" if held.piece.colour else ""
        parts.append(
            f'<g id="hold-{hold_id(held.piece)}" class="hold{seat}" data-uid="{escape(held.uid)}"{on} '
            f'style="transform:translate({x:.0f}px,{y:.0f}px)"><title>{escape(held.name)}</title>'
            f'<circle class="grab" r="30"/>{screen.places.title.map.hold(held.piece)}</g>'
        )
    return "".join(parts) + "</g>"


def hold_id(piece: Piece) -> str:
    """What the element of a piece is called: by its colour where it has one."""
    return f"{piece.kind}-{piece.colour or piece.label}"


def _sockets_on_map(bench: Bench, screen: Screen) -> dict[int, tuple[float, float]]:
    """Where each reader is drawn: where the layout has it (`readers`), else at its place; several in a row."""
    at: dict[str, list[int]] = {}
    for number, place, _, _ in bench.sockets:
        if place in screen.places.points:
            at.setdefault(place, []).append(number)
    spots = {}
    for place, numbers in at.items():
        x, y = screen.places.points[place]
        drawn = screen.places.layout.get("readers", {}).get(place, ())
        for index, number in enumerate(numbers):
            spots[number] = (x + (index - (len(numbers) - 1) / 2) * 40, y)
            if index < len(drawn):
                spots[number] = (drawn[index][0], drawn[index][1])
    return spots
