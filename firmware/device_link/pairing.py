"""The key that a device shares with its companion, and the proofs that both have it, for the session.

A proof is the first twelve bytes of HMAC-SHA256 (RFC 2104, FIPS 180-4) under the key over the name of its maker, the
device's nonce, the companion's nonce, boot id and companion id. The key lies in a two-slot file.
"""

import hashlib
import os
import struct

from firmware.supervision.two_slot_file import TwoSlotFile

RECORD = "pairing"
KEY_SIZE = 16
NONCE_SIZE = 12
PROOF_SIZE = 12
_BLOCK = 64  # of SHA-256


def hmac_sha256(key: bytes, text: bytes) -> bytes:
    """HMAC-SHA256 of `text` under a key of at most 64 bytes; MicroPython has no module for it."""
    inner = bytearray(b"\x36" * _BLOCK)
    outer = bytearray(b"\x5c" * _BLOCK)
    for i, byte in enumerate(key):
        inner[i] ^= byte
        outer[i] ^= byte
    digest = hashlib.sha256(inner)
    digest.update(text)
    whole = hashlib.sha256(outer)
    whole.update(digest.digest())
    return whole.digest()


def same(a: bytes, b: bytes) -> bool:
    """Whether both are equal, in a time that does not depend on where they differ."""
    if len(a) != len(b):
        return False
    difference = 0
    for i in range(len(a)):
        difference |= a[i] ^ b[i]
    return difference == 0


class Pairing:
    """The pairing of this device; `radio_is_on()` says whether chance is real."""

    def __init__(self, radio_is_on) -> None:
        self._file = TwoSlotFile(RECORD)
        key = self._file.read()
        self._key = key if key and len(key) == KEY_SIZE else b""
        self._radio_is_on = radio_is_on

    @property
    def paired(self) -> bool:
        """Whether this device has a key."""
        return bool(self._key)

    def pair(self, key: bytes) -> bool:
        """Stores a key, b"" for none; False, and nothing changes, when the flash does not take it."""
        try:
            self._file.write(key)
        except OSError:
            return False
        self._key = bytes(key)
        return True

    def has(self, key: bytes) -> bool:
        """Whether this is its key already: then there is nothing to write."""
        return key == self._key

    def nonce(self) -> "bytes | None":
        """Twelve bytes that nobody can foresee, or None while the radio is off and there is no chance."""
        return os.urandom(NONCE_SIZE) if self._radio_is_on() else None

    def proof(self, maker: bytes, nonces: bytes, boot_id: int, companion_id: int) -> bytes:
        """The proof of `maker`, b"companion" or b"device", for both nonces, the device's first."""
        return hmac_sha256(self._key, maker + nonces + struct.pack("<II", boot_id, companion_id))[:PROOF_SIZE]
