"""How every tag of ISO/IEC 14443-3 type A in a field is found, for the drivers of readers that speak it.

Everybody is asked (WUPA), tags are singled out bit by bit, each is halted, and again (REQA) until there is silence. How
long a UID is, is told by the SAK of each cascade level alone. The frames are moved by the reader's own `_exchange`.
"""

from firmware.drivers.crc_a import crc_a
from firmware.drivers.reader import CLEAR, MAX_TAGS, MUTE, UNREADABLE

REQA = b"\x26"
WUPA = b"\x52"
HLTA = b"\x50\x00\x57\xcd"
SELECT_LEVELS = b"\x93\x95\x97"
CASCADE_TAG = 0x88
SAK_INCOMPLETE = 0x04
MAX_FAILURES = 3

FIELD_MS = 6  # a tag is ready 5 ms after the field; a sleep may be up to 1 ms shorter than it says

# What an exchange came to
SILENCE = 0
OK = 1
COLLISION = 2
CORRUPT = 3
NO_END = 4  # the chip itself does not do what it should


def collided_bit(known: int, position: int) -> int:
    """How many bits of a cascade level are known up to and with the collided one.

    The data sheets count `position` in the received frame and leave open whether the bits that align its first byte
    count. Of the readings that make progress the smallest is taken: a split that comes too early costs one silent
    branch, one that comes too late would lose a tag. 0 when no reading fits.
    """
    best = 0
    for bit in (position, (known & ~7) + position, known + position):
        if known < bit <= 32 and (best == 0 or bit < best):
            best = bit
    return best


class Answer:
    """What the last exchange brought: `count` bytes in `bytes` from index 1 on.

    `collided` is the place of the first collision in them from 1, or beyond 32 where no type A tag's can be.
    """

    bytes = bytearray(1)
    count = 0
    collided = 0


class TypeA:
    """What readers of type A have in common; in `_exchange` they fill in the answer.

    All readers share one answer and one buffer, since their polls never overlap.
    """

    answer = Answer()
    _level = bytearray(5)

    async def _exchange(self, frame: bytes | bytearray, last_bits: int, align: int = 0) -> int:
        """Sends `frame` (`last_bits` of its last byte, 0 for all) and waits for the answer or for 0.5 ms of silence.

        The answer's first byte begins at bit `align`.
        """
        raise NotImplementedError

    async def _read_type_a(self, tags: list[bytes]) -> int:
        """Adds the UIDs (4, 7 or 10 bytes) of all tags to `tags`: CLEAR, UNREADABLE or MUTE."""
        status = await self._exchange(WUPA, 7)
        if status == SILENCE:
            return CLEAR
        failures = 0
        while status != NO_END:
            uid = await self._single_out()
            if uid is None:
                failures += 1
            else:
                if uid in tags:
                    failures += 1  # it did not take the halt
                else:
                    tags.append(uid)
                await self._exchange(HLTA, 0)
            if failures > MAX_FAILURES or len(tags) >= MAX_TAGS:
                return UNREADABLE
            status = await self._anybody()
            if status == SILENCE:
                return UNREADABLE if uid is None else CLEAR
        return MUTE

    async def _anybody(self) -> int:
        """REQA, twice before silence is believed: a tag in READY takes the first one as an error and is quiet."""
        status = await self._exchange(REQA, 7)
        if status == SILENCE:
            status = await self._exchange(REQA, 7)
        return status

    async def _single_out(self) -> bytes | None:
        """The whole UID of one tag, which is then selected, or None."""
        level = self._level
        uid = b""
        selected: list[bytearray] = []
        for select in SELECT_LEVELS:
            if not await self._anticollision(select, selected):
                return None
            frame = bytearray((select, 0x70)) + level
            crc = crc_a(frame, 7)
            frame.append(crc & 0xFF)
            frame.append(crc >> 8)
            if await self._exchange(frame, 0) != OK or self.answer.count != 3:
                return None
            answer = self.answer.bytes
            if crc_a(answer[1:], 1) != answer[2] | answer[3] << 8:
                return None
            if not answer[1] & SAK_INCOMPLETE:
                return uid + bytes(level[:4])
            if level[0] != CASCADE_TAG:
                return None
            uid += bytes(level[1:4])
            selected.append(frame)
        return None

    async def _back_to(self, selected: list[bytearray]) -> None:
        """Wakes the tags that do not wait any more and leads them to the cascade level after `selected`."""
        await self._anybody()
        for frame in selected:
            await self._exchange(frame, 0)

    async def _anticollision(self, select: int, selected: list[bytearray]) -> bool:
        """Fills `_level` with the four bytes and the check byte of one tag's cascade level; False when that fails."""
        level = self._level
        for i in range(5):
            level[i] = 0
        known = 0
        untried = False
        for _ in range(64):
            bits = known & 7
            whole = known >> 3
            frame = bytearray((select, 0x20 + (whole << 4) + bits)) + level[: whole + (1 if bits else 0)]
            status = await self._exchange(frame, bits, bits)
            if status == SILENCE:
                if not untried:
                    return False
                # Nobody has a 1 at the last split: take the 0. A tag that does not match leaves READY.
                untried = False
                level[(known - 1) >> 3] &= ~(1 << ((known - 1) & 7)) & 0xFF
                await self._back_to(selected)
                continue
            if status != OK and status != COLLISION:
                return False
            count = self.answer.count
            if count == 0 or whole + count > 5:
                return False
            answer = self.answer.bytes
            level[whole] = (level[whole] & ((1 << bits) - 1)) | (answer[1] & (0xFF << bits) & 0xFF)
            for i in range(1, count):
                level[whole + i] = answer[1 + i]
            if status == OK:
                return whole + count == 5 and level[0] ^ level[1] ^ level[2] ^ level[3] == level[4]
            known = collided_bit(known, self.answer.collided)
            if known == 0:
                return False
            at = known - 1
            level[at >> 3] = (level[at >> 3] & ((1 << (at & 7)) - 1)) | (1 << (at & 7))
            for i in range((at >> 3) + 1, 5):
                level[i] = 0
            untried = True
        return False
