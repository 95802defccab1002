"""One event stream a page: newest wins, nothing queues up, ends when the companion ends or the browser goes.

A message's `id` is the number of the newest entry of the table's log, so a page that comes back says how far it was;
as each message is the whole of what changes on the page, the newest one is all it needs. Streams wait on a `Bell`,
which any number of changes ring once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request

from companion.web.context import visitor_of, web_of

PING_SECONDS = 15
LOOK_SECONDS = 1.0
"""How often a stream looks for changes that ring no bell (the link's state, the clock)."""


@dataclass
class Update:
    """What a page needs to be up to date. `version` is equal when nothing changed; `messages` are (event name or
    None, data).
    """

    seq: int
    version: str
    messages: list[tuple[str | None, str]] = field(default_factory=list)
    last: bool = False


class Bell:
    """A mailbox of one: ringing it many times wakes its stream once."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Something changed."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Until rung or the time is over; then it is silent again."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
        self._event.clear()


async def _ring_on(source: AsyncIterable[object], bell: Bell) -> None:
    async for _ in source:
        bell.ring()
    bell.ring()


def page_stream(
    request: Request,
    *,
    changes: Callable[[], AsyncIterable[object] | None],
    update: Callable[[str], Awaitable[Update | None]],
    stopping: asyncio.Event,
    seen: str = "",
    look_every: float = LOOK_SECONDS,
) -> EventSourceResponse:
    """The event stream of a page.

    `changes` gives what rings (None: nothing does, look only); `update(version)` the news for a page that shows
    `version`, None when there is none; `seen` is the version that the page was drawn with. The stream ends with an
    `Update` marked `last`, and when the visitor's session has ended (a page then loads itself again, and is told what
    it may see now).
    """

    async def messages() -> AsyncIterator[ServerSentEvent]:
        bell = Bell()
        source = changes()
        ringing = asyncio.create_task(_ring_on(source, bell)) if source is not None else None
        closing = asyncio.create_task(_ring_when_set(stopping, bell))
        version = seen
        try:
            # A first comment lets the browser know at once that the line is open.
            yield ServerSentEvent(comment="open")
            while not stopping.is_set():
                if web_of(request).doors.visitor_by_session(visitor_of(request).session) != visitor_of(request):
                    yield ServerSentEvent("now", event="reload", id="0")
                    return
                news = await _unless_set(stopping, update(version))
                if news is not None:
                    version = news.version
                    for name, data in news.messages:
                        yield ServerSentEvent(data, event=name, id=str(news.seq))
                    if news.last:
                        return
                await bell.wait(look_every)
                if await request.is_disconnected():
                    return
        finally:
            for task in (ringing, closing):
                if task is not None:
                    task.cancel()

    return EventSourceResponse(
        messages(), ping=PING_SECONDS, headers={"cache-control": "no-store", "x-accel-buffering": "no"}
    )


async def _unless_set(stopping: asyncio.Event, work: Awaitable[Update | None]) -> Update | None:
    """The news, or None as soon as all must end: a virtual table that is asked for its figures may take its time."""
    asking = asyncio.ensure_future(work)
    ending = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({asking, ending}, return_when=asyncio.FIRST_COMPLETED)
        return asking.result() if asking.done() else None
    finally:
        asking.cancel()
        ending.cancel()


async def _ring_when_set(stopping: asyncio.Event, bell: Bell) -> None:
    await stopping.wait()
    bell.ring()
