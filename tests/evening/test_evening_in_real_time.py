"""Three chapters of each title in real time: the companion in one process, table and radio in another, and a real
SIGKILL in each chapter.

The people act through HTTP and with their hands alone; what they see of the game is what has been confirmed: the data
file, read by another process (a page hands the record out only when the game is over, since it holds secrets).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from evening_checks import commands_give_the_events, device_origins, dice_thrown, nothing_doubled, replayed_state
from evening_people import Glance, people_of, titles_with_people
from sqlalchemy import create_engine

from companion.event_log import store
from companion.event_log.database import FILE_NAME
from companion.event_log.store import StoredEvening
from companion.tables import records
from companion.tables.table_log import TableLog
from companion.virtual_table.client import ControlAddress, VirtualTableClient
from shared_rules.engine import game

ROOT = Path(__file__).parents[2]
SEATS = 2
SEED = 7
PATIENCE = 120
"""s for whatever must come: what a busy machine may take for what a quiet one does in a moment."""
GONE_WITHIN = 3
"""s that Ctrl-C may take."""
BUSY = 6
"""s for a start, from which on the machine has so much else to do that an end may take as long, and the last resort of
a stop may come before all is in order."""


def free_port() -> int:
    """None of those that the system gives to whoever asks for any: between a kill and the next start it would go to
    somebody else, or to the people themselves, whose connections to a port without a listener can meet themselves."""
    for port in range(20_000 + os.getpid() % 1000 * 10, 32_000, 10):
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Companion:
    """`cabstand play` in a process of its own, always on the same port and folder."""

    def __init__(self, data: Path, table: str) -> None:
        self.data, self.table = data, table
        self.port = free_port()
        self.kills = 0
        self.slowest_start = 0.0
        self.process: subprocess.Popen[str]
        self.start_address = ""

    async def start(self) -> None:
        begun = asyncio.get_running_loop().time()
        arguments = ["play", "--no-browser", "--port", str(self.port), "--table", self.table, "--data", str(self.data)]
        self.process = subprocess.Popen(
            [str(Path(sys.executable).with_name("cabstand")), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
        )  # fmt: skip
        said = []
        while line := await asyncio.to_thread(self.process.stdout.readline):
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)(\S*)", line):
                assert int(found[1]) == self.port, line
                self.start_address = f"http://127.0.0.1:{self.port}{found[2]}"
                self.slowest_start = max(self.slowest_start, asyncio.get_running_loop().time() - begun)
                return
        raise AssertionError("the companion did not start: " + "".join(said))

    async def kill(self) -> None:
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(self.process.wait)
        await self.start()

    async def end(self) -> float:
        """Ctrl-C; the seconds until it was gone."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self.process.send_signal(signal.SIGINT)
        status = await asyncio.to_thread(self.process.wait, PATIENCE)
        assert status == 0 or (status == 1 and self.slowest_start > BUSY)
        return loop.time() - begun


