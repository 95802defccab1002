"""Events until the companion has acknowledged them, for the link: packed, numbered, in memory that never grows.

Numbers begin at 1 in each boot and wrap (see `shared_rules.wire.sequence`). When the ring is full the oldest event
gives way; a companion that asks for it is told how many are lost.
"""

import binascii
import struct

from shared_rules.wire.messages import HOT_SIZE, encode
from shared_rules.wire.sequence import WINDOW, distance

_HEAD = "<IHH"
_HEAD_SIZE = 8


class Outbox:
    """A ring of `capacity` packets of at most 20 bytes."""

    def __init__(self, capacity: int = WINDOW) -> None:
        self._capacity = capacity
        self._packets = bytearray(capacity * HOT_SIZE)
        self._lengths = bytearray(capacity)
        self._slot = 0  # where the next event goes
        self.waiting = 0  # events that are kept
        self.newest = 0  # number of the newest event, 0 before the first

    @property
    def oldest(self) -> int:
        """Number of the oldest event that is kept; the next one's when none is."""
        return (self.newest - self.waiting + 1) & 0xFFFF

    def append(self, name: str, ref: int, fields: dict) -> int:
        """Keeps one event; its number."""
        seq = (self.newest + 1) & 0xFFFF
        packet = encode(name, seq, ref, fields)
        at = self._slot * HOT_SIZE
        self._packets[at : at + len(packet)] = packet
        self._lengths[self._slot] = len(packet)
        self._slot = (self._slot + 1) % self._capacity
        self.newest = seq
        if self.waiting < self._capacity:
            self.waiting += 1
        return seq

    def acknowledge(self, seq: int) -> bool:
        """Drops all events up to `seq`. False, and nothing changes, when no such event can have been sent."""
        ahead = distance(self.newest, seq)
        if not 0 <= ahead <= WINDOW:
            return False
        if ahead < self.waiting:
            self.waiting = ahead
        return True

    def packet(self, seq: int) -> bytes | None:
        """The packet of an event that is kept, or None."""
        back = distance(self.newest, seq)
        if not 0 <= back < self.waiting:
            return None
        return self._kept(back)

    def _kept(self, back: int) -> bytes:
        slot = (self._slot - 1 - back) % self._capacity
        at = slot * HOT_SIZE
        return bytes(self._packets[at : at + self._lengths[slot]])

    def save(self, boot_id: int) -> bytes:
        """All that is kept, as bytes that `restore` understands: head, packets with a length byte each, CRC-32."""
        out = bytearray(struct.pack(_HEAD, boot_id, self.newest, self.waiting))
        for back in range(self.waiting - 1, -1, -1):
            packet = self._kept(back)
            out.append(len(packet))
            out.extend(packet)
        return bytes(out) + struct.pack("<I", binascii.crc32(out))

    def restore(self, saved: bytes) -> int:
        """Takes saved events over into an empty outbox; their boot id, or 0 when `saved` is empty or damaged."""
        if len(saved) < _HEAD_SIZE + 4 or struct.unpack("<I", saved[-4:])[0] != binascii.crc32(saved[:-4]):
            return 0
        boot_id, newest, waiting = struct.unpack(_HEAD, saved[:_HEAD_SIZE])
        if waiting > self._capacity:
            return 0
        at = _HEAD_SIZE
        for slot in range(waiting):
            length = saved[at]
            self._packets[slot * HOT_SIZE : slot * HOT_SIZE + length] = saved[at + 1 : at + 1 + length]
            self._lengths[slot] = length
            at += 1 + length
        self._slot = waiting % self._capacity
        self.waiting = waiting
        self.newest = newest
        return boot_id
