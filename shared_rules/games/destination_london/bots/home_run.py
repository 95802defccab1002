"""The drive home: which number of dice, and from where the Base is entered soonest (L-066, LP-05, LP-06, LP-13)."""

from shared_rules.games.destination_london.commands import dice_of
from shared_rules.games.destination_london.odds_of import throws

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.state import State

# From farther away the way is what counts, not the exact number.
_NEAR = 12


def entry_ways(s: "State", square: str, dice: int) -> int:
    """With how many of 36 throws of so many dice the Base is entered from a square."""
    if square == s.board.base:
        return 0
    ways = 0
    for squares, count in throws(dice):
        if s.board.base in s.roads.reach(square, squares)[0]:
            ways += count
    return ways if dice == 2 else 6 * ways


def best_dice(s: "State", seat: int, square: str) -> "tuple[int, int]":
    """(dice, ways of 36) with the best chance of entering the Base with the next throw."""
    least, most = dice_of(s, seat)
    best, ways = most, -1
    for dice in range(most, least - 1, -1):
        found = entry_ways(s, square, dice)
        if found > ways:
            best, ways = dice, found
    return best, ways


def closeness(s: "State", seat: int, square: str) -> float:
    """How good a square is for coming home, more is better: the chance of the next throw, then the way."""
    way = s.roads.distances_to(s.board.base).get(square, 99)
    ways = best_dice(s, seat, square)[1] if 0 < way <= _NEAR else 0
    return ways / 36.0 - way / 100.0
