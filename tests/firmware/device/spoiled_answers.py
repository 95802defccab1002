"""What a poll makes of answers and chips that are not as they should be."""

import asyncio
import time

from answer import answer
from tag_field import FieldBus, Tag

from firmware.drivers.mfrc522 import Mfrc522

time.drive_asyncio()
UID = b"\x04\x11\x22\x33\x44\x55\x66"
results = {}


async def poll(name, change, tag=None):
    bus = FieldBus([tag or Tag(UID)])
    reader = Mfrc522(bus, 0)
    assert await reader.start()
    change(bus)
    found = []
    result = await reader.poll(found)
    results[name] = [result, len(found)]
    return bus, reader


def spoil(count):
    def change(bus):
        bus.spoil = count

    return change


def empty(bus):
    bus.empty_answers = 40


def kill(bus):
    bus.dead = True


async def main():
    await poll("spoiled request", spoil(1))
    await poll("spoiled once", spoil(2))
    await poll("spoiled for ever", spoil(1000))
    await poll("empty answer", empty)
    await poll("does not halt", spoil(0), Tag(UID, keeps_halt=False))
    await poll("dead later", kill)
    results["dead later"] = results["dead later"][0]
    bus = FieldBus()
    bus.dead = True
    results["dead at start"] = await Mfrc522(bus, 0).start()

    bus, reader = await poll("forgot its set-up", lambda bus: bus.reset())
    found = []
    again = await reader.start()
    results["set up again"] = [again, await reader.poll(found), len(found)]


async def forget():
    bus = FieldBus([Tag(UID)])
    reader = Mfrc522(bus, 0)
    await reader.start()
    bus.reset()
    results["forgot its set-up"] = await reader.poll([])


asyncio.run(main())
asyncio.run(forget())
answer(results)
