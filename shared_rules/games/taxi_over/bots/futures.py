"""What a turn may lead to: a state for every sum of dice with which it can end, tried out by the rules themselves."""

from shared_rules.games.taxi_over import evolution, turn
from shared_rules.games.taxi_over.meta import MOST_DICE
from shared_rules.games.taxi_over.state import State

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


class Futures:
    """The ends of the turn of a seat that is about to roll or to stop, each worth what `value(state)` says.

    `value` is asked once for every end, about the state at the beginning of the next turn or at the end of the game.
    """

    def __init__(self, s: State, value: "Callable[[State], float]") -> None:
        self.state = s
        self._seat = s.turn
        self._value = value
        self._ends: "dict[tuple[int, int], float]" = {}
        self._rolls: "dict[tuple[int, int], float]" = {}
        self._faces: list[int] = s.options["dice_faces"]

    def stop(self, count: int, points: int) -> float:
        """The worth of ending the turn with so many dice and this sum: a drive, or a violation."""
        key = (count, points)
        if key not in self._ends:
            self._ends[key] = self._value(self.after(count, points))
        return self._ends[key]

    def roll(self, count: int, points: int) -> float:
        """The worth of rolling one die more, and going on from there as well as can be."""
        key = (count, points)
        if key not in self._rolls:
            worth = 0.0
            for face in self._faces:
                worth += self.best(count + 1, points + face)
            self._rolls[key] = worth / len(self._faces)
        return self._rolls[key]

    def best(self, count: int, points: int) -> float:
        """The worth of having rolled so much, with one die at least."""
        if count == MOST_DICE or self.is_violation(count, points):
            return self.stop(count, points)
        roll = self.roll(count, points)
        return max(roll, self.stop(count, points))

    def is_violation(self, count: int, points: int) -> bool:
        """Whether so much is a speeding violation."""
        return self.state.is_violation(some_dice(count, points))

    def after(self, count: int, points: int) -> State:
        """The state when the turn has ended with so many dice and this sum."""
        later = self.state.copy()
        events: "list[dict[str, Any]]" = turn.end_with(later, self._seat, some_dice(count, points))
        while events:
            for event in events:
                evolution.evolve(later, event)
            events = evolution.follow(later)
        return later


def some_dice(count: int, points: int) -> list[int]:
    """Dice with this sum; which ones they are makes no difference to a turn's end."""
    return [points] + [0] * (count - 1) if count else []
