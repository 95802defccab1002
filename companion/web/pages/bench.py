"""The bench: the hardware as it is, for makers and rigs; on the virtual table with hands that drag taxis, throw the
die and break things.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from companion.errors import CompanionError
from companion.tables import lay_out as tables_lay_out
from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.web.context import Web, answer, web_of
from companion.web.forms import BadFormError, read_form
from companion.web.pages.bench_hands import HANDLINGS, THROWS, Step, act, steps_of
from companion.web.pages.table_page import map_of, no_table, screen_for
from companion.web.rendering import texts_of
from companion.web.screens.bench_state import Bench, bench_of, hands_group, pieces_of
from companion.web.screens.bench_words import said
from companion.web.screens.link_words import link_badge
from companion.web.screens.map_groups import whole_map
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.screens.wall_turn import headline
from companion.web.streams import Update, page_stream
from companion.web.texts import Texts

router = APIRouter()
LINES = 6
STATS_EVERY = 2.0
OUT_OF_BAND = Markup(' hx-swap-oob="true"')
PATIENCE = 1.5
"""Seconds that a page waits for a virtual table that may have stopped."""


async def _stats(web: Web) -> Json:
    if web.application.bench is None:
        return {}
    with contextlib.suppress(ConnectionError, ValueError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            found: Json = await web.application.bench.stats()
        return found
    return {}


def _panels(web: Web, table: TableActor, screen: Screen, bench: Bench, t: Texts) -> str:
    kept = web.application.virtual
    rows = lines(table.log(40, "bank"), screen, t, LINES)
    return web.renderer.render(
        "bench_live.html",
        t.language,
        t.game,
        s=screen,
        b=bench,
        link=link_badge(web.application.link, t),
        log=rows,
        hands=web.application.bench is not None,
        error=web.application.link.error,
        recording=web.recording,
        virtual=kept.state if kept is not None else "",
    )


def _throw(table: TableActor, screen: Screen, t: Texts) -> Json:
    """Whose turn it is and what the die shows, as the wall has it."""
    throws = table.game.narration.last_throw(table.log(40, "spectator"))
    return {"who": screen.on_turn, "headline": headline(screen, t), "throws": throws}


@router.get("/bench", name="bench")
async def bench(request: Request) -> Response:
    """The page."""
    web, t = web_of(request), texts_of(request)
    figures = await _stats(web)
    table = web.table
    if table is None:
        return no_table(request)
    screen = screen_for(web, table, "bank", t.language)
    state = bench_of(web.application, table, screen, figures, t)
    drawn = whole_map(screen, "bench", map_of(web, table), label=t("map.label"))
    drawn = drawn.removesuffix("</svg>") + hands_group(state, screen, t) + "</svg>"
    return web.renderer.page(
        request,
        "bench.html",
        map_svg=Markup(drawn),
        live=_panels(web, table, screen, state, t),
        **_throw(table, screen, t),
        hands=web.application.bench is not None,
        throws_of_die=THROWS,
        handlings=HANDLINGS,
        b=state,
        title=table.title,
    )


@router.get("/bench/stream", name="bench_stream")
async def bench_stream(request: Request) -> Response:
    """Its event stream: what the chips see, as it changes."""
    web, t = web_of(request), texts_of(request)
    table, hands = web.table, web.application.bench
    sent: dict[str, str] = {}
    figures: Json = {}
    looked = -STATS_EVERY

    async def update(version: str) -> Update | None:
        nonlocal figures, looked
        # Another virtual table has other hands: what this page listens to is gone.
        if web.table is not table or table is None or web.application.bench is not hands:
            return Update(0, "", [("reload", "now")], last=True)
        now = asyncio.get_running_loop().time()
        if now - looked >= STATS_EVERY:
            figures, looked = await _stats(web), now
        screen = screen_for(web, table, "bank", t.language)
        state = bench_of(web.application, table, screen, figures, t)
        groups = {**map_of(web, table), "hands": hands_group(state, screen, t)}
        changed = {name: svg for name, svg in groups.items() if sent.get(name) != svg}
        sent.update(changed)
        html = _panels(web, table, screen, state, t)
        if web.application.bench is not None:
            html += web.renderer.render(
                "bench_die.html", t.language, t.game, swap=OUT_OF_BAND, **_throw(table, screen, t)
            )
        messages: list[tuple[str | None, str]] = [("map", json.dumps(changed))] if changed else []
        if sent.get("html") != html:
            sent["html"] = html
            messages.append((None, html))
        return Update(table.seq, version, messages) if messages else None

    return page_stream(request, changes=lambda: _rings(web, table), update=update, stopping=web.application.stopping)


async def _rings(web: Web, table: TableActor | None) -> AsyncIterator[object]:
    """Rings for changes of the table and of the chips."""
    queue: asyncio.Queue[object] = asyncio.Queue(maxsize=1)

    async def feed(source: Any) -> None:
        async for change in source:
            with contextlib.suppress(asyncio.QueueFull):
                queue.put_nowait(change)

    sources = [table.subscribe()] if table is not None else []
    if web.application.bench is not None:
        sources.append(web.application.bench.changes())
    tasks = [asyncio.create_task(feed(source)) for source in sources]
    try:
        while True:
            yield await queue.get()
    finally:
        for task in tasks:
            task.cancel()


@router.post("/bench/act", name="bench_act")
async def bench_act(request: Request) -> Response:
    """One hand on the virtual table, and what it did in a sentence."""
    web, t = web_of(request), texts_of(request)
    if web.application.bench is None:
        return answer(request, "bench.no_hands", to="/bench", status=409)
    form = await read_form(request)
    try:
        if form.get("do") == "tidy":
            if not await lay_out(web):
                raise ConnectionError
            sentence = t("bench.did.tidy")
        else:
            steps = steps_of(web, form)
            sentence = _said(web, steps[0], await act(web, steps), t)
    except BadFormError:
        return answer(request, "door.bad_form", to="/bench", status=422)
    except ValueError as wrong:
        return answer(request, sentence=str(wrong), to="/bench", status=422)
    except ConnectionError:
        return answer(request, "bench.gone", to="/bench", status=503)
    return answer(request, sentence=sentence, to="/bench")


@router.post("/bench/start", name="bench_start")
async def bench_start(request: Request) -> Response:
    """Starts the virtual table again after it ended; the evening goes on as it was."""
    web = web_of(request)
    kept = web.application.virtual
    if kept is None:
        return answer(request, "bench.no_hands", to="/bench", status=409)
    try:
        await kept.start_again()
    except CompanionError as failed:
        return answer(request, sentence=str(failed), to="/devices", status=503)
    ended = kept.state == "ended"  # again, while its pieces were laid out
    return answer(request, "virtual.ended" if ended else "virtual.runs", to="/devices", status=503 if ended else 200)


_FOR_THE_TABLE = ("press_button", "place_tag", "lift_tag", "flap_tag")
"""Hands that nobody notices while the table is in safe mode."""


def _said(web: Web, step: Step, result: object, t: Texts) -> Markup:
    hands, table = web.application.bench, web.table
    pieces = pieces_of(table, screen_for(web, table, "bank", t.language), {}, t) if table is not None else []
    sentence = said(step, result, pieces, list(hands.links) if hands is not None else [], t)
    if web.application.link.state == "safe" and step[0] in _FOR_THE_TABLE:
        sentence += " " + t("bench.did.safe")
    return sentence


async def lay_out(web: Web) -> bool:
    """Puts the pieces of the open evening onto the virtual table's readers, as the game has them; for a table that was
    just opened, or to tidy up. False when the virtual table does not answer."""
    hands, table = web.application.bench, web.table
    return hands is None or table is None or await tables_lay_out.lay_out(table, hands)
