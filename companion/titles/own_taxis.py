"""The pieces of games in which each seat drives one taxi of its own: for the `table.py` of such a title."""

from __future__ import annotations

from collections.abc import Sequence

from companion.tables.receipts import Json
from companion.tables.wording import colour_name
from companion.titles.contract import FaceMap, Piece
from shared_rules.wire.messages import STYLE_PIPS

PIPS = FaceMap(1, STYLE_PIPS, (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6), {n: n for n in range(1, 7)})
"""An ordinary die: twelve faces carry the six pips twice."""


def pieces(seats: Sequence[Json], position: Json) -> list[Piece]:
    """Each seat's taxi."""
    return [Piece(f"taxi:{row['seat']}", "taxi", row["seat"], row["colour"]) for row in seats]


def base(board: Json) -> str | None:
    """The board's base, where all taxis begin."""
    found: str | None = board.get("base")
    return found


def piece_name(piece: Piece) -> str:
    """A taxi is called by its colour."""
    return colour_name(piece.colour)


def where(position: Json) -> dict[str, str | None]:
    """Where each taxi that is in the game stands."""
    return {f"taxi:{player['seat']}": player["at"] for player in position["players"] if player["status"] == "in"}


def alike(position: Json) -> list[list[str]]:
    """No two taxis are."""
    return []


def riding(position: Json) -> dict[str, str]:
    """Nothing rides on anything."""
    return {}
