"""Tags of ISO/IEC 15693-3 (vicinity cards, e.g. ICODE SLIX) bit by bit, for the models of readers that speak it.

A tag is a state machine (7.2): without field it is off; in the field READY, QUIET or SELECTED. It answers an inventory
(8.1) at once, or in the slot that the four bits of its UID after the mask name; the reader steps to the next slot by
an end of frame alone. Several tags answer at the same time; where their bits differ the reader sees a collision.

UIDs here have eight bytes, the most significant (E0) first, as people write them; in the air the least significant byte
and bit come first. An AFI in a request is stepped over and not judged. Worst cases on purpose: a tag needs the whole
millisecond of field that the standard allows, and forgets its state only after 5 ms without.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.virtual_table.chips.iso14443a import COLLISION, FORGET_US, OFF, AirFrame, bits_of

__all__ = ["COLLISION", "START_UP_US", "VicinityAnswer", "VicinityFrame", "VicinityTag", "crc_v"]

START_UP_US = 1_000
"""ISO/IEC 15693-3: a tag takes its first request 1 ms after the field is there."""

READY = "READY"
QUIET = "QUIET"
SELECTED = "SELECTED"

# Request flags (7.3.1)
TWO_SUBCARRIERS, HIGH_RATE, INVENTORY, EXTENSION = 0x01, 0x02, 0x04, 0x08
SELECT_FLAG, ADDRESS_FLAG = 0x10, 0x20  # without INVENTORY
AFI_FLAG, ONE_SLOT = 0x10, 0x20  # with it
OPTION_FLAG = 0x40

# Commands (10.2)
INVENTORY_COMMAND, STAY_QUIET, SELECT, RESET_TO_READY = 0x01, 0x02, 0x25, 0x26

_NOT_SUPPORTED = 0x01
_NOT_RECOGNISED = 0x02


def crc_v(data: bytes) -> bytes:
    """The two bytes that follow `data` in the air (annex C): ISO/IEC 13239, preset FFFF, inverted."""
    crc = 0xFFFF
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return (~crc & 0xFFFF).to_bytes(2, "little")


@dataclass(frozen=True)
class VicinityFrame:
    """What a reader sends between start and end of frame, sums included; no data: an end of frame alone."""

    data: bytes


@dataclass(frozen=True)
class VicinityAnswer:
    """The bits of an answer as they go through the air, each 0, 1 or COLLISION, and how they are sent."""

    bits: list[int]
    high_rate: bool = True
    two_subcarriers: bool = False


class VicinityTag:
    """One tag: `uid` of eight bytes that begins with E0; `dsfid` is what it says of its data format."""

    vicinity = True

    def __init__(self, uid: bytes, dsfid: int = 0x00) -> None:
        if len(uid) != 8 or uid[0] != 0xE0:
            raise ValueError(f"a tag of ISO/IEC 15693 has a UID of 8 bytes that begins with e0, not {uid.hex()!r}")
        self.uid = uid
        self.dsfid = dsfid
        self.state = OFF
        self.coupling = 1.0
        self.flicker = ""
        """Which power-ups succeed, over and over, as with `iso14443a.Tag`."""
        self.feeders: list[object] = []
        self.unfed_since = -FORGET_US
        self.leaves_after: int | None = None
        self._power_ups = 0
        self._air_uid = uid[::-1]
        self._number = int.from_bytes(uid, "big")
        self._answers_from_us = 0
        self._slot: int | None = None
        """The slot of a running inventory that the reader is in, None without one."""
        self._my_slot = -1
        self._flags = 0

    def power_up(self, now: int) -> None:
        self.state, self._slot = READY, None
        self._answers_from_us = now + START_UP_US
        if self.flicker:
            if self.flicker[self._power_ups % len(self.flicker)] == "0":
                self.state = OFF
            self._power_ups += 1

    def power_down(self) -> None:
        self.state, self._slot = OFF, None

    def receive(self, frame: VicinityFrame | AirFrame | None, now: int) -> VicinityAnswer | None:
        """The answer, or None for silence. Frames of other standards, and None for noise, mean nothing to it."""
        if self.state == OFF or now < self._answers_from_us or not isinstance(frame, VicinityFrame):
            return None
        if not frame.data:
            return self._next_slot()
        self._slot = None
        data = frame.data
        if len(data) < 4 or crc_v(data[:-2]) != data[-2:]:
            return None
        flags, command, rest = data[0], data[1], data[2:-2]
        if flags & EXTENSION:
            return None
        self._flags = flags
        if flags & INVENTORY:
            return self._inventory(flags, rest) if command == INVENTORY_COMMAND else None
        return self._request(flags, command, rest)

    # -- inventory (8.1, 8.2) -----------------------------------------------------------------------------------------

    def _inventory(self, flags: int, rest: bytes) -> VicinityAnswer | None:
        if self.state == QUIET:
            return None
        if flags & AFI_FLAG:
            rest = rest[1:]
        if not rest:
            return None
        length = rest[0]
        most = 64 if flags & ONE_SLOT else 60
        if length > most or len(rest) != 1 + (length + 7) // 8:
            return None
        mask = int.from_bytes(rest[1:], "little") & ((1 << length) - 1)
        if self._number & ((1 << length) - 1) != mask:
            return None
        if flags & ONE_SLOT:
            return self._say(self._identity())
        self._slot = 0
        self._my_slot = self._number >> length & 0x0F
        return self._say(self._identity()) if self._my_slot == 0 else None

    def _next_slot(self) -> VicinityAnswer | None:
        if self._slot is None:
            return None
        self._slot += 1
        if self._slot > 15:
            self._slot = None
            return None
        return self._say(self._identity()) if self._slot == self._my_slot else None

    def _identity(self) -> bytes:
        return bytes((0x00, self.dsfid)) + self._air_uid

    # -- other requests (10.3) ----------------------------------------------------------------------------------------

    def _request(self, flags: int, command: int, rest: bytes) -> VicinityAnswer | None:
        if flags & ADDRESS_FLAG:
            mine = rest[:8] == self._air_uid
            if not mine:
                if command == SELECT and self.state == SELECTED and len(rest) == 8:
                    self.state = READY
                return None
            rest = rest[8:]
        elif self.state == QUIET or (flags & SELECT_FLAG and self.state != SELECTED):
            return None
        addressed = bool(flags & ADDRESS_FLAG)
        if command == STAY_QUIET:
            if addressed and not rest:
                self.state = QUIET
            return None
        if command == SELECT:
            if not addressed or rest:
                return None
            self.state = SELECTED
            return self._say(b"\x00")
        if command == RESET_TO_READY:
            if rest:
                return self._say(bytes((0x01, _NOT_RECOGNISED)))
            self.state = READY
            return self._say(b"\x00")
        return self._say(bytes((0x01, _NOT_SUPPORTED)))

    def _say(self, body: bytes) -> VicinityAnswer:
        flags = self._flags
        return VicinityAnswer(bits_of(body + crc_v(body)), bool(flags & HIGH_RATE), bool(flags & TWO_SUBCARRIERS))
