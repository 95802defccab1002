"""The wall screen: the live map, whose turn it is, everybody's money and what just happened; legible from three
metres.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.tables.table_actor import TableActor
from companion.web.context import Web, web_of
from companion.web.pages import sheets
from companion.web.pages.table_page import TablePage, no_table, screen_for
from companion.web.screens.asks import to_follow
from companion.web.screens.link_words import link_badge
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.texts import texts

router = APIRouter()
LINES = 5
BAR = 25.0
"""Longest money bar, in hundredths of the wall's width."""


def _build(web: Web, table: TableActor, screen: Screen, audience: str | int, language: str) -> dict[str, Any]:
    t = texts(language, table.game.name)
    rows = table.log(40, "spectator")
    return {
        "turn": table.game.wall.turn(screen, screen_for(web, table, "bank", language), rows, t),
        "scale": BAR / screen.widest,
        "log": lines(rows, screen, t, LINES),
        "follow": to_follow(table, screen, t),
        "link": link_badge(web.application.link, t),
        "bots": any(seat.bot for seat in screen.seats),
    }


PAGE = TablePage("wall", "wall.html", "wall_live.html", "wall", _build, lambda request: "spectator")


@router.get("/wall", name="wall")
async def wall(request: Request) -> Response:
    """The page."""
    return PAGE.page(request)


@router.get("/wall/stream", name="wall_stream")
async def wall_stream(request: Request, seen: str = "") -> Response:
    """Its event stream."""
    return PAGE.stream(request, seen)


@router.get("/wall/sheet/{name}", name="wall_sheet")
async def wall_sheet(request: Request, name: str) -> Response:
    """A sheet over the page: why bots did what they did."""
    table = web_of(request).table
    return sheets.for_all(request, table, name) if table else no_table(request)
