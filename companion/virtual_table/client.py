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
_PATIENCE_S = {"throw_die": 60, "handle_die": 60}  # what is simulated first takes its time


@dataclass(frozen=True)
class ControlAddress:
    """Where the control channel listens on this machine, and the word that opens it."""

    port: int
    token: str


class VirtualTableGoneError(ConnectionError):
    """The virtual table's process does not answer any more."""


class VirtualTableClient:
    """One connection to the control channel; methods raise `VirtualTableGoneError`, or `ValueError` with a reason.

    `tags_seen`, `lights_seen` (by strip: board, die) and `link` follow what changes; `lights_of` (by device and strip),
    `links` and `dice` (by device) tell devices apart, while `lights_seen` and `link` are those of the first.
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
        self.lights_of: dict[tuple[str, str], list[list[int]]] = {}
        self.links: dict[str, str] = {}
        self.dice: dict[str, Change] = {}
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
        number = self._number  # others ask before this is answered
        self._answers[number] = answer
        try:
            self._writer.write(json.dumps({"id": number, "do": hand, **arguments}).encode() + b"\n")
            await self._writer.drain()
            return await asyncio.wait_for(answer, _PATIENCE_S.get(hand, 15))
        except TimeoutError as error:
            raise VirtualTableGoneError("the virtual table does not answer") from error
        except ConnectionError as error:
            raise VirtualTableGoneError("the virtual table's process is gone") from error
        finally:
            self._answers.pop(number, None)

    @property
    def link(self) -> str:
        """The first device's: off, silent, advertising or connected."""
        return next(iter(self.links.values()), "off")

    async def devices(self) -> dict[str, str]:
        """Name → kind (table, table_die, handheld_die) of every device."""
        found: dict[str, str] = await self.do("devices")
        return found

    async def place_tag(self, uid: str, socket: int) -> None:
        await self.do("place_tag", uid=uid, socket=socket)

    async def lift_tag(self, uid: str) -> None:
        await self.do("lift_tag", uid=uid)

    async def flap_tag(self, uid: str, socket: int, pattern: str = "10") -> None:
        await self.do("flap_tag", uid=uid, socket=socket, pattern=pattern)

    async def press_button(self, hold_ms: float = 120, device: str | None = None) -> None:
        await self.do("press_button", hold_ms=hold_ms, device=device)

    async def throw_die(self, kind: str = "table", seed: int = 0, device: str | None = None) -> Change:
        """Throws a handheld die; how it will end: doing, face, seconds."""
        found: Change = await self.do("throw_die", kind=kind, seed=seed, device=device)
        return found

    async def handle_die(
        self, kind: str = "wobble", seed: int = 0, seconds: float = 5.0, device: str | None = None
    ) -> Change:
        found: Change = await self.do("handle_die", kind=kind, seed=seed, seconds=seconds, device=device)
        return found

    async def bring_die(self, face: int, seed: int = 0, device: str | None = None) -> Change:
        """A hand brings a handheld die and lays it down with that face up."""
        found: Change = await self.do("bring_die", face=face, seed=seed, device=device)
        return found

    async def place_die(self, face: int, device: str | None = None) -> Change:
        """Lays a handheld die down with that face up."""
        found: Change = await self.do("place_die", face=face, device=device)
        return found

    async def set_battery(self, millivolts: float, device: str | None = None) -> None:
        await self.do("set_battery", millivolts=millivolts, device=device)

    async def set_charging(self, charging: bool, device: str | None = None) -> None:
        await self.do("set_charging", charging=charging, device=device)

    async def lights(self, strip: str = "board", device: str | None = None) -> list[list[int]]:
        found: list[list[int]] = await self.do("lights", strip=strip, device=device)
        return found

    async def serial_port(self, device: str | None = None) -> str:
        """The path of a serial port that leads to a device."""
        found: str = await self.do("serial_port", device=device)
        return found

    async def serial_noise(self, flips: int, device: str | None = None) -> None:
        await self.do("serial_noise", flips=flips, device=device)

    async def plug_cable(self, plugged: bool, device: str | None = None) -> None:
        await self.do("plug_cable", plugged=plugged, device=device)

    async def tags(self) -> dict[str, int]:
        found: dict[str, int] = await self.do("tags")
        return found

    async def stats(self, device: str | None = None) -> dict[str, Any]:
        found: dict[str, Any] = await self.do("stats", device=device)
        return found

    async def model_errors(self) -> list[str]:
        found: list[str] = await self.do("model_errors")
        return found

    async def drop_link(self, out_of_range_s: float = 0.0, device: str | None = None) -> None:
        await self.do("drop_link", out_of_range_s=out_of_range_s, device=device)

    async def set_air_time(self, ms: float) -> None:
        await self.do("set_air_time", ms=ms)

    async def notify_enomem(self, count: int, device: str | None = None) -> None:
        await self.do("notify_enomem", count=count, device=device)

    async def set_notify_spacing(self, ms: float, device: str | None = None) -> None:
        await self.do("set_notify_spacing", ms=ms, device=device)

    async def inject_notification(self, packet: bytes, device: str | None = None) -> None:
        await self.do("inject_notification", packet=packet.hex(), device=device)

    async def force_entropy(self, data: bytes, device: str | None = None) -> None:
        """The next bytes that the firmware's `os.urandom` gives."""
        await self.do("force_entropy", data=data.hex(), device=device)

    async def mute_reader(self, socket: int, trouble: str = "hung") -> None:
        await self.do("mute_reader", socket=socket, trouble=trouble)

    async def repair_reader(self, socket: int) -> None:
        await self.do("repair_reader", socket=socket)

    async def mute_accelerometer(self, absent: bool = True, device: str | None = None) -> None:
        await self.do("mute_accelerometer", absent=absent, device=device)

    async def crash(self, device: str | None = None) -> None:
        await self.do("crash", device=device)

    async def power_cycle(self, off_s: float = 0.5, device: str | None = None) -> None:
        await self.do("power_cycle", off_s=off_s, device=device)

    async def brown_out(self, device: str | None = None) -> None:
        await self.do("brown_out", device=device)

    async def power_cut(self, after_writes: int, device: str | None = None) -> None:
        await self.do("power_cut", after_writes=after_writes, device=device)

    async def switch_off(self, device: str) -> None:
        await self.do("switch_off", device=device)

    async def switch_on(self, device: str) -> None:
        await self.do("switch_on", device=device)

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
            device, strip = change["device"], change["strip"]
            self.lights_of[device, strip] = change["lights"]
            if device == next(name for name, of in self.lights_of if of == strip):
                self.lights_seen[strip] = change["lights"]
        elif change["kind"] == "link":
            self.links[change["device"]] = change["link"]
        elif change["kind"] == "die":
            self.dice[change["device"]] = change
        for queue in list(self._listeners):
            queue.put_nowait(change)
