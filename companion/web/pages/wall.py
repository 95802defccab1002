"""The wall screen: the live map, whose turn it is, everybody's money and what just happened; legible from three
metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from companion.tables.receipts import LogRow
from companion.tables.table_actor import TableActor
from companion.web.context import Web
from companion.web.pages.table_page import TablePage, screen_for
from companion.web.screens.link_words import link_badge
from companion.web.screens.map_groups import reach_of
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.texts import Texts, texts

router = APIRouter()
LINES = 5
BAR = 25.0
"""Longest money bar, in hundredths of the wall's width."""


def _build(web: Web, table: TableActor, screen: Screen, audience: str | int, language: str) -> dict[str, Any]:
    t = texts(language)
    who = screen.on_turn or _winner(screen)
    reach = reach_of(screen_for(web, table, "bank").view["prompts"], screen.turn)
    goal = None
    if reach and who.destination:
        at = screen.town.destination_at(who.destination)
        ways = sorted((label for label in reach if label[0] == at), key=lambda label: (label[3], label[2], label[1]))
        if ways:
            goal = {"streets": ways[0][1], "green": ways[0][2], "white": ways[0][3]}
    rows = table.log(40, "spectator")
    log = lines(rows, screen, t, LINES)
    return {
        "who": who,
        "headline": headline(screen, t),
        "face": last_face(rows),
        "gamble": _gamble(screen, t) or _revealed(rows, t),
        "result": _result(screen, t),
        "goal": goal,
        "scale": BAR / max(40000, *(seat.cash + 15000 * min(seat.plates, 4) for seat in screen.seats)),
        "log": log,
        "link": link_badge(web.application.link, t),
    }


def _winner(screen: Screen) -> Any:
    winners = (screen.result or {}).get("winners") or [screen.turn]
    return screen.by_seat[winners[0]]


def headline(screen: Screen, t: Texts) -> Markup:
    return (
        t("wall.winner")
        if screen.over
        else t(f"wall.head.{screen.phase}" if t.has(f"wall.head.{screen.phase}") else "wall.head")
    )


def last_face(rows: Sequence[LogRow]) -> dict[str, Any] | None:
    """The throw of the turn that is going on: the newest one, if it is not from the turn before."""
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] in ("D6Thrown", "D12Thrown"):
                return {"die": event["event"][:-6].lower(), "face": event["face"]}
            if event and event["event"] in ("TurnStarted", "TripStarted"):
                return None
    return None


def _gamble(screen: Screen, t: Texts) -> Markup | None:
    gamble = screen.view.get("gamble")
    if not gamble:
        return None
    bets = gamble["bets"]
    of = sum(1 for s in screen.seats if not s.out and s.seat != gamble["holder"])
    sealed = sum(1 for bet in bets.values() if (bet.get("done") if isinstance(bet, dict) else bet))
    return t("wall.gamble", name=screen.name(gamble["holder"]), n=sealed, of=of)


def _revealed(rows: Sequence[LogRow], t: Texts) -> Markup | None:
    """The word that was just turned, until somebody does the next thing."""
    newest = next((row for row in rows if row.kind == "play"), None)
    for event in newest.events if newest and not newest.undone else ():
        if event and event["event"] == "GambleRevealed":
            return t("event.GambleRevealed", word=t(f"word.{event['word']}"))
    return None


def _result(screen: Screen, t: Texts) -> Markup | None:
    if not screen.over or not screen.result:
        return None
    return t(f"over.{screen.result['reason']}")


PAGE = TablePage("wall", "wall.html", "wall_live.html", "wall", _build, lambda request: "spectator")


@router.get("/wall", name="wall")
async def wall(request: Request) -> Response:
    """The page."""
    return PAGE.page(request)


@router.get("/wall/stream", name="wall_stream")
async def wall_stream(request: Request, seen: str = "") -> Response:
    """Its event stream."""
    return PAGE.stream(request, seen)
