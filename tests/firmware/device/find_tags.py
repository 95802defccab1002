"""For each case of (UIDs in hex, way of counting): what one poll finds, and what it cost."""

import asyncio
import binascii
import time

from answer import answer, question
from tag_field import FieldBus, Tag

from firmware.drivers.mfrc522 import Mfrc522

time.drive_asyncio()


async def find(uids, counting):
    bus = FieldBus([Tag(binascii.unhexlify(uid)) for uid in uids], counting)
    reader = Mfrc522(bus, 0)
    assert await reader.start()
    before = bus.transfers
    found = []
    first = await reader.poll(found)
    cost = bus.transfers - before
    once = sorted([binascii.hexlify(uid).decode() for uid in found])
    second = await reader.poll(found)
    again = sorted([binascii.hexlify(uid).decode() for uid in found])
    assert bus.registers[0x14] & 3 == 0, "the field stays on"
    return {"result": first, "uids": once, "again": [second, again], "transfers": cost}


answer([asyncio.run(find(uids, counting)) for uids, counting in question()])
