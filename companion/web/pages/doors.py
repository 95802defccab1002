"""The doors: the printed start address, pairing by QR or code, the theme, leaving, and the rule behind a stamp."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from companion.web.context import answer, visitor_of, web_of
from companion.web.doorkeeper import DoorError, Role
from companion.web.guards import COOKIE, is_here
from companion.web.rendering import HAND_COOKIE, STATIC, SYSTEM, THEME_COOKIE, THEMES, is_htmx, language_of, texts_of
from companion.web.screens.house_rules import rule_in_words

router = APIRouter()
HOMES = {Role.BANK: "/", Role.SEAT: "/seat", Role.SPECTATOR: "/wall"}
YEAR = 365 * 24 * 3600
RULE = re.compile(r"[A-Z]{1,2}-\d{2,3}")
"""How rules are numbered."""


def _enter(request: Request, cookie: str, to: str) -> Response:
    response = RedirectResponse(to, status_code=303)
    response.set_cookie(
        COOKIE, cookie, max_age=YEAR, httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/"
    )
    return response


def own_path(path: str) -> str:
    """A path of ours, or the start page: `//elsewhere` would be another machine."""
    return path if re.fullmatch(r"(/[a-z]+)+", path) else "/"


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


@router.get("/start/{token}", name="start")
async def start(request: Request, token: str) -> Response:
    """The printed address: makes a browser on this machine the banker's; one elsewhere, if nobody was sooner."""
    web = web_of(request)
    to = own_path(request.query_params.get("to", "/"))
    if visitor_of(request).role is Role.BANK:
        return RedirectResponse(to, status_code=303)
    try:
        label = texts_of(request)("join.this_machine")
        return _enter(request, web.doors.claim_start(token, label, here=is_here(request)), to)
    except DoorError:
        return _join_page(request, sentence="start_used", status=403)


def _join_page(request: Request, *, sentence: str = "", status: int = 200) -> Response:
    t = texts_of(request)
    return web_of(request).renderer.page(
        request, "join.html", status=status, invitation=None, sentence=t("door." + sentence) if sentence else ""
    )


@router.get("/join", name="join")
async def join(request: Request, code: str = "") -> Response:
    """Where a code is typed by hand."""
    return _confirm(request, code) if code.strip() else _join_page(request)


@router.get("/join/{code}", name="join_code")
async def join_code(request: Request, code: str) -> Response:
    """What a QR opens: asks before it uses the code up, so that no link preview does."""
    return _confirm(request, code)


def _confirm(request: Request, code: str) -> Response:
    web, t = web_of(request), texts_of(request)
    try:
        invitation = web.doors.peek(code, _address(request))
    except DoorError as refused:
        return _join_page(request, sentence=refused.code, status=429 if refused.code == "too_many_tries" else 404)
    colour, name = "", ""
    if invitation.seat is not None and web.table is not None and web.table.table_id == invitation.table:
        seat = next((s for s in web.table.setup["seats"] if s["seat"] == invitation.seat), None)
        if seat is not None:
            colour, name = seat["colour"], seat["name"]
    question = t(f"join.as.{invitation.role.value}", name=name or t("seat.number", n=invitation.seat or 0))
    label = t("join.phone") if invitation.role is Role.SEAT else t("join.screen")
    return web.renderer.page(
        request, "join.html", invitation=invitation, code=code, question=question, colour=colour, label=label
    )


@router.post("/join", name="claim")
async def claim(request: Request, code: Annotated[str, Form()] = "", label: Annotated[str, Form()] = "") -> Response:
    """Uses a pairing code up and gives the cookie."""
    web = web_of(request)
    try:
        cookie, invitation = web.doors.claim(code, label, _address(request))
    except DoorError as refused:
        return _join_page(request, sentence=refused.code, status=429 if refused.code == "too_many_tries" else 404)
    return _enter(request, cookie, "/tablet" if invitation.role is Role.BANK else HOMES[invitation.role])


@router.post("/leave", name="leave")
async def leave(request: Request) -> Response:
    """Ends this device's own session."""
    web_of(request).doors.revoke(visitor_of(request).session)
    response = RedirectResponse("/join", status_code=303)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.post("/theme", name="theme")
async def theme(
    request: Request,
    look: Annotated[str, Form()] = "",
    hand: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    """Day, night or as the system has it, right or left hand, for this device."""
    to = own_path(back)
    if (look and look not in (*THEMES, SYSTEM)) or (hand and hand not in ("left", "right")):
        return answer(request, "door.bad_form", to=to, status=422)
    response: Response = RedirectResponse(to, status_code=303)
    for name, value in ((THEME_COOKIE, look), (HAND_COOKIE, hand)):
        if value == SYSTEM:
            response.delete_cookie(name, path="/")
        elif value:
            response.set_cookie(name, value, max_age=YEAR, samesite="strict", path="/")
    return response


@router.get("/rules/{rule}", name="rule")
async def rule(request: Request, rule: str) -> Response:
    """The sentence behind a rule stamp."""
    t, web = texts_of(request), web_of(request)
    known = RULE.fullmatch(rule) is not None
    playing = web.table.game if web.table else None
    found = rule_in_words(rule, language_of(request), playing) if known else None
    if found is None:
        why = t("rule.unknown", rule=rule) if known else t("door.not_found")
        return web.renderer.page(request, "refused.html", status=404, code=404, sentence=why, back="/")
    title, sentence = found
    heading = t("rule.title") if title is playing else t("rule.of", game=title.meta.TITLE)
    if is_htmx(request):
        return web.renderer.fragment(request, "sheet_rule.html", rule=rule, title=heading, sentence=sentence)
    return web.renderer.page(request, "rule.html", rule=rule, title=heading, sentence=sentence)


@router.get("/icon.svg", name="icon")
async def icon() -> Response:
    """The browser tab's picture: a checker with a lamp."""
    return Response(
        (STATIC / "icon.svg").read_bytes(), media_type="image/svg+xml", headers={"cache-control": "max-age=86400"}
    )
