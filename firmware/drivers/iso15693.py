"""How every tag of ISO/IEC 15693-3 in a field is found, for the drivers of readers that speak it.

Everybody is asked for one answer (inventory with one slot). One tag answers whole, is noted and told to stay quiet.
Several collide: where the reader can tell the first bit in which they differ, both halves are asked; where it cannot,
an inventory with sixteen slots parts them by the next four bits, and each slot that is neither silent nor whole is
asked further. That goes on until the whole field is silent. A strong tag may drown a weak one without a trace, so
silence is believed only after every tag that was heard is quiet.

UIDs have eight bytes, the most significant (E0) first; in the air the least significant comes first. CRC-16 (annex C)
is made and judged by the reader chip. Source: ISO/IEC 15693-3, sections 8 to 10.
"""

from firmware.drivers.iso14443a import COLLISION, MAX_FAILURES, NO_END, OK, SILENCE
from firmware.drivers.reader import CLEAR, MAX_TAGS, MUTE, UNREADABLE

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Protocol

    from firmware.drivers.iso14443a import Answer

    class VicinityReader(Protocol):
        """What a reader's driver does for `read_vicinity`."""

        answer: Answer

        async def exchange(self, frame: bytes) -> int:
            """Sends a frame (empty: an end of frame) and waits for the answer or for silence; how it ended."""
            ...

        async def send_only_ends(self, only: bool) -> bool:
            """Whether frames shall be an end of frame alone, which leads tags to their next slot."""
            ...


FIELD_MS = 2  # a tag is ready 1 ms after the field; a sleep may be up to 1 ms shorter than it says

_ONE_SLOT = 0x26  # flags: inventory, high data rate, one subcarrier
_SIXTEEN_SLOTS = 0x06
_ADDRESSED = 0x22
_INVENTORY = 0x01
_STAY_QUIET = 0x02
_FIRST_UID_BIT = 17  # of an answer, counted from 1: flags and DSFID come before
_UID_BITS = 64
_MAX_REQUESTS = 64


def uid_of(answer: bytes | bytearray, count: int) -> bytes:
    """The UID in an answer to an inventory, whose `count` bytes begin at index 1; b"" when it is none."""
    if count != 10 or answer[1] or answer[10] != 0xE0:
        return b""
    return bytes([answer[10 - i] for i in range(8)])


def _inventory(flags, mask, known):
    return bytes((flags, _INVENTORY, known)) + mask.to_bytes(8, "little")[: (known + 7) >> 3]


async def read_vicinity(reader: "VicinityReader", tags: list[bytes]) -> int:
    """Adds the UIDs of all tags to `tags`: CLEAR, UNREADABLE or MUTE. `reader` is set up for ISO/IEC 15693."""
    pending: list[tuple[int, int]] = []
    failures = 0
    unclear = False
    for _ in range(_MAX_REQUESTS):
        mask, known = pending.pop() if pending else (0, 0)
        status = await reader.exchange(_inventory(_ONE_SLOT, mask, known))
        if status == NO_END:
            return MUTE
        if status == SILENCE:
            if known == 0:
                return UNREADABLE if unclear else CLEAR
            continue
        uid = uid_of(reader.answer.bytes, reader.answer.count) if status == OK else b""
        bit = reader.answer.collided - _FIRST_UID_BIT
        if uid:
            if uid in tags:
                failures += 1  # it did not stay quiet
            else:
                tags.append(uid)
            unclear = False
            await _hush(reader, uid)
        elif status == COLLISION and -1 <= bit < _UID_BITS:
            # Before the collision all say the same. A split that comes too early costs one silent branch.
            bit = max(bit, known)
            same = (int.from_bytes(reader.answer.bytes[3:11], "little") | mask) & ((1 << bit) - 1)
            if bit < _UID_BITS:
                pending.append((same, bit + 1))
                pending.append((same | 1 << bit, bit + 1))
        else:
            unclear = True
            failures += 1
            if known > _UID_BITS - 4 or failures > MAX_FAILURES:
                return UNREADABLE
            if await _slots(reader, mask, known, tags, pending):
                unclear = False
        if failures > MAX_FAILURES or len(tags) >= MAX_TAGS:
            return UNREADABLE
    return UNREADABLE


async def _slots(reader, mask, known, tags, pending):
    """One inventory with sixteen slots: notes whole answers, adds what collides to `pending`. How many were whole."""
    found = []
    status = await reader.exchange(_inventory(_SIXTEEN_SLOTS, mask, known))
    await reader.send_only_ends(True)
    for slot in range(16):
        if slot:
            status = await reader.exchange(b"")
        uid = uid_of(reader.answer.bytes, reader.answer.count) if status == OK else b""
        if uid:
            found.append(uid)
        elif status != SILENCE:
            pending.append((mask | slot << known, known + 4))
    await reader.send_only_ends(False)
    for uid in found:
        if uid not in tags:
            tags.append(uid)
        await _hush(reader, uid)
    return len(found)


async def _hush(reader, uid):
    await reader.exchange(bytes((_ADDRESSED, _STAY_QUIET)) + bytes([uid[7 - i] for i in range(8)]))
