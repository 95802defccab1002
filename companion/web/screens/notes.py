"""Which notes change hands for a sum: what the payer hands over and what comes back, with as few notes as possible."""

from __future__ import annotations

NOTES = (5000, 1000, 500, 100, 50, 20, 10)


def fewest(amount: int) -> list[tuple[int, int]]:
    """The fewest notes for an amount, largest first: 350 → [(100, 3), (50, 1)]."""
    found = []
    for note in NOTES:
        count, amount = divmod(amount, note)
        if count:
            found.append((note, count))
    return found


def hand_over(amount: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """What is handed over and what comes back. One larger note with change beats many small ones: 350 → 500, back 100
    and 50.
    """
    best = (fewest(amount), fewest(0))
    moved = sum(count for _, count in best[0])
    for note in NOTES:
        if note > amount:
            back = fewest(note - amount)
            count = 1 + sum(n for _, n in back)
            if count < moved:
                best, moved = ([(note, 1)], back), count
    return best
