"""What every page module holds in hand: the application, the doorkeeper, the renderer; reached through
`web_of(request)`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.application import Application
from companion.fault_scripts.recorder import Recorder
from companion.tables.table_actor import TableActor
from companion.web.doorkeeper import Doorkeeper, Visitor
from companion.web.rendering import Renderer, is_htmx, texts_of

CACHED = 64


@dataclass
class Web:
    """The parts of one running web application."""

    application: Application
    doors: Doorkeeper
    renderer: Renderer
    recording: Recorder | None = None
    """The fault script that is being recorded on the bench."""
    drawn: OrderedDict[tuple[Any, ...], Any] = field(default_factory=OrderedDict)
    """Rendered updates by (page, audience, language, version): two tablets that show the same cost one rendering."""

    def remember(self, key: tuple[Any, ...], value: Any) -> Any:
        """Keeps a rendered update, forgetting the oldest beyond `CACHED`."""
        self.drawn[key] = value
        while len(self.drawn) > CACHED:
            self.drawn.popitem(last=False)
        return value

    @property
    def table(self) -> TableActor | None:
        """The evening that is going on."""
        return self.application.current


def web_of(request: Request) -> Web:
    """The parts of the application that a request came to."""
    web: Web = request.app.state.web
    return web


def visitor_of(request: Request) -> Visitor:
    """Who asks, as the guards found out."""
    visitor: Visitor = request.state.visitor
    return visitor


def answer(
    request: Request, key: str = "", *, to: str, status: int = 200, sentence: str = "", **places: Any
) -> Response:
    """The answer to a form: with htmx a sentence for the page (empty: nothing to say), without it the page `to` again.

    `key` names a text; `sentence` is one that is ready (from the rules, say). `status` 4xx marks a refusal.
    """
    text = sentence or (texts_of(request)(key, **places) if key else "")
    if is_htmx(request):
        said = web_of(request).renderer.fragment(request, "say.html", status=status, sentence=text, good=status < 400)
        if status < 400:
            said.headers["hx-trigger"] = "closesheet"
        return said
    if text and status >= 400:
        return web_of(request).renderer.page(
            request, "refused.html", status=status, code=status, sentence=text, back=to
        )
    return RedirectResponse(to, status_code=303)


def go_to(request: Request, to: str) -> Response:
    """Another page, for htmx and bare forms alike."""
    if is_htmx(request):
        return Response(headers={"hx-redirect": to})
    return RedirectResponse(to, status_code=303)
