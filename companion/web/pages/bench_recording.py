"""Recording on the bench: what hands do to the virtual table, and what its devices say, becomes a fault script."""

from __future__ import annotations

import asyncio
import dataclasses
import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from companion.devices.facts import Fact
from companion.fault_scripts.recorder import Recorder
from companion.fault_scripts.vocabulary import snake
from companion.web.context import Web, answer, web_of
from companion.web.forms import read_form
from companion.web.rendering import texts_of

router = APIRouter()
LONGEST_NAME = 60


def _listen(web: Web, recorder: Recorder) -> None:
    """From now on the recorder hears every fact, until another one is made."""

    def heard(fact: Fact) -> None:
        row = {key: one for key, one in dataclasses.asdict(fact).items() if key != "origin"}
        recorder.heard({"fact": snake(type(fact).__name__), **row})

    web.application.witness = heard


@router.post("/bench/record", name="bench_record")
async def bench_record(request: Request) -> Response:
    """Starts a recording, or throws one away."""
    web, t = web_of(request), texts_of(request)
    hands = web.application.bench
    if hands is None:
        return answer(request, "bench.no_hands", to="/bench", status=409)
    form = await read_form(request)
    if form.get("do") == "start":
        title = " ".join(str(form.get("title", "")).split())[:LONGEST_NAME] or str(t("bench.record.untitled"))
        name = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_") or "recorded"
        devices = list(await hands.devices())
        web.recording = Recorder(name, devices, asyncio.get_running_loop().time, title=title)
        for uid, socket in hands.tags_seen.items():
            web.recording.hand("place_tag", uid=uid, socket=socket)
        _listen(web, web.recording)
    elif form.get("do") == "stop":
        web.recording, web.application.witness = None, None
    else:
        return answer(request, "door.bad_form", to="/bench", status=422)
    web.application.touch()
    return answer(request, to="/bench")


@router.get("/bench/script.toml", name="bench_script")
async def bench_script(request: Request) -> Response:
    """The recording so far, as a file."""
    web = web_of(request)
    if web.recording is None:
        return answer(request, "bench.record.none", to="/bench", status=404)
    headers = {"content-disposition": f'attachment; filename="{web.recording.name}.toml"'}
    return Response(web.recording.toml(), media_type="application/toml", headers=headers)
