"""Taxi Over's tokens: counted one by one, no notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.tables.receipts import Json

SIGN = ""
PLACES = 2
NOTES: Mapping[int, str] = {}


def amount(value: int) -> str:
    """A number of tokens."""
    return f"−{-value}" if value < 0 else str(value)


def moves(events: Sequence[Json | None]) -> list[tuple[int, int, int]]:
    """There is no money between seats and a bank."""
    return []
