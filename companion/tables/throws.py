"""The throw that the game waits for: whose, which die, how many of it, and what lies there already.

Several dice that are thrown together are thrown one after the other with the one electronic die: each throw but the
last is a note `first_throw` in the log, and how many there are to be is a note `dice_chosen` (by default as many as
the rules allow). Notes count until the game goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.tables.receipts import Json
from companion.tables.table_log import TableLog
from shared_rules.engine import game

CHOSEN, FIRST = "dice_chosen", "first_throw"


@dataclass(frozen=True)
class WantedThrow:
    """`faces` lie there already; `field` is where the rules want the answer, `several` whether as a list."""

    seat: int
    die: str
    count: int
    field: str
    several: bool
    faces: tuple[Any, ...] = ()

    def command(self, thrown: Sequence[Any]) -> Json:
        """The command when all have been thrown."""
        more = {"dice": self.count} if self.several else {}
        return {"do": "roll", "seat": self.seat, "die": self.die, **more, self.field: _answer(self, thrown)}


def _answer(wanted: WantedThrow, thrown: Sequence[Any]) -> Any:
    return list(thrown) if wanted.several else thrown[0]


def wanted_throw(state: Any, log: TableLog) -> WantedThrow | None:
    """What is to be thrown now; None if nothing is."""
    wanted = game.chance(state)
    if wanted is None or wanted.get("kind") not in ("die", "dice"):
        return None
    seat, die, field = int(wanted["seat"]), str(wanted["die"]), str(wanted["field"])
    if wanted["kind"] == "die":
        return WantedThrow(seat, die, 1, field, False)
    notes = [entry.command for entry in log.entries[log.last_change :] if entry.kind == "note"]
    notes = [note for note in notes if note.get("seat") == seat]
    bounds = dice_bounds(state, seat)
    count = bounds[1] if bounds else int(wanted["count"])
    faces: list[Any] = []
    for note in notes:
        if note["do"] == CHOSEN:
            count, faces = int(note["count"]), []
        elif note["do"] == FIRST and note.get("die") == die:
            faces.append(note["face"])
    return WantedThrow(seat, die, count, field, True, tuple(faces))


def dice_bounds(state: Any, seat: int) -> tuple[int, int] | None:
    """How many dice this seat may throw, least and most; None where that is not its choice."""
    for template in game.legal_commands(state, seat):
        if template["do"] == "roll" and isinstance(template.get("dice"), list):
            return int(template["dice"][0]), int(template["dice"][1])
    return None
