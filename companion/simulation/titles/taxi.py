"""What a simulation has to know of TAXI!."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.simulation.records import Plan
from companion.simulation.titles import BETWEEN
from shared_rules import library
from shared_rules.games.taxi.meta import COLOURS

UNIT = "dollars"
SIDE = "guide"
TURN = "TurnStarted"
MOST_ROUNDS = 60
"""In one trip (A-57)."""
LONG = True

SHORT_TRIPS, LONG_TRIPS = 15, 30
"""T-023."""

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
"""Event, and a rule that its receipt must name (None: any) -> reason. The first that fits counts."""
COMES_BACK = {"StakeReturned", "StakeTakenBack"}
"""A stake that goes to the table and comes back is nobody's loss."""
ESCROW = "escrow"


def trips(plan: Plan) -> int:
    """Trips of one game."""
    return LONG_TRIPS if plan.long else SHORT_TRIPS


def about(plan: Plan) -> tuple[str, str]:
    """The kind of game in words."""
    kind = "long" if plan.long else "short"
    return f"{kind} game of {trips(plan)} trips", f"{kind} games of {trips(plan)} trips"


def deal(plan: Plan, deal: Random) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A new game: each seat drives by one of the board's guides, in that guide's colour (T-002)."""
    printed: Any = library.board(plan.board)["guides"]
    guides = deal.sample(range(1, len(printed) + 1), plan.players)
    position = {
        "game": "taxi",
        "board": plan.board,
        "options": dict(plan.options),
        "players": [
            {"name": f"P{seat}", "colour": COLOURS[guide - 1], "guide": printed[guide - 1][: trips(plan)]}
            for seat, guide in enumerate(guides, 1)
        ],
    }
    return position, tuple(str(guide) for guide in guides)


def money(event: dict[str, Any]) -> list[tuple[str, int]]:
    """Dollars by reason, read off the receipt."""
    if event.get("unit") != "money" or event["to"] == ESCROW or event["event"] in COMES_BACK:
        return []
    reason = reason_of(event)
    gets, pays = _plays(event["to"]), _plays(event["from"])
    if gets and (pays or event["from"] == ESCROW):
        return [(BETWEEN + reason, event["amount"])]
    return [(reason, event["amount"] if gets else -event["amount"])]


def reason_of(event: dict[str, Any]) -> str:
    """The reason in words; an event that is not in the table gives its own name, so that nothing is left out."""
    for name, rule, reason in REASONS:
        if event["event"] == name and (rule is None or rule in event["rules"]):
            return reason
    return str(event["event"])


def _plays(account: int | str) -> bool:
    return isinstance(account, int) and account > 0


def lengths(counts: Mapping[str, int]) -> dict[str, float]:
    """Rounds. A trip's first round begins with the trip itself."""
    played = counts.get("TripStarted", 0) + 1
    rounds = counts.get("RoundStarted", 0) + played
    return {"rounds a trip": rounds / played, "rounds a game": rounds}


def features(state: Any) -> dict[str, tuple[float, ...]]:
    """What each seat has, the open legs ahead of it included."""
    seats = range(1, state.seats + 1)
    return {
        "wealth": tuple(state.wealth(seat) for seat in seats),
        "cash": tuple(state.cash[seat] for seat in seats),
        "taxis": tuple(state.plates[seat] for seat in seats),
        "green tablets": tuple(state.green[seat] for seat in seats),
        "white tablets": tuple(state.white[seat] for seat in seats),
        "barriers": tuple(state.barriers[seat] for seat in seats),
        "cards kept": tuple(len(state.kept[seat]) for seat in seats),
    }
