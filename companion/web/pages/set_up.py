"""Set-up: the evenings that there are, a new one in under two minutes, and the table before the first throw (tags,
phones).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from companion.errors import CompanionError, SetupError
from companion.tables.setup import EveningSetup, SeatSetup
from companion.web.context import answer, go_to, visitor_of, web_of
from companion.web.doorkeeper import Role
from companion.web.forms import read_form, seat_number
from companion.web.pages.bench import lay_out
from companion.web.pages.pairing import invitations
from companion.web.rendering import texts_of
from companion.web.screens.house_rules import all_rules, asked_rules, options_of
from companion.web.screens.link_words import link_badge
from companion.web.screens.pulse import fingerprint
from companion.web.streams import Update, page_stream

router = APIRouter()
COLOURS = ("red", "yellow", "blue", "green", "white", "black")
QUICK_NAMES = ("Ann", "Bo", "Carla", "Dev")
MAX_SEATS = 6


@router.get("/", name="home")
async def home(request: Request) -> Response:
    """The start page: go on, or a new evening. Other visitors are led to their own page, or asked to join."""
    web, visitor = web_of(request), visitor_of(request)
    if visitor.role is Role.SEAT:
        return go_to(request, "/seat")
    if visitor.role is Role.SPECTATOR:
        return go_to(request, "/wall")
    if visitor.role is Role.ANONYMOUS:
        return web.renderer.page(
            request, "join.html", status=403, invitation=None, sentence=texts_of(request)("door.please_join")
        )
    return await _home_page(request)


async def _home_page(
    request: Request, form: Mapping[str, Any] | None = None, *, error: str = "", field: str = ""
) -> Response:
    web = web_of(request)
    evenings = await web.application.tables.list_evenings()
    current = web.table.table_id if web.table else None
    return web.renderer.page(
        request,
        "home.html",
        status=422 if error else 200,
        evenings=evenings,
        current=next((e for e in evenings if e["id"] == current), None),
        bench=web.application.bench is not None,
        link=link_badge(web.application.link, texts_of(request)),
        colours=COLOURS,
        seats=_seat_rows(form),
        asked=asked_rules(form),
        others=all_rules(form),
        form=form or {},
        error=error,
        field=field,
    )


def _seat_rows(form: Mapping[str, Any] | None) -> list[dict[str, str]]:
    return [
        {"name": str((form or {}).get(f"name{n}", "")), "colour": str((form or {}).get(f"colour{n}", COLOURS[n - 1]))}
        for n in range(1, MAX_SEATS + 1)
    ]


def setup_of(form: Mapping[str, Any]) -> EveningSetup:
    """The evening that a form describes. `SetupError` names the field that must change."""
    if form.get("quick"):
        seats = [SeatSetup(name, colour) for name, colour in zip(QUICK_NAMES, COLOURS, strict=False)]
        return EveningSetup(seats=seats)
    seats = []
    for row in _seat_rows(form):
        if row["name"].strip():
            seats.append(SeatSetup(row["name"], row["colour"]))
    return EveningSetup(
        seats=seats,
        title=str(form.get("title", "")),
        options=options_of(form),
        length=_one_of(form, "length", ("short", "long")),
        cards=_one_of(form, "cards", ("digital", "paper")),
        dice=_one_of(form, "dice", ("table", "digital", "typed")),
        money=_one_of(form, "money", ("ledger", "by_hand")),
    )


def _one_of(form: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> Any:
    value = form.get(name, allowed[0])
    if value not in allowed:
        raise SetupError(f"{name} is one of {', '.join(allowed)}.", name)
    return value


@router.post("/evenings", name="evening_create")
async def evening_create(request: Request) -> Response:
    """Opens a new evening."""
    form = await read_form(request)
    try:
        await web_of(request).application.tables.create_evening(setup_of(form))
    except SetupError as wrong:
        return await _home_page(request, form, error=str(wrong), field=wrong.field)
    except CompanionError as failed:
        return await _home_page(request, form, error=str(failed))
    await lay_out(web_of(request))
    return go_to(request, "/ready")


@router.post("/evenings/{table_id}/resume", name="evening_resume")
async def evening_resume(request: Request, table_id: str) -> Response:
    """Goes on with an evening."""
    try:
        await web_of(request).application.tables.open(table_id)
    except CompanionError as failed:
        return answer(request, sentence=str(failed), to="/", status=409)
    await lay_out(web_of(request))
    return go_to(request, "/ready")


@router.post("/evenings/{table_id}/rename", name="evening_rename")
async def evening_rename(request: Request, table_id: str, title: Annotated[str, Form()] = "") -> Response:
    """Another title for an evening."""
    if not title.strip():
        return answer(request, "setup.title_missing", to="/", status=422)
    return await _with_evening(request, "rename", table_id, title)


@router.post("/evenings/{table_id}/delete", name="evening_delete")
async def evening_delete(request: Request, table_id: str, sure: Annotated[str, Form()] = "") -> Response:
    """Deletes an evening, once that was said twice."""
    if sure != "yes":
        return answer(request, "setup.not_sure", to="/", status=422)
    response = await _with_evening(request, "delete", table_id)
    web_of(request).doors.forget_table(table_id)
    return response


@router.post("/evenings/{table_id}/forget", name="evening_forget")
async def evening_forget(request: Request, table_id: str) -> Response:
    """Forgets who played."""
    return await _with_evening(request, "forget_names", table_id)


async def _with_evening(request: Request, what: str, table_id: str, *more: str) -> Response:
    tables = web_of(request).application.tables
    try:
        await getattr(tables, what)(table_id, *more)
    except CompanionError as failed:
        return answer(request, sentence=str(failed), to="/", status=409)
    return go_to(request, "/")


@router.get("/ready", name="ready")
async def ready(request: Request) -> Response:
    """The table before the first throw: which tag is whose taxi, phones by QR, and where to go now."""
    web = web_of(request)
    if web.table is None:
        return go_to(request, "/")
    phones = web.application.phones
    return web.renderer.page(
        request,
        "ready.html",
        title=web.table.title,
        live=web.renderer.render("ready_live.html", texts_of(request).language, **_ready_context(request)),
        version=fingerprint(web.application, getattr(web.table, "learning", None)),
        phones=phones,
        codes=invitations(web, web.table) if phones.url else [],
        bench=web.application.bench is not None,
        setup=web.table.setup,
        code_seconds=100,
    )


def _ready_context(request: Request) -> dict[str, Any]:
    web = web_of(request)
    table = web.table
    assert table is not None
    return {
        "link": link_badge(web.application.link, texts_of(request)),
        "linked": web.application.link.state != "none",
        "seats": table.setup["seats"],
        "learning": next((piece.seat for piece in table.pieces if piece.id == table.learning), None),
        "devices": [v for v in web.doors.sessions(table.table_id) if v.role is not Role.BANK],
    }


@router.get("/ready/stream", name="ready_stream")
async def ready_stream(request: Request, seen: str = "") -> Response:
    """Its event stream: tags as they are learned, devices as they join."""
    web = web_of(request)
    table = web.table

    async def update(version: str) -> Update | None:
        if web.table is not table or table is None:
            return Update(0, "", [("reload", "now")], last=True)
        now = fingerprint(web.application, getattr(table, "learning", None), len(web.doors.sessions(table.table_id)))
        if now == version:
            return None
        html = web.renderer.render("ready_live.html", texts_of(request).language, **_ready_context(request))
        return Update(table.seq, now, [(None, html)])

    return page_stream(
        request,
        changes=lambda: table.subscribe() if table else None,
        update=update,
        stopping=web.application.stopping,
        seen=seen,
    )


@router.post("/tags/learn", name="tags_learn")
async def tags_learn(request: Request, seat: Annotated[str, Form()] = "") -> Response:
    """The next tag on the base is this seat's taxi; no seat stops learning."""
    table = web_of(request).table
    if table is None:
        return go_to(request, "/")
    await table.learn_tag(seat_number(seat) or None)
    return answer(request, to="/ready")


@router.post("/tags/clear", name="tags_clear")
async def tags_clear(request: Request, uid: Annotated[str, Form()] = "") -> Response:
    """Takes a tag back from its seat."""
    table = web_of(request).table
    if table is None:
        return go_to(request, "/")
    await table.assign_tag(uid[:40], None)
    return answer(request, to="/ready")
