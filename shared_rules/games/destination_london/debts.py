"""Open debts, log book loans, the licence (L-044 to L-054, LQ-62 to LQ-75).

Debts are settled one after the other, before anything else happens.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import leaving
from shared_rules.games.destination_london.meta import LOAN, MONEY

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

_RULES = {
    "fine": ["L-042", "L-050"],
    "claim": ["L-060"],
    "licence": ["L-047", "L-048", "LQ-62"],
}
_OUT = {
    "fine": ["L-054", "LQ-65"],
    "claim": ["L-054", "LQ-71"],
    "licence": ["L-049", "L-054"],
}


def next_step(s: "State") -> "str | list[Json]":
    """The first debt is paid, or its debtor decides on a loan, or is out."""
    debt = s.debts[0]
    seat: int = debt["seat"]
    amount: int = debt["amount"]
    if s.cash[seat] >= amount:
        event = transfer("DebtPaid", MONEY, seat, debt["to"], amount, list(_RULES[debt["why"]]))
        event["why"] = debt["why"]
        return [event]
    if s.can_loan(seat) and s.cash[seat] + LOAN >= amount:
        return "debt"
    return leaving.departure(s, seat, "unpaid", list(_OUT[debt["why"]]))


def in_own_debt(s: "State", seat: int) -> bool:
    """Whether this seat is the one whose debt is being settled."""
    return bool(s.debts) and s.debts[0]["seat"] == seat


def _needs(s: "State", seat: int) -> bool:
    cash = s.cash[seat]
    if cash == 0:
        return True
    for debt in s.debts:
        if debt["seat"] == seat and debt["amount"] > cash:
            return True
    return seat == s.turn and cash < s.fuel_price(seat) and s.phase == "stranded"


def loan_refusal(s: "State", seat: int) -> "tuple[str, str, str] | None":
    """(code, message, rule) if a seat cannot take a loan now."""
    if s.loan[seat]:
        return "already_done", "A loan is open already.", "LQ-67"
    if not s.can_loan(seat):
        return "not_allowed", "The house rules allow one loan in a game.", "LQ-67"
    if s.options["loan_when"] == "need_only" and not _needs(s, seat):
        return "not_allowed", "A loan is for those who cannot pay what is due, or have no money.", "LQ-64"
    return None


def decide_take_loan(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`take_loan`; in one's own debt the debt is then paid by itself."""
    no = loan_refusal(s, seat)
    if no is not None:
        raise refuse(no[0], no[1], no[2])
    return [transfer("LoanTaken", MONEY, 0, seat, LOAN, ["L-050", "L-051"])]


def decide_repay_loan(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`repay_loan`."""
    if not s.loan[seat]:
        raise refuse("not_allowed", "No loan is open.", "L-052")
    if in_own_debt(s, seat):
        raise refuse("not_allowed", "The debt comes first.", "LQ-68")
    if s.cash[seat] < LOAN:
        raise refuse("not_enough_money", "A loan is repaid in one sum, £200.", "LQ-68")
    return [transfer("LoanRepaid", MONEY, seat, 0, LOAN, ["L-052", "LQ-68"])]


def decide_decline_loan(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`decline_loan`."""
    return leaving.departure(s, seat, "unpaid", ["LQ-66"])


def _paid(s: "State", event: "Json") -> None:
    s.debts = s.debts[1:]
    if event["why"] == "licence":
        s.sections[event["from"]] = 0


def _raised(s: "State", event: "Json") -> None:
    s.debts.append({"seat": event["seat"], "amount": event["sum"], "to": event["creditor"], "why": event["why"]})


def _loan_taken(s: "State", event: "Json") -> None:
    seat = event["to"]
    s.loan[seat] = True
    s.loan_used[seat] = True


EVOLVE = {"DebtPaid": _paid, "DebtRaised": _raised, "LoanTaken": _loan_taken}
