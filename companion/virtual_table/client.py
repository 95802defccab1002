"""The hands of a virtual table that runs in another process, for the companion's bench page and for tests.

client = await VirtualTableClient.connect(running.control)
await client.place_tag("04a1b2c3", 7)
async for change in client.changes(): ...
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

Change = dict[str, Any]

_LONGEST_LINE = 1 << 20


@dataclass(frozen=True)
class ControlAddress:
    """Where the control channel listens on this machine, and the word that opens it."""

    port: int
    token: str


class VirtualTableGoneError(ConnectionError):
    """The virtual table's process does not answer any more."""


class VirtualTableClient:
    """One connection to the control channel; methods raise `VirtualTableGoneError`, or `ValueError` with a reason.

    `tags_seen`, `lights_seen` (by strip: board, die) and `link` follow what changes.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._listeners: set[asyncio.Queue[Change | None]] = set()
        self._number = 0
        self.closed = False
        self.tags_seen: dict[str, int] = {}
        self.lights_seen: dict[str, list[list[int]]] = {"board": [], "die": []}
        self.link = "off"
        self._task = asyncio.create_task(self._read(), name="virtual table client")

    @classmethod
    async def connect(cls, address: ControlAddress) -> VirtualTableClient:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", address.port, limit=_LONGEST_LINE)
        except OSError as error:
            raise VirtualTableGoneError(f"no virtual table answers at port {address.port}") from error
        writer.write(json.dumps({"token": address.token}).encode() + b"\n")
        return cls(reader, writer)

    async def close(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._writer.close()
        with contextlib.suppress(Exception):
            await self._writer.wait_closed()

    async def changes(self) -> AsyncIterator[Change]:
        """Everything that changes from now on, until the process is gone."""
        queue: asyncio.Queue[Change | None] = asyncio.Queue()
        if self.closed:
            return
        self._listeners.add(queue)
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            self._listeners.discard(queue)

    async def do(self, hand: str, **arguments: Any) -> Any:
        """Any hand of `control.HANDS` by name; the answer's result."""
        if self.closed:
            raise VirtualTableGoneError("the virtual table's process is gone")
        self._number += 1
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[self._number] = answer
        try:
            self._writer.write(json.dumps({"id": self._number, "do": hand, **arguments}).encode() + b"\n")
            await self._writer.drain()
            return await asyncio.wait_for(answer, 15)
        except TimeoutError as error:
            raise VirtualTableGoneError("the virtual table does not answer") from error
        except ConnectionError as error:
            raise VirtualTableGoneError("the virtual table's process is gone") from error
        finally:
            self._answers.pop(self._number, None)

    async def place_tag(self, uid: str, socket: int) -> None:
        await self.do("place_tag", uid=uid, socket=socket)

    async def lift_tag(self, uid: str) -> None:
        await self.do("lift_tag", uid=uid)

    async def flap_tag(self, uid: str, socket: int, pattern: str = "10") -> None:
        await self.do("flap_tag", uid=uid, socket=socket, pattern=pattern)

    async def press_button(self, hold_ms: float = 120) -> None:
        await self.do("press_button", hold_ms=hold_ms)

    async def lights(self, strip: str = "board") -> list[list[int]]:
        found: list[list[int]] = await self.do("lights", strip=strip)
        return found

    async def tags(self) -> dict[str, int]:
        found: dict[str, int] = await self.do("tags")
        return found

    async def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = await self.do("stats")
        return found

    async def model_errors(self) -> list[str]:
        found: list[str] = await self.do("model_errors")
        return found

    async def drop_link(self, out_of_range_s: float = 0.0) -> None:
        await self.do("drop_link", out_of_range_s=out_of_range_s)

    async def set_air_time(self, ms: float) -> None:
        await self.do("set_air_time", ms=ms)

    async def notify_enomem(self, count: int) -> None:
        await self.do("notify_enomem", count=count)

    async def inject_notification(self, packet: bytes) -> None:
        await self.do("inject_notification", packet=packet.hex())

    async def force_entropy(self, data: bytes) -> None:
        """The next bytes that the firmware's `os.urandom` gives."""
        await self.do("force_entropy", data=data.hex())

    async def mute_reader(self, socket: int, trouble: str = "hung") -> None:
        await self.do("mute_reader", socket=socket, trouble=trouble)

    async def repair_reader(self, socket: int) -> None:
        await self.do("repair_reader", socket=socket)

    async def crash(self) -> None:
        await self.do("crash")

    async def power_cycle(self, off_s: float = 0.5) -> None:
        await self.do("power_cycle", off_s=off_s)

    async def _read(self) -> None:
        try:
            while line := await self._reader.readline():
                self._take(json.loads(line))
        except (ConnectionError, ValueError):
            pass
        finally:
            self.closed = True
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(VirtualTableGoneError("the virtual table's process is gone"))
            for queue in list(self._listeners):
                queue.put_nowait(None)

    def _take(self, message: dict[str, Any]) -> None:
        change = message.get("event")
        if change is None:
            answer = self._answers.get(message.get("id", 0))
            if answer is not None and not answer.done():
                if message["ok"]:
                    answer.set_result(message.get("result"))
                else:
                    answer.set_exception(ValueError(message["error"]))
            return
        if change["kind"] == "tags":
            self.tags_seen = change["tags"]
        elif change["kind"] == "lights":
            self.lights_seen[change["strip"]] = change["lights"]
        elif change["kind"] == "link":
            self.link = change["link"]
        for queue in list(self._listeners):
            queue.put_nowait(change)
