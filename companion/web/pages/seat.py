"""A seat's phone: my money and tablets, where I go, my cards, and the buttons that I can press now and nothing else."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.tables.table_actor import TableActor
from companion.web.context import Web, answer, visitor_of, web_of
from companion.web.forms import BadFormError, expected_seq_of, read_form
from companion.web.pages import handing, sheets
from companion.web.pages.acting import act, actor_of, answered, command_id_of
from companion.web.pages.table_page import TablePage, no_table, not_now
from companion.web.screens.asks import to_follow
from companion.web.screens.decisions import SEAT, half_thrown
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.texts import texts

router = APIRouter()
LINES = 12


def _build(web: Web, table: TableActor, screen: Screen, audience: str | int, language: str) -> dict[str, Any]:
    t, number = texts(language, table.game.name), int(audience)
    me = screen.by_seat[number]
    prompts = screen.view["prompts"]
    rows = table.log(60, number)
    odds = [] if screen.over or me.out else table.odds(number)
    decisions = table.game.decisions.Decisions(screen, table.setup, t, base=SEAT, odds=odds)
    decision = decisions.for_seat(number, prompts)
    half_thrown(decision, table.throw_wanted(), t)
    return {
        "me": me,
        "d": decision,
        "way": decisions.way(me, prompts),
        "secret": decisions.secret(me),
        "log": lines(rows, screen, t, LINES),
        "card": table.game.narration.card_of_the_turn(rows, screen, t) if screen.turn == number else None,
        "follow": to_follow(table, screen, t),
        "undo": table.undo_offer(f"seat:{number}"),
        "signal": decisions.signal(decision, number),
    }


def _audience(request: Request) -> int:
    return visitor_of(request).seat or 0


PAGE = TablePage("seat", "seat.html", "seat_live.html", "phone", _build, _audience)


def _my_table(request: Request) -> TableActor | None:
    """The current table, if this phone belongs to it."""
    table = web_of(request).table
    return table if table is not None and table.table_id == visitor_of(request).table else None


def _no_table(request: Request) -> Response:
    return not_now(request, "door.other_evening") if web_of(request).table is not None else no_table(request)


@router.get("/seat", name="seat")
async def seat(request: Request) -> Response:
    """The page."""
    return PAGE.page(request) if _my_table(request) else _no_table(request)


@router.get("/seat/stream", name="seat_stream")
async def seat_stream(request: Request, seen: str = "") -> Response:
    """Its event stream."""
    return PAGE.stream(request, seen) if _my_table(request) else _no_table(request)


@router.post("/seat/act", name="seat_act")
async def seat_act(request: Request) -> Response:
    """One command of this seat."""
    form = await read_form(request)
    table = _my_table(request)
    return await act(request, table, form, back="/seat") if table else _no_table(request)


@router.post("/seat/undo", name="seat_undo")
async def seat_undo(request: Request) -> Response:
    """Takes one's own slip back, while nobody has built on it."""
    form = await read_form(request)
    table = _my_table(request)
    if table is None:
        return _no_table(request)
    try:
        command_id, expected = command_id_of(request, form), expected_seq_of(form, table)
    except BadFormError:
        return answer(request, "door.bad_form", to="/seat", status=422)
    receipt = await table.undo(actor_of(request), command_id=command_id, expected_seq=expected)
    return answered(request, receipt, "/seat")


@router.get("/seat/sheet/{name}", name="seat_sheet")
async def seat_sheet(request: Request, name: str) -> Response:
    """A sheet over the page: a paper card, more."""
    table = _my_table(request)
    return sheets.for_seat(request, table, name) if table else _no_table(request)


@router.post("/seat/bot", name="seat_bot")
async def seat_bot(request: Request) -> Response:
    """Hands one's own seat to a bot or takes it back."""
    table = _my_table(request)
    return await handing.bot(request, table, back="/seat") if table else _no_table(request)


@router.post("/seat/dice", name="seat_dice")
async def seat_dice(request: Request) -> Response:
    """How many dice this seat throws at the table."""
    table = _my_table(request)
    return await handing.dice(request, table, back="/seat") if table else _no_table(request)
