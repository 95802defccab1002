"""Which of several pieces that nobody can tell apart is which: the tags of two change places when the table makes more
sense then. What rides on a piece is told apart, and tells its carrier apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from companion.tables.glance import Glance
from companion.tables.presence import Presence

WRONG_PLACE, WRONG_RIDER = 2, 3


def best_swap(
    glance: Glance,
    presence: Presence,
    lies_right: Callable[[str, str | None], bool],
    groups: Iterable[Sequence[str]],
) -> tuple[str, str] | None:
    """The exchange of two pieces' tags that puts most right, None when none does. A piece whose move is awaited keeps
    its tag unless its rider says otherwise: it may be on its way to where another stood."""
    riders = {carrier: rider for rider, carrier in glance.riding.items()}

    def socket(uid: str | None) -> int | None:
        return presence.tags.get(uid) if uid is not None else None

    def wrong_rider(piece: str, uid: str | None) -> bool:
        rider = riders.get(piece)
        on, under = socket(glance.tag(rider)) if rider else None, socket(uid)
        return on is not None and under is not None and on != under

    def amiss(piece: str, uid: str | None) -> int:
        right = uid is None or lies_right(uid, glance.where.get(piece))
        return (0 if right else WRONG_PLACE) + (WRONG_RIDER if wrong_rider(piece, uid) else 0)

    best: tuple[int, tuple[str, str]] | None = None
    for group in groups:
        for one, other in combinations(group, 2):
            mine, theirs = glance.tag(one), glance.tag(other)
            if mine is None and theirs is None:
                continue
            held = [piece for piece in (one, other) if piece in glance.awaited and piece in riders]
            if not all(wrong_rider(piece, glance.tag(piece)) for piece in held):
                continue
            gain = amiss(one, mine) + amiss(other, theirs) - amiss(one, theirs) - amiss(other, mine)
            if gain > 0 and (best is None or gain > best[0]):
                best = (gain, (one, other))
    return best[1] if best else None
