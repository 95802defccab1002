"""The companion in a thread of its own, with real sockets, and browsers that visit it as banker, seat or wall."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion import titles
from companion.application import Application
from companion.server import WebServer
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from companion.tables.table_actor import TableActor
from companion.web.app import create_app, doorkeeper_of, start_path
from companion.web.doorkeeper import Role
from companion.web.pages.bench import lay_out
from shared_rules import library

PATIENCE = 30_000
"""Milliseconds that a browser waits for something to be there."""


def spot(page: Any, selector: str) -> tuple[float, float]:
    """The middle of something on the screen, once it has come to rest: what is live may be drawn anew between two
    looks, and pieces glide to where they lie."""
    found = page.locator(selector)
    found.wait_for()
    before, box = None, found.bounding_box()
    while box is None or box != before:
        page.wait_for_timeout(100)
        before, box = box, found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def flick(page: Any, selector: str) -> None:
    """Throws the die on the bench: far across the screen, so that it is fast enough on a busy machine too."""
    x, y = spot(page, selector)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(10 if x > 640 else 1270, y, steps=2)
    page.mouse.up()


class RunningCompanion:
    """`with RunningCompanion(folder) as companion`: `url`, and `do(coroutine)` to reach into its loop."""

    def __init__(self, folder: Path, *, table: str = "none") -> None:
        self.settings = Settings(data_dir=folder, table=table)
        self.loop = asyncio.new_event_loop()
        self.application: Application
        self.web: Any
        self.server: WebServer
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> RunningCompanion:
        self._thread.start()
        self.do(self._start())
        return self

    def __exit__(self, *exc: object) -> None:
        self.do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(40)
        self.loop.close()

    def do(self, work: Coroutine[Any, Any, Any], seconds: float = 40) -> Any:
        """Runs a coroutine on the companion's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    @property
    def url(self) -> str:
        return self.server.local_url

    @property
    def table(self) -> TableActor:
        assert self.application.current is not None
        return self.application.current

    def start_url(self) -> str:
        return self.url + start_path(self.web)

    def evening(self, *names: str, **setup: Any) -> None:
        """A new evening of these players in their game's colours, with the virtual table laid if there is one."""
        colours = titles.find(setup.get("game") or titles.shown()[0]).meta.COLOURS
        seats = [SeatSetup(name, colour) for name, colour in zip(names, colours, strict=False)]

        async def create() -> None:
            await self.application.tables.create_evening(EveningSetup(seats=seats, **setup))
            await lay_out(self.web.state.web)

        self.do(create())

    def command(self, number: int = 0, **command: Any) -> None:
        """A command of the bank's, straight to the table; it must be accepted."""
        self._numbered = getattr(self, "_numbered", 0) + 1
        receipt = self.do(self.table.submit(command, command_id=f"test-{self._numbered}", actor="bank"))
        assert receipt.accepted, receipt.refusal

    def invite(self, role: Role, seat: int | None = None) -> str:
        """The address of a fresh QR."""
        code, _ = doorkeeper_of(self.web).invite(role, self.table.table_id if seat else None, seat)
        return f"{self.url}/join/{code}"

    def invite_tablet(self) -> str:
        """The address of the QR for a further tablet."""
        return self.invite(Role.BANK)

    def gamble_card(self, word: str) -> str:
        """A Journey card of the shipped deck that hides this word."""
        return next(str(card["id"]) for card in library.deck("taxi", "journey") if card["do"] == [["gamble", word]])

    def _sockets(self) -> dict[str, int]:
        sockets: dict[str, int] = library.layout(self.table.setup["board"])["sockets"]  # type: ignore[assignment]
        return sockets

    def _reach(self) -> set[str]:
        prompts = self.table.view("bank")["prompts"]
        seat = str(self.table.view("bank")["turn"])
        return {row[0] for prompt in prompts[seat] if prompt["do"] == "move" for row in prompt["to"]}

    def reachable_socket(self) -> int:
        """A reader that the seat on turn can drive to, away from where it is."""
        at = self.table.view("bank")["players"][0]["at"]
        return next(number for place, number in self._sockets().items() if place in self._reach() and place != at)

    def unreachable_socket(self) -> int:
        """A reader that the seat on turn cannot drive to."""
        return next(number for place, number in self._sockets().items() if place not in self._reach())

    def place_of(self, socket: int) -> str:
        """The place of a reader."""
        return next(place for place, number in self._sockets().items() if number == socket)

    def invite_short(self, seat: int) -> str:
        """The letters under a seat's QR."""
        return doorkeeper_of(self.web).invite(Role.SEAT, self.table.table_id, seat)[1]

    async def _start(self) -> None:
        self.application = await Application.start(self.settings)
        self.web = create_app(self.application)
        self.server = WebServer(self.application, self.web, say=lambda sentence: None)
        self.application.phones = self.server
        await self.server.start(0)

    async def _stop(self) -> None:
        self.application.stopping.set()
        self.application.touch()
        await self.server.stop()
        await self.application.close()
        # What libraries leave behind in a loop that ends with the test.
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


class Visit:
    """Pages of one companion, each in a browser profile of its own."""

    def __init__(self, chromium: Any, companion: RunningCompanion) -> None:
        self.chromium = chromium
        self.companion = companion
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.expected: list[str] = []
        """Parts of complaints that a test provokes."""
        self._contexts: list[Any] = []

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, kind: object, *exc: object) -> None:
        for context in self._contexts:
            context.close()
        if kind is None:
            unexpected = [c for c in self.complaints if not any(part in c for part in self.expected)]
            assert unexpected == [], unexpected
            assert self.foreign == []

    def browser(self, width: int = 1280, height: int = 800, **options: Any) -> Any:
        """A fresh profile's page."""
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **options
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: self._watch(request.url))
        return page

    def _watch(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.companion.url:
            self.foreign.append(url)

    def bank(self, path: str = "/tablet", **options: Any) -> Any:
        """The banker's browser, on a page."""
        page = self.browser(**options)
        page.goto(self.companion.start_url())
        page.goto(self.companion.url + path)
        return page

    def phone(self, seat: int, **options: Any) -> Any:
        """A phone that scanned the QR of a seat and said yes."""
        page = self.browser(360, 740, **options)
        page.goto(self.companion.invite(Role.SEAT, seat))
        page.get_by_role("button", name="Yes, join").click()
        page.wait_for_url("**/seat")
        return page

    def wall(self, **options: Any) -> Any:
        """A television that scanned the QR for screens."""
        page = self.browser(1920, 1080, **options)
        page.goto(self.companion.invite(Role.SPECTATOR))
        page.get_by_role("button", name="Yes, join").click()
        page.wait_for_url("**/wall")
        return page
