"""How a title is simulated that has no module of its own: seats are dealt colours, features are a player's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.simulation.records import Plan
from shared_rules import games
from shared_rules.engine import game

UNIT = "points"
SIDE = "colour"
TURN = "turn_started"
MOST_ROUNDS = 2000
LONG = False


def about(plan: Plan) -> tuple[str, str]:
    """The kind of game in words."""
    return "game", "games"


def deal(plan: Plan, deal: Random) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A new game with colours dealt at random."""
    meta: Any = games.meta(plan.game)
    colours = tuple(deal.sample(list(meta.COLOURS), plan.players))
    position = {
        "game": plan.game,
        "board": plan.board,
        "options": dict(plan.options),
        "players": [{"colour": colour} for colour in colours],
    }
    return position, colours


def money(event: dict[str, Any]) -> list[tuple[str, int]]:
    """Nothing is known of why amounts move."""
    return []


def lengths(counts: Mapping[str, int]) -> dict[str, float]:
    """Nothing beyond turns and commands."""
    return {}


def features(state: Any) -> dict[str, tuple[float, ...]]:
    """Every number of a player, how many entries its lists have, and what is true of it."""
    players = game.dump_position(state)["players"]
    out: dict[str, tuple[float, ...]] = {}
    for name, value in players[0].items():
        if name != "seat" and isinstance(value, (bool, int, list)):
            out[name] = tuple(
                float(len(player[name]) if isinstance(player[name], list) else player[name] or 0) for player in players
            )
    return out
