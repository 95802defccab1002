"""A driver for MFRC522 reader chips that finds every tag in a field, for the reader bank.

Source: NXP, MFRC522 product data sheet (registers in section 9, commands in section 10, SPI in section 8.1.2), and
ISO/IEC 14443-3 (request, bitwise anticollision, cascade levels, halt). Times are set for 106 kbit/s type A.

A poll switches the field on, asks everybody (WUPA), singles tags out bit by bit, halts each, asks again (REQA) until
there is silence, and switches the field off. Other readers have no field meanwhile, because only one poll runs at a
time. Chips stay awake between polls: asleep they would save 12 mA each, but a poll would take two transfers and a
millisecond more.
"""

import asyncio

from firmware.drivers.crc_a import crc_a
from firmware.drivers.reader_bus import ReaderBus

# Results of a poll
CLEAR = 0  # every tag that answered is in the list, then there was silence
UNREADABLE = 1  # something answered that could not be told apart; the list may be short
MUTE = 2  # the chip does not behave like one that has been set up

# Registers
COMMAND = 0x01
COM_IRQ = 0x04
ERROR = 0x06
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_MODE = 0x12
RX_MODE = 0x13
TX_CONTROL = 0x14
TX_ASK = 0x15
MOD_WIDTH = 0x24
RF_CONFIG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_HIGH = 0x2C
T_RELOAD_LOW = 0x2D
VERSION = 0x37

# CommandReg
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F

# ComIrqReg
IRQ_SET = 0x80  # reads as 0 on a chip that works
IRQ_RX = 0x20
IRQ_ERROR = 0x02
IRQ_TIMER = 0x01

# ErrorReg
ERR_COLLISION = 0x08
ERR_OTHERS = 0x13  # buffer overflow, parity, protocol

FIELD_ON = 0x83
FIELD_OFF = 0x80
START_SEND = 0x80
FLUSH = 0x80
GAIN_33_DB = 0x40

REQA = b"\x26"
WUPA = b"\x52"
HLTA = b"\x50\x00\x57\xcd"
SELECT_LEVELS = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
SAK_INCOMPLETE = 0x04
MAX_TAGS = 8
MAX_FAILURES = 3

RESET_MS = 2  # the chip needs well under a millisecond
FIELD_MS = 6  # ISO/IEC 14443-3: a tag is ready 5 ms after the field; a sleep may be up to 1 ms shorter than it says
ANSWER_READS = 12  # status reads, 1 ms apart, before a chip that neither hears nor times out is given up

# What an exchange came to
_SILENCE = 0
_OK = 1
_COLLISION = 2
_CORRUPT = 3
_NO_END = 4

_STATUS_READ = bytes([0x80 | r << 1 for r in (COM_IRQ, ERROR, FIFO_LEVEL, COLL)] + [0])
_MAX_ANSWER = 5  # a whole cascade level with its check byte
_FIFO_READ = [bytes([0x80 | FIFO_DATA << 1] * n + [0]) for n in range(_MAX_ANSWER + 1)]

_SET_UP = (
    (TX_MODE, 0x00),  # 106 kbit/s, no CRC by the chip: anticollision frames have none
    (RX_MODE, 0x00),
    (MOD_WIDTH, 0x26),
    (T_MODE, 0x80),  # the timer starts by itself when a frame has been sent
    (T_PRESCALER, 0xA9),  # 25 us a tick
    (T_RELOAD_HIGH, 0x00),
    (T_RELOAD_LOW, 20),  # 0.5 ms: a tag begins its answer after 86 to 91 us, or never
    (TX_ASK, 0x40),  # 100 % modulation
    (MODE, 0x3D),
    (COLL, 0x00),  # bits after a collision read as 0
)


def collided_bit(known: int, position: int) -> int:
    """How many bits of a cascade level are known up to and with the collided one.

    The data sheet counts `position` (1 to 32) in the received frame and leaves open whether the bits that align its
    first byte count. Of the readings that make progress the smallest is taken: a split that comes too early costs one
    silent branch, one that comes too late would lose a tag. 0 when no reading fits.
    """
    best = 0
    for bit in (position, (known & ~7) + position, known + position):
        if known < bit <= 32 and (best == 0 or bit < best):
            best = bit
    return best


