"""Recording on the bench: what hands do to the virtual table, what the companion tells it, and what its devices say,
becomes a fault script.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.application import Application
from companion.devices.facts import Fact
from companion.devices.table_output import Show
from companion.fault_scripts.recorder import LEAD_MS, Recorder
from companion.fault_scripts.vocabulary import snake
from companion.tables import lights
from companion.web.context import Web, answer, web_of
from companion.web.forms import read_form
from companion.web.rendering import texts_of

logger = logging.getLogger(__name__)
router = APIRouter()
LONGEST_NAME = 60


def _ids(devices: list[str]) -> dict[str, str]:
    """Device id → its name at the virtual table."""
    from companion.virtual_table import missing

    if missing() is not None:
        return {}
    from companion.virtual_table.device import setup_of

    return {setup_of(name, Path()).device_id.hex(): name for name in devices}


def _listen(web: Web, recorder: Recorder, names: dict[str, str]) -> None:
    """From now on the recorder hears every fact, until another one is made."""

    def heard(fact: Fact) -> None:
        row = {key: one for key, one in dataclasses.asdict(fact).items() if key != "origin"}
        recorder.heard({"fact": snake(type(fact).__name__), "device": names.get(fact.origin.device_id), **row})

    web.application.witness = heard


def _wanted(application: Application) -> Show | None:
    """What the companion wants the table to look like; None where there is none to tell."""
    if not application.devices.searching:
        return None
    table = application.current
    try:
        return lights.show(table) if table is not None else lights.nobody_plays()
    except Exception:  # as in play: lights are output only
        logger.exception("the lights could not be worked out")
        return None


async def _follow(web: Web, recorder: Recorder) -> None:
    """Writes down what the table should look like whenever that changes, while this recording goes on."""
    application, table = web.application, None
    ring = asyncio.Event()
    feeds = [asyncio.create_task(_feed(application.subscribe(), ring))]
    try:
        while web.recording is recorder and not application.stopping.is_set():
            if application.current is not table and application.current is not None:
                table = application.current
                feeds.append(asyncio.create_task(_feed(table.subscribe(), ring)))
            if (wanted := _wanted(application)) is not None:
                recorder.shows(wanted)
            await ring.wait()
            ring.clear()
    finally:
        for feed in feeds:
            feed.cancel()


async def _feed(source: AsyncIterator[Any], ring: asyncio.Event) -> None:
    async for _ in source:
        ring.set()
    ring.set()


async def _start(web: Web, title: str) -> None:
    application, hands = web.application, web.application.bench
    assert hands is not None
    name = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_") or "recorded"
    devices = list(await hands.devices())
    clock = asyncio.get_running_loop().time
    web.recording = recorder = Recorder(name, devices, clock, title=title, lead_ms=LEAD_MS)
    for die, state in hands.dice.items():
        if state.get("face"):
            recorder.found("place_die", face=state["face"], device=die)
    if (wanted := _wanted(application)) is not None:
        recorder.shows(wanted)
    for uid, socket in hands.tags_seen.items():
        recorder.found("place_tag", uid=uid, socket=socket)
    _listen(web, recorder, _ids(devices))
    task = asyncio.create_task(_follow(web, recorder), name="recording")
    application.tasks.add(task)
    task.add_done_callback(application.tasks.discard)


@router.post("/bench/record", name="bench_record")
async def bench_record(request: Request) -> Response:
    """Starts a recording, or throws one away."""
    web, t = web_of(request), texts_of(request)
    if web.application.bench is None:
        return answer(request, "bench.no_hands", to="/bench", status=409)
    form = await read_form(request)
    if form.get("do") == "start":
        title = " ".join(str(form.get("title", "")).split())[:LONGEST_NAME] or t("bench.record.untitled").unescape()
        await _start(web, title)
        sentence = t("bench.record.started")
    elif form.get("do") == "stop":
        web.recording, web.application.witness = None, None
        sentence = t("bench.record.stopped")
    else:
        return answer(request, "door.bad_form", to="/bench", status=422)
    web.application.touch()
    return answer(request, sentence=sentence, to="/bench")


@router.get("/bench/script.toml", name="bench_script")
async def bench_script(request: Request) -> Response:
    """The recording so far, as a file."""
    web = web_of(request)
    if web.recording is None:
        return answer(request, "bench.record.none", to="/bench", status=404)
    headers = {"content-disposition": f'attachment; filename="{web.recording.name}.toml"'}
    return Response(web.recording.toml(), media_type="application/toml", headers=headers)
