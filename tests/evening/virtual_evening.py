"""A whole evening in virtual time: four seats, the real firmware, pages by HTTP, all in this process.

In each trip the radio link drops once and the companion crashes once: application, link and data file are abandoned
unclosed, and a new companion opens the file.
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
from evening_people import Glance, People

from companion.application import Application
from companion.settings import Settings
from companion.virtual_table.board import BoardSetup
from companion.virtual_table.table import VirtualTable
from companion.web.app import create_app, doorkeeper_of, start_path
from companion.web.doorkeeper import Role
from shared_rules import library
from shared_rules.engine import game

HOST = "table.test"
TAGS = {1: "04a1b2c3", 2: "04d2e4f6a81190", 3: "9ac04412", 4: "04774c12e95480"}


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

    async def crash(self) -> None:
        """What a SIGKILL leaves: nobody says good-bye, no file is closed, the radio just falls silent."""
        self.crashes += 1
        self.abandoned.append((self.application, self.web))
        for task in [*self.application.tasks, self.application.current.task]:
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


async def an_evening(folder: Path, *, seed: int, length: str = "short") -> Evening:
    """Plays one from set-up to the tally; `length` is short (15 trips) or long (30)."""
    async with VirtualTable(setup=BoardSetup(folder / "flash", seed=seed)) as table:
        companion = Companion(folder / "data", table, seed)
        await companion.start()
        tablet = client(companion)
        entered = await tablet.get(start_path(companion.web), follow_redirects=True)
        assert entered.status_code == 200
        form = {f"name{n}": name for n, name in enumerate(("Ann", "Bo", "Carla", "Dev"), 1)}
        form |= {f"colour{n}": colour for n, colour in enumerate(("red", "yellow", "blue", "green"), 1)}
        made = await tablet.post("/evenings", data={**form, "length": length, "dice": "table", "cards": "digital"})
        assert made.status_code == 303, made.text[:500]
        phones = {}
        for seat in (1, 2, 3, 4):
            code, _short = doorkeeper_of(companion.web).invite(Role.SEAT, companion.application.current.table_id, seat)
            phones[seat] = client(companion)
            joined = await phones[seat].post("/join", data={"code": code, "label": f"phone {seat}"})
            assert joined.status_code == 303

        async def look() -> Glance:
            actor = companion.application.current
            return Glance(actor.view("bank"), actor.last_change)

        async def look_at_phone(seat: int) -> dict[str, Any]:
            return companion.application.current.view(seat)

        async def newest() -> int:
            return companion.application.current.last_change

        board, layout = library.board("fumbling"), library.layout("fumbling")
        people = People(
            tablet,
            phones,
            HandsHere(table),
            look,
            look_at_phone,
            newest,
            TAGS,
            layout["sockets"],
            random.Random(seed),
            patience=60.0,
        )
        people.places = {name: d["at"] for name, d in board["destinations"].items()} | {"base": board["base"]}
        people.points = board["points"]
        await learn_tags(people, companion)
        trip = 0
        while (view := (await look()).view)["phase"] != "over":
            if view["trip"] != trip:
                trip = view["trip"]

                async def drop() -> None:
                    table.drop_link(out_of_range_s=people.mind.uniform(0, 4))

                people.misfortunes += [drop, companion.crash]
            await people.turn_of_events()
        assert people.misfortunes == [], "each trip had its link drop and its crash"
        assert companion.crashes == trip
        stats = await table.stats()
        record = (await tablet.get("/record")).json()
        final = game.dump_position(companion.application.current.state)
        assert game.dump_position(replayed_state(record)) == final
        await companion.application.close()
        return Evening(record, people, companion, table, stats)


async def learn_tags(people: People, companion: Companion) -> None:
    """“Put the red taxi on the base.”"""
    for seat, uid in TAGS.items():
        answer = await people.tablet.post("/tags/learn", data={"seat": str(seat)})
        assert answer.status_code < 400
        await people.hands.place_tag(uid, people.sockets[people.places["base"]])
        people.lying[seat] = people.sockets[people.places["base"]]
        for _ in range(400):
            if companion.application.current.setup["seats"][seat - 1]["tag"]:
                break
            await asyncio.sleep(0.05)
        assert companion.application.current.setup["seats"][seat - 1]["tag"] == uid
