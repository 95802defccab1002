"""A whole evening of any title in virtual time: four seats, the real firmware, pages by HTTP, all in this process.

In each chapter (a trip, a round) the radio link drops once and the companion crashes once: application, link and data
file are abandoned unclosed, and a new companion opens the file.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from evening_checks import replayed_state
from evening_people import SWEEP_SECONDS, Glance, People, people_of

from companion.application import Application
from companion.settings import Settings
from companion.tables.table_actor import TableActor
from companion.virtual_table.board import BoardSetup
from companion.virtual_table.table import VirtualTable
from companion.web.app import create_app, doorkeeper_of, start_path
from companion.web.doorkeeper import Role
from shared_rules.engine import game

HOST = "table.test"


class HandsHere:
    """Hands at a virtual table in this process."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    async def place_tag(self, uid: str, socket: int) -> None:
        self._table.place_tag(uid, socket)

    async def lift_tag(self, uid: str) -> None:
        self._table.lift_tag(uid)

    async def press_button(self) -> None:
        self._table.press_button()


class Companion:
    """A companion in this process that can crash: everything of it is dropped where it stands."""

    def __init__(self, data: Path, table: VirtualTable, seed: int) -> None:
        self.data = data
        self.seed = seed
        self.table = table
        self.crashes = 0
        self.abandoned: list[Any] = []
        self.application: Application
        self.web: Any

    async def start(self) -> None:
        scanner, client = self.table.backend()
        loop = asyncio.get_running_loop()
        settings = Settings(
            data_dir=self.data,
            database_on_loop=True,
            scanner_backend=scanner,
            client_backend=client,
            now=lambda: datetime(2026, 11, 29, 19, tzinfo=UTC) + timedelta(seconds=loop.time()),
            chance=random.Random(self.seed + self.crashes),
        )
        self.application = await Application.start(settings)
        self.application.allowed_hosts.add(HOST)
        self.web = create_app(self.application)

    @property
    def evening(self) -> TableActor:
        """The evening that is played."""
        assert self.application.current is not None
        return self.application.current

    async def crash(self) -> None:
        """What a SIGKILL leaves: nobody says good-bye, no file is closed, the radio just falls silent."""
        self.crashes += 1
        self.abandoned.append((self.application, self.web))
        for task in [*self.application.tasks, self.evening.task]:
            task.cancel()
        self.table.drop_link()
        await asyncio.sleep(0)
        await self.start()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """The ASGI application of whichever companion lives now."""
        await self.web(scope, receive, send)


def client(companion: Companion) -> httpx.AsyncClient:
    base = f"http://{HOST}"
    return httpx.AsyncClient(transport=httpx.ASGITransport(companion), base_url=base, headers={"origin": base})


@dataclass
class Evening:
    """An evening that is over."""

    record: dict[str, Any]
    people: People
    companion: Companion
    table: VirtualTable
    stats: dict[str, Any]
    chapters: int


async def an_evening(folder: Path, *, seed: int, title: str = "taxi", **setup: str) -> Evening:
    """Plays one from set-up to the tally; `setup` are fields of the set-up page."""
    kind = people_of(title)
    async with VirtualTable(setup=BoardSetup(folder / "flash", seed=seed)) as table:
        companion = Companion(folder / "data", table, seed)
        await companion.start()
        tablet = client(companion)
        entered = await tablet.get(start_path(companion.web), follow_redirects=True)
        assert entered.status_code == 200
        made = await tablet.post("/evenings", data=kind.form(kind.SEATS, **setup))
        assert made.status_code == 303, made.text[:500]
        phones = {}
        for seat in range(1, kind.SEATS + 1):
            code, _short = doorkeeper_of(companion.web).invite(Role.SEAT, companion.evening.table_id, seat)
            phones[seat] = client(companion)
            joined = await phones[seat].post("/join", data={"code": code, "label": f"phone {seat}"})
            assert joined.status_code == 303

        async def look() -> Glance:
            actor = companion.evening
            return Glance(actor.view("bank"), actor.last_change)

        async def look_at_phone(seat: int) -> dict[str, Any]:
            return companion.evening.view(seat)

        async def newest() -> int:
            return companion.evening.last_change

        async def known() -> dict[str, str]:
            return dict(companion.evening.setup["tags"])

        hands = HandsHere(table)
        people = kind(tablet, phones, hands, look, look_at_phone, newest, random.Random(seed), kind.SEATS)
        await people.learn_tags(known)
        chapter = 0
        while (view := (await look()).view)["phase"] != "over":
            if people.chapter(view) != chapter:
                chapter = people.chapter(view)

                async def drop() -> None:
                    table.drop_link(out_of_range_s=people.mind.uniform(0, 4))

                people.misfortunes += [drop, companion.crash]
            await people.turn_of_events()
        assert people.misfortunes == [], "each chapter had its link drop and its crash"
        assert companion.crashes == chapter
        await people.tidy_up((await look()).view)
        await asyncio.sleep(2 * SWEEP_SECONDS)
        assert companion.evening.misplaced == [], "everything lies as the game has it"
        stats = await table.stats()
        record = (await tablet.get("/record")).json()
        final = game.dump_position(companion.evening.state)
        assert game.dump_position(replayed_state(record)) == final
        await companion.application.close()
        return Evening(record, people, companion, table, stats, chapter)
