"""Letting phones, a wall and further tablets in: QR codes a seat, opening and closing the local network, ending a
device's session.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Annotated

import segno
from fastapi import APIRouter, Form, Request
from markupsafe import Markup
from starlette.responses import Response

from companion.errors import CompanionError
from companion.tables.table_actor import TableActor
from companion.web.context import Web, answer, go_to, web_of
from companion.web.doorkeeper import Role
from companion.web.rendering import texts_of

router = APIRouter()


@dataclass
class Code:
    """One invitation as a page shows it: for whom, the address, its picture and the short form to type."""

    role: Role
    seat: int | None
    name: str
    colour: str
    url: str
    qr: Markup
    short: str


def qr_svg(text: str) -> Markup:
    """A QR code as inline SVG, dark on paper in both themes, with its quiet zone."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        border=3,
        dark="#20242c",
        light="#fffaf0",
        svgclass="qr",
        lineclass=None,
    )
    return Markup(out.getvalue().decode())  # noqa: S704 - made here


def invitations(web: Web, table: TableActor) -> list[Code]:
    """Fresh codes for every seat that people play, a screen for all and a further tablet."""
    base = web.application.phones.url or ""
    wanted: list[tuple[Role, int | None, str, str]] = [
        (Role.SEAT, s["seat"], s["name"], s["colour"]) for s in table.setup["seats"] if not s["bot"]
    ]
    wanted += [(Role.SPECTATOR, None, "", ""), (Role.BANK, None, "", "")]
    found = []
    for role, seat, name, colour in wanted:
        code, short = web.doors.invite(role, table.table_id if seat is not None else None, seat)
        url = f"{base}/join/{code}"
        found.append(Code(role, seat, name, colour, url, qr_svg(url), f"{short[:4]} {short[4:]}"))
    return found


@router.post("/phones/open", name="phones_open")
async def phones_open(request: Request, back: Annotated[str, Form()] = "/ready") -> Response:
    """Lets devices of the local network in."""
    phones = web_of(request).application.phones
    if not phones.available:
        return answer(request, "phones.not_available", to="/ready", status=409)
    try:
        await phones.open()
    except CompanionError as failed:
        return answer(request, sentence=str(failed), to="/ready", status=503)
    return go_to(request, "/tablet" if back == "/tablet" else "/ready")


@router.post("/phones/close", name="phones_close")
async def phones_close(request: Request) -> Response:
    """Shuts the local network out again; this machine goes on."""
    await web_of(request).application.phones.close()
    return go_to(request, "/ready")


@router.get("/pairing", name="pairing")
async def pairing(request: Request) -> Response:
    """Fresh QR codes, for the page that shows them (they live two minutes)."""
    web = web_of(request)
    if web.table is None or not web.application.phones.url:
        return web.renderer.fragment(request, "codes.html", codes=[])
    return web.renderer.fragment(request, "codes.html", codes=invitations(web, web.table))


@router.post("/revoke", name="revoke")
async def revoke(request: Request, session: Annotated[str, Form()] = "") -> Response:
    """Ends a device's session: a lost phone, a seat that changed hands."""
    t = texts_of(request)
    if not web_of(request).doors.revoke(session):
        return answer(request, "devices.gone_already", to="/tablet", status=404)
    return answer(request, sentence=t("devices.ended"), to="/tablet")
