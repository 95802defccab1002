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
from companion.web.context import Web, visitor_of, web_of
from companion.web.rendering import language_of, texts_of
from companion.web.screens.map_groups import Mode, live_groups, reach_of, whole_map
from companion.web.screens.pulse import fingerprint
from companion.web.screens.seats import Screen, screen_of
from companion.web.streams import Update, page_stream
from companion.web.texts import texts


@dataclass
class Drawn:
    """One version of a page's changing part. `groups` are the map's; `signal` is an event for the page itself ("yourturn")."""

    seq: int
    version: str
    html: str
    groups: dict[str, str]
    signal: str = ""


Context = dict[str, Any]
Build = Callable[[Web, TableActor, Screen, str | int, str], Context]
"""(web, table, screen, audience, language) → what the template of the changing part needs; may set `signal` and `map_reach`."""


@dataclass(frozen=True)
class TablePage:
    """A page of the current table: its name, its templates and how its context is built."""

    name: str
    template: str
    live_template: str
    mode: Mode
    build: Build
    audience: Callable[[Request], str | int]

    def draw(
        self, web: Web, table: TableActor, audience: str | int, language: str, *, with_map: bool = False
    ) -> tuple[Drawn, str]:
        """The newest version (remembered while it is true), and the whole map when asked for."""
        version = fingerprint(web.application)
        key = (self.name, audience, language, version)
        found: Drawn | None = web.drawn.get(key)
        if found is not None and not with_map:
            return found, ""
        view = table.view(audience if isinstance(audience, int) else ("bank" if audience == "bank" else "spectator"))
        screen = screen_of(view, table.title)
        context = self.build(web, table, screen, audience, language)
        reach = context.get("map_reach", reach_of(view["prompts"], view["turn"]))
        extra = {"route": context.get("map_route"), "unexplained": context.get("map_alarm", ())}
        label = texts(language)("map.label.words", title=screen.town.board.get("title", ""))
        seat = audience if isinstance(audience, int) else 0
        drawn_map = whole_map(screen, self.mode, reach, extra, label=label, seat=seat) if with_map else ""
        if found is None or with_map:
            html = web.renderer.render(
                self.live_template, language, s=screen, seq=table.seq, map_svg=_markup(drawn_map), **context
            )
            drawn = Drawn(
                table.seq, version, html, live_groups(screen, self.mode, reach, extra), context.get("signal", "")
            )
            if not with_map:
                web.remember(key, drawn)
            return drawn, drawn_map
        return found, drawn_map

    def page(self, request: Request) -> Response:
        """The whole page."""
        web = web_of(request)
        if web.table is None:
            return no_table(request)
        audience = self.audience(request)
        drawn, drawn_map = self.draw(web, web.table, audience, language_of(request), with_map=True)
        context: Context = {}
        if isinstance(audience, int):
            context["me"] = screen_of(web.table.view(audience), web.table.title).by_seat[audience]
        return web.renderer.page(
            request,
            self.template,
            live=drawn.html,
            map_svg=_markup(drawn_map),
            version=drawn.version,
            title=web.table.title,
            **context,
        )

    def stream(self, request: Request, seen: str) -> Response:
        """The page's event stream. It asks the page to load again when another evening is opened or the visitor's session ended."""
        web, language = web_of(request), language_of(request)
        table, audience, visitor = web.table, self.audience(request), visitor_of(request)
        sent: dict[str, str] = {}

        async def update(version: str) -> Update | None:
            if web.table is not table or table is None or web.doors.visitor_by_session(visitor.session) != visitor:
                return Update(0, "", [("reload", "now")], last=True)
            if fingerprint(web.application) == version:
                return None
            drawn, _ = self.draw(web, table, audience, language)
            messages: list[tuple[str | None, str]] = []
            changed = {name: svg for name, svg in drawn.groups.items() if sent.get(name) != svg}
            if changed:
                messages.append(("map", json.dumps(changed)))
                sent.update(changed)
            messages.append((None, drawn.html))
            if drawn.signal and sent.get("signal") != drawn.signal:
                messages.append(("yourturn", drawn.signal))
            sent["signal"] = drawn.signal
            return Update(drawn.seq, drawn.version, messages)

        def changes() -> AsyncIterable[object] | None:
            return table.subscribe() if table is not None else None

        return page_stream(request, changes=changes, update=update, stopping=web.application.stopping, seen=seen)


def no_table(request: Request) -> Response:
    """What a page says while no evening is open."""
    t = texts_of(request)
    return web_of(request).renderer.page(
        request, "refused.html", status=409, code=409, sentence=t("door.no_evening"), back="/"
    )


def _markup(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - drawn by us
