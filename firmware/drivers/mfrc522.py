"""A driver for MFRC522 reader chips that finds every tag of type A in a field, for the reader bank.

Source: NXP, MFRC522 product data sheet (registers in section 9, commands in section 10, SPI in section 8.1.2). Times
are set for 106 kbit/s type A.

A poll switches the field on, finds all tags (see `iso14443a`) and switches the field off. Other readers have no field
meanwhile, because only one poll runs at a time. Chips stay awake between polls: asleep they would save 12 mA each, but
a poll would take two transfers and a millisecond more.
"""

import asyncio

from firmware.drivers.iso14443a import COLLISION, CORRUPT, FIELD_MS, NO_END, OK, SILENCE, TypeA
from firmware.drivers.reader_bus import ReaderBus
from shared_rules.wire.messages import READER_MFRC522

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

RESET_MS = 2  # the chip needs well under a millisecond
ANSWER_READS = 12  # status reads, 1 ms apart, before a chip that neither hears nor times out is given up

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


class Mfrc522(TypeA):
    """One reader chip in one socket of a `ReaderBus`. `version` is the last VersionReg byte read."""

    kind = READER_MFRC522

    # One buffer of each length for all readers: polls never overlap.
    _status = bytearray(len(_STATUS_READ))
    _answers = [bytearray(n + 1) for n in range(_MAX_ANSWER + 1)]
    _left_over = bytearray(32)  # of each socket, whether bytes may be left in the FIFO

    def __init__(self, bus: ReaderBus, socket: int) -> None:
        self._bus = bus
        self.socket = socket
        self.version = 0

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
        bus.write(socket, RF_CONFIG, GAIN_33_DB | 0x08)
        bus.write(socket, TX_CONTROL, FIELD_OFF)
        self._left_over[socket] = 1
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
            return await self._read_type_a(tags)
        finally:
            bus.write(self.socket, TX_CONTROL, FIELD_OFF)

    async def _exchange(self, frame: bytes | bytearray, last_bits: int, align: int = 0) -> int:
        bus = self._bus
        socket = self.socket
        if self._left_over[socket]:
            bus.write(socket, FIFO_LEVEL, FLUSH)
            self._left_over[socket] = 0
        bus.write_frame(socket, bytes((FIFO_DATA << 1,)) + frame)
        bus.write(socket, COM_IRQ, 0x7F)
        bus.write(socket, COMMAND, TRANSCEIVE)
        bus.write(socket, BIT_FRAMING, START_SEND | align << 4 | last_bits)
        status = self._status
        self.answer.count = 0
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
                return SILENCE
        self._left_over[socket] = 1
        return CORRUPT if errors else NO_END

    def _take_answer(self, error: int, count: int) -> int:
        collision = error & ERR_COLLISION  # makes the parity wrong, too
        if count == 0 and not error:
            return NO_END  # an answer without a bit is none: the chip is not well
        if count > _MAX_ANSWER or not collision and (error & ERR_OTHERS or count == 0):
            self._left_over[self.socket] = 1
            return CORRUPT
        coll = self._status[4]
        answer = self.answer
        answer.collided = 64 if coll & 0x20 else coll & 0x1F or 32
        if count:
            answer.bytes = self._answers[count]
            self._bus.exchange(self.socket, _FIFO_READ[count], answer.bytes)
        answer.count = count
        return COLLISION if collision else OK
