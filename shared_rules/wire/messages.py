"""The messages between a table and its companion, for both ends: one table, one encoder, one decoder.

A packet is `header, payload, check`, all integers little-endian:

    byte 0     protocol major in the upper four bits, flags in the lower four
    byte 1     kind
    bytes 2-3  seq   events: their own number; commands: the command's number;
                     everything else that a table says: the number of its newest event
    bytes 4-5  ref   the seq that is answered or acknowledged, 0 for none
    ...        payload, as `message_table` says
    last two   CRC-16/CCITT-FALSE over everything before (all errors of up to three bits, bursts of up to 16)

Hot packets are at most 20 bytes, so they pass before any MTU has been agreed. Extra payload bytes at the end belong to
a later minor version and are ignored; a kind that is not known raises `UnknownKindError`, to be counted and skipped;
everything else that is wrong raises `WireError` and must change nothing.

`docs/protocol.md` describes the dialogue; `tests/wire/golden_vectors.json` holds a packet of every kind.
"""

from shared_rules.wire.message_table import SIZES, row_named, row_of

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 1

# The second group of the identifiers is `major, which`: a new major is a new service, which no stale cache can fit.
SERVICE_UUID = "cab57a4d-0100-4c2e-9f6b-5d1e0a7c3b10"
EVENTS_UUID = "cab57a4d-0101-4c2e-9f6b-5d1e0a7c3b10"  # notify: table to companion
COMMANDS_UUID = "cab57a4d-0102-4c2e-9f6b-5d1e0a7c3b10"  # write with response: companion to table
INFO_UUID = "cab57a4d-0103-4c2e-9f6b-5d1e0a7c3b10"  # read: one HELLO packet

HEADER_SIZE = 6
CHECK_SIZE = 2
HOT_SIZE = 20  # what a notification carries with the smallest MTU
MAX_SIZE = 120  # the longest packet anybody may send; longer ones are refused unread

FLAG_REPLAYED = 1  # an event that may have been sent before

# Kinds from here on are events: numbered, kept until acknowledged, replayed.
FIRST_EVENT = 0x80

# Statuses of a RESULT
DONE = 0
UNKNOWN_COMMAND = 1  # this table does not know the kind
BAD_FIELD = 2  # understood, but a value does not fit this table (detail: position of the field, from 1)
NOT_NOW = 3  # understood, but impossible in this state
STALE = 4  # an old command number whose result is no longer kept
NOT_PAIRED = 5  # only the companion that this device is paired with may do that

# Kinds of devices
TABLE_CONTROLLER = 0
TABLE_DIE = 1  # a button and a ring of lights
HANDHELD_DIE = 2  # a dodecahedron that is thrown

# Modes of a device
MODE_NORMAL = 0
MODE_SAFE = 1  # it failed again and again: only its link works

# Looks of a light; what they look like is in firmware/table/light_scenes.py and docs/protocol.md
LOOK_DARK = 0
LOOK_RED = 1  # a traffic light at rest
LOOK_GREEN = 2  # a traffic light that is being passed
LOOK_GATE = 3  # a gate at rest
LOOK_GATE_OPEN = 4  # a gate that is being passed
LOOK_ROUTE = 5  # the way may lead here
LOOK_WRONG = 6  # something stands here that should not
LOOK_COUNT = 7
LOOK_SEAT = 16  # 16 and up: the colours of seats, in the order of `SEAT_COLOURS`
SEAT_COLOURS = ("red", "blue", "green", "yellow", "black", "white", "violet")

# States of a socket in a snapshot
SOCKET_SEVERAL = 1  # more tags than can be told apart
SOCKET_MUTE = 2  # its reader does not answer

# States of the die in a snapshot
DIE_AT_REST = 0
DIE_INVITES = 1
DIE_TUMBLES = 2
DIE_HANDLED = 3  # in somebody's hand
DIE_COCKED = 4  # it lies against something and shows no face
DIE_UNKNOWN = 5  # it has not lain still since its start

# Why a die goes to sleep
SLEEP_IDLE = 1
SLEEP_ASKED = 2
SLEEP_BATTERY = 3

# Levels of a battery
BATTERY_GOOD = 0
BATTERY_LOW = 1
BATTERY_CRITICAL = 2
NO_BATTERY = 255  # in place of a percentage

