"""A serial NOR flash that can lose its power in the middle of any write or erase, with its image in a file.

Bits are cleared by programming and set by erasing a sector of 4 KiB, as on any such chip. Programming a bit that is
already 0 to 1 has no effect, which is a complaint: a file system that does it has lost track. A write that the power
leaves is torn: a part of its bytes is there, the byte at the tear has some of its bits; a torn erase leaves any mixture
of old bytes and erased ones.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

SECTOR = 4096


class PowerLost(Exception):  # noqa: N818 (it is what happens, nobody's error)
    """The supply went away in the middle of an operation; the firmware never hears of its end."""


class NorFlash:
    """`size` bytes, kept in the file `image`, which is made blank when it is not there."""

    def __init__(self, image: Path, size: int, seed: int, complain: Callable[[str], None]) -> None:
        if size % SECTOR or size < 4 * SECTOR:
            raise ValueError(f"a flash is a multiple of {SECTOR} bytes, at least {4 * SECTOR}, not {size}")
        self.size = size
        self.image = image
        self._complain = complain
        self._random = random.Random(seed)
        self.reads = self.programs = self.erases = 0
        self.wear = [0] * (size // SECTOR)
        """Erases of each sector since this object was made."""
        self._left: int | None = None
        image.parent.mkdir(parents=True, exist_ok=True)
        if not image.exists():
            image.write_bytes(b"\xff" * size)
        self._data = bytearray(image.read_bytes())
        if len(self._data) != size:
            raise ValueError(f"{image} has {len(self._data)} bytes, the flash {size}: use that size or remove the file")
        self._file = os.open(image, os.O_WRONLY)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def operations(self) -> int:
        """Writes and erases so far: what `cut_power_after` counts."""
        return self.programs + self.erases

    def cut_power_after(self, operations: int | None) -> None:
        """So many more writes and erases succeed, the next one is torn. None takes it back."""
        if operations is not None and operations < 0:
            raise ValueError("power is cut after 0 or more writes")
        self._left = operations

    def read(self, address: int, count: int) -> bytes:
        self._check(address, count)
        self.reads += 1
        return bytes(self._data[address : address + count])

    def program(self, address: int, data: bytes) -> None:
        """Clears bits. Raises `PowerLost` when the power goes away meanwhile."""
        self._check(address, len(data))
        self.programs += 1
        torn = self._is_last()
        count = self._random.randrange(len(data) + 1) if torn else len(data)
        old = self._data[address : address + len(data)]
        if any(new & ~was & 0xFF for new, was in zip(data, old, strict=True)):
            self._complain(f"flash: bits at {address:#x} are set by programming, which only erasing can do")
        new = bytearray(was & value for was, value in zip(old[:count], data[:count], strict=True))
        if torn and count < len(data):
            new.append(old[count] & (data[count] | self._random.randrange(256)))
        self._store(address, new)
        if torn:
            raise PowerLost

    def erase(self, address: int) -> None:
        """Sets all bits of a sector. Raises `PowerLost` when the power goes away meanwhile."""
        self._check(address, SECTOR)
        if address % SECTOR:
            raise ValueError(f"sectors begin at multiples of {SECTOR}, not at {address:#x}")
        self.erases += 1
        self.wear[address // SECTOR] += 1
        if self._is_last():
            old = self._data[address : address + SECTOR]
            chance = self._random.random()
            self._store(address, bytearray(0xFF if self._random.random() < chance else byte for byte in old))
            raise PowerLost
        self._store(address, bytearray(b"\xff" * SECTOR))

    def _is_last(self) -> bool:
        if self._left is None:
            return False
        self._left -= 1
        if self._left >= 0:
            return False
        self._left = None
        return True

    def _store(self, address: int, data: bytearray) -> None:
        self._data[address : address + len(data)] = data
        os.pwrite(self._file, data, address)

    def _check(self, address: int, count: int) -> None:
        if address < 0 or address + count > self.size:
            raise ValueError(f"{count} bytes at {address:#x} are beyond the flash of {self.size}")
