"""Dialogues with companions that say absurd things, come at the worst moment, or are silent until clocks wrap."""

import asyncio
import time

from dialogue_rig import BOOT, OTHER_KEY, pair, prove, tell

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link import session as session_module
from firmware.device_link.links import CABLE
from firmware.device_link.outbox import Outbox
from shared_rules.wire.messages import checksum, encode

JUMP = 1 << 28  # ms; the ticks wrap after four of these


class Later:
    """The session's clock: that of the event loop, and days ahead of it."""

    ahead = 0
    ticks_add = staticmethod(time.ticks_add)
    ticks_diff = staticmethod(time.ticks_diff)

    @staticmethod
    def ticks_ms():
        return time.ticks_add(time.ticks_ms(), Later.ahead)


session_module.time = Later


async def days(jumps):
    """Days in which nothing comes."""
    for _ in range(jumps):
        Later.ahead = (Later.ahead + JUMP) & ((1 << 30) - 1)
        await asyncio.sleep_ms(1100)


async def absurd_resumes(rig):
    for _ in range(5):
        rig.event()
    told = []
    for boot in (BOOT, 0, 0xFFFFFFFF):
        for last in (6, 7, 517, 518, 32772, 32773, 32774, 65530, 65535):
            rig.resume(boot, last)
            heard = await rig.heard(30)
            told.append([heard[0], [text for text in heard if text[0].isdigit()], rig.outbox.waiting])
            rig.link.put(GONE, 0)
            await rig.heard()
    rig.resume(BOOT, 2)
    return [told, await rig.heard(30), rig.outbox.waiting]


async def taken_over_in_mid_replay(rig):
    for _ in range(200):
        rig.event()
    rig.link.spacing = 20
    rig.resume(companion=9)
    first = await rig.heard(2000)
    got = [int(text) for text in first if text.isdigit()]
    rig.resume(BOOT, 30, companion=9, conn=1)
    second = [text for text in await rig.heard(60000, conn=1) if text[0].isdigit()]
    late = await rig.heard()
    first_half = [text for text in second if text.endswith("*")]
    numbers = [int(text.rstrip("*")) for text in second]
    return [numbers == list(range(31, 201)), int(first_half[-1][:-1]) == got[-1], late, rig.link.dropped]


async def tags_move_during_a_snapshot(rig):
    def snapshot():
        counts = {"tags": 20, "troubles": 0}
        tags = [("SNAPSHOT_TAG", {"socket": n, "uid": bytes((4, 1, 2, n))}) for n in range(20)]
        return [("SNAPSHOT_BEGIN", counts)] + tags + [("SNAPSHOT_END", counts)]

    rig.snapshot = snapshot
    rig.link.spacing = 20
    rig.resume()
    await asyncio.sleep_ms(400)
    rig.event()
    rig.write("ASK_SNAPSHOT")
    rig.event()
    return await rig.heard(10000)


async def silent_until_the_ticks_have_wrapped(rig):
    rig.resume(companion=9)
    await rig.heard()
    taken = []
    for n in range(6):
        await days(1 + n % 2)
        rig.resume(companion=10 + n, conn=1 + n)
        taken.append((await rig.heard(conn=1 + n))[:1])
    return taken


async def strangers_after_days(rig):
    await pair(rig)
    rig.link.put(CONNECTED, 1)
    told = []
    for _ in range(6):
        before = rig.outbox.newest
        rig.write("RESTART", 1, fields={"mode": 0}, conn=1)
        await asyncio.sleep_ms(10)
        told.append(rig.outbox.newest - before)
        await days(1)
        if len(told) == 3:
            await asyncio.sleep_ms(60000)
    return told


async def logs_and_offsets(rig):
    rig.resume()
    await rig.heard()
    told = []
    for number, offset in enumerate((0, 24, 25, 26, 65535)):
        rig.write("READ_LOG", 1 + number, fields={"offset": offset})
        told.append((await rig.heard(50))[1:])
    rig.write("READ_LOG", 41, fields={"offset": 0})
    rig.link.failing = 1
    rig.write("READ_LOG", 42, fields={"offset": 9})  # begun anew before the first was told
    told.append([text for text in await rig.heard(500) if ":" in text and not text.startswith("RESULT")])
    rig.write("READ_LOG", 43, fields={"offset": 0})
    rig.resume(conn=1)  # what was being told is not told to the next one
    told.append([text for text in await rig.heard(100, conn=1) if ":" in text])
    return told


async def commands_that_are_refused(rig):
    """Of a later version, or not allowed: their numbers are given all the same."""
    rig.resume(seq=0)
    await rig.heard()
    results = []
    for number in range(1, 301):
        if number % 3 == 0:
            packet = bytearray(encode("DISARM_DIE", number, 0))
            packet[1] = 0x3F
            crc = checksum(packet, len(packet) - 2)
            packet[-2:] = bytes((crc & 255, crc >> 8))
            rig.link.put(WRITTEN, 0, bytes(packet))
        elif number % 3 == 1:
            rig.write("SLEEP_DIE", number)
        else:
            rig.write("RESTART", number, fields={"mode": 0})
        results += [text.split(":")[1] for text in await rig.heard() if text.startswith("RESULT")]
    rig.write("IDENTIFY", 301, fields={"seconds": 5})
    return [sorted(set(results)), len(results), await rig.heard(), rig.done]


async def a_key_by_cable_in_mid_talk(rig):
    await pair(rig)
    for _ in range(100):
        rig.event()
    rig.link.spacing = 20
    rig.link.put(CONNECTED, CABLE)
    await asyncio.sleep_ms(300)
    rig.write("PAIR", 5, fields={"key": OTHER_KEY}, conn=CABLE)
    await asyncio.sleep_ms(1000)
    sent = len(await rig.heard())
    rig.write("IDENTIFY", 6, fields={"seconds": 5})  # whoever had the session has none
    rig.write("UNPAIR", 7)
    await asyncio.sleep_ms(1000)
    rig.write("RESUME", 0, 0, {"boot_id": 0, "last_seq": 0, "companion_id": 9}, CABLE)
    await rig.heard(200, conn=CABLE)
    told, right = await prove(rig, OTHER_KEY, CABLE)
    return [sent < 100, await rig.heard(), rig.done, right, rig.pairing.paired]


DIALOGUES = (
    absurd_resumes,
    taken_over_in_mid_replay,
    tags_move_during_a_snapshot,
    silent_until_the_ticks_have_wrapped,
    strangers_after_days,
    logs_and_offsets,
    commands_that_are_refused,
    a_key_by_cable_in_mid_talk,
)
asyncio.run(tell(DIALOGUES, lambda dialogue: Outbox()))
