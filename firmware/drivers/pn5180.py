"""A driver for PN5180 reader chips that finds every tag of type A and of ISO/IEC 15693, for the reader bank.

Source: NXP, PN5180A0xx product data sheet (host interface and commands in section 11.4, registers in section 12). A
host command goes in one frame, its answer comes in the next; between frames BUSY must be low again. Registers have 32
bits, lowest byte first.

A poll switches the field on, finds all tags (see `iso14443a` and `iso15693`), and switches the field off.
"""

import asyncio

from firmware.drivers import iso14443a, iso15693
from firmware.drivers.iso14443a import COLLISION, CORRUPT, NO_END, OK, SILENCE, TypeA
from firmware.drivers.reader import CLEAR, MUTE, UNREADABLE
from firmware.drivers.reader_bus import ReaderBus
from shared_rules.wire.messages import READER_PN5180

# Host commands, whole where they never change
_RESET = b"\x01\x00\x00\x01\x00\x00"  # WRITE_REGISTER_OR_MASK: SYSTEM_CONFIG, SOFT_RESET
_ASK_VERSION = b"\x07\x12\x02"  # READ_EEPROM: firmware version, minor first
_RF_ON = b"\x16\x00"
_RF_OFF = b"\x17\x00"
_LOAD_TYPE_A = b"\x11\x00\x80"  # LOAD_RF_CONFIG: 106 kbit/s both ways
_LOAD_VICINITY = b"\x11\x0d\x8d"  # ASK 100 %, 1 of 4; 26 kbit/s, one subcarrier
_READ_DATA = b"\x0a\x00"
_SEND_DATA = 0x09
_ONLY_ENDS = b"\x02\x18\x3f\xfb\xff\xff"  # WRITE_REGISTER_AND_MASK: TX_CONFIG without start symbol and data

# WRITE_REGISTER_MULTIPLE: register, 1 to write, 2 to set bits, 3 to keep bits; value
_TIMER = (  # TIMER1: 0.5 ms (6,780 / 13.56 MHz) from the end of a frame, unless an answer begins
    b"\x03\x0c\x01\x7c\x1a\x00\x00"  # TIMER1_RELOAD
    b"\x0f\x01\x01\x08\x10\x00"  # TIMER1_CONFIG: enabled, starts with the end of TX, stops with the start of RX
)
_NO_SUMS = b"\x03\x19\x03\xfe\xff\xff\xff\x12\x03\xfe\xff\xff\xff"  # CRC_TX_CONFIG, CRC_RX_CONFIG: not enabled
_BEGIN = (
    b"\x03\x00\x03\xf8\xff\xff\xff"  # SYSTEM_CONFIG: Idle
    b"\x00\x02\x03\x00\x00\x00"  # SYSTEM_CONFIG: Transceive
    b"\x03\x01\xff\xff\x0f\x00"  # IRQ_CLEAR: all
)
_ALIGN = b"\x12\x03\x3f\xfe\xff\xff\x12\x02"  # CRC_RX_CONFIG: RX_BIT_ALIGN away, then as wanted

_ASK_STATUS = b"\x05\x02\x13"  # READ_REGISTER_MULTIPLE: IRQ_STATUS, RX_STATUS

# IRQ_STATUS
_IRQ_RX = 0x01
_IRQ_TIMER1 = 0x10  # in the second byte
_IRQ_SOF = 0x40  # in the second byte: an answer has begun
_IRQ_GENERAL_ERROR = 0x02  # in the third byte

# RX_STATUS, third byte
_INTEGRITY_OR_PROTOCOL = 0x03
_COLLISION_DETECTED = 0x04

BOOT_MS = 4  # the chip needs 2.5 ms
_ANSWER_READS = 12  # about 1 ms apart; the longest frame with its answer takes 8 ms
_MAX_ANSWER = 16


