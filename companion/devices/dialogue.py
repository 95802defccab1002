"""The companion's half of the talk with one device over one connection: packets in, facts out, each once and in order.

An event is acknowledged only after what it caused is on disk (`taken_in`). What the disk did not take is asked for
again; a hole is asked for at once; what is damaged, impossible or from another age is counted and changes nothing. A
device that is paired must prove that it is the one, before anything that it says counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from companion.devices import pairing
from companion.devices.event_facts import DIE_STATES, as_fact, events_lost, unknown
from companion.devices.facts import Fact, Origin, TableSnapshot
from companion.devices.reconnect import BusyError, LinkLostError, NotOursError
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import SOCKET_SEVERAL, Message, UnknownKindError, WireError, decode, encode
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
SETTLE_SECONDS = 1.0
"""How long a fact that was being taken in when the link ended is waited for."""
LOG_SECONDS = 2.0
LOG_TRIES = 5
LONGEST_LOG = 16_384
MAX_WAITING = 2048
"""Packets that may wait to be read; more are dropped and asked for again."""

DONE, NO_ANSWER = 0, -1
"""Statuses of a command; the second: its RESULT never came."""

UNPROVED = (
    "It does not prove that it is the one that was paired with this companion, so nothing that it says counts. If you "
    "have set it up anew, forget it here, and pair it again."
)
PAIRED_ELSEWHERE = "It is paired with another companion. Unpair it there, or plug in its cable and pair it here."


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
    `send` writes one packet. `key` is the key of a device that was paired, `must_prove` whether it has said before that
    it knows it, `met_before` whether it was met in this boot, so that what it has lost since then is missing here.
    `on_news(name, fields)` hears how the device is: HEARTBEAT, TELEMETRY, SOCKET_HEALTH."""

    def __init__(
        self,
        hello: Message,
        last: int,
        companion_id: int,
        numbers: CommandNumbers,
        send: Callable[[bytes], Awaitable[None]],
        sink: Sink,
        counters: dict[str, int],
        key: bytes = b"",
        must_prove: bool = False,
        met_before: bool = False,
    ) -> None:
        self.proved = False
        self.device_id = bytes(hello.fields["device_id"]).hex()
        self.boot_id = int(hello.fields["boot_id"])
        self.heard_at = asyncio.get_running_loop().time()
        self.on_news: Callable[[str, dict[str, Any]], None] = lambda name, fields: None
        self._receiver = EventReceiver(self.boot_id, last)
        self._companion_id = companion_id
        self._numbers = numbers
        self._send = send
        self._sink = sink
        self._counters = counters
        self._key = key
        self._must_prove = must_prove
        self._met_before = met_before
        self._nonces = (b"", b"")
        self._taking: asyncio.Task[None] | None = None
        self._log: asyncio.Queue[tuple[int, str]] | None = None
        self._packets: asyncio.Queue[Message] = asyncio.Queue()
        self._resumed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open = False
        """Whether it has resumed, as the one that it should be: before that nothing that it says counts."""
        self._welcome = asyncio.Event()
        self._results: dict[int, asyncio.Future[int]] = {}
        self._one_command = asyncio.Lock()
        self._one_log = asyncio.Lock()
        self._stored = last
        self._acknowledged = last
        self._ack_wanted = asyncio.Event()
        self._ack_now = asyncio.Event()
        self._no_replay_before = 0.0
        self._snapshot: TableSnapshot | None = None
        self._snapshot_counts = (0, 0)

    def feed(self, packet: bytes) -> None:
        """One notification. Never waits; everything else happens in `run`. Sound packets alone are a sign of life, at
        once, however long the disk keeps them waiting."""
        try:
            message = decode(packet, TO_COMPANION)
        except UnknownKindError:
            self._count("unknown")
            message = unknown(packet)
        except WireError as error:
            self._count("refused")
            logger.debug("refused packet %s: %s", packet.hex(), error)
            return
        if self._packets.qsize() >= MAX_WAITING:
            self._count("dropped")
        else:
            self._packets.put_nowait(message)
        self.heard_at = asyncio.get_running_loop().time()

    async def resume(self) -> None:
        """Asks the table to go on from the last event on disk, while `run` runs. `BusyError`, `NotOursError`,
        `TimeoutError`."""
        known = self._receiver.last > 0 or self._met_before
        fields = {
            "boot_id": self.boot_id if known else 0,
            "last_seq": self._receiver.last & 0xFFFF,
            "companion_id": self._companion_id,
        }
        await self._send(encode("RESUME", self._numbers.last, 0, fields))
        async with asyncio.timeout(RESUME_SECONDS):
            await asyncio.shield(self._resumed)

    def welcome(self) -> None:
        """After `resume`: whoever owns this knows the device by now, and takes its facts."""
        self._welcome.set()

    async def run(self) -> None:
        """Reads packets and acknowledges what is on disk, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._read())
            group.create_task(self._acknowledge())

    async def settle(self) -> None:
        """Waits, for a second at most, until a fact that was being taken in is on disk."""
        if self._taking is not None and not self._taking.done():
            await asyncio.wait({self._taking}, timeout=SETTLE_SECONDS)

    def taken_in(self, mark: InboxMark) -> None:
        """Everything up to this mark is on disk."""
        if (mark.device_id, mark.boot_id) == (self.device_id, self.boot_id) and mark.seq > self._stored:
            self._stored = mark.seq
            self._ack_wanted.set()
            if self._stored - self._acknowledged >= ACK_EVERY:
                self._ack_now.set()

    async def command(
        self, name: str, fields: dict[str, Any], on_number: Callable[[int], None] = lambda number: None
    ) -> int:
        """One command, one at a time, repeated under its number until its RESULT comes: the status, or NO_ANSWER.
        `on_number` hears its number before it is sent."""
        async with self._one_command:
            number = self._numbers.next()
            on_number(number)
            answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._results[number] = answer
            try:
                packet = encode(name, number, 0, fields)
                for _ in range(COMMAND_TRIES):
                    await self._send(packet)
                    try:
                        async with asyncio.timeout(RESULT_SECONDS):  # `wait_for` may swallow a cancellation
                            return await asyncio.shield(answer)
                    except TimeoutError:
                        self._count("commands_repeated")
            finally:
                del self._results[number]
                answer.cancel()
        return NO_ANSWER

    async def ask_snapshot(self) -> None:
        """Has the table say how it lies now."""
        await self._send(encode("ASK_SNAPSHOT", 0, 0, {}))

    async def read_log(self) -> str:
        """The trace of the device's last fault, as it keeps it; empty if there was none. `TimeoutError`: it could not
        be read to its end."""
        async with self._one_log:
            self._log = pieces = asyncio.Queue[tuple[int, str]]()
            text, tries = "", 0
            try:
                await self.command("READ_LOG", {"offset": 0})
                while len(text) < LONGEST_LOG:
                    try:
                        async with asyncio.timeout(LOG_SECONDS):
                            offset, piece = await pieces.get()
                    except TimeoutError:
                        tries += 1
                        if tries == LOG_TRIES:
                            raise
                        await self.command("READ_LOG", {"offset": len(text)})
                        continue
                    if offset == len(text):
                        if not piece:
                            return text
                        text += piece
                return text
            finally:
                self._log = None

    async def _read(self) -> None:
        while True:
            message = await self._packets.get()
            if self._open:
                await self._welcome.wait()
            if message.is_event:
                await self._event(message)
            else:
                await self._other(message)

    async def _event(self, message: Message) -> None:
        if not self._open:
            self._count("early")
            return
        verdict = self._receiver.judge(message.seq)
        if verdict == NEXT:
            fact = as_fact(message, Origin(self.device_id, self.boot_id, self._receiver.last + 1))
            try:
                await self._take(fact)
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

    async def _take(self, fact: Fact) -> None:
        """A fact is taken in to its end, whatever becomes of the link meanwhile: `settle` waits for it."""
        self._taking = asyncio.create_task(self._sink.take(fact))
        await asyncio.shield(self._taking)

    async def _ask_for_replay(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._no_replay_before:
            self._no_replay_before = now + REPLAY_PAUSE
            await self._send(encode("REPLAY", 0, 0, {"from_seq": (self._receiver.last + 1) & 0xFFFF}))

    async def _other(self, message: Message) -> None:
        name, fields = message.name, message.fields
        if name in ("RESUMED", "NEW_BOOT"):
            self._went_on(int(fields["boot_id"]), int(fields["oldest"]) if name == "NEW_BOOT" else None)
        elif name == "CHALLENGE":
            await self._prove(bytes(fields["nonce"]))
        elif name == "PROVED":
            self._is_proved(bytes(fields["proof"]))
        elif name == "REFUSED":
            self._give_up(NotOursError("It does not take this companion’s key. Plug in its cable, and pair it again."))
        elif name == "BUSY":
            self._give_up(BusyError(float(fields["retry_after"])))
        elif name == "GAP" and self._open:
            await self._gap(int(fields["first"]), int(fields["lost"]))
        elif name == "RESULT":
            waiting = self._results.get(message.ref)
            if waiting is not None and not waiting.done():
                waiting.set_result(int(fields["status"]))
        elif name in ("HEARTBEAT", "TELEMETRY", "SOCKET_HEALTH"):
            if not self._open:
                return
            if name == "HEARTBEAT":
                self._ack_wanted.set()  # who says nothing for three seconds loses the device to the next that asks
                if self._receiver.behind(message.seq):
                    await self._ask_for_replay()
            self.on_news(name, fields)
        elif name == "LOG_TEXT":
            if self._log is not None:
                self._log.put_nowait((int(fields["offset"]), str(fields["text"])))
        else:
            await self._snapshot_part(message)

    def _went_on(self, boot_id: int, anew_from: int | None) -> None:
        if boot_id != self.boot_id:
            raise LinkLostError("It has started anew. It is looked for.")
        if self._must_prove and not self.proved:
            self._give_up(NotOursError(UNPROVED))
        elif not self._resumed.done():
            if anew_from is not None:  # whole numbers only ever grow: none of them may name two events
                self._receiver.last += (anew_from - 1 - self._receiver.last) & 0xFFFF
                self._stored = self._acknowledged = self._receiver.last
            self._open = True
            self._resumed.set_result(None)

    def _give_up(self, error: Exception) -> None:
        if not self._resumed.done():
            self._resumed.set_exception(error)
            self._resumed.exception()  # after `resume` has given up nobody else looks at it

    async def _prove(self, nonce: bytes) -> None:
        if not self._key:
            self._give_up(NotOursError(PAIRED_ELSEWHERE))
            return
        mine = pairing.new_nonce()
        self._nonces = (nonce, mine)
        proof = pairing.proof(self._key, pairing.COMPANION, nonce, mine, self.boot_id, self._companion_id)
        await self._send(encode("PROOF", 0, 0, {"nonce": mine, "proof": proof}))

    def _is_proved(self, given: bytes) -> None:
        nonce, mine = self._nonces
        expected = pairing.proof(self._key, pairing.DEVICE, nonce, mine, self.boot_id, self._companion_id)
        if mine and pairing.is_proof(given, expected):
            self.proved = True
        else:
            self._give_up(NotOursError(UNPROVED))

    async def _gap(self, first: int, lost: int) -> None:
        before = self._receiver.last
        if self._receiver.skip(first, lost):
            origin = Origin(self.device_id, self.boot_id, self._receiver.last)
            try:
                await self._take(events_lost(origin, self._receiver.last - before))
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
        if snapshot is None or not self._open:
            return
        if name == "SNAPSHOT_TAG":
            snapshot.tags[bytes(fields["uid"]).hex()] = int(fields["socket"])
        elif name == "SNAPSHOT_SOCKET":
            snapshot.troubles[int(fields["socket"])] = "several" if fields["state"] == SOCKET_SEVERAL else "mute"
        elif name == "SNAPSHOT_DIE":
            die, face = DIE_STATES[int(fields["state"])], int(fields["face"])
            self._snapshot = replace(snapshot, die=die, die_face=face)
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
            with suppress(TimeoutError):
                async with asyncio.timeout(ACK_SECONDS):
                    await self._ack_now.wait()
            self._ack_wanted.clear()
            self._ack_now.clear()
            stored = self._stored
            await self._send(encode("ACK", 0, stored & 0xFFFF, {}))
            self._acknowledged = stored

    def _count(self, what: str) -> None:
        self._counters[what] = self._counters.get(what, 0) + 1
