"""Answers by script to a PN5180's driver and to the reading of ISO/IEC 15693: tags, noise, and a chip that is not well.

The chip stands in for `ReaderBus` at the level of its frames; every read of its state is what the script says next.
"""

import asyncio
import time

from answer import answer

from firmware.drivers.iso14443a import COLLISION, CORRUPT, NO_END, OK, SILENCE, Answer
from firmware.drivers.iso15693 import read_vicinity
from firmware.drivers.pn5180 import Pn5180

time.drive_asyncio()
SILENT, BEGUN = 1 << 12, 1 << 14  # TIMER1, and an answer that never ends
UIDS = [bytes((0xE0, 4, 1, n, 0, 0, 0, n)) for n in range(24)]


def inventory(uid):
    return OK, b"\0\0" + bytes([uid[7 - i] for i in range(8)]), 0


class Reader:
    """Each exchange gets the next of `said`, then silence; a request to stay quiet gets silence and takes none."""

    def __init__(self, said):
        self._said = list(said)
        self.answer = Answer()
        self.asked = 0

    async def send_only_ends(self, only):
        return True

    async def exchange(self, frame):
        self.asked += 1
        if len(frame) == 10 and frame[1] == 2:
            return SILENCE
        status, data, collided = self._said.pop(0) if self._said else (SILENCE, b"", 0)
        self.answer.bytes = b"\0" + data + b"\0"
        self.answer.count = len(data)
        self.answer.collided = collided
        return status


async def inventories(said):
    """[result, how many tags, whether the requests had an end]."""
    tags = []
    reader = Reader(said)
    result = await read_vicinity(reader, tags)
    return [result, len(tags), reader.asked < 1000]


class Chip:
    """A PN5180 by its frames. `refuses`: the place of the frame from 0 that it does not take; `version`: what it says;
    `states`: what each look at its state gives, the last one for ever; `data`: what is read of an answer."""

    def __init__(self, refuses=-1, version=b"\x05\x03", states=(bytes(8),), data=b""):
        self._refuses = refuses
        self._version = version
        self._states = list(states)
        self._data = data
        self.sent = 0

    async def send(self, socket, frame):
        self.sent += 1
        return self.sent - 1 != self._refuses

    async def receive(self, socket, into):
        if len(into) == 2:
            into[:] = self._version
        elif len(into) == 8:
            into[:] = self._states.pop(0) if len(self._states) > 1 else self._states[0]
        elif self._data is None:
            return False
        else:
            into[:] = self._data[: len(into)]
        return True


def state(irq=0, count=0, rx=0, place=0):
    """Eight bytes: the interrupts, RX_STATUS with the count of bytes, errors, and the place of a collision."""
    return irq.to_bytes(4, "little") + (count | rx << 16 | place << 19).to_bytes(4, "little")


async def starts():
    """Whether it starts, by the frame that is not taken, the version, and an error it tells."""
    said = []
    for at in range(8):
        said.append(await Pn5180(Chip(at), 3).start())
    for version in (b"\0\0", b"\xff\xff"):
        said.append(await Pn5180(Chip(version=version), 3).start())
    said.append(await Pn5180(Chip(states=[state(1 << 17)]), 3).start())
    return said


async def exchanged(chip, align=0):
    """[status, count, place of a collision] of one frame."""
    reader = Pn5180(chip, 3)
    status = await reader._exchange(b"\x26", 7, align)
    return [status, reader.answer.count, reader.answer.collided if status == COLLISION else 0]


async def polls():
    """Results of polls whose n-th frame is not taken."""
    said = []
    for at in range(40):
        said.append(await Pn5180(Chip(at, states=[state(SILENT)]), 3).poll([]))
    return said


async def main():
    received, collided, damaged = 1, 1 << 2, 1 << 0
    noise = (CORRUPT, b"", 0)
    silence = (SILENCE, b"", 0)
    results = {
        "nobody": await inventories([]),
        "one": await inventories([inventory(UIDS[1])]),
        "one that does not stay quiet": await inventories([inventory(UIDS[1])] * 9),
        "a chip that is not well": await inventories([(NO_END, b"", 0)]),
        "noise, then nobody": await inventories([noise] + [silence] * 16),
        "noise for ever": await inventories([noise] * 300),
        "noise, then one by its slot": await inventories([noise, silence, inventory(UIDS[1])]),
        "one in two slots": await inventories([noise, inventory(UIDS[1]), inventory(UIDS[1])]),
        "something that is no UID": await inventories([(OK, bytes(10), 0)] + [silence] * 16),
        "a crowd": await inventories([inventory(uid) for uid in UIDS]),
        "collisions for ever": await inventories([(COLLISION, bytes(10), 17)] * 300),
        "a collision in the last bit": await inventories([(COLLISION, bytes(10), 80), silence, inventory(UIDS[1])]),
        "starts": await starts(),
        "polls": await polls(),
        "exchanges": [
            await exchanged(Chip(0)),
            await exchanged(Chip(1)),
            await exchanged(Chip(2)),
            await exchanged(Chip(states=[state(0)])),
            await exchanged(Chip(states=[state(1 << 17)])),
            await exchanged(Chip(states=[state(SILENT)])),
            await exchanged(Chip(states=[state(BEGUN)])),
            await exchanged(Chip(states=[state(received)])),
            await exchanged(Chip(states=[state(received, 500)])),
            await exchanged(Chip(states=[state(received, 2, damaged)])),
            await exchanged(Chip(states=[state(received, 3)], data=b"\x04\0\0")),
            await exchanged(Chip(states=[state(received, 3)], data=None)),
            await exchanged(Chip(states=[state(received, 2, collided, 9)], data=b"\x04\0")),
            await exchanged(Chip(states=[state(received, 2, collided, 1)], data=b"\x04\0"), 3),
        ],
    }
    answer(results)


asyncio.run(main())
