"""The only place that says who may ask for what: roles by route, Host and Origin, body size, response headers.

Routes are denied unless `POLICY` names them, so a new page is shut until somebody decides who may see it.
`GuardMiddleware` is plain ASGI (an event stream passes through unbuffered) and answers every refusal in the look of
the pages. Limits: `MAX_BODY` bytes a request.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match

from companion.web.doorkeeper import Doorkeeper, Role, Visitor

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
RefusalPage = Callable[[Request, int, str], Response]

COOKIE = "cabstand"
MAX_BODY = 64 * 1024
FORM = "application/x-www-form-urlencoded"

EVERYBODY = frozenset(Role)
GUESTS = frozenset({Role.SPECTATOR, Role.SEAT, Role.BANK})
SEAT = frozenset({Role.SEAT})
BANK = frozenset({Role.BANK})

# route name → who may use it. A route that is not here is answered with 403 for everybody.
POLICY: dict[str, frozenset[Role]] = {
    "static": EVERYBODY,
    "icon": EVERYBODY,
    "start": EVERYBODY,
    "join": EVERYBODY,
    "join_code": EVERYBODY,
    "claim": EVERYBODY,
    "theme": EVERYBODY,
    "home": EVERYBODY,
    "leave": GUESTS,
    "rule": GUESTS,
    "wall": GUESTS,
    "wall_stream": GUESTS,
    "seat": SEAT,
    "seat_stream": SEAT,
    "seat_act": SEAT,
    "seat_undo": SEAT,
    "seat_sheet": SEAT,
    "seat_bot": SEAT,
    "seat_dice": SEAT,
    "wall_sheet": GUESTS,
    "preset_save": BANK,
    "preset_delete": BANK,
    "evening_create": BANK,
    "evening_resume": BANK,
    "evening_rename": BANK,
    "evening_delete": BANK,
    "evening_forget": BANK,
    "ready": BANK,
    "ready_stream": BANK,
    "tags_learn": BANK,
    "tags_clear": BANK,
    "phones_open": BANK,
    "phones_close": BANK,
    "pairing": BANK,
    "revoke": BANK,
    "tablet": BANK,
    "tablet_stream": BANK,
    "tablet_act": BANK,
    "tablet_undo": BANK,
    "tablet_sheet": BANK,
    "tablet_bot": BANK,
    "tablet_dice": BANK,
    "tablet_correct": BANK,
    "tablet_explain": BANK,
    "tablet_rename_seat": BANK,
    "record": BANK,
    "devices": BANK,
    "devices_stream": BANK,
    "devices_act": BANK,
    "devices_log": BANK,
    "bench": BANK,
    "bench_stream": BANK,
    "bench_act": BANK,
    "bench_start": BANK,
    "bench_record": BANK,
    "bench_script": BANK,
}

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of a proxy."""

UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}


class BodyTooLargeError(Exception):
    """A body without an honest Content-Length went over `MAX_BODY`."""


class GuardMiddleware:
    """Checks every request before any page sees it; puts the `Visitor` into `request.state.visitor`.

    `routes` are the application's routes, `doors` its sessions, `hosts` gives the allowed `host:port` values (they
    grow when phones are asked for), `refusal` draws the page of a refusal from a status and the key of its text.
    """

    def __init__(
        self,
        app: App,
        *,
        routes: list[BaseRoute],
        doors: Doorkeeper,
        hosts: Callable[[], set[str]],
        refusal: RefusalPage,
    ) -> None:
        self._app = app
        self._routes = routes
        self._doors = doors
        self._hosts = hosts
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no page uses a web socket
            return
        request = Request(scope)
        scope.setdefault("state", {})["visitor"] = self._doors.visitor(request.cookies.get(COOKIE))
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        status, reason = self._refuse(request)
        if status:
            await self._refusal(request, status, reason)(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, _limited(receive), send_with_headers)
        except BodyTooLargeError:
            if not started:
                await self._refusal(request, 413, "too_large")(scope, receive, send_with_headers)
        except Exception as error:
            # The application has answered "broken" and noted the fault; it goes on, and so does this connection.
            if not started:
                log.exception("no answer was begun: %s", scope["path"], exc_info=error)
                await self._refusal(request, 500, "broken")(scope, receive, send_with_headers)

    def _refuse(self, request: Request) -> tuple[int, str]:
        headers = request.headers
        if headers.get("host", "").lower() not in self._hosts():
            return 421, "foreign_host"
        route = route_of(self._routes, request.scope)
        if route is None:
            return 404, "not_found"
        if request.method in UNSAFE and not _origin_is_ours(headers):
            return 403, "foreign_origin"
        length = headers.get("content-length", "0")
        if len(length) > 9 or not length.isdecimal() or int(length) > MAX_BODY:
            return 413, "too_large"
        # No page of ours sends a file: all other kinds of body would be one more way in.
        if headers.get("content-type", FORM).partition(";")[0].strip().lower() != FORM:
            return 415, "bad_form"
        visitor: Visitor = request.state.visitor
        if visitor.role not in POLICY.get(route, frozenset()):
            return (403, "please_join") if visitor.role is Role.ANONYMOUS else (403, "not_yours")
        return 0, ""


def route_of(routes: Iterable[BaseRoute], scope: Scope) -> str | None:
    """The name of the route that would answer, None if there is none (a wrong method counts as found: the router
    answers 405).
    """
    partial: str | None = None
    for route in routes:
        match, _ = route.matches(scope)
        name: str | None = getattr(route, "name", None)
        if match is Match.FULL:
            return name
        if match is Match.PARTIAL and partial is None:
            partial = name
    return partial


def is_here(request: Request) -> bool:
    """Whether this machine itself asks: over its loopback, or from the very address that it is asked at. What a proxy
    passes on comes from anywhere.
    """
    if any(name in request.headers for name in FORWARDED):
        return False
    server: tuple[str, int] | None = request.scope.get("server")
    asks = request.client.host if request.client is not None else ""
    try:
        return ip_address(asks).is_loopback or (server is not None and ip_address(asks) == ip_address(server[0]))
    except ValueError:
        return False


def _origin_is_ours(headers: Headers) -> bool:
    # Browsers send Origin with every unsafe request; Sec-Fetch-Site is missing on plain HTTP in a local network.
    scheme, _, rest = headers.get("origin", "").partition("://")
    host = headers.get("host", "").lower()
    return scheme in ("http", "https") and host != "" and rest.lower() == host


def _limited(receive: Receive) -> Receive:
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > MAX_BODY:
                raise BodyTooLargeError
        return message

    return limited
