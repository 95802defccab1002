"""The companion's half of the talk with one table over one connection: packets in, facts out, each once and in order.

An event is acknowledged only after what it caused is on disk (`taken_in`). What the disk did not take is asked for
again; a hole is asked for at once; what is damaged, impossible or from another age is counted and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from companion.devices import facts
from companion.devices.facts import Fact, Origin, TableSnapshot
from companion.devices.reconnect import BusyError, LinkLostError
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from shared_rules.wire.messages import (
    SOCKET_SEVERAL,
    TO_COMPANION,
    Message,
    UnknownKindError,
    WireError,
    decode,
    encode,
)
from shared_rules.wire.sequence import GAP, NEXT, REPEAT, EventReceiver

logger = logging.getLogger(__name__)

ACK_EVERY = 8
ACK_SECONDS = 0.25
REPLAY_PAUSE = 0.5
"""A hole is asked for at most this often."""
STORAGE_PAUSE = 2.0
"""How long after the disk refused an event it is asked for again."""
RESULT_SECONDS = 1.5
COMMAND_TRIES = 4
RESUME_SECONDS = 3.0
MAX_WAITING = 2048
"""Packets that may wait to be read; more are dropped and asked for again."""

DONE = 0
NO_ANSWER = -1
"""Status of a command whose RESULT never came."""


class Sink(Protocol):
    """Where facts go."""

    async def take(self, fact: Fact) -> None:
        """`StorageError`: it was not taken in."""
        ...

    async def see(self, snapshot: TableSnapshot) -> None: ...


class CommandNumbers:
    """Numbers of commands, one row for the whole life of a companion: 1…65535 and round again."""

    def __init__(self) -> None:
        self.last = 0

    def next(self) -> int:
        """The next one."""
        self.last = self.last % 0xFFFF + 1
        return self.last


class Dialogue:
    """`hello` is the device's HELLO; `last` the whole number of the newest event of this boot that is on disk;
    `send` writes one packet."""

    def __init__(
        self,
        hello: Message,
        last: int,
        companion_id: int,
        numbers: CommandNumbers,
        send: Callable[[bytes], Awaitable[None]],
        sink: Sink,
        counters: dict[str, int],
    ) -> None:
        self.device_id = bytes(hello.fields["device_id"]).hex()
        self.boot_id = int(hello.fields["boot_id"])
        self.heard_at = asyncio.get_running_loop().time()
        self.status: dict[str, int] = {}
        self.on_status: Callable[[], None] = lambda: None
        self._receiver = EventReceiver(self.boot_id, last)
        self._companion_id = companion_id
        self._numbers = numbers
        self._send = send
        self._sink = sink
        self._counters = counters
        self._packets: asyncio.Queue[bytes] = asyncio.Queue()
        self._resumed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._results: dict[int, asyncio.Future[int]] = {}
        self._one_command = asyncio.Lock()
        self._stored = last
        self._acknowledged = last
        self._ack_wanted = asyncio.Event()
        self._ack_now = asyncio.Event()
        self._no_replay_before = 0.0
        self._snapshot: TableSnapshot | None = None
        self._snapshot_counts = (0, 0)

    def feed(self, packet: bytes) -> None:
        """One notification. Never waits; everything else happens in `run`."""
        self.heard_at = asyncio.get_running_loop().time()
        if self._packets.qsize() >= MAX_WAITING:
            self._count("dropped")
        else:
            self._packets.put_nowait(packet)

    async def resume(self) -> None:
        """Asks the table to go on from the last event on disk. Raises `BusyError`, `TimeoutError`. `run` must be
        running."""
        fields = {"boot_id": self.boot_id, "last_seq": self._receiver.last & 0xFFFF, "companion_id": self._companion_id}
        await self._send(encode("RESUME", self._numbers.last, 0, fields))
        await asyncio.wait_for(asyncio.shield(self._resumed), RESUME_SECONDS)

    async def run(self) -> None:
        """Reads packets and acknowledges what is on disk, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._read())
            group.create_task(self._acknowledge())

    def taken_in(self, mark: InboxMark) -> None:
        """Everything up to this mark is on disk."""
        if (mark.device_id, mark.boot_id) == (self.device_id, self.boot_id) and mark.seq > self._stored:
            self._stored = mark.seq
            self._ack_wanted.set()
            if self._stored - self._acknowledged >= ACK_EVERY:
                self._ack_now.set()

    async def command(self, name: str, fields: dict[str, object]) -> int:
        """One command, one at a time, repeated under its number until its RESULT comes: the status, or NO_ANSWER."""
        async with self._one_command:
            number = self._numbers.next()
            answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._results[number] = answer
            try:
                packet = encode(name, number, 0, fields)
                for _ in range(COMMAND_TRIES):
                    await self._send(packet)
                    try:
                        return await asyncio.wait_for(asyncio.shield(answer), RESULT_SECONDS)
                    except TimeoutError:
                        self._count("commands_repeated")
            finally:
                del self._results[number]
                answer.cancel()
        return NO_ANSWER

    async def ask_snapshot(self) -> None:
        """Has the table say how it lies now."""
        await self._send(encode("ASK_SNAPSHOT", 0, 0, {}))

    async def _read(self) -> None:
        while True:
            packet = await self._packets.get()
            try:
                message = decode(packet, TO_COMPANION)
            except UnknownKindError:
                self._count("unknown")
                continue
            except WireError as error:
                self._count("refused")
                logger.debug("refused packet %s: %s", packet.hex(), error)
                continue
            if message.is_event:
                await self._event(message)
            else:
                await self._other(message)

    async def _event(self, message: Message) -> None:
        if not self._resumed.done():
            self._count("early")
            return
        verdict = self._receiver.judge(message.seq)
        if verdict == NEXT:
            fact = as_fact(message, Origin(self.device_id, self.boot_id, self._receiver.last + 1))
            try:
                await self._sink.take(fact)
            except StorageError as error:
                self._count("not_stored")
                logger.warning("an event of the table could not be stored: %s", error)
                await asyncio.sleep(STORAGE_PAUSE)
                await self._ask_for_replay()
            else:
                self._receiver.advance()
                self._count("events")
        elif verdict == REPEAT:
            self._count("repeats")
            self._ack_wanted.set()
        elif verdict == GAP:
            self._count("holes")
            await self._ask_for_replay()
        else:
            self._count("refused")

    async def _ask_for_replay(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._no_replay_before:
            self._no_replay_before = now + REPLAY_PAUSE
            await self._send(encode("REPLAY", 0, 0, {"from_seq": (self._receiver.last + 1) & 0xFFFF}))

    async def _other(self, message: Message) -> None:
        name, fields = message.name, message.fields
        if name in ("RESUMED", "NEW_BOOT"):
            if int(fields["boot_id"]) != self.boot_id:
                raise LinkLostError("The table has started anew. It is looked for.")
            if not self._resumed.done():
                self._resumed.set_result(None)
        elif name == "BUSY":
            if not self._resumed.done():
                self._resumed.set_exception(BusyError(float(fields["retry_after"])))
        elif name == "GAP":
            await self._gap(int(fields["first"]), int(fields["lost"]))
        elif name == "HEARTBEAT":
            self.status = {key: int(value) for key, value in fields.items()}
            if self._receiver.behind(message.seq):
                await self._ask_for_replay()
            self.on_status()
        elif name == "RESULT":
            waiting = self._results.get(message.ref)
            if waiting is not None and not waiting.done():
                waiting.set_result(int(fields["status"]))
        else:
            await self._snapshot_part(message)

    async def _gap(self, first: int, lost: int) -> None:
        before = self._receiver.last
        if self._receiver.skip(first, lost):
            origin = Origin(self.device_id, self.boot_id, self._receiver.last)
            try:
                await self._sink.take(facts.EventsLost(origin, self._receiver.last - before))
            except StorageError:
                self._receiver.last = before
                self._count("not_stored")
                await asyncio.sleep(STORAGE_PAUSE)
                await self._ask_for_replay()

    async def _snapshot_part(self, message: Message) -> None:
        name, fields = message.name, message.fields
        if name == "SNAPSHOT_BEGIN":
            self._snapshot = TableSnapshot(self.device_id, self.boot_id)
            self._snapshot_counts = (int(fields["tags"]), int(fields["troubles"]))
            return
        snapshot = self._snapshot
        if snapshot is None:
            return
        if name == "SNAPSHOT_TAG":
            snapshot.tags[bytes(fields["uid"]).hex()] = int(fields["socket"])
        elif name == "SNAPSHOT_SOCKET":
            snapshot.troubles[int(fields["socket"])] = "several" if fields["state"] == SOCKET_SEVERAL else "mute"
        elif name == "SNAPSHOT_END":
            self._snapshot = None
            if (len(snapshot.tags), len(snapshot.troubles)) == self._snapshot_counts:
                await self._sink.see(snapshot)
            else:
                self._count("torn_snapshots")
                await self.ask_snapshot()

    async def _acknowledge(self) -> None:
        while True:
            await self._ack_wanted.wait()
            try:
                await asyncio.wait_for(self._ack_now.wait(), ACK_SECONDS)
            except TimeoutError:
                pass
            self._ack_wanted.clear()
            self._ack_now.clear()
            stored = self._stored
            await self._send(encode("ACK", 0, stored & 0xFFFF, {}))
            self._acknowledged = stored

    def _count(self, what: str) -> None:
        self._counters[what] = self._counters.get(what, 0) + 1


def as_fact(message: Message, origin: Origin) -> Fact:
    """The fact in an event."""
    name, fields = message.name, message.fields
    if name in ("TAG_APPEARED", "TAG_GONE"):
        kind = facts.TagAppeared if name == "TAG_APPEARED" else facts.TagGone
        return kind(origin, int(fields["socket"]), bytes(fields["uid"]).hex())
    if name == "ROLL_SETTLED":
        return facts.DieSettled(
            origin,
            face=int(fields["face"]),
            map_id=int(fields["map_id"]),
            value=int(fields["value"]),
            tumbles=int(fields["tumbles"]),
            duration_ms=int(fields["duration"]),
        )
    if name == "ROLL_STARTED":
        return facts.DieStarted(origin, int(fields["map_id"]))
    if name == "DIE_REFUSED":
        return facts.DieRefused(origin, int(fields["reason"]))
    if name in _TROUBLES:
        return facts.SocketTrouble(origin, int(fields["socket"]), _TROUBLES[name])
    if name == "FAULT":
        return facts.DeviceFault(origin, int(fields["task"]), str(fields["error"]))
    return facts.OtherEvent(origin, name)


_TROUBLES = {"SEVERAL_UNREADABLE": "several", "SEVERAL_RESOLVED": "ok", "READER_MUTE": "mute", "READER_BACK": "ok"}
