"""Why money moved, read off the receipts of the events, for the report on simulated games."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

# Event, and a rule that its receipt must name (None: any) -> reason. The first that fits counts.
REASONS: tuple[tuple[str, str | None, str], ...] = (
    ("BonusPaid", None, "bonus"),
    ("PotPaid", None, "bonus from the pot"),
    ("HireFeePaid", None, "hire fees"),
    ("ExpensePaid", None, "Expense cards"),
    ("DuePaid", "T-083", "traffic fines"),
    ("DuePaid", None, "cards paid"),
    ("MoneyPaid", "T-088", "gambles won from the bank"),
    ("MoneyPaid", None, "cards collected"),
    ("TaxiBought", None, "taxis bought"),
    ("PlateSold", None, "taxis sold for debt"),
    ("StakeLost", None, "stakes lost"),
    ("PartialPaid", None, "last payment of who is out"),
    ("MoneyReturned", None, "left by who is out"),
)
# A stake that goes to the table and comes back is nobody's loss.
COMES_BACK = {"StakeReturned", "StakeTakenBack"}
ESCROW = "escrow"
BETWEEN = "between players: "
"""Begins the reasons of money that stayed among the players; it is counted once, as what changed hands."""


class MoneyByReason:
    """Adds up the money of one game; `sums` is as `PlayedGame.money`."""

    def __init__(self) -> None:
        self.sums: dict[str, int] = defaultdict(int)

    def count(self, events: list[dict[str, Any]]) -> None:
        """Takes in the events of a command."""
        for event in events:
            if event.get("unit") != "money" or event["to"] == ESCROW or event["event"] in COMES_BACK:
                continue
            reason = reason_of(event)
            gets, pays = _plays(event["to"]), _plays(event["from"])
            if gets and (pays or event["from"] == ESCROW):
                self.sums[BETWEEN + reason] += event["amount"]
            elif gets:
                self.sums[reason] += event["amount"]
            else:
                self.sums[reason] -= event["amount"]

    @property
    def from_outside(self) -> int:
        """Dollars that the players together got from the bank, less those they paid to it."""
        return sum(amount for reason, amount in self.sums.items() if not reason.startswith(BETWEEN))


def reason_of(event: dict[str, Any]) -> str:
    """The reason in words; an event that is not in the table gives its own name, so that nothing is left out."""
    for name, rule, reason in REASONS:
        if event["event"] == name and (rule is None or rule in event["rules"]):
            return reason
    return str(event["event"])


def _plays(account: int | str) -> bool:
    return isinstance(account, int) and account > 0