class Patient(httpx.AsyncBaseTransport):
    """Devices whose page says “connection lost” and tries again until the companion is back."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for _ in range(10 * PATIENCE):
            try:
                return await self._inner.handle_async_request(request)
            except httpx.TransportError:
                await asyncio.sleep(0.1)
        raise AssertionError("the companion did not come back")


async def three_chapters(folder: Path, title: str) -> dict[str, Any]:
    port_file = folder / "table.json"
    table = subprocess.Popen(
        [sys.executable, "-m", "companion.virtual_table", "--flash", str(folder / "flash"), "--port-file", port_file],
        stdout=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    try:
        for _ in range(10 * PATIENCE):
            if port_file.exists():
                break
            await asyncio.sleep(0.1)
        reached = json.loads(port_file.read_text())
        hands = await VirtualTableClient.connect(ControlAddress(reached["control_port"], reached["token"]))
        companion = Companion(folder / "data", f"hci:127.0.0.1:{reached['hci_port']}")
        await companion.start()
        try:
            return await play(companion, hands, title)
        finally:
            companion.process.kill()
            await hands.close()
    finally:
        table.terminate()
        table.wait(PATIENCE)


def a_client(base: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=Patient(), base_url=base, headers={"origin": base}, timeout=PATIENCE)


async def play(companion: Companion, hands: VirtualTableClient, title: str) -> dict[str, Any]:
    base = f"http://127.0.0.1:{companion.port}"
    tablet = a_client(base)
    assert (await tablet.get(companion.start_address, follow_redirects=True)).status_code == 200
    kind = people_of(title)
    made = await tablet.post("/evenings", data=kind.form(SEATS))
    assert made.status_code == 303, made.text[:500]

    async def record() -> dict[str, Any]:
        return stored_record(companion.data)

    def change(found: dict[str, Any]) -> int:
        return max((row["seq"] for row in found["entries"] if row["kind"] in ("play", "undo")), default=1)

    async def look() -> Glance:
        found = await record()
        return Glance(game.view_for(records.replay(found), "bank"), change(found))

    async def look_at_phone(seat: int) -> dict[str, Any]:
        return dict(game.view_for(records.replay(await record()), seat))

    async def newest() -> int:
        return change(await record())

    async def known() -> dict[str, str]:
        return {tag.piece: tag.uid for tag in stored(companion.data).tags}

    # The banker's tablet plays for all seats here: nobody has a phone.
    phones = dict.fromkeys(range(1, SEATS + 1), tablet)
    people = kind(tablet, phones, hands, look, look_at_phone, newest, random.Random(SEED), SEATS)
    people.page = "/tablet/act"
    people.patience = float(PATIENCE)
    await people.learn_tags(known)
    chapter = 0
    while people.chapter(view := (await look()).view) <= kind.CHAPTERS and view["phase"] != "over":
        if people.chapter(view) != chapter:
            chapter = people.chapter(view)
            people.misfortunes.append(companion.kill)
        await people.turn_of_events()
    for misfortune in people.misfortunes:  # the last chapter was over before anybody threw or moved
        await misfortune()
    assert companion.kills == kind.CHAPTERS
    done = await record()
    await tablet.aclose()
    gone_after = await companion.end()
    # Where a start takes long, all else does too: this machine is busy.
    assert gone_after < max(GONE_WITHIN, companion.slowest_start), f"Ctrl-C took {gone_after:.1f} s"
    return {"record": done, "presses": people.presses, "view": view}


def stored(data: Path) -> StoredEvening:
    """The evening as it stands in the data file."""
    engine = create_engine(
        "sqlite+pysqlite://", creator=lambda: sqlite3.connect(f"file:{data / FILE_NAME}?mode=ro", uri=True)
    )
    try:
        with engine.connect() as connection:
            (evening,) = store.list_evenings(connection)
            return store.load(connection, evening["id"])
    finally:
        engine.dispose()


def stored_record(data: Path) -> dict[str, Any]:
    """Its record."""
    found = stored(data)
    setup = {**found.setup, "game": found.game, "seats": found.seats}
    return records.make(TableLog(found.log), found.id, found.title, found.created_at, setup)


@pytest.mark.evening
@pytest.mark.timeout(900)
@pytest.mark.parametrize("title", titles_with_people())
def test_three_chapters_with_a_sigkill_in_each(tmp_path: Path, title: str) -> None:
    before = {p for p in os.listdir("/proc") if p.isdigit()}
    done = asyncio.run(three_chapters(tmp_path, title))
    record = done["record"]
    state = replayed_state(record)
    assert {**game.view_for(state, "bank"), "prompts": None} == {**done["view"], "prompts": None}
    commands_give_the_events(record)
    nothing_doubled(record)
    thrown = [row for row in record["entries"] if row["kind"] == "play" and row["command"]["do"] == "roll"]
    assert len(device_origins(record, "die")) == len(thrown)
    assert dice_thrown(record) == done["presses"]
    left = [p for p in os.listdir("/proc") if p.isdigit() and p not in before and _names_the_folder(p, tmp_path)]
    assert left == [], "a process was left behind"


def _names_the_folder(pid: str, folder: Path) -> bool:
    try:
        return str(folder).encode() in Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False
