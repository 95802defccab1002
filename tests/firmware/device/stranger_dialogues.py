"""Dialogues of a paired device with its companion and with strangers."""

import asyncio

from dialogue_rig import BOOT, KEY, OTHER_KEY, pair, prove, tell

from firmware.device_link import CONNECTED, GONE
from firmware.device_link.links import CABLE


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
    return [results, rig.done]


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
    return [results, rig.done]


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


DIALOGUES = (
    harm_by_strangers,
    pairing_and_proof,
    wrong_proofs,
    lost_key,
    challenges_end_with_their_connection,
    stranger_out_of_range,
    a_lost_goodbye,
    commands_that_never_arrived,
)
asyncio.run(tell(DIALOGUES))
