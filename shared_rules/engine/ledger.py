"""Double entry for everything that is counted: money and pieces of every kind move between exactly two accounts.

Accounts are the bank (0), the seats (1…n) and a title's named ones (text). A transfer is an event with the fields
`unit`, `from`, `to`, `amount`, whatever its name, so reports can add up by name and nothing can move in another way.
"""

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Iterable
    from typing import Any

    Json = dict[str, Any]


class Ledger:
    """How much of each unit lies in each account.

    `held[unit]` is a list: index 0 the bank, 1…n the seats, then the named accounts in the order given.
    """

    __slots__ = ("seats", "named", "index", "held")

    def __init__(self, seats: int, units: "Iterable[str]", named: "Iterable[str]") -> None:
        self.seats = seats
        self.named = tuple(named)
        self.index: "dict[int | str, int]" = {}
        for i in range(seats + 1):
            self.index[i] = i
        for i, name in enumerate(self.named):
            self.index[name] = seats + 1 + i
        self.held: dict[str, list[int]] = {}
        for unit in units:
            self.held[unit] = [0] * (seats + 1 + len(self.named))

    def post(self, event: "Json") -> None:
        """Carry out the transfer of an event."""
        row = self.held[event["unit"]]
        index = self.index
        amount = event["amount"]
        row[index[event["from"]]] -= amount
        row[index[event["to"]]] += amount

    def total(self, unit: str) -> int:
        """All of a unit, in all accounts; no transfer changes it."""
        return sum(self.held[unit])

    def copy(self) -> "Ledger":
        """An independent ledger with the same holdings."""
        other = Ledger(self.seats, (), self.named)
        for unit in self.held:
            other.held[unit] = list(self.held[unit])
        return other


def transfer(name: str, unit: str, source: "int | str", to: "int | str", amount: int, rules: list[str]) -> "Json":
    """The event of a transfer, with its receipt."""
    return {"event": name, "unit": unit, "from": source, "to": to, "amount": amount, "rules": rules}


def shares(amount: int, parts: int, step: int) -> list[int]:
    """`amount` in equal parts, rounded down to `step`; what is left goes to the first ones, one step each."""
    part = amount // parts // step * step
    out = [part] * parts
    left = amount - part * parts
    i = 0
    while left >= step:
        out[i % parts] += step
        left -= step
        i += 1
    return out
