"""London's money: pounds in notes of fifty down to five (L-008)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.tables.receipts import Json

SIGN = "£"
PLACES = 4
NOTES: Mapping[int, str] = {50: "#e7c3b4", 20: "#d7c9e8", 10: "#f3d39a", 5: "#bcd7e6"}


def amount(value: int) -> str:
    """An amount as it is spoken of: £340, or −£50."""
    return f"−£{-value:,}" if value < 0 else f"£{value:,}"


def moves(events: Sequence[Json | None]) -> list[tuple[int, int, int]]:
    """(payer, payee, amount) of each transfer of money between seats and the bank (0). Who pays whom is public."""
    return [
        (int(event["from"]), int(event["to"]), int(event["amount"]))
        for event in events
        if event is not None and event.get("unit") == "money" and event["from"] != event["to"]
    ]
