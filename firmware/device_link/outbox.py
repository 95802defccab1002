"""Events until the companion has acknowledged them, for the link: numbered, in memory that never grows.

Numbers begin at 1 in each boot and wrap (see `shared_rules.wire.sequence`). When the ring is full the oldest event
gives way; a companion that asks for it is told how many are lost.

`keep` and `take_over` carry the events from one life of the device to the next, through a two-slot file, under the same
boot id: only the exception handler, planned resets and deep sleep write it, never an event.
"""

import struct

from shared_rules.wire.messages import CHECK_SIZE, FLAG_REPLAYED, HEADER_SIZE, HOT_SIZE, pack, seal
from shared_rules.wire.sequence import WINDOW, distance

_MOST = HOT_SIZE - HEADER_SIZE - CHECK_SIZE  # bytes of a payload
_PLACE = _MOST + 4  # kind, ref, length of the payload, payload
_HEAD = "<IHH"
_HEAD_SIZE = 8


class Outbox:
    """A ring of `capacity` events, each without what its number and its packet's check say again."""

    def __init__(self, capacity: int = WINDOW) -> None:
        self._capacity = capacity
        self._ring = bytearray(capacity * _PLACE)
        self._slot = 0  # where the next event goes
        self.waiting = 0  # events that are kept
        self.newest = 0  # number of the newest event, 0 before the first

    @property
    def oldest(self) -> int:
        """Number of the oldest event that is kept; the next one's when none is."""
        return (self.newest - self.waiting + 1) & 0xFFFF

    def append(self, name: str, ref: int, fields: dict) -> int:
        """Keeps one event; its number. ValueError when it fits no packet of 20 bytes."""
        kind, payload = pack(name, fields)
        length = len(payload)
        if length > _MOST:
            raise ValueError("%s is too long for an event" % name)
        ring = self._ring
        at = self._slot * _PLACE
        ring[at] = kind
        ring[at + 1] = ref & 255
        ring[at + 2] = ref >> 8
        ring[at + 3] = length
        ring[at + 4 : at + 4 + length] = payload
        self._slot = (self._slot + 1) % self._capacity
        self.newest = (self.newest + 1) & 0xFFFF
        if self.waiting < self._capacity:
            self.waiting += 1
        return self.newest

    def acknowledge(self, seq: int) -> bool:
        """Drops all events up to `seq`. False, and nothing changes, when no such event can have been sent."""
        ahead = distance(self.newest, seq)
        if not 0 <= ahead <= WINDOW:
            return False
        if ahead < self.waiting:
            self.waiting = ahead
        return True

    def packet(self, seq: int, replayed: bool = False) -> "bytes | None":
        """The packet of an event that is kept, or None; `replayed` when it may have been sent before."""
        back = distance(self.newest, seq)
        if not 0 <= back < self.waiting:
            return None
        ring = self._ring
        at = (self._slot - 1 - back) % self._capacity * _PLACE
        payload = ring[at + 4 : at + 4 + ring[at + 3]]
        return seal(ring[at], FLAG_REPLAYED if replayed else 0, seq, ring[at + 1] | ring[at + 2] << 8, payload)

    def keep(self, file, boot_id: int) -> None:
        """Writes all that is kept to `file`, a `TwoSlotFile`, and copies nothing: memory may be short. OSError when
        the flash does not take it."""
        head = struct.pack(_HEAD, boot_id, self.newest, self.waiting)
        ring = memoryview(self._ring)
        first = (self._slot - self.waiting) % self._capacity
        if self.waiting == 0:
            file.write(head)
        elif first < self._slot:
            file.write(head, ring[first * _PLACE : self._slot * _PLACE])
        else:
            file.write(head, ring[first * _PLACE :], ring[: self._slot * _PLACE])

    def take_over(self, file) -> int:
        """Takes kept events over into this empty outbox, once; their boot id, or 0 when there are none.

        The record is emptied first: an outbox that came twice would give old numbers to new events. When the flash
        does not allow that, the events are given up.
        """
        kept = file.read()
        if not kept:
            return 0
        try:
            file.write()
        except OSError:
            return 0
        if len(kept) < _HEAD_SIZE:
            return 0
        boot_id, newest, waiting = struct.unpack(_HEAD, kept[:_HEAD_SIZE])
        if waiting > self._capacity or len(kept) != _HEAD_SIZE + waiting * _PLACE:
            return 0
        self._ring[: waiting * _PLACE] = memoryview(kept)[_HEAD_SIZE:]
        self._slot = waiting % self._capacity
        self.waiting = waiting
        self.newest = newest
        return boot_id
