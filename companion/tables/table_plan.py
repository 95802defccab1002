"""Which socket is which place on an evening's board: what a reader's number means, and which places have a reader
or a light at all."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from shared_rules import library

BASE = "<base>"
"""The base's name in a layout."""


class TablePlan:
    """A board with the layout of the table that it lies on. Without a layout nothing has a socket, and all is done
    by hand."""

    def __init__(self, board: Json, layout: Json) -> None:
        self.board = board
        self.layout = layout
        self.base: str | None = board.get("base")
        named: dict[str, int] = layout.get("sockets", {})
        self._sockets: dict[str, int] = {}
        for place, socket in named.items():
            where = self.base if place == BASE else place
            if where is not None:
                self._sockets[where] = socket
        self._places = {socket: place for place, socket in self._sockets.items()}
        self.leds: dict[str, int] = dict(layout.get("leds", {}))

    @classmethod
    def of(cls, board_id: str, board: Json | str) -> TablePlan:
        """The plan of a shipped board, or of a board object without a layout."""
        if board_id in library.board_ids():
            return cls(library.board(board_id), library.layout(board_id))
        return cls(board if isinstance(board, dict) else {}, {})

    def socket_of(self, place: str | None) -> int | None:
        """The socket at a place; None where there is none."""
        return None if place is None else self._sockets.get(place)

    def place_of(self, socket: int) -> str | None:
        """The place of a socket; None for one that this board does not use."""
        return self._places.get(socket)

    def name(self, place: str | None) -> str:
        """What people call a place: `Lady Hatt`, `the base`, `the road A~B`."""
        if place is None:
            return "nowhere"
        if place == self.base:
            return "the base"
        destinations: dict[str, Any] = self.board.get("destinations", {})
        for destination in destinations.values():
            if destination["at"] == place:
                return str(destination["name"] or place)
        return f"the road {place}" if "~" in place else f"the corner {place}"
