"""Hand-made games for tests of what is made of many games."""

from __future__ import annotations

from typing import Any

from companion.simulation.records import Plan, PlayedGame


def plan(**more: Any) -> Plan:
    values: dict[str, Any] = {
        "game": "taxi", "players": 2, "games": 4, "seed": 7, "board": "fumbling", "bots": ("random", "greedy"),
    }  # fmt: skip
    return Plan(**{**values, **more})


def game(number: int, winners: tuple[int, ...], **more: Any) -> PlayedGame:
    values: dict[str, Any] = {
        "sides": ("1", "2"),
        "bots": ("random", "greedy"),
        "reason": "trips_done",
        "lengths": {"rounds a game": 5, "turns a game": 10, "commands a game": 30},
        "totals": (20000, 10000),
        "money": {"bonus": 12000},
        "half": {"wealth": (9000.0, 8000.0)},
        **more,
    }
    return PlayedGame(number=number, winners=winners, **values)
