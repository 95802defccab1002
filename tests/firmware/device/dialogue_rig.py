"""A session over a link of lists, for dialogues: what each companion wrote and received."""

import asyncio
import os
import time

from answer import answer, question

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.command_desk import CommandDesk
from firmware.device_link.outbox import Outbox
from firmware.device_link.pairing import Pairing
from firmware.device_link.session import Session
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import DONE, decode, encode

time.drive_asyncio()
os.chdir(question())
BOOT = 4711
KEY = bytes(range(16))
OTHER_KEY = bytes(range(1, 17))


class Link:
    def __init__(self):
        self.coming = []
        self.came = asyncio.Event()
        self.received = []
        self.dropped = []
        self.failing = 0
        self.tries = 0
        self.spacing = 0  # a radio that has no room when it is used again before this many ms
        self.used = -1000
        self.lost = False
        self.deaf = ()  # connections to which nothing passes
        self.sources = (self,)

    async def next(self):
        while not self.coming:
            self.came.clear()
            await self.came.wait()
        return self.coming.pop(0)

    def put(self, what, conn, data=b""):
        self.coming.append((what, conn, data))
        self.came.set()

    def notify(self, conn, packet):
        self.tries += 1
        if self.lost:
            return None
        if conn in self.deaf:
            return False
        if self.failing:
            self.failing -= 1
            return False
        if self.spacing:
            since = time.elapsed() - self.used
            self.used = time.elapsed()
            if since < self.spacing:
                return False
        self.received.append((conn, packet))
        return True

    def drop(self, conn):
        self.dropped.append(conn)
        self.put(GONE, conn)


class Rig:
    def __init__(self, outbox):
        self.link = Link()
        self.outbox = outbox
        self.done = []
        self.ready = True
        self.radio = True
        self.health = None
        self.boot_id = BOOT
        self.reset_cause = 1
        self.mode = 0
        self.pairing = Pairing(lambda: self.radio)
        handlers = {
            "IDENTIFY": self.identify,
            "PAIR": lambda f, n: self.keyed(self.pairing.pair(f["key"])),
            "UNPAIR": lambda f, n: self.keyed(self.pairing.pair(b"")),
            "RESTART": self.identify,
            "READ_LOG": self.read_log,
        }
        self.session = Session(self.link, self.outbox, CommandDesk(handlers), self.pairing, self)
        work = (self.session.receive(self.link), self.session.send(), self.session.beat())
        self.tasks = [asyncio.create_task(part) for part in work]

    def identify(self, fields, number):
        self.done.append(number)
        return DONE, 0

    def keyed(self, done):
        self.session.pairing_changed(self.pairing.paired)
        return DONE, 0

    def read_log(self, fields, number):
        self.session.send_log(b"what went wrong\nand where", fields["offset"])
        return DONE, 0

    def hello(self):
        return {
            "device_id": b"\x01\x02\x03\x04\x05\x06",
            "boot_id": BOOT,
            "protocol_minor": 1,
            "firmware_major": 0,
            "firmware_minor": 1,
            "firmware_patch": 0,
            "reset_cause": 1,
            "sockets": 2,
            "leds": 0,
            "die_faces": 0,
        }

    def telemetry(self):
        return {"heap_low": 1, "loop_worst": 2, "lost_writes": 3, "faults": 4, "battery": 255, "millivolts": 0}

    def next_health(self):
        return self.health

    def snapshot(self):
        if not self.ready:
            return None
        counts = {"tags": 1, "troubles": 0}
        tag = {"socket": 3, "uid": b"\x04\x01\x02\x03"}
        die = {"state": 0, "face": 0, "map_id": 0, "roll": 0}
        return [("SNAPSHOT_BEGIN", counts), ("SNAPSHOT_TAG", tag), ("SNAPSHOT_DIE", die), ("SNAPSHOT_END", counts)]

    def status(self):
        return {"uptime": 1, "heap_free": 2, "waiting": self.outbox.waiting, "sweep": 3}

    def event(self, socket=1):
        self.session.report("SEVERAL_RESOLVED", {"socket": socket})

    def write(self, name, seq=0, ref=0, fields=None, conn=0):
        self.link.put(WRITTEN, conn, encode(name, seq, ref, fields))

    def resume(self, boot=0, last=0, companion=9, conn=0, seq=0, connect=True):
        if connect:
            self.link.put(CONNECTED, conn)
        self.write("RESUME", seq, 0, {"boot_id": boot, "last_seq": last, "companion_id": companion}, conn)

    async def heard(self, ms=10, conn=0, beats=False):
        """What came since the last call, shortly: names, event numbers, * for a replay."""
        await asyncio.sleep_ms(ms)
        out = []
        for to, packet in self.link.received:
            message = decode(packet, TO_COMPANION)
            if to != conn or (message.name in ("HEARTBEAT", "TELEMETRY", "SOCKET_HEALTH") and not beats):
                continue
            text = message.name
            if message.is_event:
                text = str(message.seq) + ("*" if message.replayed else "")
            elif text == "RESULT":
                text = f"RESULT {message.ref}:{message.fields['status']}"
            elif text == "GAP":
                text = f"GAP {message.fields['first']}+{message.fields['lost']}"
            elif text == "HEARTBEAT":
                text = f"HEARTBEAT {message.seq}"
            elif text == "CHALLENGE":
                self.nonce = message.fields["nonce"]
            elif text == "PROVED":
                self.proof = message.fields["proof"]
            elif text == "LOG_TEXT":
                text = f"{message.fields['offset']}:{message.fields['text']}"
            if not text.startswith("SNAPSHOT") or text == "SNAPSHOT_END":
                out.append(text)
        self.link.received = [entry for entry in self.link.received if entry[0] != conn]
        return out

    def end(self):
        for task in self.tasks:
            task.cancel()


async def pair(rig, key=KEY, conn=0):
    rig.resume(conn=conn)
    await rig.heard(conn=conn)
    rig.write("PAIR", 1, fields={"key": key}, conn=conn)
    return await rig.heard(conn=conn)


async def prove(rig, key=KEY, conn=0, companion=9, nonce=None, maker=b"companion"):
    """Answers the challenge; what came of it, and whether the device's own proof was right."""
    mine = bytes(range(50, 62))
    judge = Pairing(None)
    judge._key = key
    numbers = (rig.nonce if nonce is None else nonce) + mine, BOOT, companion
    rig.write("PROOF", fields={"nonce": mine, "proof": judge.proof(maker, *numbers)}, conn=conn)
    told = await rig.heard(conn=conn)
    return told, "PROVED" in told and rig.proof == judge.proof(b"device", *numbers)


async def tell(dialogues, prepare=None):
    """Plays each dialogue with a session of its own; prints what came of them, by name."""
    results = {}
    for dialogue in dialogues:
        outbox = prepare(dialogue) if prepare else Outbox()
        rig = Rig(outbox)
        results[dialogue.__name__] = await dialogue(rig)
        rig.end()
        rig.pairing.pair(b"")
        await asyncio.sleep_ms(0)
    answer(results)
