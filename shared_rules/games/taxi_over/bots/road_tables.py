"""How fast a driver gets to the next intersection, by itself on the road: the small game that is solved beforehand.

A turn is one of a die plan with its violations; other taxis are left out of it. Everything follows from the dice and
from how far START is from its first intersection, so tables are kept between games.
"""

from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.meta import MOST_DICE
from shared_rules.games.taxi_over.state import State

# Turns that are looked ahead, steps beyond which a road counts as this long, rounds in which mean turns settle.
TURNS = 6
LONGEST = 40
SETTLED = 60
# Turns that a violation costs beside the way from START: the driver waits for an empty taxi.
WAIT = 2

_KEPT = 8
_tables: "list[tuple[tuple[object, ...], RoadTables]]" = []


class RoadTables:
    """`reach[turns][steps]`: the chance of driving so many steps within so many own turns, without a violation.

    `turns[steps]` is the least mean number of turns for it, `at_least[steps]` the chance that one turn driven for the
    greatest mean distance goes so far.
    """

    def __init__(self, s: State) -> None:
        self._faces: "list[tuple[int, float]]" = []
        faces: list[int] = s.options["dice_faces"]
        for face in sorted(set(faces)):
            self._faces.append((face, len([other for other in faces if other == face]) / len(faces)))
        self._s = s
        self.start = min(LONGEST, s.board.to_mark[START_PLACE])
        longest = min(LONGEST, max(s.board.to_mark))
        self.reach = [[1.0] + [0.0] * longest]
        for turns in range(1, TURNS + 1):
            before = self.reach[turns - 1]
            row = [1.0]
            for steps in range(1, longest + 1):
                ends = [before[steps - gone] if gone < steps else 1.0 for gone in range(steps + 1)]
                row.append(self._best(0, 0, ends, 0.0))
            self.reach.append(row)
        self.turns = self._mean_turns(longest)
        self.at_least = self._drives()

    def _best(self, count: int, points: int, ends: list[float], lost: float) -> float:
        """The greatest worth of a plan for the dice; `ends` is the worth by distance, all beyond worth the last."""
        if self._violates(count, points):
            return lost
        stop = ends[min(count * points, len(ends) - 1)]
        if count == MOST_DICE:
            return stop
        roll = 0.0
        for face, weight in self._faces:
            roll += weight * self._best(count + 1, points + face, ends, lost)
        return roll if count == 0 else max(roll, stop)

    def _violates(self, count: int, points: int) -> bool:
        return count > 0 and self._s.is_violation([points] + [0] * (count - 1))

    def _mean_turns(self, longest: int) -> list[float]:
        turns = [0.0] * (longest + 1)
        for _ in range(SETTLED):
            lost = -(WAIT + turns[self.start])
            for steps in range(1, longest + 1):
                ends = [-turns[steps - gone] for gone in range(steps + 1)]
                turns[steps] = 1.0 - self._best(0, 0, ends, lost)
        return turns

    def _drives(self) -> list[float]:
        farthest = self._s.options["dice_faces"]
        chances = [0.0] * (MOST_DICE * MOST_DICE * max(farthest) + 2)
        identity = [float(steps) for steps in range(len(chances))]
        self._walk(0, 0, 1.0, identity, chances)
        for steps in range(len(chances) - 2, -1, -1):
            chances[steps] += chances[steps + 1]
        return chances

    def _walk(self, count: int, points: int, weight: float, ends: list[float], chances: list[float]) -> None:
        if self._violates(count, points):
            return
        roll = 0.0
        if count < MOST_DICE:
            for face, part in self._faces:
                roll += part * self._best(count + 1, points + face, ends, 0.0)
        if count and roll <= count * points:
            chances[count * points] += weight
            return
        for face, part in self._faces:
            self._walk(count + 1, points + face, weight * part, ends, chances)


def tables_for(s: State) -> RoadTables:
    """The tables of a game's dice and board, kept between games."""
    key = (
        tuple(s.options["dice_faces"]), s.first_bust, s.board.to_mark[START_PLACE], max(s.board.to_mark),
    )  # fmt: skip
    for known, tables in _tables:
        if known == key:
            return tables
    if len(_tables) >= _KEPT:
        _tables.pop(0)
    tables = RoadTables(s.copy())
    _tables.append((key, tables))
    return tables
