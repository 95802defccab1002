"""Which notes change hands for a sum: what the payer hands over and what comes back, with as few notes as possible."""

from __future__ import annotations

from collections.abc import Sequence

Notes = list[tuple[int, int]]


def fewest(amount: int, notes: Sequence[int]) -> Notes:
    """The fewest notes for an amount, largest first: 350 → [(100, 3), (50, 1)]. `notes` are all that there are, the
    largest first."""
    found = []
    for note in notes:
        count, amount = divmod(amount, note)
        if count:
            found.append((note, count))
    return found


def hand_over(amount: int, notes: Sequence[int]) -> tuple[Notes, Notes]:
    """What is handed over and what comes back. One larger note with change beats many small ones: 350 → 500, back 100
    and 50.
    """
    best: tuple[Notes, Notes] = (fewest(amount, notes), [])
    moved = sum(count for _, count in best[0])
    for note in notes:
        if note > amount:
            back = fewest(note - amount, notes)
            count = 1 + sum(n for _, n in back)
            if count < moved:
                best, moved = ([(note, 1)], back), count
    return best
