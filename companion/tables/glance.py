"""The game as it stands, cheaply asked often: the position of the confirmed state, the pieces, and which tag is
which piece."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.tables.table_now import TableNow
from companion.titles.contract import Piece
from shared_rules.engine import game


class Glance:
    """Read-outs of one table for its eyes and explanations; they are made once for each entry of the log. Never
    change them."""

    def __init__(self, table: TableNow) -> None:
        self._table = table
        self._made = -1
        self._position: Json = {}
        self._pieces: dict[str, Piece] = {}
        self._where: dict[str, str | None] = {}
        self._awaited: dict[str, int] = {}
        self._riding: dict[str, str] = {}

    @property
    def position(self) -> Json:
        """The whole position, secrets included."""
        self._look()
        return self._position

    @property
    def pieces(self) -> dict[str, Piece]:
        """Every piece that can have a tag, by its id, in the order in which they are learnt."""
        self._look()
        return self._pieces

    @property
    def where(self) -> dict[str, str | None]:
        """Piece → place, as the game has it."""
        self._look()
        return self._where

    @property
    def awaited(self) -> dict[str, int]:
        """Piece → seat, for pieces whose arrival elsewhere may be what the game waits for."""
        self._look()
        return self._awaited

    @property
    def riding(self) -> dict[str, str]:
        """Piece → the piece that it rides on."""
        self._look()
        return self._riding

    def tag(self, piece: str) -> str | None:
        """The uid of a piece."""
        uid: str | None = self._table.setup["tags"].get(piece)
        return uid

    def piece_of(self, uid: str) -> str | None:
        """The piece that a tag is."""
        return next((piece for piece, tag in self._table.setup["tags"].items() if tag == uid), None)

    def _look(self) -> None:
        if self._made == self._table.last_change:
            return
        part = self._table.game.table
        position: Json = game.dump_position(self._table.state)
        self._position = position
        self._pieces = {piece.id: piece for piece in part.pieces(self._table.setup["seats"], position)}
        self._where = part.where(position)
        self._awaited = part.awaited(position)
        self._riding = part.riding(position)
        self._made = self._table.last_change
