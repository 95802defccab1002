"""The receiver of the MFRC522: from symbols in the air to bytes in the FIFO (9.3.1.7, 9.3.1.13 to 9.3.1.15).

RxAlign puts the first bit at a later place of the first byte. CollPos counts places in the FIFO, so the empty ones that
RxAlign leaves are counted: NXP's reader library takes the bits before it as valid, and adds them to the whole bytes
that were known.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.virtual_table.chips.iso14443a import COLLISION
from companion.virtual_table.chips.mfrc522_registers import COLL_ERR, PARITY_ERR


@dataclass
class Received:
    """Bytes for the FIFO; ErrorReg flags; place of the first collision from 1, or 0; valid bits of the last byte."""

    data: bytearray
    errors: int
    collided_at: int
    last_bits: int


def receive(symbols: list[int], align: int, parity: bool, keep_after_collision: bool) -> Received:
    """`symbols` are data and parity bits, each 0, 1 or COLLISION.

    Parity is not judged after a collision, nor for a byte whose first part the reader had sent itself. After a
    collision bits read as 0, or with `keep_after_collision` as they are, a collided one as 1.
    """
    data = bytearray()
    errors = collided_at = 0
    at, place, current = 0, align, 0
    while at < len(symbols):
        symbol = symbols[at]
        at += 1
        if symbol == COLLISION:
            if not collided_at:
                collided_at = 8 * len(data) + place + 1
                errors |= COLL_ERR
            symbol = 1
        if collided_at and not keep_after_collision:
            symbol = 0
        current |= symbol << place
        place += 1
        if place < 8:
            continue
        if parity and at < len(symbols):
            expected = 1 - current.bit_count() % 2
            if symbols[at] != expected and not collided_at and not (align and not data):
                errors |= PARITY_ERR
            at += 1
        data.append(current)
        current, place = 0, 0
    if place:
        data.append(current)
    return Received(data, errors, collided_at, place)
