"""A board as pages name it: every stop with its words, its map reference and its spot on the map."""

from __future__ import annotations

from functools import cache

from companion import titles
from companion.tables.receipts import Json
from companion.tables.table_plan import layout_of
from companion.titles import Title
from shared_rules import library


class Places:
    """A board and its layout. Names and references are made once."""

    def __init__(self, title: Title, board: Json, layout: Json) -> None:
        self.title = title
        self.board = board
        self.layout = layout
        self.points: dict[str, tuple[float, float]] = title.map.place_points(board, layout)
        """Where every stop lies on the map."""
        self._refs: dict[str, str] = {}

    def stops(self) -> list[str]:
        """Every place where a taxi may stand."""
        return list(self.points)

    def place(self, place: str) -> str:
        """A place as people call it; its bare name where the board has no words for it."""
        try:
            return self.title.map.place_name(self.board, self.layout, place)
        except KeyError:
            return place

    def ref(self, place: str | None) -> str:
        """The map reference of a place: "M 1"; empty for none."""
        if not place:
            return ""
        if place not in self._refs:
            self._refs[place] = self.title.map.grid_reference(self.board, self.layout, place)
        return self._refs[place]


def places_of(game: str, board: str | Json) -> Places:
    """The places of a shipped board by its id, or of a board of somebody's own, which has no layout."""
    return _shipped(game, board) if isinstance(board, str) else Places(titles.find(game), board, {})


@cache
def _shipped(game: str, board_id: str) -> Places:
    return Places(titles.find(game), library.board(board_id), layout_of(board_id))
