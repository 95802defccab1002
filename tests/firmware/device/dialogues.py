"""Dialogues between a session and companions over a link of lists; tells what each companion received."""

import asyncio
import time

from answer import answer

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.command_desk import CommandDesk
from firmware.device_link.outbox import Outbox
from firmware.device_link.session import Session
from shared_rules.wire.messages import DONE, TO_COMPANION, checksum, decode, encode

time.drive_asyncio()
BOOT = 4711


class Link:
    def __init__(self):
        self.coming = []
        self.came = asyncio.Event()
        self.received = []
        self.dropped = []
        self.failing = 0
        self.tries = 0

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
        if self.failing:
            self.failing -= 1
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
        handlers = {"IDENTIFY": self.identify}
        self.session = Session(
            self.link, self.outbox, CommandDesk(handlers), BOOT, 1, self.snapshot, self.status
        )
        work = (self.session.receive(), self.session.send(), self.session.beat())
        self.tasks = [asyncio.create_task(part) for part in work]

    def identify(self, fields, number):
        self.done.append(number)
        return DONE, 0

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
            if to != conn or (message.name == "HEARTBEAT" and not beats):
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
    ):
        outbox = Outbox(4 if dialogue is overflow else 512)
        if dialogue is numbers_wrap:
            outbox.newest = 65533
        rig = Rig(outbox)
        results[dialogue.__name__] = await dialogue(rig)
        rig.end()
        await asyncio.sleep_ms(0)
    answer(results)


asyncio.run(main())
