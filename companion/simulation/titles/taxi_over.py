"""What a simulation has to know of Taxi Over."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.simulation.records import Plan
from companion.simulation.titles import BETWEEN, plain
from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.meta import TOKENS

UNIT = "tokens"
SIDE = "colour"
TURN = "turn_started"
MOST_ROUNDS = 5000
"""Random players overspeed for long."""
LONG = False

COUNTED = (
    ("speeding_violation", "violations a game"),
    ("pushed", "pushes a game"),
    ("fell", "falls a game"),
    ("collected", "boxes taken a game"),
)


def about(plan: Plan) -> tuple[str, str]:
    """The kind of game in words."""
    return "game", "games"


def deal(plan: Plan, deal: Random) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A new game with colours dealt at random; seat 1 begins."""
    return plain.deal(plan, deal)


def money(event: dict[str, Any]) -> list[tuple[str, int]]:
    """Tokens that players got or gave."""
    if event.get("unit") != TOKENS:
        return []
    gets, pays = _plays(event["to"]), _plays(event["from"])
    if not gets and not pays:
        return []
    name: str = event["event"]
    reason = {"collected": "taken from the box"}.get(name, name.replace("_", " "))
    if gets and pays:
        return [(BETWEEN + reason, event["amount"])]
    return [(reason, event["amount"] if gets else -event["amount"])]


def _plays(account: int | str) -> bool:
    return isinstance(account, int) and account > 0


def lengths(counts: Mapping[str, int]) -> dict[str, float]:
    """How often what makes the game happened."""
    return {name: counts.get(event, 0) for event, name in COUNTED}


def features(state: Any) -> dict[str, tuple[float, ...]]:
    """Tokens, and how near to the next ones a driver is."""
    seats = range(1, state.seats + 1)
    taxis = [state.driver[seat] for seat in seats]
    return {
        "tokens": tuple(float(state.tokens[seat]) for seat in seats),
        "driver in a taxi": tuple(float(bool(taxi)) for taxi in taxis),
        "taxi on the road": tuple(float(bool(taxi) and state.at[taxi] != START_PLACE) for taxi in taxis),
        "next to move": tuple(float(state.turn == seat) for seat in seats),
    }