class Pn5180(TypeA):
    """One reader chip in one socket of a `ReaderBus`. `version` is its firmware's: major in the upper four bits."""

    kind = READER_PN5180

    _status = bytearray(8)

    def __init__(self, bus: ReaderBus, socket: int) -> None:
        self._bus = bus
        self.socket = socket
        self.version = 0
        self._align = 0

    async def start(self) -> bool:
        """Resets the chip and sets it up, field off. False when nothing answers as a PN5180."""
        if not await self._send(_RESET):
            return False
        await asyncio.sleep_ms(BOOT_MS)
        version = bytearray(2)
        if not (await self._send(_ASK_VERSION) and await self._bus.receive(self.socket, version)):
            return False
        self.version = (version[1] << 4 | version[0] & 0x0F) & 0xFF
        if version in (b"\x00\x00", b"\xff\xff"):
            return False
        for frame in (_LOAD_VICINITY, _RF_OFF, _TIMER):
            if not await self._send(frame):
                return False
        return await self._look() and not self._status[2] & _IRQ_GENERAL_ERROR

    async def poll(self, tags: list[bytes]) -> int:
        """Puts the UIDs (4, 7, 8 or 10 bytes) of all tags in the field into the list `tags`.

        CLEAR, UNREADABLE or MUTE says how far the list can be trusted.
        """
        tags.clear()
        try:
            result = await self._read_all(tags)
        finally:
            off = await self._send(_RF_OFF)
        return result if off else MUTE

    async def _read_all(self, tags: list[bytes]) -> int:
        self._align = 0
        for frame in (_LOAD_TYPE_A, _NO_SUMS, _RF_ON):
            if not await self._send(frame):
                return MUTE
        await asyncio.sleep_ms(iso14443a.FIELD_MS)
        first = await self._read_type_a(tags)
        if first == MUTE or not await self._send(_LOAD_VICINITY):
            return MUTE
        second = await iso15693.read_vicinity(self, tags)
        if second == MUTE:
            return MUTE
        return CLEAR if first == second == CLEAR else UNREADABLE

    async def send_only_ends(self, only: bool) -> bool:
        """Whether frames shall be an end of frame alone, which leads tags to their next slot."""
        return await self._send(_ONLY_ENDS if only else _LOAD_VICINITY)

    async def exchange(self, frame: bytes) -> int:
        """Sends a frame of ISO/IEC 15693 (empty: an end of frame) and waits for an answer or for silence."""
        return await self._exchange(frame, 0)

    async def _send(self, frame: bytes | bytearray) -> bool:
        return await self._bus.send(self.socket, frame)

    async def _look(self) -> bool:
        return await self._send(_ASK_STATUS) and await self._bus.receive(self.socket, self._status)

    async def _exchange(self, frame: bytes | bytearray, last_bits: int, align: int = 0) -> int:
        self.answer.count = 0
        begin = _BEGIN
        if align != self._align:
            self._align = align
            begin += _ALIGN + bytes((align << 6 & 0xC0, align >> 2, 0, 0))
        if not (await self._send(begin) and await self._send(bytes((_SEND_DATA, last_bits)) + frame)):
            return NO_END
        status = self._status
        for _ in range(_ANSWER_READS):
            await asyncio.sleep_ms(1)
            if not await self._look() or status[2] & _IRQ_GENERAL_ERROR:
                return NO_END
            if status[0] & _IRQ_RX:
                return await self._take_answer()
            if status[1] & _IRQ_TIMER1:
                return SILENCE
        return CORRUPT if status[1] & _IRQ_SOF else NO_END

    async def _take_answer(self) -> int:
        status = self._status
        count = status[4] | (status[5] & 1) << 8
        collision = status[6] & _COLLISION_DETECTED
        if count == 0 and not status[6] & (_COLLISION_DETECTED | _INTEGRITY_OR_PROTOCOL):
            return NO_END  # an answer without a bit is none: the chip is not well
        if count > _MAX_ANSWER or not collision and status[6] & _INTEGRITY_OR_PROTOCOL:
            return CORRUPT
        data = bytearray(count)
        if count and not (await self._send(_READ_DATA) and await self._bus.receive(self.socket, data)):
            return NO_END
        answer = self.answer
        answer.bytes = bytearray(1) + data + bytearray(1)
        answer.count = count
        if not collision:
            return OK
        # RX_COLL_POS, seven bits from bit 19 on. The data sheet does not say whether it counts from 0 or from 1, so it
        # is taken for the earlier place, where the bit there is not known anyway. Nor does it say whether the byte with
        # the collision is kept: what did not come is not known either.
        place = status[6] >> 3 | (status[7] & 0x03) << 5
        place = min(place, 8 * count)
        if place <= self._align:
            place = self._align + 1
        answer.collided = place
        answer.count = max(count, (place + 7) >> 3)
        return COLLISION
