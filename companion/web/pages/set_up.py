"""Set-up: the evenings that there are, a new one in under two minutes, and the table before the first throw (tags,
phones).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from markupsafe import Markup
from starlette.responses import Response

from companion import titles
from companion.errors import CompanionError, SetupError
from companion.tables.setup import EveningSetup, SeatSetup, playable
from companion.titles import Title
from companion.web.context import answer, go_to, visitor_of, web_of
from companion.web.doorkeeper import Role
from companion.web.forms import read_form, seat_number
from companion.web.pages.bench import lay_out
from companion.web.pages.pairing import invitations
from companion.web.pages.table_page import screen_for
from companion.web.rendering import game_of, language_of, texts_of
from companion.web.screens.asks import piece_words
from companion.web.screens.house_rules import all_rules, asked_rules, form_of, options_of
from companion.web.screens.link_words import link_badge
from companion.web.screens.pulse import fingerprint
from companion.web.streams import Update, page_stream
from companion.web.texts import texts
from shared_rules import library

router = APIRouter()
QUICK_NAMES = ("Ann", "Bo", "Carla", "Dev", "Edie", "Finn")


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
    form = dict(request.query_params)
    title = _title_of(form)
    saved = (await web.application.presets.of(title.name)).get(form.get("preset", ""))
    return await _home_page(request, {**form, **form_of(title, saved)} if saved is not None else form)


def _title_of(form: Mapping[str, Any]) -> Title:
    """The game that a form is about: the card that was pressed, else the one that it shows, else the first."""
    for name in (form.get("card"), form.get("game")):
        if name in titles.names():
            return titles.find(str(name))
    return titles.find(titles.shown()[0])


async def _home_page(
    request: Request, form: Mapping[str, Any] | None = None, *, error: str = "", field: str = "", said: str = ""
) -> Response:
    web = web_of(request)
    title = _title_of(form or {})
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
        link_state=web.application.link.state,
        cards=[GameCard.of(titles.find(name), language_of(request)) for name in titles.shown()],
        game=title.name,
        meta=title.meta,
        lengths=title.setup.LENGTHS,
        questions=[(name, ASKED_VALUES[name]) for name in title.setup.ASKS],
        boards=[(board, library.board(board).get("title", board)) for board in library.board_ids(title.name)],
        bots=list(title.rules.bots()),
        seats=_seat_rows(title, form),
        asked=asked_rules(title, form),
        others=all_rules(title, form),
        presets=await web.application.presets.of(title.name),
        form=form or {},
        error=error,
        field=field,
        said=said,
    )


@dataclass(frozen=True)
class GameCard:
    """A game as the set-up page offers it."""

    name: str
    title: str
    picture: Markup
    players: tuple[int, int]
    minutes: tuple[int, int]
    about: Markup
    quick: list[str]

    @classmethod
    def of(cls, title: Title, language: str) -> GameCard:
        """The card of a title."""
        return cls(
            title.name,
            str(title.meta.TITLE),
            Markup(title.setup.PICTURE),  # noqa: S704 - drawn by us
            tuple(title.meta.PLAYERS),
            tuple(title.meta.MINUTES),
            texts(language, title.name)("setup.about"),
            list(QUICK_NAMES[: title.setup.QUICK]),
        )


ASKED_VALUES = {
    "cards": ("digital", "paper"),
    "dice": ("table", "digital", "typed"),
    "money": ("ledger", "by_hand"),
}
"""What the set-up page may ask, with the answers; the usual one first."""


def _seat_rows(title: Title, form: Mapping[str, Any] | None) -> list[dict[str, str]]:
    colours, most = title.meta.COLOURS, title.meta.PLAYERS[1]
    given = form or {}
    rows = []
    for n in range(1, most + 1):
        colour = str(given.get(f"colour{n}", ""))
        name, bot = str(given.get(f"name{n}", "")), str(given.get(f"bot{n}", ""))
        rows.append({"name": name, "colour": colour if colour in colours else colours[n - 1], "bot": bot})
    if len({row["colour"] for row in rows}) < len(rows):  # of another game's colours some are missing here
        for row, colour in zip(rows, colours, strict=False):
            row["colour"] = colour
    return rows


def setup_of(form: Mapping[str, Any]) -> EveningSetup:
    """The evening that a form describes. `SetupError` names the field that must change."""
    if form.get("quick"):
        title = playable(str(form.get("game", "")))
        names = QUICK_NAMES[: title.setup.QUICK]
        seats = [SeatSetup(name, colour) for name, colour in zip(names, title.meta.COLOURS, strict=False)]
        return EveningSetup(seats=seats, game=title.name)
    title = playable(str(form.get("game", "")))
    seats = []
    for n in range(1, title.meta.PLAYERS[1] + 1):
        name, bot = str(form.get(f"name{n}", "")), str(form.get(f"bot{n}", ""))
        if name.strip():
            seats.append(SeatSetup(name, str(form.get(f"colour{n}", title.meta.COLOURS[n - 1])), bot))
    return EveningSetup(
        seats=seats,
        title=str(form.get("title", "")),
        game=title.name,
        board=str(form.get("board", "")),
        options=options_of(title, form),
        length=str(form.get("length", "")),
        cards=_one_of(form, "cards", ASKED_VALUES["cards"]),
        dice=_one_of(form, "dice", ASKED_VALUES["dice"]),
        money=_one_of(form, "money", ASKED_VALUES["money"]),
    )


def _one_of(form: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> Any:
    value = form.get(name, allowed[0])
    if value not in allowed:
        raise SetupError(f"{name} is one of {', '.join(allowed)}.", name)
    return value


@router.post("/presets", name="preset_save")
async def preset_save(request: Request) -> Response:
    """Saves the form's house rules under a name."""
    form = await read_form(request)
    try:
        title = playable(form.get("game", ""))
        name = await web_of(request).application.presets.save(
            title.name, form.get("preset_name", ""), options_of(title, form)
        )
    except CompanionError as wrong:
        return await _home_page(request, form, error=str(wrong), field=getattr(wrong, "field", ""))
    saved = texts_of(request)("setup.preset.saved", name=name)
    return await _home_page(request, {**form, "preset": name, "preset_name": ""}, said=saved)


