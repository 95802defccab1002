"""What the pages of a running table have in common: drawn whole once, then kept up to date by one event stream each."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from companion.tables.table_actor import TableActor
from companion.web.context import Web, web_of
from companion.web.forms import page_mark
from companion.web.rendering import language_of, texts_of
from companion.web.screens.asks import alarms
from companion.web.screens.map_groups import Mode, live_groups, whole_map
from companion.web.screens.pulse import fingerprint
from companion.web.screens.seats import Screen
from companion.web.streams import Update, page_stream
from companion.web.texts import texts


@dataclass
class Drawn:
    """One version of a page's changing part. `groups` are the map's; `signal` is an event for the page itself
    ("yourturn").
    """

    seq: int
    version: str
    html: str
    groups: dict[str, str]
    signal: str = ""


MAP_GOES_HERE = "<!--map-->"
"""Where the changing part of a page has the map in its midst; a stream leaves that element as it is."""

RECENT = 8
"""Rows of the log among which the last drive is looked for: what pages may have missed between two updates."""

Context = dict[str, Any]
Build = Callable[[Web, TableActor, Screen, str | int, str], Context]
"""(web, table, screen, audience, language) → what the template of the changing part needs; may set `signal` and
`map_reach`.
"""


@dataclass(frozen=True)
class TablePage:
    """A page of the current table: its name, its templates and how its context is built."""

    name: str
    template: str
    live_template: str
    mode: Mode
    build: Build
    audience: Callable[[Request], str | int]

    def draw(self, web: Web, table: TableActor, audience: str | int, language: str) -> Drawn:
        """The newest version of what changes; remembered while it is true."""
        version = fingerprint(web.application)
        key = (self.name, audience, language, version)
        found: Drawn | None = web.drawn.get(key)
        if found is not None:
            return found
        screen = screen_for(web, table, audience, language)
        context = self.build(web, table, screen, audience, language)
        html = web.renderer.render(
            self.live_template, language, table.game.name, s=screen, seq=page_mark(table, audience), **context
        )
        drawn = Drawn(table.seq, version, html, map_of(web, table), context.get("signal", ""))
        web.remember(key, drawn)
        return drawn

    def page(self, request: Request) -> Response:
        """The whole page: what changes, round a map that is drawn once."""
        web, language = web_of(request), language_of(request)
        table = web.table
        if table is None:
            return no_table(request)
        audience = self.audience(request)
        drawn = self.draw(web, table, audience, language)
        screen = screen_for(web, table, audience, language)
        number = audience if isinstance(audience, int) else 0
        words = texts(language, table.game.name)
        label = str(words("map.label.words", title=screen.places.board.get("title", "")))
        svg = Markup(whole_map(screen, self.mode, drawn.groups, label=label, seat=number))  # noqa: S704 - drawn by us
        box = web.renderer.render("map_box.html", language, table.game.name, map_svg=svg)
        return web.renderer.page(
            request,
            self.template,
            live=drawn.html.replace(MAP_GOES_HERE, box, 1),
            map_svg=svg,
            version=drawn.version,
            title=table.title,
            me=screen.by_seat.get(number),
        )

    def stream(self, request: Request, seen: str) -> Response:
        """The page's event stream. It asks the page to load again when another evening is opened."""
        web, language = web_of(request), language_of(request)
        table, audience = web.table, self.audience(request)
        sent: dict[str, str] = {}

        async def update(version: str) -> Update | None:
            if web.table is not table or table is None:
                return Update(0, "", [("reload", "now")], last=True)
            if fingerprint(web.application) == version:
                return None
            drawn = self.draw(web, table, audience, language)
            messages: list[tuple[str | None, str]] = []
            # First what is asked, then the map: a browser takes longer over all the places in reach than over the rest.
            messages.append((None, drawn.html))
            changed = {name: svg for name, svg in drawn.groups.items() if sent.get(name) != svg}
            if changed:
                messages.append(("map", json.dumps(changed)))
                sent.update(changed)
            if drawn.signal and sent.get("signal") != drawn.signal:
                messages.append(("yourturn", drawn.signal))
            sent["signal"] = drawn.signal
            return Update(drawn.seq, drawn.version, messages)

        def changes() -> AsyncIterable[object] | None:
            return table.subscribe() if table is not None else None

        return page_stream(request, changes=changes, update=update, stopping=web.application.stopping, seen=seen)


def screen_for(web: Web, table: TableActor, audience: str | int, language: str = "en") -> Screen:
    """The screen of an audience; made once for each version of the table."""
    key = ("screen", audience, language, fingerprint(web.application))
    found: Screen | None = web.drawn.get(key)
    if found is None:
        whose = audience if isinstance(audience, int) else ("bank" if audience == "bank" else "spectator")
        found = table.game.seats.screen_of(table.view(whose), table.title, language)  # type: ignore[arg-type]
        for seat in found.seats:
            seat.bot = table.bot_of(seat.seat)
        web.remember(key, found)
    return found


def map_of(web: Web, table: TableActor) -> dict[str, str]:
    """The map's live groups. Nothing on the map is secret, so all pages show the same; made once for each version."""
    key = ("map", fingerprint(web.application))
    found: dict[str, str] | None = web.drawn.get(key)
    if found is None:
        screen = screen_for(web, table, "bank")
        found = live_groups(screen, table.log(RECENT, "bank"), alarms(table, screen))
        web.remember(key, found)
    return found


def no_table(request: Request) -> Response:
    """What a page says while no evening is open."""
    return not_now(request, "door.no_evening")


def not_now(request: Request, key: str) -> Response:
    """A page that says why there is nothing to see now."""
    sentence = texts_of(request)(key)
    return web_of(request).renderer.page(request, "refused.html", status=409, code=409, sentence=sentence, back="/")
