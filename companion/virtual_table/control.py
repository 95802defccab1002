"""The hands of a virtual table over a socket: JSON lines, for the companion's bench page and for tests.

The first line must be `{"token": "…"}` as the port file gives it. Then requests `{"id": 1, "do": "place_tag", …}` are
answered by `{"id": 1, "ok": true, "result": …}` or `{"id": 1, "ok": false, "error": "what to do"}`; in between come
`{"event": {"kind": "tags", …}}`, first one of each kind, later whatever changes. `HANDS` lists what can be done.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
from collections.abc import Callable
from typing import Any

from companion.virtual_table.board import Message, VirtualTableError
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.die_hands import simulate_throw
from companion.virtual_table.reader_hands import READER_HANDS
from companion.virtual_table.table import VirtualTable

_log = logging.getLogger(__name__)

_LONGEST_LINE = 16_384
_MOST_WAITING = 4_000


async def _throw_die(t: VirtualTable, kind: str = "table", seed: int = 0, device: str | None = None) -> Message:
    """A throw takes seconds to simulate, in which the radio has to go on. A clock of virtual time sees no threads: it
    would run on meanwhile."""
    if not isinstance(asyncio.get_running_loop(), VirtualTimeLoop):
        await asyncio.to_thread(simulate_throw, kind, seed)
    return t.throw_die(kind, seed, device)


HANDS: dict[str, Callable[..., Any]] = {
    "devices": lambda t: {name: device.kind.kind for name, device in t.devices.items()},
    "place_tag": lambda t, uid, socket: t.place_tag(uid, socket),
    "lift_tag": lambda t, uid: t.lift_tag(uid),
    "flap_tag": lambda t, uid, socket, pattern="10": t.flap_tag(uid, socket, pattern),
    "tags": lambda t: t.tags(),
    "press_button": lambda t, hold_ms=120, device=None: t.press_button(hold_ms, device),
    "throw_die": _throw_die,
    "handle_die": lambda t, kind="wobble", seed=0, seconds=5.0, device=None: t.handle_die(kind, seed, seconds, device),
    "bring_die": lambda t, face, seed=0, device=None: t.bring_die(face, seed, device),
    "place_die": lambda t, face, device=None: t.place_die(face, device),
    "set_battery": lambda t, millivolts, device=None: t.set_battery(millivolts, device),
    "set_charging": lambda t, charging, device=None: t.set_charging(charging, device),
    "lights": lambda t, strip="board", device=None: t.lights(strip, device),
    "links": lambda t: t.links(),
    "stats": lambda t, device=None: t.stats(device),
    "model_errors": lambda t: t.model_errors(),
    "log": lambda t: list(t.log),
    "serial_port": lambda t, device=None: t.serial_port(device),
    "serial_noise": lambda t, flips, device=None: t.serial_noise(flips, device),
    "plug_cable": lambda t, plugged, device=None: t.plug_cable(plugged, device),
    "drop_link": lambda t, out_of_range_s=0.0, device=None: t.drop_link(out_of_range_s, device),
    "set_air_time": lambda t, ms: t.set_air_time(ms),
    "notify_enomem": lambda t, count, device=None: t.notify_enomem(count, device),
    "set_notify_spacing": lambda t, ms, device=None: t.set_notify_spacing(ms, device),
    "inject_notification": lambda t, packet, device=None: t.inject_notification(bytes.fromhex(packet), device),
    "force_entropy": lambda t, data, device=None: t.force_entropy(bytes.fromhex(data), device),
    "mute_reader": lambda t, socket, trouble="hung": t.mute_reader(socket, trouble),
    "repair_reader": lambda t, socket: t.repair_reader(socket),
    "mute_accelerometer": lambda t, absent=True, device=None: t.mute_accelerometer(absent, device),
    "crash": lambda t, device=None: t.crash(device),
    "power_cycle": lambda t, off_s=0.5, device=None: t.power_cycle(off_s, device),
    "brown_out": lambda t, device=None: t.brown_out(device),
    "power_cut": lambda t, after_writes, device=None: t.power_cut(after_writes, device),
    "switch_off": lambda t, device: t.switch_off(device),
    "switch_on": lambda t, device: t.switch_on(device),
    **READER_HANDS,
}


class ControlServer:
    """Serves `table` to whoever knows `token`; the table's `on_change` must be this server's `publish`."""

    def __init__(self, table: VirtualTable, token: str) -> None:
        self._table = table
        self._token = token
        self._listeners: set[asyncio.Queue[Message]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def serve(self, port: int = 0) -> asyncio.Server:
        """Listens on 127.0.0.1; port 0 takes a free one."""
        return await asyncio.start_server(self._talk, "127.0.0.1", port, limit=_LONGEST_LINE)

    def publish(self, change: Message) -> None:
        for queue in list(self._listeners):
            if queue.qsize() >= _MOST_WAITING:  # whoever does not read for that long starts afresh
                self._listeners.discard(queue)
                queue.put_nowait({"closed": True})
            else:
                queue.put_nowait({"event": change})

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        outgoing: asyncio.Queue[Message] = asyncio.Queue()
        answering: set[asyncio.Task[None]] = set()
        sender = asyncio.create_task(self._send(outgoing, writer))
        try:
            if not await self._is_known(reader):
                outgoing.put_nowait({"ok": False, "error": "the first line must hold the token of the port file"})
                outgoing.put_nowait({"closed": True})
                await sender
                return
            for change in self._table.snapshot():
                outgoing.put_nowait({"event": change})
            self._listeners.add(outgoing)
            while line := await reader.readline():
                # One that takes its time (figures of a busy board, a throw that is simulated) keeps no other waiting;
                # tasks begin in the order in which they are made.
                one = asyncio.create_task(self._answer_to(line, outgoing))
                answering.add(one)
                one.add_done_callback(answering.discard)
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass
        finally:
            self._listeners.discard(outgoing)
            self._tasks.discard(task)
            for one in answering:
                one.cancel()
            sender.cancel()
            writer.close()
            # Cancelled here too when all ends at once; that would leave asyncio with a complaint for the terminal.
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await writer.wait_closed()

    async def _is_known(self, reader: asyncio.StreamReader) -> bool:
        try:
            first = json.loads(await asyncio.wait_for(reader.readline(), 5))
            return hmac.compare_digest(str(first["token"]), self._token)
        except (ValueError, KeyError, TypeError, TimeoutError, RecursionError):
            return False

    async def _send(self, outgoing: asyncio.Queue[Message], writer: asyncio.StreamWriter) -> None:
        while True:
            message = await outgoing.get()
            if "closed" in message:
                writer.close()
                return
            writer.write(json.dumps(message).encode() + b"\n")
            try:
                await writer.drain()
            except ConnectionError:
                return

    async def _answer_to(self, line: bytes, outgoing: asyncio.Queue[Message]) -> None:
        outgoing.put_nowait(await self._answer(line))

    async def _answer(self, line: bytes) -> Message:
        number: Any = None
        name: Any = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("a request is an object")
            number = request.pop("id", None)
            name = request.pop("do", None)
            hand = HANDS.get(name)
            if hand is None:
                raise ValueError(f"there is no hand {name!r}; there are {', '.join(sorted(HANDS))}")
            result = hand(self._table, **request)
            if asyncio.iscoroutine(result):
                result = await result
            return {"id": number, "ok": True, "result": result}
        except (ValueError, TypeError, VirtualTableError, TimeoutError, RecursionError) as error:
            return {"id": number, "ok": False, "error": str(error) or "no answer in time"}
        except Exception as error:
            # A fault of ours costs this one hand, not all others that come over this connection.
            _log.exception("Something broke inside at the hand %s; the virtual table goes on", name)
            reason = f"Something broke inside the virtual table ({type(error).__name__}); it goes on without that."
            return {"id": number, "ok": False, "error": reason}
