"""The dialogue with one companion, for the table: resume, replay, snapshot, live events, heartbeat, commands.

Nothing is sent before a RESUME. Then come the answer, a GAP when events are lost, the events that the companion has not
seen, a snapshot of what is true now, and from then on each event as it happens. One task does all the sending; an event
whose notification fails stays where it is and is tried again.

One companion at a time. Another one gets BUSY while the first is alive; it takes over when the first has said nothing
for `SILENCE_MS`, or at once when it is the same companion on a new connection. `docs/protocol.md` has the whole story.
"""

import asyncio
import time

from firmware.device_link import CONNECTED, GONE
from shared_rules.wire.messages import (
    TO_TABLE,
    UNKNOWN_COMMAND,
    UnknownKindError,
    WireError,
    decode,
    encode,
    mark_replayed,
)
from shared_rules.wire.sequence import WINDOW, distance

HEARTBEAT_MS = 1000
SILENCE_MS = 3000
RETRY_MS = 60  # two connection intervals of the slowest common kind
HOPELESS_MS = 5000  # notifications fail that long: the link is dead, whatever the stack says
UNRESUMED_MS = 15000  # a connection that never resumes only takes up a place
MOST_ANSWERS = 16

# What the packet that is being sent belongs to
_ANSWER = 1
_EVENT = 2
_SNAPSHOT = 3
_GAP = 4
_HEARTBEAT = 5


