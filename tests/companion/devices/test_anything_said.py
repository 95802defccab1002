"""A device may say anything that the wire lets through, in any order and at any time: the talk goes on, and its events
count, each once."""

import asyncio
import random

import pytest
from paper_companion import in_virtual_time, met
from paper_devices import DIE, TABLE, PaperDevice

from companion.devices import facts
from shared_rules.wire.message_table import TO_COMPANION, rows

HAVE_A_MEANING = ("NEW_BOOT", "RESUMED", "GAP")
"""It has started anew, or has lost events: that is to be believed."""


def anything(chance, fields):
    said = {}
    for what, kind, _unit, low, high in fields:
        if kind in ("u8", "u16", "u32"):
            said[what] = chance.choice((low, high, chance.randint(low, high)))
        elif kind == "uid":
            said[what] = chance.randbytes(chance.choice((4, 7, 8, 10)))
        elif kind == "id":
            said[what] = chance.randbytes(low)
        else:
            assert kind == "text"
            said[what] = "".join(chance.choice("a~ \n\\{<&") for _ in range(chance.randint(low, high)))
    return said


@pytest.mark.parametrize("kind", [TABLE, DIE])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_device_says_the_talk_goes_on(kind, seed, caplog):
    chance = random.Random(seed)
    kinds = [row for row in rows() if row[2] == TO_COMPANION and row[1] not in HAVE_A_MEANING]

    async def work():
        device = PaperDevice("00000000abcd", kind)
        async with met(device) as companion:
            reading = asyncio.create_task(companion.hub.read_log(device.id))
            for _ in range(600):
                row = chance.choice(kinds)
                fields = anything(chance, row[3])
                if row[0] >= 0x80:
                    device.report(row[1], fields, chance.choice((0, 1, 65535)))
                else:
                    seq = chance.choice((None, 0, 65535, chance.randrange(65536)))
                    device.say(row[1], fields, seq, chance.randrange(9))
                if chance.random() < 0.3:
                    await asyncio.sleep(chance.choice((0, 0.01, 0.3)))
                if chance.random() < 0.01:
                    companion.hub.notes()
                    companion.hub.devices()
            reading.cancel()
            device.silent = False
            device.report("TAG_APPEARED", {"socket": 5, "uid": b"\x04\xa1\xb2\xc3"})
            await companion.until(lambda: not device.events, 60)
            await companion.until_connected(device)
            state = companion.hub.devices()[0]
            return state.counters, device, companion.desk

    counters, device, desk = in_virtual_time(work)
    assert counters.get("losses", 0) == 0
    seqs = [fact.origin.seq for fact in desk.taken if not isinstance(fact, facts.EventsLost)]
    assert seqs == sorted(set(seqs))
    assert desk.of(facts.TagAppeared)[-1].uid == "04a1b2c3"
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
