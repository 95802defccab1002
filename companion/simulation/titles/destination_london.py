"""What a simulation has to know of Destination London."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.simulation.records import Plan
from companion.simulation.titles import BETWEEN, plain
from shared_rules.games.destination_london.meta import MONEY

UNIT = "pounds"
SIDE = "colour"
TURN = "TurnStarted"
MOST_ROUNDS = 3000
"""Random players drive about for long before the last card is played."""
LONG = False

REASONS = {
    "FarePaid": "fares",
    "ClaimPaidByBank": "doubled claims",
    "LightPaid": "nice lights",
    "BonusPaid": "first one home",
    "FuelPaid": "fuel",
    "TurboBought": "Turbo Taxis",
    "LoanTaken": "loans taken",
    "LoanRepaid": "loans repaid",
    "PenaltyPartPaid": "claims",
    "PenaltyToppedUp": "claims made good",
    "CashReturned": "left by who is out",
}
DEBTS = {"fine": "fines", "claim": "claims", "licence": "licences"}

COUNTED = (
    ("FarePaid", "fares a game"),
    ("LandingClaimed", "claims a game"),
    ("KnockedBack", "taxis knocked back a game"),
    ("LightDrawn", "light cards a game"),
    ("PlayerOut", "players out a game"),
)


def about(plan: Plan) -> tuple[str, str]:
    """The kind of game in words."""
    return "game", "games"


def deal(plan: Plan, deal: Random) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A new game with colours dealt at random; seat 1 begins, so that a seat's fairness can be seen."""
    return plain.deal(plan, deal)


def money(event: dict[str, Any]) -> list[tuple[str, int]]:
    """Pounds by reason, read off the receipt."""
    if event.get("unit") != MONEY:
        return []
    name: str = event["event"]
    reason = DEBTS[event["why"]] if name == "DebtPaid" else REASONS.get(name, name)
    if event["from"] and event["to"]:
        return [(BETWEEN + reason, event["amount"])]
    return [(reason, event["amount"] if event["to"] else -event["amount"])]


def lengths(counts: Mapping[str, int]) -> dict[str, float]:
    """How often what makes the game happened."""
    return {name: counts.get(event, 0) for event, name in COUNTED}


def features(state: Any) -> dict[str, tuple[float, ...]]:
    """What each seat has; whoever is out has nothing."""
    seats = range(1, state.seats + 1)
    fares = state.board.fares
    return {
        "cash": tuple(float(state.cash[seat]) for seat in seats),
        "fuel": tuple(float(state.total_fuel(seat)) for seat in seats),
        "fares in hand": tuple(float(sum(fares[card] for card in state.hand[seat])) for seat in seats),
        "Turbo Taxi": tuple(float(state.turbo[seat]) for seat in seats),
        "loan": tuple(float(state.loan[seat]) for seat in seats),
        "licence sections turned": tuple(float(state.sections[seat]) for seat in seats),
        "light cards kept": tuple(float(len(state.held[seat]) + len(state.bonus[seat])) for seat in seats),
    }