class Session:
    """`link` is a `BlePeripheral` (or anything with its `next`, `notify` and `drop`), `outbox` an `Outbox`, `desk` a
    `CommandDesk`.

    `snapshot()` returns the packets' (name, fields) of everything that is true now, or None while that is not known
    yet; `status()` the fields of a HEARTBEAT. `refused` counts packets that were damaged or could not be true,
    `unknown` those of kinds from the future, `early` those that came without a RESUME.
    """

    def __init__(self, link, outbox, desk, boot_id, reset_cause, snapshot, status):
        self._link = link
        self._outbox = outbox
        self._desk = desk
        self._boot_id = boot_id
        self._reset_cause = reset_cause
        self._take_snapshot = snapshot
        self._status = status
        self._wake = asyncio.Event()
        self._unresumed = {}
        self.conn = None
        self._companion_id = 0
        self._heard = time.ticks_ms()
        self._failing = False
        self._failing_since = self._heard
        self._answers: list[bytes] = []
        self._next_event = 1
        self._ever_sent = outbox.newest  # events from before a restart may have been sent then
        self._snapshot_due = False
        self._snapshot: list[bytes] = []
        self._heartbeat_due = False
        self.refused = 0
        self.unknown = 0
        self.early = 0

    def report(self, name, fields, ref=0):
        """Keeps an event and has it sent as soon as it can be; its number."""
        seq = self._outbox.append(name, ref, fields)
        self._wake.set()
        return seq

    async def receive(self):
        """Takes what the link brings, for ever."""
        while True:
            what, conn, data = await self._link.next()
            if what == CONNECTED:
                self._unresumed[conn] = time.ticks_ms()
            elif what == GONE:
                self._unresumed.pop(conn, None)
                if conn == self.conn:
                    self.conn = None
            else:
                self._written(conn, data)

    async def send(self):
        """Sends what is due, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.conn is not None:
                part, packet = self._due()
                if packet is None:
                    break
                if self._link.notify(self.conn, packet):
                    self._sent(part)
                    await asyncio.sleep_ms(0)
                else:
                    self._failed()
                    await asyncio.sleep_ms(RETRY_MS)

    async def beat(self):
        """Once a second: a heartbeat, and an end to connections that never resume."""
        while True:
            await asyncio.sleep_ms(HEARTBEAT_MS)
            self._heartbeat_due = True
            self._wake.set()
            now = time.ticks_ms()
            for conn in list(self._unresumed):
                if time.ticks_diff(now, self._unresumed[conn]) > UNRESUMED_MS:
                    del self._unresumed[conn]
                    self._link.drop(conn)

    # what comes in

    def _written(self, conn, data):
        try:
            message = decode(data, TO_TABLE)
        except UnknownKindError:
            self.unknown += 1
            if conn == self.conn:
                self._answer("RESULT", data[2] | data[3] << 8, {"status": UNKNOWN_COMMAND, "detail": 0})
                self._wake.set()
            return
        except WireError:
            self.refused += 1
            return
        if message.name == "RESUME":
            self._resume(conn, message)
        elif conn != self.conn:
            self.early += 1
        else:
            self._heard = time.ticks_ms()
            self._understand(message)
        self._wake.set()

    def _understand(self, message):
        outbox = self._outbox
        if message.name == "ACK":
            sent_last = (self._next_event - 1) & 0xFFFF
            if distance(sent_last, message.ref) < 0 or not outbox.acknowledge(message.ref):
                self.refused += 1
        elif message.name == "REPLAY":
            from_seq = message.fields["from_seq"]
            if 0 <= distance(self._next_event, from_seq) <= WINDOW:
                self._next_event = from_seq
            else:
                self.refused += 1
        elif message.name == "ASK_SNAPSHOT":
            self._snapshot_due = True
        else:
            status, detail = self._desk.handle(message.name, message.seq, message.fields)
            self._answer("RESULT", message.seq, {"status": status, "detail": detail})

    def _resume(self, conn, message):
        fields = message.fields
        now = time.ticks_ms()
        if self.conn is not None and self.conn != conn:
            silent = time.ticks_diff(now, self._heard) > SILENCE_MS
            if not silent and fields["companion_id"] != self._companion_id:
                self._link.notify(conn, encode("BUSY", self._outbox.newest, 0, {"retry_after": SILENCE_MS // 1000}))
                return
            self._link.drop(self.conn)
        self._unresumed.pop(conn, None)
        self.conn = conn
        self._companion_id = fields["companion_id"]
        self._heard = now
        self._failing = False
        self._desk.open(self._companion_id, message.seq)
        outbox = self._outbox
        last = fields["last_seq"]
        self._answers = []
        self._snapshot = []
        self._snapshot_due = True
        if fields["boot_id"] == self._boot_id and distance(outbox.newest, last) >= 0:
            outbox.acknowledge(last)
            self._next_event = (last + 1) & 0xFFFF
            numbers = {"boot_id": self._boot_id, "oldest": outbox.oldest, "newest": outbox.newest}
            self._answer("RESUMED", 0, numbers)
        else:
            self._next_event = outbox.oldest
            numbers = {"boot_id": self._boot_id, "oldest": outbox.oldest, "newest": outbox.newest}
            numbers["reset_cause"] = self._reset_cause
            self._answer("NEW_BOOT", 0, numbers)

    def _answer(self, name, ref, fields):
        if len(self._answers) >= MOST_ANSWERS:
            self._answers.pop(0)  # its command will be repeated
        self._answers.append(encode(name, self._outbox.newest, ref, fields))

    # what goes out

    def _due(self):
        """The part and the packet that are to be sent next; (0, None) when nothing is."""
        outbox = self._outbox
        if self._answers:
            return _ANSWER, self._answers[0]
        if self._snapshot:
            return _SNAPSHOT, self._snapshot[0]
        lost = distance(outbox.oldest, self._next_event)
        if lost > 0:
            return _GAP, encode("GAP", outbox.newest, 0, {"first": self._next_event, "lost": lost})
        packet = outbox.packet(self._next_event)
        if packet is not None:
            if distance(self._ever_sent, self._next_event) >= 0:
                packet = mark_replayed(packet)
            return _EVENT, packet
        if self._snapshot_due and self._begin_snapshot():
            return _SNAPSHOT, self._snapshot[0]
        if self._heartbeat_due:
            return _HEARTBEAT, encode("HEARTBEAT", outbox.newest, 0, self._status())
        return 0, None

    def _begin_snapshot(self):
        parts = self._take_snapshot()
        if parts is None:
            return False
        newest = self._outbox.newest
        self._snapshot = [encode(name, newest, 0, fields) for name, fields in parts]
        self._snapshot_due = False
        return True

    def _sent(self, part):
        self._failing = False
        if part == _ANSWER:
            self._answers.pop(0)
        elif part == _SNAPSHOT:
            self._snapshot.pop(0)
        elif part == _GAP:
            self._next_event = self._outbox.oldest
        elif part == _EVENT:
            if distance(self._next_event, self._ever_sent) > 0:
                self._ever_sent = self._next_event
            self._next_event = (self._next_event + 1) & 0xFFFF
        else:
            self._heartbeat_due = False

    def _failed(self):
        now = time.ticks_ms()
        if not self._failing:
            self._failing = True
            self._failing_since = now
        elif time.ticks_diff(now, self._failing_since) > HOPELESS_MS:
            self._link.drop(self.conn)
            self.conn = None
