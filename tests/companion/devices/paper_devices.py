"""Devices on paper, for tests of the companion's half alone: they speak the protocol as docs/protocol.md has it, over
`paper_radio` and over real pseudo-terminals. The firmware's own half is tested where it really runs."""

import asyncio
import hashlib
import hmac
import os
import tty

from shared_rules.wire.message_table import TO_TABLE
from shared_rules.wire.messages import (
    HANDHELD_DIE,
    NOT_PAIRED,
    TABLE_CONTROLLER,
    TABLE_DIE,
    decode,
    encode,
)
from shared_rules.wire.serial_frames import FrameReader, encode_frame

TABLE, DIE, RING = TABLE_CONTROLLER, HANDHELD_DIE, TABLE_DIE
HARMFUL = ("PAIR", "UNPAIR", "CALIBRATE_DIE", "RESTART")


class PaperDevice:
    """`id` in hex. `report` numbers an event and keeps it until it is acknowledged; `commands` are those that were
    carried out, in order; `statuses` what a command is answered with; `silent` says nothing
    more, not even heartbeats; `proofs` how often a companion has proved itself."""

    def __init__(self, device_id, kind=TABLE, *, key=b"", boot=77, faces=None):
        self.id, self.kind, self.key, self.boot = device_id, kind, key, boot
        self.sockets, self.leds = (32, 64) if kind == TABLE else (0, 12)
        self.faces = 12 if faces is None else faces
        self.tags, self.die_state = {}, 0
        self.events, self.newest = {}, 0
        self.commands, self.numbers, self.statuses, self.results = [], [], {}, {}
        self.acked = 0
        self.silent = self.deaf = False
        self.lost_results = 0
        self.log = ""
        self.speak = None
        self.resumed = self.proved = False
        self.nonce = bytes(range(12))
        self.companion_id = 0
        self.proves_wrongly = False
        self.resumes = self.proofs = 0

    def hello(self):
        return encode(
            "HELLO",
            self.newest & 0xFFFF,
            0,
            {
                "device_id": bytes.fromhex(self.id),
                "boot_id": self.boot,
                "protocol_minor": 1,
                "firmware_major": 0,
                "firmware_minor": 2,
                "firmware_patch": 0,
                "reset_cause": 1,
                "sockets": self.sockets,
                "leds": self.leds,
                "die_faces": self.faces,
                "device_kind": self.kind,
                "paired": int(bool(self.key)),
                "mode": 0,
            },
        )

    def say(self, name, fields=None, seq=None, ref=0):
        if self.speak is not None and not self.silent:
            self.speak(encode(name, (self.newest if seq is None else seq) & 0xFFFF, ref, fields or {}))

    def report(self, name, fields, ref=0):
        self.newest += 1
        self.events[self.newest] = (name, fields, ref)
        if self.resumed:
            self.say(name, fields, self.newest, ref)

    def place(self, uid, socket):
        for other, where in list(self.tags.items()):
            if other == uid:
                self.lift(uid, where)
        self.tags[uid] = socket
        self.report("TAG_APPEARED", {"socket": socket, "uid": bytes.fromhex(uid)})

    def lift(self, uid, socket):
        del self.tags[uid]
        self.report("TAG_GONE", {"socket": socket, "uid": bytes.fromhex(uid)})

    def roll(self, face, map_id, value, ref=None):
        """A throw that answers the newest invitation, or `ref`."""
        if ref is None:
            done = zip(self.numbers, self.commands, strict=True)
            ref = max((number for number, (name, _) in done if name == "ARM_DIE"), default=0)
        self.report("ROLL_STARTED", {"roll": 1, "map_id": map_id}, ref)
        self.report(
            "ROLL_SETTLED",
            {
                "roll": 1,
                "face": face,
                "map_id": map_id,
                "value": value,
                "tumbles": 9,
                "duration": 900,
                "digest": 0xBEEF,
            },
            ref,
        )

    def gone(self, speak):
        """A way to it has ended; another one may be in use by now."""
        if self.speak == speak:
            self.speak, self.resumed, self.proved = None, False, False

    def hear(self, packet, speak):
        """`speak` is the way back."""
        if self.deaf:
            return
        message = decode(packet, TO_TABLE)
        name, fields = message.name, message.fields
        if name == "ASK_HELLO":
            speak(self.hello())
        elif name == "RESUME":
            if fields["companion_id"] != self.companion_id:
                self.results = {}
            self.companion_id, self.asked = fields["companion_id"], fields
            self.resumes += 1
            self.speak, self.resumed, self.proved = speak, False, False
            if self.key:
                self.say("CHALLENGE", {"nonce": self.nonce})
            else:
                self._go_on()
        elif name == "PROOF":
            if fields["proof"] != self._proof(b"companion", fields["nonce"]):
                self.say("REFUSED", {"reason": 1})
                return
            self.proved = True
            self.proofs += 1
            mine = bytes(12) if self.proves_wrongly else self._proof(b"device", fields["nonce"])
            self.say("PROVED", {"proof": mine})
            self._go_on()
        elif name == "ACK":
            self.acked = max(self.acked, self._whole(message.ref))
            self.events = {seq: row for seq, row in self.events.items() if seq > self.acked}
        elif name == "REPLAY":
            self._send_from(self._whole(fields["from_seq"]))
        elif name == "ASK_SNAPSHOT":
            self._snapshot()
        else:
            self._command(message)

    def beat(self):
        if self.resumed:
            self.say("HEARTBEAT", {"uptime": 9, "heap_free": 40000, "waiting": len(self.events), "sweep": 400})

    def _whole(self, seq):
        return next(n for n in range(self.newest + 1, -1, -1) if n & 0xFFFF == seq)

    def _proof(self, who, nonce):
        ids = self.boot.to_bytes(4, "little") + self.companion_id.to_bytes(4, "little")
        return hmac.new(self.key, who + self.nonce + nonce + ids, hashlib.sha256).digest()[:12]

    def _go_on(self):
        known = self.asked["boot_id"] == self.boot
        last = self._whole(self.asked["last_seq"]) if known else 0
        oldest = min(self.events, default=self.newest + 1) & 0xFFFF
        fields = {"boot_id": self.boot, "oldest": oldest, "newest": self.newest & 0xFFFF}
        self.resumed = True
        if known:
            self.say("RESUMED", fields)
        else:
            self.say("NEW_BOOT", {**fields, "reset_cause": 1})
        self._send_from(last + 1)
        self._snapshot()

    def _send_from(self, first):
        for seq, (name, fields, ref) in sorted(self.events.items()):
            if seq >= first:
                self.say(name, fields, seq, ref)

    def _snapshot(self):
        self.say("SNAPSHOT_BEGIN", {"tags": len(self.tags), "troubles": 0})
        for uid, socket in self.tags.items():
            self.say("SNAPSHOT_TAG", {"socket": socket, "uid": bytes.fromhex(uid)})
        self.say("SNAPSHOT_DIE", {"state": self.die_state, "face": 0, "map_id": 0, "roll": 0})
        self.say("SNAPSHOT_END", {"tags": len(self.tags), "troubles": 0})

    def _command(self, message):
        name, fields = message.name, message.fields
        if message.seq in self.results:
            self.say("RESULT", {"status": self.results[message.seq], "detail": 0}, ref=message.seq)
            return
        status = self.statuses.get(name, 0)
        in_hand = name == "PAIR" and isinstance(getattr(self.speak, "__self__", None), PaperCable)
        if name in HARMFUL and self.key and not self.proved and not in_hand:
            status = NOT_PAIRED
        if status == 0:
            self.commands.append((name, fields))
            self.numbers.append(message.seq)
            if name == "PAIR":
                self.key, self.proved = bytes(fields["key"]), True
            elif name == "UNPAIR":
                self.key = b""
        self.results[message.seq] = status
        if self.lost_results:
            self.lost_results -= 1
            return
        self.say("RESULT", {"status": status, "detail": 0}, ref=message.seq)
        if name == "READ_LOG":
            for at in range(fields["offset"], len(self.log), 9):
                self.say("LOG_TEXT", {"offset": at, "text": self.log[at : at + 9]})
            self.say("LOG_TEXT", {"offset": len(self.log), "text": ""})

    def did(self, name):
        """The fields of all commands of this name."""
        return [fields for done, fields in self.commands if done == name]


class PaperCable:
    """A device at the other end of a real pseudo-terminal; `path` is the companion's end."""

    def __init__(self, device, link):
        self.device, self.path = device, str(link)
        self._link = link
        self._master = None
        self._reader = FrameReader()

    def plug(self):
        master, slave = os.openpty()
        name = os.ttyname(slave)
        tty.setraw(master)
        tty.setraw(slave)
        self._slave = slave
        self._master = master
        os.set_blocking(master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(name)
        asyncio.get_running_loop().add_reader(master, self._readable)

    def write(self, packet):
        if self._master is not None:
            os.write(self._master, encode_frame(packet))

    def noise(self, data):
        os.write(self._master, data)

    def pull(self):
        if self._master is None:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = None
        self.device.gone(self.write)

    def _readable(self):
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return
        for packet in self._reader.feed(data):
            self.device.hear(bytes(packet), self.write)


def table_of(number):
    return PaperDevice(f"0000000000{number:02x}")


def dice(*names):
    return [PaperDevice(f"d1ce000000{name:02x}", DIE) for name in names]
