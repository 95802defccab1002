"""The dialogue with one companion, for the device: resume, proof, replay, snapshot, live events, heartbeat, commands.

Nothing is sent before a RESUME. Then come the answer, a GAP when events are lost, the events that the companion has not
seen, a snapshot of what is true now, and from then on each event as it happens. One task does all the sending; an event
whose notification fails stays where it is and is tried again.

One companion at a time. Another one gets BUSY while the first is alive; it takes over when the first has said nothing
for `SILENCE_MS`, or at once when it is the same companion on a new connection. A device that is paired asks whoever
resumes for a proof first. `docs/protocol.md` has the whole story.
"""

import asyncio
import time

from firmware.device_link import CONNECTED, GONE
from firmware.device_link.asides import Asides
from firmware.device_link.links import CABLE
from firmware.device_link.log_pieces import LogPieces
from firmware.device_link.pairing import same
from shared_rules.wire.message_table import TO_TABLE
from shared_rules.wire.messages import (
    DONE,
    NOT_PAIRED,
    REFUSED_WRONG_PROOF,
    UnknownKindError,
    WireError,
    decode,
    encode,
)
from shared_rules.wire.sequence import WINDOW, distance

HEARTBEAT_MS = 1000
SILENCE_MS = 3000
RETRY_MS = 60  # two connection intervals of the slowest common kind
HOPELESS_MS = 5000  # notifications fail that long: the link is dead, whatever the stack says
UNRESUMED_MS = 15000  # a connection that never resumes only takes up a place
TELEMETRY_BEATS = 10
COMPLAINT_BEATS = 60  # a stranger who knocks again and again must not push out the events of the game
MOST_ANSWERS = 16

_HARMFUL = ("UNPAIR", "CALIBRATE_DIE", "RESTART")

# What the packet that is being sent belongs to
_ANSWER = 1
_EVENT = 2
_SNAPSHOT = 3
_GAP = 4
_HEARTBEAT = 5
_TELEMETRY = 6
_HEALTH = 7
_LOG = 8


