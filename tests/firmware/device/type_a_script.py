"""Answers by script to a reader of type A: what the driver makes of tags and chips that do what they should not."""

import asyncio

from answer import answer

from firmware.drivers.crc_a import crc_a
from firmware.drivers.iso14443a import COLLISION, CORRUPT, NO_END, OK, REQA, SILENCE, WUPA, TypeA

UID = b"\x04\xa1\xb2\xc3"


def checked(part):
    return part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))


def sak(value):
    crc = crc_a(bytes((value,)), 1)
    return bytes((value, crc & 255, crc >> 8))


class Reader(TypeA):
    """`said`: what each frame of anticollision and selection gets, in turn; the last one for ever. Calls for
    everybody get an answer while there is something to say, `calls` says otherwise."""

    def __init__(self, said, calls=()):
        self._said = list(said)
        self._calls = list(calls)
        self.frames = 0

    async def _exchange(self, frame, last_bits, align=0):
        self.frames += 1
        frame = bytes(frame)
        if frame in (REQA, WUPA):
            return self._calls.pop(0) if self._calls else OK
        if frame[0] == 0x50:
            return SILENCE
        status, data, collided = self._said.pop(0) if len(self._said) > 1 else self._said[0]
        self.answer.bytes = b"\0" + data
        self.answer.count = len(data)
        self.answer.collided = collided
        return status


async def one(said):
    """The UID that is singled out, or None."""
    uid = await Reader(said)._single_out()
    return uid and list(uid)


async def poll(said, calls):
    tags = []
    result = await Reader(said, calls)._read_type_a(tags)
    return [result, len(tags)]


async def main():
    found = (OK, checked(UID), 0)
    selected = (OK, sak(0), 0)
    more = (OK, sak(4), 0)
    front = (OK, checked(b"\x88\x04\xa1\xb2"), 0)
    results = {
        "well": await one([found, selected]),
        "silent": await one([(SILENCE, b"", 0)]),
        "corrupt": await one([(CORRUPT, b"", 0)]),
        "no byte": await one([(OK, b"", 0)]),
        "too many bytes": await one([(OK, bytes(6), 0)]),
        "too few bytes": await one([(OK, UID, 0)]),
        "wrong check byte": await one([(OK, UID + b"\0", 0)]),
        "collision nowhere": await one([(COLLISION, checked(UID), 64)]),
        "only the zero branch": await one([(COLLISION, checked(UID), 1), (SILENCE, b"", 0), (CORRUPT, b"", 0)]),
        "select not taken": await one([found, (SILENCE, b"", 0)]),
        "short SAK": await one([found, (OK, b"\0", 0)]),
        "damaged SAK": await one([found, (OK, b"\0\0\0", 0)]),
        "more without a cascade tag": await one([found, more]),
        "seven bytes": await one([front, more, found, selected]),
        "ten bytes and still more": await one([front, more] * 3),
        "nobody": await poll([found], [SILENCE]),
        "one": await poll([found, selected], [OK, SILENCE, SILENCE]),
        "a second call is heard": await poll([found, selected, (CORRUPT, b"", 0)], [OK, SILENCE, OK, SILENCE, SILENCE]),
        "one that never halts": await poll([found, selected] * 9, []),
        "a chip that is not well": await poll([found, selected], [OK, NO_END]),
    }
    endless = []
    for bit in range(1, 40):
        endless.append((COLLISION, bytes(5 - (bit - 1) // 8), bit))
        endless.append((SILENCE, b"", 0))
    reader = Reader(endless)
    results["a split at every bit"] = [await reader._anticollision(0x93, [bytearray(9)]), reader.frames < 300]
    answer(results)


asyncio.run(main())
