"""Tags of ISO/IEC 14443-3 type A, bit by bit, for the models of readers that speak it.

A tag is a state machine (ISO/IEC 14443-3, 6.3): without field it is off; in the field it is IDLE, READY, ACTIVE or
HALT, READY and ACTIVE each also as reached from HALT ("starred"), whence a tag that is disturbed falls back to HALT
instead of IDLE. Several tags answer at the same time; where their bits differ the reader sees a collision.

Worst cases on purpose: a tag needs the whole 5 ms of unmodulated field that the standard allows before it understands
anything, and forgets its state only after 5 ms without field. Times are whole microseconds of the table's clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.virtual_table.chips.crc_a import crc_a

START_UP_US = 5_000
"""ISO/IEC 14443-3, 5.2: a tag is ready within 5 ms after the field is there."""
FORGET_US = 5_000
"""ISO/IEC 14443-3, 5.4: a tag is off within 5 ms after the field is gone."""

REQA = 0x26
WUPA = 0x52
SELECT_CODES = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
SAK_INCOMPLETE = 0x04

OFF = "OFF"
IDLE = "IDLE"
READY = "READY"
ACTIVE = "ACTIVE"
HALT = "HALT"

COLLISION = 2
"""A bit that was 0 in one answer and 1 in another."""


@dataclass(frozen=True)
class AirFrame:
    """What a reader sends: bytes, of which the last may be partial (`last_bits` 1-7; 0: whole)."""

    data: bytes
    last_bits: int = 0

    @property
    def bit_count(self) -> int:
        if not self.data:
            return 0
        return 8 * len(self.data) - (8 - self.last_bits if self.last_bits else 0)


def bits_of(data: bytes) -> list[int]:
    """The bits of `data` as they go through the air, least significant first."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def with_parity(bits: list[int], first: int = 8) -> list[int]:
    """`bits` as they go through the air: each group of eight followed by its odd parity bit.

    `first` is the size of the first group, for the rest of a byte that the reader began (its parity is that of the
    part). A rest that fills no group stands without parity.
    """
    out: list[int] = []
    at, size = 0, first
    while at < len(bits):
        group = bits[at : at + size]
        out += group
        if len(group) == size:
            out.append(1 - sum(group) % 2)
        at, size = at + size, 8
    return out


class Tag:
    """One tag: `uid` of 4, 7 or 10 bytes; `sak` and `atqa` (low byte first) default to what such tags usually say."""

    vicinity = False

    def __init__(self, uid: bytes, sak: int | None = None, atqa: bytes | None = None) -> None:
        if len(uid) not in (4, 7, 10):
            raise ValueError(f"a tag has a UID of 4, 7 or 10 bytes, not {len(uid)}")
        if len(uid) == 4 and uid[0] == CASCADE_TAG:
            raise ValueError("a UID of 4 bytes must not begin with 88, the cascade tag")
        self.uid = uid
        self.sak = sak if sak is not None else (0x08 if len(uid) == 4 else 0x00)
        self.atqa = atqa if atqa is not None else {4: b"\x04\x00", 7: b"\x44\x00", 10: b"\x84\x00"}[len(uid)]
        self.levels = _levels(uid)
        self.state = OFF
        self.starred = False
        self.level = 0
        self.answers_from_us = 0
        self.flicker = ""
        """Which power-ups succeed, over and over: "10" is a tag at the edge of the field, missed every second time."""
        self.coupling = 1.0
        self.feeders: list[object] = []
        """The fields that give it power now."""
        self.unfed_since = -FORGET_US
        self.leaves_after: int | None = None
        """How many more frames it hears before it is pulled out of the field; None: it stays."""
        self._power_ups = 0

    def power_up(self, now: int) -> None:
        self.state, self.starred, self.level = IDLE, False, 0
        self.answers_from_us = now + START_UP_US
        if self.flicker:
            if self.flicker[self._power_ups % len(self.flicker)] == "0":
                self.state = OFF
            self._power_ups += 1

    def power_down(self) -> None:
        self.state, self.starred, self.level = OFF, False, 0

    def _fall_back(self) -> None:
        self.state = HALT if self.starred else IDLE
        self.level = 0

    def receive(self, frame: AirFrame | None, now: int) -> list[int] | None:
        """The symbols of the answer (data and parity bits), or None for silence. `frame` None: not understood."""
        if self.state == OFF or now < self.answers_from_us:
            return None
        if self.state in (IDLE, HALT):
            return self._receive_asleep(frame)
        if frame is None:
            self._fall_back()
            return None
        if self.state == READY:
            return self._receive_ready(frame)
        if frame.last_bits == 0 and frame.data == b"\x50\x00" + crc_a(b"\x50\x00"):
            self.state, self.starred = HALT, False
            return None
        self._fall_back()
        return None

    def _receive_asleep(self, frame: AirFrame | None) -> list[int] | None:
        if frame is None or frame.bit_count != 7:
            return None
        if frame.data[0] & 0x7F == WUPA or (frame.data[0] & 0x7F == REQA and self.state == IDLE):
            self.starred = self.state == HALT
            self.state, self.level = READY, 0
            return with_parity(bits_of(self.atqa))
        return None

    def _receive_ready(self, frame: AirFrame) -> list[int] | None:
        mine = self.levels[self.level]
        if frame.bit_count >= 16 and frame.data[0] == SELECT_CODES[self.level]:
            nvb = frame.data[1]
            if nvb == 0x70:
                body = frame.data[:7]
                if frame.last_bits == 0 and frame.data == body + crc_a(body) and body[2:] == mine:
                    return self._selected()
            elif 0x20 <= nvb <= 0x67 and nvb & 0x0F < 8:
                known = (nvb >> 4) * 8 + (nvb & 0x0F) - 16
                if frame.bit_count == 16 + known and bits_of(frame.data[2:])[:known] == bits_of(mine)[:known]:
                    return with_parity(bits_of(mine)[known:], 8 - known % 8)
        self._fall_back()
        return None

    def _selected(self) -> list[int]:
        last = self.level == len(self.levels) - 1
        sak = bytes([self.sak if last else SAK_INCOMPLETE])
        if last:
            self.state = ACTIVE
        else:
            self.level += 1
        return with_parity(bits_of(sak + crc_a(sak)))


def _levels(uid: bytes) -> list[bytes]:
    parts = []
    rest = uid
    while len(rest) > 4:
        parts.append(bytes([CASCADE_TAG]) + rest[:3])
        rest = rest[3:]
    parts.append(rest)
    return [part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]]) for part in parts]