# What CALIBRATE_DIE asks for, and how a calibration ended
CALIBRATION_STOP = 0
CALIBRATION_START = 1
CALIBRATION_FORGET = 2
CALIBRATION_STOPPED = 0
CALIBRATION_DONE = 1
CALIBRATION_FAILED = 2

# Kinds of readers
READER_NONE = 0
READER_MFRC522 = 1
READER_PN5180 = 2

# Why a session is refused
REFUSED_WRONG_PROOF = 1

# Why a press of the die gave no roll
REFUSED_RADIO_OFF = 1  # no entropy without the radio
REFUSED_NO_FACE_MAP = 2  # no companion has said what the faces mean

# Styles of a face map: how the die's lights show the value
STYLE_PIPS = 0  # as many lights as the value
STYLE_TABLETS = 1  # 0 blank, 1 green, 2 white

RESET_CAUSES = ("unknown", "power on", "hard reset", "watchdog", "deep sleep", "soft reset", "fault")

# Fields that a later minor version has added at the end of a payload, and what they are when a packet ends before them.
_LATER = {"device_kind": TABLE_CONTROLLER, "paired": 0, "mode": MODE_NORMAL, "digest": 0, "seat": 0}

UID_LENGTHS = (4, 7, 8, 10)  # ISO/IEC 14443-3 type A: 4, 7, 10; ISO/IEC 15693: 8


class WireError(ValueError):
    """A packet that must be refused whole, or values that fit no packet; the text says which and why."""


class UnknownKindError(WireError):
    """A sound packet of a kind that this side does not know: count it and go on."""


class Message:
    """One decoded packet: `kind`, `name`, `flags`, `seq`, `ref`, and `fields` by name.

    Fields are numbers, but for uid and id (bytes), list and faces (lists of numbers) and text.
    """

    def __init__(self, row: "tuple[Any, ...]", flags: int, seq: int, ref: int, fields: "dict[str, Any]") -> None:
        self.kind: int = row[0]
        self.name: str = row[1]
        self.direction: str = row[2]
        self.flags = flags
        self.seq = seq
        self.ref = ref
        self.fields = fields

    @property
    def is_event(self) -> bool:
        return self.kind >= FIRST_EVENT

    @property
    def replayed(self) -> bool:
        return bool(self.flags & FLAG_REPLAYED)

    def __repr__(self) -> str:
        return "%s(seq=%d, ref=%d, %r)" % (self.name, self.seq, self.ref, self.fields)


# Half-byte steps: 16 entries instead of 256 keep the table small on the device.
_CRC = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def checksum(data: bytes | bytearray, length: int) -> int:
    """CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF) of the first `length` bytes; 0x29B1 for b"123456789"."""
    crc = 0xFFFF
    for i in range(length):
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte & 15)]
    return crc


def _put(out: bytearray, name: str, field: "tuple[str, str, str, int, int]", value: "Any") -> None:
    what, kind, _unit, low, high = field
    if kind in SIZES:
        if not isinstance(value, int) or not low <= value <= high:
            raise WireError("%s: %s must be a number from %d to %d, not %r" % (name, what, low, high, value))
        for _ in range(SIZES[kind]):
            out.append(value & 255)
            value >>= 8
        return
    if kind == "text":
        value = value.encode()
    if kind == "faces":
        if len(value) != 12 or not all(low <= v <= high for v in value):
            raise WireError("%s: %s must be twelve numbers from %d to %d" % (name, what, low, high))
        for i in range(0, 12, 2):
            out.append(value[i] | value[i + 1] << 4)
        return
    length = len(value)
    if not low <= length <= high or (kind == "uid" and length not in UID_LENGTHS):
        raise WireError("%s: %s has a length of %d, which does not fit" % (name, what, length))
    if kind != "id":
        out.append(length)
    for v in value:
        if not 0 <= v <= 255:
            raise WireError("%s: %s holds %r, which is not a byte" % (name, what, v))
        out.append(v)


def pack(name: str, fields: "dict[str, Any] | None" = None) -> "tuple[int, bytearray]":
    """Kind and payload of the message `name`; its fields must all be given, but for those that a later minor version
    added, and no others; else `WireError` says why."""
    row = row_named(name)
    if row is None:
        raise WireError("there is no message named %r" % (name,))
    given = fields or {}
    out = bytearray()
    known = 0
    for field in row[3]:
        what = field[0]
        if what in given:
            known += 1
        elif what not in _LATER:
            raise WireError("%s: the field %s is missing" % (name, what))
        _put(out, name, field, given[what] if what in given else _LATER[what])
    if len(given) != known:
        raise WireError("%s: has a field that is not in its table" % name)
    return row[0], out


