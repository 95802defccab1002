"""A real application without hardware behind the real pages, in process: what the tests of the pages stand on."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx

from companion import titles
from companion.application import Application
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from companion.tables.table_actor import TableActor
from companion.web.app import create_app, doorkeeper_of, start_path
from companion.web.doorkeeper import Role

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
NAMES = ("Ann", "Bo", "Carla", "Dev")


class WebTable:
    """An application, its pages, and clients for each role. `async with WebTable(tmp_path) as web`."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self.settings = Settings(data_dir=folder, table="none", database_on_loop=True, **settings)
        self.application: Application
        self.app: Any
        self._clients: list[httpx.AsyncClient] = []
        self._streams: list[Stream] = []

    async def __aenter__(self) -> WebTable:
        self.application = await Application.start(self.settings)
        self.application.allowed_hosts.add(HOST)
        self.app = create_app(self.application)
        return self

    async def __aexit__(self, *exc: object) -> None:
        for stream in self._streams:
            await stream.close()
        for client in self._clients:
            await client.aclose()
        await self.application.close()

    async def evening(self, **setup: Any) -> TableActor:
        """A new evening of four (Ann, Bo, Carla, Dev), in the first colours of their game."""
        colours = titles.find(setup.get("game") or titles.shown()[0]).meta.COLOURS
        seats = [SeatSetup(name, colour) for name, colour in zip(NAMES, colours, strict=False)]
        return await self.application.tables.create_evening(EveningSetup(seats=seats, **setup))

    @property
    def table(self) -> TableActor:
        found = self.application.current
        assert found is not None
        return found

    def stream(self, client: httpx.AsyncClient, path: str, **options: Any) -> Stream:
        """The event stream that this browser's page opens."""
        stream = Stream(self.app, path, client.cookies.get("cabstand") or "", **options)
        self._streams.append(stream)
        return stream

    def client(self, *, htmx: bool = False, at: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
        """A browser that has not joined, at this machine or another address; it sends an Origin as browsers do."""
        sent = {"origin": ORIGIN, **({"hx-request": "true"} if htmx else {}), **headers}
        wire = httpx.ASGITransport(app=self.app, client=(at, 50000))
        client = httpx.AsyncClient(transport=wire, base_url=ORIGIN, headers=sent)
        self._clients.append(client)
        return client

    async def bank(self, **options: Any) -> httpx.AsyncClient:
        """The browser on the machine that started the companion."""
        client = self.client(**options)
        assert (await client.get(start_path(self.app))).status_code == 303
        return client

    async def joined(self, role: Role, seat: int | None = None, **options: Any) -> httpx.AsyncClient:
        """A device that scanned a code."""
        table = self.application.current
        code, _ = doorkeeper_of(self.app).invite(role, table.table_id if table and seat else None, seat)
        client = self.client(**options)
        assert (await client.get(f"/join/{code}")).status_code == 200
        assert (await client.post("/join", data={"code": code, "label": "test"})).status_code == 303
        return client


def form_fields(html: str, *, containing: str) -> dict[str, str]:
    """The hidden fields of the first form whose text contains something: what pressing its button sends."""
    for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
        if containing in form:
            return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    raise AssertionError(f"no form with {containing!r}")


class Stream:
    """One open event stream, read straight from the ASGI application; `text` is all that came so far."""

    def __init__(self, app: Any, path: str, cookie: str, last_event_id: str = "") -> None:
        route, _, query = path.partition("?")
        headers = [(b"host", HOST.encode()), (b"cookie", f"cabstand={cookie}".encode())]
        if last_event_id:
            headers.append((b"last-event-id", last_event_id.encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": route,
            "raw_path": route.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 8000),
        }
        self.status = 0
        self.text = ""
        self.ended = asyncio.Event()
        self._news = asyncio.Event()
        self._gone = asyncio.Event()
        self._task = asyncio.create_task(self._run(app, scope))

    async def _run(self, app: Any, scope: dict[str, Any]) -> None:
        asked = False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
            else:
                self.text += message.get("body", b"").decode()
            self._news.set()

        try:
            await app(scope, receive, send)
        finally:
            self.ended.set()
            self._news.set()

    async def until(self, part: str, seconds: float = 60) -> None:
        """Waits until the stream has said this."""
        async with asyncio.timeout(seconds):
            while part not in self.text:
                self._news.clear()
                await self._news.wait()

    async def quiet(self) -> None:
        """Waits until it has said all that it has to say now."""
        before = -1
        while before != len(self.text):
            before = len(self.text)
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        """The browser goes away."""
        self._gone.set()
        await asyncio.wait_for(self.ended.wait(), 60)
