"""Dialogues between a session and companions over a link of lists; tells what each companion received."""

import asyncio
import os
import time

from answer import answer, question

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.command_desk import CommandDesk
from firmware.device_link.links import CABLE
from firmware.device_link.outbox import Outbox
from firmware.device_link.pairing import Pairing
from firmware.device_link.session import Session
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import DONE, checksum, decode, encode

time.drive_asyncio()
os.chdir(question())
BOOT = 4711


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
        self.pairing = Pairing(lambda: self.radio)
        handlers = {
            "IDENTIFY": self.identify,
            "PAIR": lambda f, n: self.keyed(self.pairing.pair(f["key"])),
            "UNPAIR": lambda f, n: self.keyed(self.pairing.unpair()),
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


async def first_connection(rig):
    rig.event()
    rig.link.put(CONNECTED, 0)
    before = await rig.heard(3000, beats=True)
    rig.resume(connect=False)
    after = await rig.heard()
    rig.event()
    live = await rig.heard()
    rig.write("ACK", ref=2)
    await rig.heard()
    return [before, after, live, rig.outbox.waiting, await rig.heard(2500, beats=True)]


async def drop_in_mid_roll(rig):
    rig.resume()
    rig.event()
    first = await rig.heard()
    rig.link.put(GONE, 0)
    await rig.heard()
    rig.event()
    rig.resume(BOOT, 1)
    return [first, await rig.heard()]


async def lost_acknowledgements(rig):
    rig.resume()
    for _ in range(3):
        rig.event()
    first = await rig.heard()
    rig.link.put(GONE, 0)
    rig.resume(BOOT, 1, conn=1)
    second = await rig.heard(conn=1)
    rig.write("REPLAY", fields={"from_seq": 2}, conn=1)
    third = await rig.heard(conn=1)
    return [first, second, third]


async def overflow(rig):
    rig.resume()
    rig.event()
    await rig.heard()
    rig.write("ACK", ref=1)
    rig.link.put(GONE, 0)
    await rig.heard()
    for _ in range(10):
        rig.event()
    rig.resume(BOOT, 1)
    same = await rig.heard()
    rig.link.put(GONE, 0)
    rig.resume(1, 1)
    return [same, await rig.heard()]


async def failing_notifications(rig):
    rig.resume()
    await rig.heard()
    rig.link.tries = 0
    rig.link.failing = 7
    for _ in range(200):
        rig.event()
    told = await rig.heard(2000)
    return [len(told), told == [str(n + 1) for n in range(200)], rig.link.tries, rig.session.conn]


async def hopeless_link(rig):
    rig.resume()
    await rig.heard()
    rig.link.failing = 100000
    rig.event()
    await rig.heard(7000)
    rig.link.failing = 0
    rig.resume(BOOT, 0, conn=1)
    return [rig.link.dropped, await rig.heard(conn=1)]


async def rubbish(rig):
    rig.resume()
    rig.event()
    rig.event()
    await rig.heard()
    packet = encode("IDENTIFY", 1, 0, {"seconds": 5})
    for at in range(len(packet) * 8):
        bad = bytearray(packet)
        bad[at >> 3] ^= 1 << (at & 7)
        rig.link.put(WRITTEN, 0, bytes(bad))
    for length in range(len(packet)):
        rig.link.put(WRITTEN, 0, packet[:length])
    rig.link.put(WRITTEN, 0, bytes(120))
    forged = encode("ROLL_STARTED", 3, 0, {"roll": 1, "map_id": 1})
    rig.link.put(WRITTEN, 0, forged)
    quiet = await rig.heard(200)
    refused = rig.session.refused
    rig.write("ACK", ref=3)  # not sent yet
    rig.write("ACK", ref=40000)
    rig.write("REPLAY", fields={"from_seq": 9})
    rig.write("REPLAY", fields={"from_seq": 40000})
    after = await rig.heard()
    unknown = bytearray(encode("DISARM_DIE", 77, 0))
    unknown[1] = 0x3F
    crc = checksum(unknown, len(unknown) - 2)
    unknown[-2:] = bytes((crc & 255, crc >> 8))
    rig.link.put(WRITTEN, 0, bytes(unknown))
    asked = await rig.heard()
    return [quiet, refused, after, rig.session.refused - refused, rig.outbox.waiting, rig.done, asked]


async def commands_once(rig):
    rig.resume(seq=41)
    await rig.heard()
    rig.write("IDENTIFY", 42, fields={"seconds": 5})
    rig.write("IDENTIFY", 42, fields={"seconds": 5})
    first = await rig.heard()
    rig.link.put(GONE, 0)
    rig.resume(BOOT, 0, seq=42)
    rig.write("IDENTIFY", 42, fields={"seconds": 5})
    again = [text for text in await rig.heard() if text.startswith("RESULT")]
    for n in range(43, 53):
        rig.write("IDENTIFY", n, fields={"seconds": 5})
    await rig.heard()
    rig.write("IDENTIFY", 42, fields={"seconds": 5})  # too old to be known
    rig.write("IDENTIFY", 52 + 65, fields={"seconds": 5})  # too far ahead
    rig.write("ARM_DIE", 53, fields={"map_id": 1})  # this table has no die
    odd = await rig.heard()
    return [first, again, odd, rig.done]


async def early_commands(rig):
    rig.link.put(CONNECTED, 0)
    rig.write("IDENTIFY", 1, fields={"seconds": 5})
    rig.write("ACK", ref=0)
    told = await rig.heard(3000)
    return [told, rig.session.early, rig.done]


async def two_companions(rig):
    rig.resume(companion=9, conn=0)
    await rig.heard()
    rig.resume(companion=10, conn=1)
    refused = await rig.heard(conn=1)
    rig.event()
    first_goes_on = await rig.heard(conn=0)
    await asyncio.sleep_ms(4000)  # the first says nothing
    rig.resume(companion=10, conn=1, connect=False)
    taken = await rig.heard(conn=1)
    dropped = list(rig.link.dropped)
    rig.resume(companion=10, conn=2)  # the same one on a new connection
    return [refused, first_goes_on, taken, dropped, await rig.heard(conn=2), rig.link.dropped]


async def never_resumes(rig):
    rig.link.put(CONNECTED, 5)
    await rig.heard(20000)
    return rig.link.dropped


async def snapshot_waits(rig):
    rig.ready = False
    rig.resume()
    first = await rig.heard(1500)
    rig.event()
    rig.ready = True
    second = await rig.heard(1500)
    rig.write("ASK_SNAPSHOT")
    return [first, second, await rig.heard()]


async def numbers_wrap(rig):
    rig.resume(BOOT, 65533)
    for _ in range(5):
        rig.event()
    first = await rig.heard()
    rig.write("ACK", ref=1)
    await rig.heard()
    return [first, rig.outbox.waiting]


async def knows_too_much(rig):
    rig.event()
    rig.resume(BOOT, 30)  # no such event yet
    return await rig.heard()


KEY = bytes(range(16))
OTHER_KEY = bytes(range(1, 17))


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


async def pairing_and_proof(rig):
    paired = await pair(rig)
    rig.event()
    rig.write("ACK", ref=0)
    live = await rig.heard()
    rig.link.put(GONE, 0)
    rig.resume(BOOT, 0, conn=1, seq=1)
    rig.event()
    asked = await rig.heard(1500, conn=1, beats=True)  # nothing but the challenge before the proof
    proved = await prove(rig, conn=1)
    rig.write("RESTART", 2, fields={"mode": 0}, conn=1)
    restart = await rig.heard(conn=1)
    rig.write("UNPAIR", 3, conn=1)
    unpaired = await rig.heard(conn=1)
    rig.write("RESTART", 4, fields={"mode": 0}, conn=1)
    return [paired, live, asked, proved, restart, unpaired, await rig.heard(conn=1), rig.done, rig.pairing.paired]


async def wrong_proofs(rig):
    await pair(rig)
    rig.link.put(GONE, 0)
    results = []
    for key, maker, companion in ((OTHER_KEY, b"companion", 9), (KEY, b"device", 9), (KEY, b"companion", 10)):
        rig.resume(conn=1)
        await rig.heard(conn=1)
        results.append(await prove(rig, key, 1, companion, maker=maker))
    old = rig.nonce
    results.append(await prove(rig, conn=1))  # a second answer to a nonce that has served
    rig.resume(conn=1)
    await rig.heard(conn=1)
    results.append([old != rig.nonce, await prove(rig, conn=1, nonce=old)])
    rig.write("ACK", ref=0, conn=1)
    rig.write("IDENTIFY", 1, fields={"seconds": 5}, conn=1)
    results.append(await rig.heard(conn=1))
    rig.radio = False  # without noise no nonce, and no session
    rig.resume(conn=1)
    results.append(await rig.heard(conn=1))
    rig.radio = True
    rig.resume(conn=1)
    await rig.heard(conn=1)
    results.append(await prove(rig, conn=1))
    return [results, rig.session.strangers, rig.done]


async def harm_by_strangers(rig):
    rig.resume()
    await rig.heard()
    results = []
    rig.write("UNPAIR", 1)
    rig.write("RESTART", 2, fields={"mode": 0})
    rig.write("CALIBRATE_DIE", 3, fields={"action": 1})
    results.append(await rig.heard())
    rig.write("PAIR", 4, fields={"key": KEY})
    results.append(await rig.heard())
    rig.link.put(CONNECTED, 1)
    await asyncio.sleep_ms(2000)
    for n in range(700):
        rig.write("ACK", ref=rig.outbox.newest)
        rig.write("RESTART", n, fields={"mode": 1}, conn=1)
        await asyncio.sleep_ms(100)
    rig.write("PAIR", 9, fields={"key": OTHER_KEY}, conn=1)
    refused = await rig.heard(conn=1)
    results.append([len(refused) > 600, set(refused) == {f"RESULT {n}:5" for n in range(700)} | {"RESULT 9:5"}])
    rig.write("IDENTIFY", 6, fields={"seconds": 5})
    results.append(await rig.heard())
    rig.write("RESTART", 7, fields={"mode": 0})
    results.append(await rig.heard())
    return [results, rig.done, rig.session.strangers]


async def lost_key(rig):
    await pair(rig)
    first = rig.link.dropped
    rig.link.put(CONNECTED, CABLE)
    rig.write("RESUME", 0, 0, {"boot_id": 0, "last_seq": 0, "companion_id": 77}, CABLE)
    asked = await rig.heard(conn=CABLE)
    refused = await prove(rig, OTHER_KEY, CABLE, 77)
    rig.write("PAIR", 5, fields={"key": OTHER_KEY}, conn=CABLE)
    paired = await rig.heard(conn=CABLE)
    dropped = list(first)
    rig.write("RESUME", 0, 0, {"boot_id": 0, "last_seq": 0, "companion_id": 77}, CABLE)
    await rig.heard(conn=CABLE)
    proved = await prove(rig, OTHER_KEY, CABLE, 77)
    rig.write("ASK_HELLO", conn=CABLE)
    hello = await rig.heard(conn=CABLE)
    rig.link.put(CONNECTED, 1)
    rig.write("ASK_HELLO", conn=1)
    return [asked, refused, paired, dropped, proved, hello, await rig.heard(conn=1)]


async def challenges_end_with_their_connection(rig):
    await pair(rig)
    rig.link.put(GONE, 0)
    rig.resume(conn=1)
    await rig.heard(conn=1)
    rig.link.put(GONE, 1)
    rig.link.put(CONNECTED, 1)  # somebody else gets the same number
    told = await prove(rig, conn=1)
    rig.resume(conn=2)
    await rig.heard(conn=2)
    await rig.heard(20000, conn=2)
    return [told, rig.link.dropped, len(rig.session._challenges), len(rig.session._asides.waiting)]


async def reading_the_log(rig):
    rig.resume()
    await rig.heard()
    rig.write("READ_LOG", 1, fields={"offset": 0})
    whole = await rig.heard(50)
    rig.write("READ_LOG", 2, fields={"offset": 18})
    rest = await rig.heard(50)
    rig.write("READ_LOG", 3, fields={"offset": 900})
    return [whole, rest, await rig.heard(50)]


async def telling_how_it_is(rig):
    rig.health = {"socket": 1, "reader": 1, "version": 0x92, "state": 0, "polls": 9, "corrupt": 0, "restarts": 0}
    rig.health["crosstalk"] = 0
    rig.resume()
    first = await rig.heard(20, beats=True)
    for _ in range(25):
        await asyncio.sleep_ms(1000)
        rig.write("ACK", ref=0)
    told = await rig.heard(20, beats=True)
    counts = [len([t for t in told if t.startswith(n)]) for n in ("HEARTBEAT", "SOCKET_HEALTH", "TELEMETRY")]
    at = told.index("TELEMETRY")
    return [first, counts, [t.split(" ")[0] for t in told[at - 1 : at + 2]]]


async def slow_radio(rig):
    rig.resume()
    await rig.heard(1000)
    rig.link.spacing = 50
    for _ in range(200):
        rig.event()
    begun = time.elapsed()
    while rig.session._next_event <= 200:
        await asyncio.sleep_ms(10)
        rig.write("ACK", ref=0)
    burst = time.elapsed() - begun
    tries = rig.link.tries
    told = await rig.heard()
    worst = 0
    for _ in range(300):  # ten a second for half a minute
        rig.event()
        await asyncio.sleep_ms(100)
        worst = max(worst, rig.outbox.newest - rig.session._next_event + 1)
        rig.write("ACK", ref=rig.session._next_event - 1)
    await rig.heard(500)
    return [told == [str(n + 1) for n in range(200)], burst < 20000, tries < 260, worst, rig.outbox.waiting]


async def lost_link(rig):
    rig.resume()
    await rig.heard()
    rig.link.lost = True
    rig.event()
    await rig.heard(100)  # nobody has told the session that the connection is gone
    rig.link.lost = False
    gone = rig.session.conn
    rig.resume(BOOT, 0, conn=1)
    return [gone, rig.link.dropped, await rig.heard(conn=1)]


async def stranger_out_of_range(rig):
    """Somebody asks for harmful things and walks away: what is said to them passes no more."""
    rig.resume()
    await rig.heard()
    rig.link.put(CONNECTED, 1)
    rig.link.deaf = (1,)
    for n in range(8):
        rig.write("RESTART", n, fields={"mode": 1}, conn=1)
    rig.event()
    told = await rig.heard(1000)
    beats = []
    for _ in range(4):
        beats.append(len(await rig.heard(2500, beats=True)) >= 2)
    rig.link.deaf = ()
    return [told, beats, rig.session.conn, len(rig.session._asides.waiting)]


async def a_lost_goodbye(rig):
    """The number of a connection is given to somebody else, and nobody has told that the first one ended."""
    await pair(rig)
    rig.link.put(CONNECTED, 0)
    rig.write("RESTART", 2, fields={"mode": 0})
    rig.write("IDENTIFY", 3, fields={"seconds": 5})
    rig.event()
    return [await rig.heard(1500, beats=True), rig.done]


async def commands_that_never_arrived(rig):
    rig.resume(seq=1)
    rig.write("IDENTIFY", 2, fields={"seconds": 5})
    await rig.heard()
    for n in range(3, 200):  # each time the link breaks before the command has come
        rig.link.put(GONE, 0)
        rig.resume(BOOT, 0, seq=n)
        await rig.heard()
    rig.write("IDENTIFY", 199, fields={"seconds": 5})  # the last one comes again
    rig.write("IDENTIFY", 199, fields={"seconds": 5})
    rig.write("IDENTIFY", 200, fields={"seconds": 5})
    return [await rig.heard(), rig.done]


async def main():
    results = {}
    for dialogue in (
        first_connection,
        drop_in_mid_roll,
        lost_acknowledgements,
        failing_notifications,
        hopeless_link,
        rubbish,
        commands_once,
        early_commands,
        two_companions,
        never_resumes,
        snapshot_waits,
        numbers_wrap,
        knows_too_much,
        overflow,
        slow_radio,
        lost_link,
        reading_the_log,
        telling_how_it_is,
        harm_by_strangers,
        pairing_and_proof,
        wrong_proofs,
        lost_key,
        challenges_end_with_their_connection,
        stranger_out_of_range,
        a_lost_goodbye,
        commands_that_never_arrived,
    ):
        outbox = Outbox(4 if dialogue is overflow else 512)
        if dialogue is numbers_wrap:
            outbox.newest = 65533
        rig = Rig(outbox)
        results[dialogue.__name__] = await dialogue(rig)
        rig.end()
        rig.pairing.unpair()
        await asyncio.sleep_ms(0)
    answer(results)


asyncio.run(main())
