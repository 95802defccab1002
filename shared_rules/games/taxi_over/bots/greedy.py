"""A player with a fixed plan: as far as possible on average (OP-08), and no risk once an intersection is reached."""

from shared_rules.games.taxi_over.legal import legal_commands
from shared_rules.games.taxi_over.meta import MOST_DICE
from shared_rules.games.taxi_over.odds import rolled
from shared_rules.games.taxi_over.state import BOARDING, TAXI_IDS, State
from shared_rules.games.taxi_over.turn import may_stop

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


class Greedy:
    """Rolls on as long as the mean distance grows by it, and gets into a taxi whenever it can.

    With dice that show 1, 1, 2, 2, 3, 3 that is OP-08: a second die after a 1 or a 2, a third after 1 and 1. But when
    the dice on the table reach an intersection it rolls on only if that cannot be a violation.
    """

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: State, seat: int) -> "dict[str, Any] | None":
        """A command of this seat, or None if it has none."""
        templates = legal_commands(s, seat)
        if not templates:
            return None
        if s.phase == BOARDING:
            return {"do": "board_taxi", "seat": seat, "taxi": TAXI_IDS[s.boardable(seat)[0]]}
        if s.dice and may_stop(s) and not self._rolls_on(s, seat):
            return {"do": "stop", "seat": seat}
        return templates[0]

    def _rolls_on(self, s: State, seat: int) -> bool:
        distance = sum(s.dice) * len(s.dice)
        if best_mean(s, s.dice) <= distance:
            return False
        if distance < s.board.to_mark[s.at[s.driver[seat]]]:
            return True
        ways, total = rolled(s, s.dice, 1)
        return sum(ways.values()) == total


def best_mean(s: State, dice: list[int]) -> float:
    """The greatest mean distance of rolling at least one die more; a violation counts as 0."""
    count = len(dice) + 1
    if count > MOST_DICE:
        return 0.0
    ways, total = rolled(s, dice, 1)
    mean = 0.0
    for points in ways:
        further: float = points * count
        if count < MOST_DICE:
            # Only the sum and the number of dice count.
            further = max(further, best_mean(s, [points] + [0] * (count - 1)))
        mean += ways[points] / total * further
    return mean