def seal(kind: int, flags: int, seq: int, ref: int, payload: "bytes | bytearray") -> bytes:
    """The packet around a payload."""
    out = bytearray((PROTOCOL_MAJOR << 4 | flags, kind, seq & 255, seq >> 8, ref & 255, ref >> 8))
    out.extend(payload)
    crc = checksum(out, len(out))
    out.append(crc & 255)
    out.append(crc >> 8)
    return bytes(out)


def encode(name: str, seq: int, ref: int, fields: "dict[str, Any] | None" = None) -> bytes:
    """The packet of the message `name`, see `pack`."""
    if not (0 <= seq <= 0xFFFF and 0 <= ref <= 0xFFFF):
        raise WireError("%s: seq and ref must be from 0 to 65535, not %r and %r" % (name, seq, ref))
    kind, payload = pack(name, fields)
    return seal(kind, 0, seq, ref, payload)


def _take(data: bytes, at: int, end: int, name: str, field: "tuple[str, str, str, int, int]") -> "tuple[Any, int]":
    what, kind, _unit, low, high = field
    if kind in SIZES:
        size = SIZES[kind]
        if at + size > end:
            raise WireError("%s: too short for %s" % (name, what))
        value = 0
        for i in range(size):
            value |= data[at + i] << (8 * i)
        if not low <= value <= high:
            raise WireError("%s: %s is %d, but must be from %d to %d" % (name, what, value, low, high))
        return value, at + size
    if kind == "faces":
        length = 6
    elif kind == "id":
        length = low
    else:
        if at >= end:
            raise WireError("%s: too short for %s" % (name, what))
        length = data[at]
        at += 1
        if not low <= length <= high or (kind == "uid" and length not in UID_LENGTHS):
            raise WireError("%s: %s has a length of %d, which does not fit" % (name, what, length))
    if at + length > end:
        raise WireError("%s: too short for %s" % (name, what))
    raw = bytes(data[at : at + length])
    at += length
    if kind == "list":
        return list(raw), at
    if kind == "text":
        return "".join([chr(b) if 32 <= b < 127 or b == 10 else "?" for b in raw]), at
    if kind == "faces":
        faces = []
        for byte in raw:
            faces.append(byte & 15)
            faces.append(byte >> 4)
        return faces, at
    return raw, at


def decode(data: bytes, direction: "str | None" = None) -> Message:
    """The message in one packet, from whatever a link delivered.

    Raises `WireError` when the packet is too short or too long, damaged, of another protocol major, not for this
    `direction` (one of TO_TABLE, TO_COMPANION), or holds a value out of bounds; `UnknownKindError` when it is sound but
    unknown.
    """
    size = len(data)
    if size < HEADER_SIZE + CHECK_SIZE:
        raise WireError("a packet has at least %d bytes, this one %d" % (HEADER_SIZE + CHECK_SIZE, size))
    if size > MAX_SIZE:
        raise WireError("a packet has at most %d bytes, this one %d" % (MAX_SIZE, size))
    end = size - CHECK_SIZE
    if checksum(data, end) != data[end] | data[end + 1] << 8:
        raise WireError("a packet is damaged: its check does not fit")
    if data[0] >> 4 != PROTOCOL_MAJOR:
        raise WireError("a packet of protocol %d, this side speaks %d" % (data[0] >> 4, PROTOCOL_MAJOR))
    row = row_of(data[1])
    if row is None:
        raise UnknownKindError("a packet of the unknown kind 0x%02x" % data[1])
    if direction is not None and row[2] != direction:
        raise WireError("%s goes %s, not the other way" % (row[1], row[2]))
    at = HEADER_SIZE
    fields = {}
    for field in row[3]:
        if at == end and field[0] in _LATER:
            fields[field[0]] = _LATER[field[0]]
        else:
            fields[field[0]], at = _take(data, at, end, row[1], field)
    return Message(row, data[0] & 15, data[2] | data[3] << 8, data[4] | data[5] << 8, fields)
