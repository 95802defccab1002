"""The banker's tablet: the whole game from one place, with dead hardware too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from companion.errors import SetupError
from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.tables.wording import plain_line
from companion.web.context import Web, answer, web_of
from companion.web.forms import BadFormError, Form, expected_seq_of, read_form, seat_number, typed_amount, whole_number
from companion.web.pages import handing, sheets
from companion.web.pages.acting import act, actor_of, answered, command_id_of
from companion.web.pages.table_page import TablePage, no_table
from companion.web.rendering import texts_of
from companion.web.screens.asks import asks_of, to_put_right
from companion.web.screens.bot_words import leave_to_bot
from companion.web.screens.decisions import BANK, half_thrown
from companion.web.screens.link_words import link_badge, virtual_words
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.screens.till import till_of
from companion.web.screens.undo_words import undo_in_words
from companion.web.texts import texts

router = APIRouter()
LINES = 14
ASKED = ("access",)
"""Kinds of notes about devices that are asked about above the game instead."""


def _build(web: Web, table: TableActor, screen: Screen, audience: str | int, language: str) -> dict[str, Any]:
    t = texts(language, table.game.name)
    kept = web.application.virtual
    rows = table.log(80, "bank")
    offer = table.undo_offer("bank")
    waiting = [int(seat) for seat in screen.view["waiting_for"] if seat]
    asked = screen.turn if screen.turn in waiting or not waiting else waiting[0]
    odds = [] if screen.over else table.odds(asked)
    decisions = table.game.decisions.Decisions(screen, table.setup, t, base=BANK, odds=odds)
    decision = decisions.for_bank(screen.view["prompts"])
    half_thrown(decision, table.throw_wanted(), t)
    acting = table.bots_acting
    if acting and (decision.seat in acting or set(acting) >= set(waiting)):
        bot = screen.by_seat[asked if asked in acting else acting[0]]
        digital = table.setup["dice"] == "digital"
        leave_to_bot(decision, bot, screen, does=decisions.waits_for(bot), digital=digital, t=t)
    return {
        "d": decision,
        "asks": asks_of(table, screen, t),
        "untidy": to_put_right(table, screen, t),
        "follows": table.game.table.FOLLOWS,
        "hands": web.application.bench is not None,
        "notes": [
            *virtual_words(kept.state if kept is not None else "", t),
            *(note.sentence for note in web.application.devices.notes() if note.kind not in ASKED),
        ],
        "till": till_of(rows, screen, table.setup, t),
        "card": table.game.narration.card_of_the_turn(rows, screen, t),
        "log": lines(rows, screen, t, LINES),
        "undo": offer,
        "undo_words": undo_in_words(offer, screen, t),
        "link": link_badge(web.application.link, t),
    }


PAGE = TablePage("tablet", "tablet.html", "tablet_live.html", "tablet", _build, lambda request: "bank")


@router.get("/tablet", name="tablet")
async def tablet(request: Request) -> Response:
    """The page."""
    return PAGE.page(request)


@router.get("/tablet/stream", name="tablet_stream")
async def tablet_stream(request: Request, seen: str = "") -> Response:
    """Its event stream."""
    return PAGE.stream(request, seen)


@router.get("/tablet/sheet/{name}", name="tablet_sheet")
async def tablet_sheet(request: Request, name: str) -> Response:
    """A sheet over the page."""
    table = web_of(request).table
    return sheets.for_bank(request, table, name) if table else no_table(request)


@router.post("/tablet/act", name="tablet_act")
async def tablet_act(request: Request) -> Response:
    """One command, for any seat."""
    form = await read_form(request)
    table = web_of(request).table
    return await act(request, table, form, back="/tablet") if table else no_table(request)


@router.post("/tablet/undo", name="tablet_undo")
async def tablet_undo(request: Request) -> Response:
    """Takes the last thing back; where the table must agree, the page asks first."""
    form = await read_form(request)
    table = web_of(request).table
    if table is None:
        return no_table(request)
    try:
        command_id, expected = command_id_of(request, form), expected_seq_of(form, table)
    except BadFormError:
        return answer(request, "door.bad_form", to="/tablet", status=422)
    if form.get("consent") == "ask":
        response = sheets.for_bank(request, table, "consent")
        response.headers["hx-retarget"] = "#sheet"
        return response
    receipt = await table.undo(
        actor_of(request),
        plain_line(form.get("why", ""))[:200],
        form.get("consent") == "yes",
        command_id=command_id,
        expected_seq=expected,
    )
    return answered(request, receipt, "/tablet")


@router.post("/tablet/bot", name="tablet_bot")
async def tablet_bot(request: Request) -> Response:
    """Hands a seat to a bot or back."""
    table = web_of(request).table
    return await handing.bot(request, table, back="/tablet") if table else no_table(request)


@router.post("/tablet/dice", name="tablet_dice")
async def tablet_dice(request: Request) -> Response:
    """How many dice are thrown at the table."""
    table = web_of(request).table
    return await handing.dice(request, table, back="/tablet") if table else no_table(request)


@router.post("/tablet/correct", name="tablet_correct")
async def tablet_correct(request: Request) -> Response:
    """A correction with a reason, which everybody can see."""
    form = await read_form(request)
    table = web_of(request).table
    if table is None:
        return no_table(request)
    try:
        command_id, expected = command_id_of(request, form), expected_seq_of(form, table)
        command = _correction(form, table.game.sheets.CORRECT)
    except BadFormError:
        return answer(request, "correct.bad", to="/tablet", status=422)
    if command is None:
        return answer(request, "correct.nothing", to="/tablet", status=422)
    receipt = await table.submit(command, command_id=command_id, actor=actor_of(request), expected_seq=expected)
    return answered(request, receipt, "/tablet")


def _correction(form: Form, numbers: Iterable[str]) -> Json | None:
    """The `correct` command of the sheet: what differs from what the sheet was drawn with (`was_…`)."""
    seat = whole_number(form.get("seat", ""))
    changed: Json = {}
    for name in numbers:
        given = form.get(name, "").strip()
        if given != "" and given != form.get(f"was_{name}", ""):
            changed[name] = typed_amount(given)
    if form.get("at") and form.get("at") != form.get("was_at"):
        changed["at"] = str(form.get("at"))[:60]
    if not changed:
        return None
    return {
        "do": "correct",
        "seat": 0,
        "set": {"players": [{"seat": seat, **changed}]},
        "why": plain_line(form.get("why", ""))[:200],
    }


@router.post("/tablet/explain", name="tablet_explain")
async def tablet_explain(request: Request) -> Response:
    """What the table saw and cannot explain: it is right as it lies, or it has been put right."""
    form = await read_form(request)
    table = web_of(request).table
    if table is None:
        return no_table(request)
    explanation = str(form.get("id", ""))[:80]
    if form.get("verdict") == "right":
        try:
            command_id = command_id_of(request, form)
        except BadFormError:
            return answer(request, "door.bad_form", to="/tablet", status=422)
        why = plain_line(form.get("why", ""))[:200] or str(texts_of(request)("explain.overruled"))
        return answered(
            request,
            await table.overrule(explanation, why, command_id=command_id, actor=actor_of(request)),
            "/tablet",
        )
    await table.dismiss(explanation)
    return answer(request, to="/tablet")


@router.post("/tablet/rename", name="tablet_rename_seat")
async def tablet_rename_seat(request: Request) -> Response:
    """Another name for a seat."""
    form = await read_form(request)
    table = web_of(request).table
    if table is None:
        return no_table(request)
    try:
        await table.rename_seat(seat_number(form.get("seat", "")), form.get("name", ""))
    except SetupError as wrong:
        return answer(request, sentence=str(wrong), to="/tablet", status=422)
    return answer(request, to="/tablet")


@router.get("/record", name="record")
async def record(request: Request) -> Response:
    """The evening as one file, once it is over (it holds what was secret)."""
    table = web_of(request).table
    if table is None:
        return no_table(request)
    if table.view("bank")["phase"] != "over":
        return web_of(request).renderer.page(
            request, "refused.html", status=409, code=409, sentence=texts_of(request)("record.not_over"), back="/tablet"
        )
    return JSONResponse(
        table.record(), headers={"content-disposition": f'attachment; filename="evening-{table.table_id[:8]}.json"'}
    )
