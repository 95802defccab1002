"""The game as it stands, cheaply asked often: the position of the confirmed state, and whose taxi a tag is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.tables.receipts import Json
from shared_rules.engine import game

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor


class Glance:
    """Read-outs of one table for its eyes and explanations; the position is made once for each entry of the log.
    Never change it."""

    def __init__(self, actor: TableActor) -> None:
        self._actor = actor
        self._cached: tuple[int, Json] = (-1, {})

    @property
    def position(self) -> Json:
        """The whole position, secrets included."""
        if self._cached[0] != self._actor.last_change:
            self._cached = (self._actor.last_change, game.dump_position(self._actor.state))
        return self._cached[1]

    def player(self, seat: int) -> Json:
        """The player's part of the position."""
        found: Json = next(row for row in self.position["players"] if row["seat"] == seat)
        return found

    def at(self, seat: int) -> str | None:
        """Where the seat's taxi stands in the game."""
        at: str | None = self.player(seat)["at"]
        return at

    def tag(self, seat: int) -> str | None:
        """The uid of the seat's taxi."""
        for row in self._actor.setup["seats"]:
            if row["seat"] == seat:
                tag: str | None = row["tag"]
                return tag
        return None

    def seat_of(self, uid: str) -> int | None:
        """Whose taxi a tag is."""
        for row in self._actor.setup["seats"]:
            if row["tag"] == uid:
                return int(row["seat"])
        return None

    def awaits_move(self, seat: int) -> bool:
        """Whether the game waits for this seat's taxi to move."""
        position = self.position
        return bool(position["phase"] == "move" and position["turn"] == seat)
