"""A player that is no person and has no plan: any lawful command, each as likely as the others."""

from shared_rules.games.taxi_over.legal import legal_commands
from shared_rules.games.taxi_over.state import State

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


class RandomLawful:
    """Any lawful command. `random` gives a number from 0 up to but not including 1."""

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
