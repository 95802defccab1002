"""TAXI!'s money: dollars in notes from 5,000 down to 10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.tables.receipts import Json

SIGN = "$"
PLACES = 5
NOTES: Mapping[int, str] = {
    5000: "#d7c9e8", 1000: "#bcd7e6", 500: "#f3d39a", 100: "#c9dcc0", 50: "#e7c3b4", 20: "#e9e0a9", 10: "#dcd7cb",
}  # fmt: skip


def amount(value: int) -> str:
    """An amount as it is spoken of: $14,870, or −$350."""
    return f"−${-value:,}" if value < 0 else f"${value:,}"


def moves(events: Sequence[Json | None]) -> list[tuple[int, int, int]]:
    """(payer, payee, amount) of each transfer of money between seats and the bank; 0 is the bank, which keeps the pot
    too. Stakes of bets are not among them: who staked what is nobody's business before the card is turned."""
    found = []
    for event in events:
        if event is None or event.get("unit") != "money" or "escrow" in (event["from"], event["to"]):
            continue
        payer, payee = (account if isinstance(account, int) else 0 for account in (event["from"], event["to"]))
        if payer != payee:
            found.append((payer, payee, event["amount"]))
    return found
