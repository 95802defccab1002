"""The devices page: every table controller and die that the companion knows, how it is, and what can be asked of it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.devices.device_state import DeviceError
from companion.errors import CompanionError
from companion.web.context import Web, answer, web_of
from companion.web.forms import BadFormError, read_form
from companion.web.rendering import texts_of
from companion.web.screens.device_words import UNDERSTOOD, DeviceCard, cards, numbers_for
from companion.web.streams import Update, page_stream
from companion.web.texts import Texts

router = APIRouter()


def _cards(web: Web, t: Texts) -> list[DeviceCard]:
    hub = web.application.devices
    calibrating = {one.state.id for one in hub.known.values() if one.calibrating}
    return cards(hub.devices(), hub.notes(), t, calibrating)


def _live(web: Web, t: Texts) -> str:
    hub, kept = web.application.devices, web.application.virtual
    devices = _cards(web, t)
    # While the virtual table is gone, that says why there is no radio.
    troubles = hub.troubles() if kept is None or kept.state in ("running", "again") else []
    return web.renderer.render(
        "devices_live.html",
        t.language,
        None,
        devices=devices,
        numbers=numbers_for(devices),
        forgotten=hub.forgotten(),
        searches=hub.searching,
        virtual=kept.state if kept is not None else "",
        troubles=[sentence for sentence in (web.application.trouble, *troubles) if sentence],
    )


@router.get("/devices", name="devices")
async def devices(request: Request) -> Response:
    """The page."""
    web, t = web_of(request), texts_of(request)
    return web.renderer.page(request, "devices.html", live=_live(web, t), bench=web.application.bench is not None)


@router.get("/devices/stream", name="devices_stream")
async def devices_stream(request: Request) -> Response:
    """Its event stream: heartbeats, health and losses as they come."""
    web, t = web_of(request), texts_of(request)

    async def update(version: str) -> Update | None:
        html = _live(web, t)
        if html == version:
            return None
        return Update(0, html, [(None, html)])

    return page_stream(
        request, changes=lambda: web.application.subscribe(), update=update, stopping=web.application.stopping
    )


@router.get("/devices/{device_id}/log", name="devices_log")
async def devices_log(request: Request, device_id: str) -> Response:
    """What a device wrote down when it last failed, in a sheet."""
    web, t = web_of(request), texts_of(request)
    try:
        text = await web.application.devices.read_log(device_id)
    except DeviceError as refused:
        return answer(request, sentence=str(refused), to="/devices", status=409)
    card = next((card for card in _cards(web, t) if card.id == device_id), None)
    return web.renderer.fragment(request, "sheet_device_log.html", text=text, card=card)


@router.post("/devices/act", name="devices_act")
async def devices_act(request: Request) -> Response:
    """One thing that is asked of one device."""
    web, t = web_of(request), texts_of(request)
    form = await read_form(request)
    try:
        done = await _ask(web, str(form.get("id", ""))[:20], str(form.get("do", "")), form)
    except BadFormError:
        return answer(request, "door.bad_form", to="/devices", status=422)
    except CompanionError as refused:
        return answer(request, sentence=str(refused), to="/devices", status=409)
    web.application.touch()
    return answer(request, sentence=t(done) if done else "", to="/devices")


async def _ask(web: Web, device_id: str, do: str, form: Any) -> str:
    """Does it; the key of what to say then, empty where the page shows it by itself."""
    hub = web.application.devices
    if do == "identify":
        await hub.identify(device_id)
        return "device.identified"
    if do == "pair":
        await hub.pair(device_id)
        return "device.is_paired"
    if do == "unpair":
        await hub.unpair(device_id)
        return "device.is_unpaired"
    if do == "rename":
        await hub.rename(device_id, str(form.get("name", "")))
    elif do == "number":
        number = str(form.get("number", ""))
        if not (number.isascii() and number.isdigit() and len(number) <= 2):
            raise BadFormError
        await hub.set_number(device_id, int(number))
    elif do == "calibrate":
        await hub.calibrate(device_id, str(form.get("action", "")))
    elif do == "sleep":
        await hub.sleep(device_id)
        return "device.sleeps_now"
    elif do in ("restart", "restart_safe"):
        await hub.restart(device_id, safe=do == "restart_safe")
        return "device.restarts"
    elif do == "forget":
        if form.get("sure") != "yes":
            return "device.not_sure"
        await hub.forget(device_id)
    elif do == "remember":
        await hub.remember(device_id)
    elif do == "understood" and form.get("kind") in UNDERSTOOD:
        hub.understood(device_id, str(form.get("kind")))
    else:
        raise BadFormError
    return ""
