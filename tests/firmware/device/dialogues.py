"""Dialogues between a session and companions: what each of them received."""

import asyncio
import time

from dialogue_rig import BOOT, tell

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.outbox import Outbox
from shared_rules.wire.messages import checksum, encode


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
    unknown = bytearray(encode("DISARM_DIE", 7, 0))
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
    return [told, rig.done]


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


def outbox_for(dialogue):
    """A small one for the overflow, one that is about to wrap for the numbers."""
    outbox = Outbox(4 if dialogue is overflow else 512)
    if dialogue is numbers_wrap:
        outbox.newest = 65533
    return outbox


DIALOGUES = (
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
)
asyncio.run(tell(DIALOGUES, outbox_for))
