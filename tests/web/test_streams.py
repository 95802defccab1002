"""Event streams: what comes, with which id, what a page that comes back gets, and that they end."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from web_table import Stream, WebTable

from companion.web.doorkeeper import Role


def messages(stream: Stream) -> list[dict[str, str]]:
    """The stream's messages: {"id", "event", "data"}."""
    found = []
    for block in re.split(r"\r\n\r\n", stream.text):
        fields: dict[str, Any] = {}
        for line in block.split("\r\n"):
            name, _, value = line.partition(": ")
            if name == "data":
                fields["data"] = fields.get("data", "") + value + "\n"
            elif name in ("id", "event"):
                fields[name] = value
        if "data" in fields:
            found.append(fields)
    return found


def version_of(page: str) -> str:
    found = re.search(r"stream\?seen=([0-9a-f]+)", page)
    assert found
    return found.group(1)


async def throw(web: WebTable, number: int) -> None:
    command = {"do": "correct", "seat": 0, "set": {"round": number + 1}, "why": "on"}
    receipt = await web.table.submit(command, command_id=f"on-{number}", actor="bank")
    assert receipt.accepted, receipt.refusal


def test_ids_are_log_numbers_and_a_page_that_comes_back_gets_the_newest(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            wall = await web.joined(Role.SPECTATOR)
            page = (await wall.get("/wall")).text
            stream = web.stream(wall, f"/wall/stream?seen={version_of(page)}")
            await stream.quiet()
            assert messages(stream) == [], "the page is up to date"
            await throw(web, 1)
            await stream.until("id: 2\r\n")
            await stream.close()
            for number in range(2, 6):
                await throw(web, number)
            again = web.stream(wall, f"/wall/stream?seen={version_of(page)}", last_event_id="2")
            await again.quiet()
            assert {m["id"] for m in messages(again)} == {"6"}
            assert "round 6" in again.text

    asyncio.run(play())


def test_a_slow_reader_gets_the_newest_and_no_queue(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            stream = web.stream(await web.bank(), "/tablet/stream")
            await stream.quiet()
            for number in range(1, 40):
                await throw(web, number)
            await stream.until(f"id: {web.table.seq}\r\n")
            await stream.quiet()
            assert len(messages(stream)) < 2 * 40, "39 changes in a row are not 39 drawings each"
            assert "round 40" in stream.text

    asyncio.run(play())


def test_only_groups_that_changed_are_sent(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            stream = web.stream(await web.bank(), "/tablet/stream")
            await stream.until("event: map")
            await stream.quiet()
            seen = len(messages(stream))
            await web.table.submit({"do": "roll", "seat": 1, "die": "d6", "face": 1}, command_id="r", actor="bank")
            await stream.until(f"id: {web.table.seq}\r\n")
            await stream.quiet()
            changed = [json.loads(m["data"]) for m in messages(stream)[seen:] if m.get("event") == "map"]
            assert {name for groups in changed for name in groups} <= {"reach", "route", "legs", "lights"}
            assert "reach" in changed[0]

    asyncio.run(play())


def test_your_turn_is_told_to_the_seat_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            table = web.table
            bo = web.stream(await web.joined(Role.SEAT, 2), "/seat/stream")
            await bo.quiet()
            assert "event: yourturn" not in bo.text
            for command in (
                {"do": "roll", "die": "d6", "face": 1},
                {"do": "move", "to": table.view("bank")["players"][0]["at"]},
                {"do": "end_turn"},
            ):
                receipt = await table.submit({"seat": 1, **command}, command_id=str(command), actor="bank")
                assert receipt.accepted, receipt.refusal
            await bo.until("event: yourturn")
            table.touch()
            await bo.quiet()
            assert bo.text.count("event: yourturn") == 1

    asyncio.run(play())


def test_streams_end_with_the_companion_and_with_the_session(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bo = await web.joined(Role.SEAT, 2)
            revoked = web.stream(bo, "/seat/stream")
            others = [
                web.stream(await web.bank(), path)
                for path in ("/tablet/stream", "/wall/stream", "/bench/stream", "/ready/stream")
            ]
            await revoked.quiet()
            bank = await web.bank()
            session = next(v.session for v in web.app.state.web.doors.sessions() if v.seat == 2)
            assert (await bank.post("/revoke", data={"session": session})).status_code == 303
            web.table.touch()
            await asyncio.wait_for(revoked.ended.wait(), 40)
            assert "event: reload" in revoked.text
            web.application.stopping.set()
            web.application.touch()
            for stream in others:
                await asyncio.wait_for(stream.ended.wait(), 40)

    asyncio.run(play())


def test_streams_end_while_the_hardware_is_silent(tmp_path: Path) -> None:
    class SilentHands:
        tags_seen: dict[str, int] = {}
        lights_seen: dict[str, list[list[int]]] = {"board": [], "die": []}

        async def stats(self) -> dict[str, Any]:
            await asyncio.sleep(60)
            return {}

        async def changes(self) -> AsyncIterator[object]:
            await asyncio.sleep(60)
            yield None

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            parts = {"bench": SilentHands(), "virtual": None, "close": _closed}
            web.application._hardware = type("Hardware", (), parts)()
            stream = web.stream(await web.bank(), "/bench/stream")
            await asyncio.sleep(0.1)
            web.application.stopping.set()
            await asyncio.wait_for(stream.ended.wait(), 40)

    async def _closed(self: object) -> None:
        return

    asyncio.run(play())


def test_another_evening_sends_the_pages_to_load_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            streams = [
                web.stream(await web.bank(), path) for path in ("/tablet/stream", "/wall/stream", "/bench/stream")
            ]
            for stream in streams:
                await stream.quiet()
            await web.evening()
            for stream in streams:
                await stream.until("event: reload")

    asyncio.run(play())
