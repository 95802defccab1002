"""Players for Taxi Over that are no people: one plays at random but lawfully, one drives by a good fixed plan.

Each takes `random`, a function that gives a number from 0 up to but not including 1, and nothing else from chance.
"""

from shared_rules.games.taxi_over.legal import legal_commands
from shared_rules.games.taxi_over.state import BOARDING, ROLLING, TAXI_IDS, State

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


class RandomLawful:
    """Any lawful command."""

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: State, seat: int) -> "dict[str, Any] | None":
        """A command of this seat, or None if it has none."""
        templates = legal_commands(s, seat)
        if not templates:
            return None
        template = templates[int(self._random() * len(templates))]
        if "taxi" in template:
            taxis = template["taxi"]
            template["taxi"] = taxis[int(self._random() * len(taxis))]
        return template


class Greedy:
    """Drives as far as it can on average (OP-08): a second die after a 1 or 2, a third only after 1 and 1.

    With a first die that reaches the next intersection it stops, for more would only risk what is in the box.
    """

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: State, seat: int) -> "dict[str, Any] | None":
        """A command of this seat, or None if it has none."""
        if seat != s.turn:
            return None
        if s.phase == BOARDING:
            return {"do": "board_taxi", "seat": seat, "taxi": TAXI_IDS[s.boardable(seat)[0]]}
        if s.phase != ROLLING:
            return None
        dice = s.dice
        if not dice or (len(dice) == 1 and dice[0] <= 2) or (len(dice) == 2 and sum(dice) == 2):
            return {"do": "roll", "seat": seat, "die": "taxi"}
        return {"do": "stop", "seat": seat}
