"""The web application: `create_app(application)` puts pages, guards and streams together; `start_path` is what gets
printed.

app = create_app(application)
print("http://127.0.0.1:8000" + start_path(app))     # opens the start page as the banker, once
print("http://127.0.0.1:8000" + start_path(app, lasting=True))   # on this machine, as often as it is opened
"""

from __future__ import annotations

import logging
import re
from functools import cache
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from companion import titles
from companion.application import Application
from companion.errors import CompanionError
from companion.web.context import Web, web_of
from companion.web.doorkeeper import Doorkeeper, Role
from companion.web.guards import GuardMiddleware
from companion.web.pages import bench, bench_recording, devices, doors, pairing, seat, set_up, tablet, wall
from companion.web.rendering import STATIC, Renderer, is_htmx, texts_of

log = logging.getLogger(__name__)
SESSIONS = "sessions.json"


class VersionedFiles(StaticFiles):
    """Static files of the pages and, below `titles/<title>/`, of the titles; browsers may keep them for a year when
    their address names a version, for a day otherwise."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        folders = {name: titles.find(name).folder / "static" for name in titles.names()}
        self._titles = {name: StaticFiles(directory=folder) for name, folder in folders.items() if folder.is_dir()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with its time to live."""
        first, name, rest = [*path.replace("\\", "/").split("/", 2), "", ""][:3]
        if first == "titles" and name in self._titles:
            response = await self._titles[name].get_response(rest, scope)
        else:
            response = await super().get_response(path, scope)
        if isinstance(response, FileResponse) and str(response.path).endswith(".css"):
            # An old phone need not carry what is written for whoever reads the style.
            response = Response(without_comments(Path(response.path)), media_type="text/css")
        if response.status_code < 400:
            forever = b"v=" in scope.get("query_string", b"")
            response.headers["cache-control"] = (
                "public, max-age=31536000, immutable" if forever else "public, max-age=86400"
            )
        return response


@cache
def without_comments(style: Path) -> str:
    """A style sheet as it travels."""
    return re.sub(r"/\*.*?\*/\n?", "", style.read_text("utf-8"), flags=re.DOTALL)


def create_app(application: Application, *, sessions: Path | None = None) -> FastAPI:
    """The ASGI application for a running `Application`. `sessions` is where joined devices are remembered (None: the
    data directory).
    """
    settings = getattr(application, "settings", None)
    if sessions is None and settings is not None:
        sessions = Path(settings.data_dir) / SESSIONS
    app = FastAPI(title="Cabstand", docs_url=None, redoc_url=None, openapi_url=None)
    web = Web(application, Doorkeeper(sessions), Renderer())
    app.state.web = web
    for module in (doors, set_up, pairing, wall, tablet, seat, bench, bench_recording, devices):
        # The guards look at the application's own list of routes: no nested routers.
        app.router.routes.extend(module.router.routes)
    app.mount("/static", VersionedFiles(directory=STATIC), name="static")
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(CompanionError, _companion_error)
    app.add_exception_handler(Exception, _broken)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(
        GuardMiddleware,
        routes=app.router.routes,
        doors=web.doors,
        hosts=lambda: application.allowed_hosts,
        refusal=lambda request, status, reason: _refusal(request, web, status, reason),
    )
    return app


def start_path(app: FastAPI, to: str = "/", *, lasting: bool = False) -> str:
    """The path of a fresh start address: whoever opens it first is the banker; a `lasting` one makes every browser of
    this machine the banker's. Only for the machine that started the companion.
    """
    web: Web = app.state.web
    return f"/start/{web.doors.start_token(lasting=lasting)}" + (f"?to={to}" if to != "/" else "")


def doorkeeper_of(app: FastAPI) -> Doorkeeper:
    """The sessions and codes of an application, for the command line and tests."""
    web: Web = app.state.web
    return web.doors


def _refusal(request: Request, web: Web, status: int, reason: str) -> Response:
    sentence = texts_of(request)(f"door.{reason}")
    if is_htmx(request):
        return web.renderer.fragment(request, "say.html", status=status, sentence=sentence, good=False)
    join = status == 403 and request.state.visitor.role is Role.ANONYMOUS
    return web.renderer.page(
        request, "refused.html", status=status, code=status, sentence=sentence, back="/", join=join
    )


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    reason = {404: "not_found", 405: "method", 413: "too_large"}.get(status, "bad_form")
    return _refusal(request, web_of(request), status, reason)


async def _companion_error(request: Request, error: Exception) -> Response:
    web = web_of(request)
    if is_htmx(request):
        return web.renderer.fragment(request, "say.html", status=503, sentence=str(error), good=False)
    return web.renderer.page(request, "refused.html", status=503, code=503, sentence=str(error), back="/")


async def _broken(request: Request, error: Exception) -> Response:
    log.exception("a page failed: %s", request.url.path, exc_info=error)
    return _refusal(request, web_of(request), 500, "broken")