class Session:
    """`link` has `sources`, `notify` and `drop` (see `Links`), `outbox` is an `Outbox`, `desk` a `CommandDesk`,
    `pairing` a `Pairing`.

    `host` has `boot_id`, `reset_cause`, `mode`; `snapshot()`, the (name, fields) of all that is true now, or None while
    that is not known yet; `hello()`, `status()`, `telemetry()` and `next_health()` (or None), fields of messages.

    `refused` counts packets that were damaged or could not be true; TELEMETRY tells them among the lost writes.
    """

    def __init__(self, link, outbox, desk, pairing, host):
        self._link = link
        self._outbox = outbox
        self._desk = desk
        self._pairing = pairing
        self._host = host
        self._wake = asyncio.Event()
        self._unresumed = {}
        self._challenges = {}  # connection: (nonce, RESUME) of those that are to prove themselves
        self._asides = Asides(link)
        self.conn = None
        self.proved = False
        self._companion_id = 0
        self._heard = time.ticks_ms()
        self._failing = False
        self._failing_since = self._heard
        self._pace = 0
        self._complained = -COMPLAINT_BEATS
        self._answers: list[bytes] = []
        self._next_event = 1
        self._ever_sent = outbox.newest  # events from before a restart may have been sent then
        self._snapshot_due = False
        self._snapshot: list[bytes] = []
        self._beats = 0
        self._heartbeat_due = False
        self._telemetry_due = False
        self._health_due = False
        self._log = LogPieces()
        self.refused = 0

    def report(self, name, fields, ref=0):
        """Keeps an event and has it sent as soon as it can be; its number."""
        seq = self._outbox.append(name, ref, fields)
        self._wake.set()
        return seq

    def send_log(self, text, offset):
        """Has `text` (bytes) sent from `offset` on, in pieces and with an empty one at its end."""
        self._log.begin(text, offset)

    def is_idle(self):
        """Whether everything that was said has been answered, and every event acknowledged or nobody there."""
        return self.conn is None or not (self._answers or self._outbox.waiting)

    def end(self):
        """Ends the session and all connections, before a reset or a sleep."""
        for conn in list(self._unresumed):
            self._link.drop(conn)
        if self.conn is not None:
            self._link.drop(self.conn)
            self.conn = None

    async def receive(self, source):
        """Takes what one source of the link brings, for ever."""
        while True:
            what, conn, data = await source.next()
            if what == CONNECTED:
                self._forget(conn)
                if conn == self.conn:  # its GONE found no room: whoever has the number now has no session
                    self.conn = None
                self._unresumed[conn] = time.ticks_ms()
            elif what == GONE:
                self._forget(conn)
                if conn == self.conn:
                    self.conn = None
            else:
                self._written(conn, data)

    async def send(self):
        """Sends what is due, for ever. Asides and session take turns: somebody out of range must starve nobody."""
        asides = self._asides
        turn = False
        while True:
            await self._wake.wait()
            self._wake.clear()
            while True:
                turn = not turn
                if asides.waiting and (turn or self.conn is None):
                    done = asides.send()
                elif self.conn is not None:
                    part, packet = self._due()
                    if packet is None:
                        if asides.waiting:
                            continue
                        break
                    done = self._link.notify(self.conn, packet)
                    if done:
                        self._sent(part)
                    else:
                        self._failed(done is None)
                else:
                    break
                # A radio that was in want of room a moment ago is not pressed: the pause shrinks while all goes well.
                self._pace = max(0, self._pace - 2) if done else RETRY_MS
                await asyncio.sleep_ms(self._pace)

    async def beat(self):
        """Once a second: a heartbeat, and an end to connections that never resume."""
        while True:
            await asyncio.sleep_ms(HEARTBEAT_MS)
            self._heartbeat_due = True
            self._health_due = True
            self._beats += 1
            if self._beats % TELEMETRY_BEATS == 0:
                self._telemetry_due = True
            self._wake.set()
            now = time.ticks_ms()
            if time.ticks_diff(now, self._heard) > SILENCE_MS:  # never so long ago that the ticks have wrapped
                self._heard = time.ticks_add(now, -SILENCE_MS - 1)
            for conn in list(self._unresumed):
                if time.ticks_diff(now, self._unresumed[conn]) > UNRESUMED_MS:
                    self._forget(conn)
                    self._link.drop(conn)

    def _written(self, conn, data):
        try:
            message = decode(data, TO_TABLE)
        except UnknownKindError:
            if conn == self.conn:
                self._do("", data[2] | data[3] << 8, None)
            return
        except WireError:
            self.refused += 1
            return
        name = message.name
        if name == "RESUME":
            self._resume(conn, message)
        elif name == "PROOF":
            self._prove(conn, message)
        elif name == "ASK_HELLO":
            if conn == CABLE:  # over the air it would not fit, and `info` has it
                self._aside(conn, "HELLO", 0, self._host.hello())
        elif not self._may(conn, message):
            self._complain(message.kind)
            if conn == self.conn:
                self._do(name, message.seq, None, NOT_PAIRED)
            else:
                self._aside(conn, "RESULT", message.seq, {"status": NOT_PAIRED, "detail": 0})
        elif conn == self.conn:
            self._heard = time.ticks_ms()
            self._understand(message)
        elif name == "PAIR" and conn == CABLE:
            status, detail = self._desk.do(name, message.seq, message.fields)
            self._aside(conn, "RESULT", message.seq, {"status": status, "detail": detail})
            if status == DONE and self.conn is not None:  # it has not got the new key
                self._link.drop(self.conn)
                self.conn = None
        self._wake.set()

    def _may(self, conn, message):
        """Whether this command may be done for whoever is at this connection."""
        name = message.name
        if name == "PAIR":
            # Who holds the device in their hands, and the cable, has the last word: a key may be lost.
            return conn == CABLE or not self._pairing.paired or (self.proved and conn == self.conn)
        if name == "RESTART" and self._host.mode and not self._pairing.paired:
            return True  # nothing is lost by leaving safe mode, and nobody has a key that could be asked for
        return name not in _HARMFUL or (self.proved and conn == self.conn)

    def _complain(self, kind):
        if self._beats - self._complained >= COMPLAINT_BEATS:
            self._complained = self._beats
            self.report("ACCESS_REFUSED", {"command": kind})

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
            self._do(message.name, message.seq, message.fields)

    def _do(self, name, number, fields, status=DONE):
        """Does a command of this session, unless `status` says why not, and answers."""
        self._heard = time.ticks_ms()
        status, detail = self._desk.handle(name, number, fields, status)
        self._answer("RESULT", number, {"status": status, "detail": detail})
        self._wake.set()

    def _resume(self, conn, message):
        if not self._pairing.paired:
            self._take_up(conn, message, False)
            return
        nonce = self._pairing.nonce()
        if nonce is None:
            return  # without chance no proof would be one; the companion tries again
        self._challenges[conn] = (nonce, message)
        self._aside(conn, "CHALLENGE", 0, {"nonce": nonce})

    def _prove(self, conn, message):
        nonce, resume = self._challenges.pop(conn, (None, None))  # a nonce serves once
        if nonce is None or not self._pairing.paired:
            return
        nonces = nonce + message.fields["nonce"]
        numbers = self._host.boot_id, resume.fields["companion_id"]
        if not same(self._pairing.proof(b"companion", nonces, *numbers), message.fields["proof"]):
            self._complain(message.kind)
            self._aside(conn, "REFUSED", 0, {"reason": REFUSED_WRONG_PROOF})
            return
        self._take_up(conn, resume, True, self._pairing.proof(b"device", nonces, *numbers))

    def _take_up(self, conn, message, proved, proof=b""):
        """A companion may have the session; `message` is its RESUME."""
        fields = message.fields
        now = time.ticks_ms()
        if self.conn is not None and self.conn != conn:
            silent = time.ticks_diff(now, self._heard) > SILENCE_MS
            if not silent and fields["companion_id"] != self._companion_id:
                self._aside(conn, "BUSY", 0, {"retry_after": SILENCE_MS // 1000})
                return
            self._link.drop(self.conn)
        self._forget(conn)
        self.conn = conn
        self.proved = proved
        self._companion_id = fields["companion_id"]
        self._heard = now
        self._failing = False
        self._pace = 0
        self._desk.open(self._companion_id, message.seq)
        outbox = self._outbox
        last = fields["last_seq"]
        self._answers = []
        self._snapshot = []
        self._snapshot_due = True
        self._telemetry_due = True
        self._log.stop()
        if proved:
            self._answer("PROVED", 0, {"proof": proof})
        boot_id = self._host.boot_id
        if fields["boot_id"] == boot_id and distance(outbox.newest, last) >= 0:
            outbox.acknowledge(last)
            self._next_event = (last + 1) & 0xFFFF
            numbers = {"boot_id": boot_id, "oldest": outbox.oldest, "newest": outbox.newest}
            self._answer("RESUMED", 0, numbers)
        else:
            self._next_event = outbox.oldest
            numbers = {"boot_id": boot_id, "oldest": outbox.oldest, "newest": outbox.newest}
            numbers["reset_cause"] = self._host.reset_cause
            self._answer("NEW_BOOT", 0, numbers)

    def pairing_changed(self, paired):
        """The key is another one: whoever has sent it has it, and challenges under the old one are void."""
        self._challenges.clear()
        self.proved = paired

    def _forget(self, conn):
        self._unresumed.pop(conn, None)
        self._challenges.pop(conn, None)
        self._asides.forget(conn)

    def _answer(self, name, ref, fields):
        if len(self._answers) >= MOST_ANSWERS:
            self._answers.pop(0)  # its command will be repeated
        self._answers.append(encode(name, self._outbox.newest, ref, fields))

    def _aside(self, conn, name, ref, fields):
        self._asides.add(conn, encode(name, self._outbox.newest, ref, fields))

    def _due(self):
        """The part and the packet that are to be sent next; (0, None) when nothing is."""
        outbox = self._outbox
        host = self._host
        if self._answers:
            return _ANSWER, self._answers[0]
        if self._snapshot:
            return _SNAPSHOT, self._snapshot[0]
        lost = distance(outbox.oldest, self._next_event)
        if lost > 0:
            return _GAP, encode("GAP", outbox.newest, 0, {"first": self._next_event, "lost": lost})
        packet = outbox.packet(self._next_event, distance(self._ever_sent, self._next_event) >= 0)
        if packet is not None:
            return _EVENT, packet
        if self._snapshot_due and self._begin_snapshot():
            return _SNAPSHOT, self._snapshot[0]
        if self._heartbeat_due:
            return _HEARTBEAT, encode("HEARTBEAT", outbox.newest, 0, host.status())
        if self._telemetry_due:
            return _TELEMETRY, encode("TELEMETRY", outbox.newest, 0, host.telemetry())
        if self._health_due:
            fields = host.next_health()
            if fields is not None:
                return _HEALTH, encode("SOCKET_HEALTH", outbox.newest, 0, fields)
            self._health_due = False
        fields = self._log.fields()
        if fields is not None:
            return _LOG, encode("LOG_TEXT", outbox.newest, 0, fields)
        return 0, None

    def _begin_snapshot(self):
        parts = self._host.snapshot()
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
        elif part == _HEARTBEAT:
            self._heartbeat_due = False
        elif part == _TELEMETRY:
            self._telemetry_due = False
        elif part == _HEALTH:
            self._health_due = False
        else:
            self._log.sent()

    def _failed(self, lost):
        """A notification was not taken; `lost` when the stack says that the connection has ended."""
        now = time.ticks_ms()
        if not self._failing:
            self._failing = True
            self._failing_since = now
        if lost or time.ticks_diff(now, self._failing_since) > HOPELESS_MS:
            self._link.drop(self.conn)
            self.conn = None
