"""Keys of paired devices and the proofs that both sides know one (docs/protocol.md, "Pairing"): HMAC-SHA256 over who
speaks, both nonces, and whom the session is between."""

from __future__ import annotations

import hmac
import secrets

KEY_SIZE = 16
NONCE_SIZE = 12
PROOF_SIZE = 12

COMPANION = b"companion"
DEVICE = b"device"


def new_key() -> bytes:
    """A key for a device that is being paired."""
    return secrets.token_bytes(KEY_SIZE)


def new_nonce() -> bytes:
    """This side's part of what is proved over."""
    return secrets.token_bytes(NONCE_SIZE)


def proof(
    key: bytes, who: bytes, device_nonce: bytes, companion_nonce: bytes, boot_id: int, companion_id: int
) -> bytes:
    """What `who` sends to show that it knows the key: the first twelve bytes of HMAC-SHA256 over its name, the
    device's nonce, the companion's nonce, and boot id and companion id as four bytes each, little-endian."""
    text = who + device_nonce + companion_nonce + boot_id.to_bytes(4, "little") + companion_id.to_bytes(4, "little")
    return hmac.digest(key, text, "sha256")[:PROOF_SIZE]


def is_proof(given: bytes, expected: bytes) -> bool:
    """Whether they are the same, in a time that tells nothing."""
    return hmac.compare_digest(given, expected)
