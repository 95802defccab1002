"""Exact chances of the dice: violations and distances, as fractions [numerator, denominator] in lowest terms (OP-01 …).

Only the sum and the number of the dice matter, so a stage of a turn is a table of ways by sum.
"""

from shared_rules.games.taxi_over.meta import LIMIT, MOST_DICE
from shared_rules.games.taxi_over.state import BOARDING, OVER, State

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def fraction(numerator: int, denominator: int) -> list[int]:
    """A fraction in lowest terms; zero is [0, 1]."""
    a, b = numerator, denominator
    while b:
        a, b = b, a % b
    return [numerator // a, denominator // a]


def rolled(s: State, dice: list[int], more: int) -> "tuple[dict[int, int], int]":
    """({sum: ways}, all ways) after so many more dice; a violation ends the rolling, and its ways are missing."""
    ways = {sum(dice): 1}
    count = len(dice)
    total = 1
    for _ in range(more):
        count += 1
        total *= len(s.options["dice_faces"])
        after: dict[int, int] = {}
        for before in ways:
            for face in s.options["dice_faces"]:
                new = before + face
                if new <= LIMIT or (count == 1 and not s.first_bust):
                    after[new] = after.get(new, 0) + ways[before]
        ways = after
    return ways, total


def violation(s: State, dice: list[int], more: int) -> list[int]:
    """The chance of a violation within so many more dice."""
    ways, total = rolled(s, dice, more)
    return fraction(total - sum(ways.values()), total)


def moves(s: State, dice: list[int], more: int) -> "list[dict[str, Any]]":
    """[{"distance", "chance"}, …] of driving after so many more dice, distances rising."""
    ways, total = rolled(s, dice, more)
    count = len(dice) + more
    return [{"distance": points * count, "chance": fraction(ways[points], total)} for points in sorted(ways)]


def mean(s: State, dice: list[int], more: int) -> list[int]:
    """The mean distance of driving after so many more dice; a violation counts as 0."""
    ways, total = rolled(s, dice, more)
    return fraction(sum([points * (len(dice) + more) * ways[points] for points in ways]), total)


def odds(s: State, seat: int) -> "list[dict[str, Any]]":
    """What may become of the seat's turn, as [{"what", …, "chance"}, …]; [] if it has none to decide.

    `violation` and `distance` (with "distance") are of the next die if the taxi drives after it; `violation_within` and
    `reach_intersection` are of rolling on to so many dice ("dice"), from where the taxi stands; `stop_reaches` (1 or 0)
    is whether driving now reaches an intersection.
    """
    if s.phase == OVER or seat != s.turn:
        return []
    dice = s.dice
    place = -1 if s.phase == BOARDING else s.at[s.driver[seat]]
    ahead = s.board.to_mark[place]
    out: list[dict[str, Any]] = []
    if dice:
        reaches = 1 if sum(dice) * len(dice) >= ahead else 0
        out.append({"what": "stop_reaches", "distance": sum(dice) * len(dice), "chance": [reaches, 1]})
    out.append({"what": "violation", "chance": violation(s, dice, 1)})
    for move in moves(s, dice, 1):
        out.append({"what": "distance", "distance": move["distance"], "chance": move["chance"]})
    for more in range(1, MOST_DICE - len(dice) + 1):
        count = len(dice) + more
        ways, total = rolled(s, dice, more)
        enough = sum([ways[points] for points in ways if points * count >= ahead])
        out.append({"what": "violation_within", "dice": count, "chance": violation(s, dice, more)})
        out.append({"what": "reach_intersection", "dice": count, "chance": fraction(enough, total)})
    return out