@router.post("/presets/delete", name="preset_delete")
async def preset_delete(request: Request) -> Response:
    """Forgets saved house rules; the form stays as it is."""
    form = await read_form(request)
    name = form.get("preset", "")
    try:
        await web_of(request).application.presets.delete(playable(form.get("game", "")).name, name)
    except CompanionError as wrong:
        return await _home_page(request, form, error=str(wrong), field=getattr(wrong, "field", ""))
    said = texts_of(request)("setup.preset.deleted", name=name) if name else ""
    return await _home_page(request, {**form, "preset": ""}, said=said)


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
        live=web.renderer.render("ready_live.html", language_of(request), game_of(request), **_ready_context(request)),
        version=fingerprint(web.application, web.table.learning),
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
    screen, t = screen_for(web, table, "bank", language_of(request)), texts_of(request)
    tags = table.setup["tags"]
    return {
        "link": link_badge(web.application.link, t),
        "linked": web.application.link.state != "none",
        "pieces": [(piece, piece_words(piece, screen, t), tags.get(piece.id)) for piece in table.pieces],
        "base": screen.places.place(table.explanations.plan.base or ""),
        "learning": table.learning,
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
        now = fingerprint(web.application, table.learning, len(web.doors.sessions(table.table_id)))
        if now == version:
            return None
        html = web.renderer.render("ready_live.html", language_of(request), game_of(request), **_ready_context(request))
        return Update(table.seq, now, [(None, html)])

    return page_stream(
        request,
        changes=lambda: table.subscribe() if table else None,
        update=update,
        stopping=web.application.stopping,
        seen=seen,
    )


@router.post("/tags/learn", name="tags_learn")
async def tags_learn(
    request: Request, seat: Annotated[str, Form()] = "", piece: Annotated[str, Form()] = ""
) -> Response:
    """The next tag on the base is this piece (or this seat's first); without either learning stops."""
    table = web_of(request).table
    if table is None:
        return go_to(request, "/")
    await table.learn_tag(piece[:40] or seat_number(seat) or None)
    return answer(request, to="/ready")


@router.post("/tags/clear", name="tags_clear")
async def tags_clear(request: Request, uid: Annotated[str, Form()] = "") -> Response:
    """Takes a tag back from its seat."""
    table = web_of(request).table
    if table is None:
        return go_to(request, "/")
    await table.assign_tag(uid[:40], None)
    return answer(request, to="/ready")
