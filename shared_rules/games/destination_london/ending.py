"""How the game ends: coming home, the count, the last survivor.

L-051 to L-053, L-067 to L-070, LQ-69, LQ-73, LQ-96 to LQ-99. Home is recorded as `ending`; the count follows at once,
but for the house rule that finishes the round.
"""

from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london.meta import BONUS, LOAN, MONEY

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def home(s: "State", seat: int, reason: str) -> "list[Json]":
    """A seat is home; [] if somebody has been before it."""
    if s.ending is not None:
        return []
    rules = ["L-067", "L-068"] if reason == "home" else ["L-073", "LQ-90"]
    return [
        transfer("BonusPaid", MONEY, 0, seat, BONUS, rules),
        {"event": "CameHome", "seat": seat, "reason": reason, "rules": rules},
    ]


def over_now(s: "State") -> bool:
    """Whether somebody is home and the round is not played to its end."""
    return s.ending is not None and s.options["finish_round"] == "no"


def count(s: "State", reason: str) -> "list[Json]":
    """Loans are settled or vehicles repossessed, then the money of those still in is counted."""
    events: "list[Json]" = []
    cash = list(s.cash)
    counted = []
    repossessed = []
    for seat in s.seats_in():
        if s.loan[seat]:
            if s.options["loan_settlement"] == "before_end_only" or cash[seat] < LOAN:
                repossessed.append(seat)
                continue
            cash[seat] -= LOAN
            events.append(transfer("LoanRepaid", MONEY, seat, 0, LOAN, ["L-052", "LQ-69"]))
        counted.append(seat)
    most = max([cash[seat] for seat in counted]) if counted else 0
    winners = [seat for seat in counted if cash[seat] == most]
    if s.ending is not None and s.ending["seat"] in winners and s.options["tie"] == "bonus_holder_wins":
        winners = [s.ending["seat"]]
    rules = ["L-069", "L-070", "LQ-97", "LQ-98"]
    events.append(_ended(s, winners, reason, cash, repossessed, ["L-053", "LQ-69"] + rules if repossessed else rules))
    return events


def last_survivor(s: "State") -> "list[Json]":
    """One seat is left and wins without a count (LQ-73)."""
    return [_ended(s, s.seats_in(), "last_survivor", s.cash, [], ["LQ-73"])]


def _ended(
    s: "State", winners: "list[int]", reason: str, cash: "list[int]", repossessed: "list[int]", rules: "list[str]"
) -> "Json":
    return {
        "event": "GameEnded", "winners": winners, "reason": reason, "repossessed": repossessed,
        "totals": [[seat, cash[seat]] for seat in range(1, s.seats + 1)], "rules": rules,
    }  # fmt: skip


def _came_home(s: "State", event: "Json") -> None:
    s.ending = {"seat": event["seat"], "reason": event["reason"]}
    if s.arrivals and s.arrivals[-1]["home"]:
        landing = dict(s.arrivals[-1])
        landing["home"] = False
        s.arrivals[-1] = landing


def _repaid(s: "State", event: "Json") -> None:
    s.loan[event["from"]] = False


def _ended_now(s: "State", event: "Json") -> None:
    s.result = {
        "winners": list(event["winners"]),
        "reason": event["reason"],
        "totals": [list(total) for total in event["totals"]],
    }
    for seat in event["repossessed"]:
        s.playing[seat] = False
        s.left -= 1
        s.at[seat] = None
    for landing in s.arrivals:
        return_card(s, landing["card"])
    clear_turn(s)
    s.extra_turns = 0
    s.debts = []
    s.deals = []
    s.order = None
    s.ending = None


def clear_turn(s: "State") -> None:
    """Nothing of the running turn is left."""
    s.dice = []
    s.moves = []
    s.extra_turn = False
    s.arrivals = []
    s.offer = None
    s.asked = []


def return_card(s: "State", card: object) -> None:
    """A light card comes back; None is none."""
    if isinstance(card, str):
        s.returned.append(card)
    elif card is not None:
        s.returned_count += 1


EVOLVE = {
    "CameHome": _came_home,
    "LoanRepaid": _repaid,
    "GameEnded": _ended_now,
}
