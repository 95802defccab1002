"""How the MFRC522 reads streams of SPI bytes (8.1.2): an address byte first, then data, or further addresses.

Address byte: highest bit 1 to read, six bits of address, lowest bit 0. Writing: every further byte goes to the same
register. Reading: every further byte is the address of the next one, 00 ends; what is read comes one byte later.
"""

from __future__ import annotations

from collections.abc import Callable

UNDEFINED = 0xA5
"""What MISO shows while there is nothing to say."""

_NOTHING_SAID = bytes((UNDEFINED, UNDEFINED))


class SpiStream:
    """Turns bytes into reads and writes of registers; `select` begins a new stream."""

    def __init__(
        self,
        read: Callable[[int, float], int],
        write: Callable[[int, int, float], None],
        complain: Callable[[str], None],
    ) -> None:
        self._read = read
        self._write = write
        self._complain = complain
        self._register: int | None = None  # None before the address byte
        self._reading = False
        self._over = False

    def select(self) -> None:
        """An edge of NSS."""
        self._register = None
        self._over = False

    def transfer(self, mosi: bytes, now: float) -> bytes:
        """Whole bytes, most significant bit first; what MISO says meanwhile."""
        if len(mosi) == 2 and self._register is None and not mosi[0] & 1:  # by far the most: one register
            register = self._register = mosi[0] >> 1 & 0x3F
            self._reading = mosi[0] > 0x7F
            if not self._reading:
                self._write(register, mosi[1], now)
                return _NOTHING_SAID
            if not mosi[1]:
                self._over = True
                return bytes((UNDEFINED, self._read(register, now)))
            self._register = None
        return bytes([self._byte(byte, now) for byte in mosi])

    def _byte(self, byte: int, now: float) -> int:
        register = self._register
        if register is None:
            if byte & 1:
                self._complain(f"address byte {byte:02x}: the lowest bit must be 0")
            self._register, self._reading = byte >> 1 & 0x3F, bool(byte & 0x80)
            return UNDEFINED
        if not self._reading:
            self._write(register, byte, now)
            return UNDEFINED
        if self._over:
            return UNDEFINED
        value = self._read(register, now)
        if byte & 0x80:
            self._register = byte >> 1 & 0x3F
        else:
            self._over = True
            if byte:
                self._complain(f"byte {byte:02x} after a read: 00 ends it, an address has its highest bit set")
        return value