class Mfrc522:
    """One reader chip in one socket of a `ReaderBus`. `version` is the last VersionReg byte read."""

    # One buffer of each length for all readers: polls never overlap.
    _status = bytearray(len(_STATUS_READ))
    _answers = [bytearray(n + 1) for n in range(_MAX_ANSWER + 1)]
    _level = bytearray(5)

    def __init__(self, bus: ReaderBus, socket: int, gain: int = GAIN_33_DB) -> None:
        self._bus = bus
        self.socket = socket
        self._gain = gain
        self.version = 0
        self._left_over = True
        self._answer = self._answers[0]
        self._answered = 0

    async def start(self) -> bool:
        """Resets the chip and sets it up, field off. False when nothing that could be an MFRC522 answers.

        Versions 0x91 and 0x92 are NXP's, clones say 0x88, 0x90, 0xB2 and others; an open or stuck line reads 0x00 or
        0xFF, so only these are refused. The set-up is read back at two places, since a clone may be half dead.
        """
        bus = self._bus
        socket = self.socket
        bus.write(socket, COMMAND, SOFT_RESET)
        await asyncio.sleep_ms(RESET_MS)
        self.version = bus.read(socket, VERSION)
        if self.version in (0x00, 0xFF):
            return False
        for register, value in _SET_UP:
            bus.write(socket, register, value)
        bus.write(socket, RF_CONFIG, self._gain | 0x08)
        bus.write(socket, TX_CONTROL, FIELD_OFF)
        self._left_over = True
        return bus.read(socket, T_RELOAD_LOW) == 20 and bus.read(socket, TX_ASK) == 0x40

    async def poll(self, tags: list[bytes]) -> int:
        """Puts the UIDs (4, 7 or 10 bytes) of all tags in the field into the list `tags`.

        CLEAR, UNREADABLE or MUTE says how far the list can be trusted.
        """
        tags.clear()
        bus = self._bus
        bus.write(self.socket, TX_CONTROL, FIELD_ON)
        try:
            await asyncio.sleep_ms(FIELD_MS)
            return await self._read_all(tags)
        finally:
            bus.write(self.socket, TX_CONTROL, FIELD_OFF)

    async def _read_all(self, tags: list[bytes]) -> int:
        status = await self._exchange(WUPA, 7)
        if status == _SILENCE:
            return CLEAR
        failures = 0
        while status != _NO_END:
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
            if status == _SILENCE:
                return UNREADABLE if uid is None else CLEAR
        return MUTE

    async def _anybody(self) -> int:
        """REQA, twice before silence is believed: a tag in READY takes the first one as an error and is quiet."""
        status = await self._exchange(REQA, 7)
        if status == _SILENCE:
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
            if await self._exchange(frame, 0) != _OK or self._answered != 3:
                return None
            answer = self._answer
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
            if status == _SILENCE:
                if not untried:
                    return False
                # Nobody has a 1 at the last split: take the 0. A tag that does not match leaves READY.
                untried = False
                level[(known - 1) >> 3] &= ~(1 << ((known - 1) & 7)) & 0xFF
                await self._back_to(selected)
                continue
            if status != _OK and status != _COLLISION:
                return False
            count = self._answered
            if count == 0 or whole + count > 5:
                return False
            answer = self._answer
            level[whole] = (level[whole] & ((1 << bits) - 1)) | (answer[1] & (0xFF << bits) & 0xFF)
            for i in range(1, count):
                level[whole + i] = answer[1 + i]
            if status == _OK:
                return whole + count == 5 and level[0] ^ level[1] ^ level[2] ^ level[3] == level[4]
            coll = self._status[4]
            if coll & 0x20:
                return False  # beyond the 32nd bit: no tag's check byte can do that
            known = collided_bit(known, (coll & 0x1F) or 32)
            if known == 0:
                return False
            at = known - 1
            level[at >> 3] = (level[at >> 3] & ((1 << (at & 7)) - 1)) | (1 << (at & 7))
            for i in range((at >> 3) + 1, 5):
                level[i] = 0
            untried = True
        return False

    async def _exchange(self, frame: bytes | bytearray, last_bits: int, align: int = 0) -> int:
        """Sends `frame` (`last_bits` of its last byte, 0 for all) and waits for the answer or 0.5 ms of silence.

        The answer's `_answered` bytes are in `_answer` from index 1 on; its first byte begins at bit `align`.
        """
        bus = self._bus
        socket = self.socket
        if self._left_over:
            bus.write(socket, FIFO_LEVEL, FLUSH)
            self._left_over = False
        bus.write_frame(socket, bytes((FIFO_DATA << 1,)) + frame)
        bus.write(socket, COM_IRQ, 0x7F)
        bus.write(socket, COMMAND, TRANSCEIVE)
        bus.write(socket, BIT_FRAMING, START_SEND | align << 4 | last_bits)
        status = self._status
        self._answered = 0
        errors = 0
        for _ in range(ANSWER_READS):
            await asyncio.sleep_ms(1)
            bus.exchange(socket, _STATUS_READ, status)
            irq = status[1]
            if irq & IRQ_SET:
                break
            if irq & IRQ_RX:
                return self._take_answer(status[2], status[3])
            if irq & IRQ_ERROR:
                errors += 1
                if errors == 2:
                    break  # an error alone: noise that never became a frame
            elif irq & IRQ_TIMER:
                return _SILENCE
        self._left_over = True
        return _CORRUPT if errors else _NO_END

    def _take_answer(self, error: int, count: int) -> int:
        collision = error & ERR_COLLISION  # makes the parity wrong, too
        if count > _MAX_ANSWER or not collision and (error & ERR_OTHERS or count == 0):
            self._left_over = True
            return _CORRUPT
        if count:
            self._answer = self._answers[count]
            self._bus.exchange(self.socket, _FIFO_READ[count], self._answer)
        self._answered = count
        return _COLLISION if collision else _OK
