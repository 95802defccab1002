"""A small record in flash that a power cut cannot destroy, for the outbox, the pairing key and the start record.

Two files take turns. Each holds `generation (4), data, CRC-32 over both (4)`, little-endian; the valid one with the
higher generation counts. A write goes to the other file, so a torn one leaves the older record as it was. Files that
are absent, torn or damaged count for nothing; nothing here raises but `write`.
"""

import binascii
import struct

_GENERATION_SIZE = 4
_OVERHEAD = 8
_RESIDUE = 0x2144DF1C  # CRC-32 of anything with its own CRC-32 behind it
_CHUNK = 128


class TwoSlotFile:
    """The record `name`; its files are `name` with `.a` and `.b`."""

    def __init__(self, name: str) -> None:
        self._names = (name + ".a", name + ".b")
        self._generation = -1  # of the newest record, 0 for none, -1 before anybody has looked
        self._newest = 0  # which of the files holds it

    def read(self) -> "bytes | None":
        """The data of the newest record, or None when there is none."""
        self._look()
        if self._generation == 0:
            return None
        try:
            with open(self._names[self._newest], "rb") as file:
                return file.read()[_GENERATION_SIZE:-4]
        except OSError:
            return None

    def write(self, *parts) -> None:
        """Makes the joined `parts` (bytes, memoryviews) the record; OSError when the flash does not take them.

        After an OSError the record before is still there.
        """
        if self._generation < 0:
            self._look()
        generation = self._generation + 1
        target = 1 - self._newest if self._generation else 0
        head = struct.pack("<I", generation)
        crc = binascii.crc32(head)
        with open(self._names[target], "wb") as file:
            file.write(head)
            for part in parts:
                file.write(part)
                crc = binascii.crc32(part, crc)
            file.write(struct.pack("<I", crc))
        self._generation = generation
        self._newest = target

    def _look(self) -> None:
        self._generation = 0
        for which, name in enumerate(self._names):
            generation = _generation_of(name)
            if generation > self._generation:
                self._generation = generation
                self._newest = which


def _generation_of(name: str) -> int:
    """The generation in a file that is whole, else 0."""
    try:
        with open(name, "rb") as file:
            part = file.read(_CHUNK)
            if len(part) < _OVERHEAD:
                return 0
            generation = struct.unpack("<I", part[:_GENERATION_SIZE])[0]
            crc = 0
            while part:
                crc = binascii.crc32(part, crc)
                part = file.read(_CHUNK)
    except OSError:
        return 0
    return generation if crc == _RESIDUE else 0
