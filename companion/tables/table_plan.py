"""Which socket is which place on an evening's board: what a reader's number means, and which places have a reader
or a light at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.devices.device_state import SOCKETS_EACH
from companion.tables.receipts import Json
from companion.titles import Title
from shared_rules import library
from shared_rules.engine.errors import PositionError

BASE = "<base>"
"""The base's name in a layout."""
FIRST = 0
"""The controller of numbers that name none."""


class TablePlan:
    """A board with the layout of the table that it lies on. Without a layout nothing has a socket, and all is done
    by hand. A place may have several sockets, one beside the other. Sockets have the layout's numbers: `socket` of
    controller n is 32 n + socket. Those of a controller that was never met do not count (`serve`)."""

    def __init__(self, title: Title, board: Json, layout: Json) -> None:
        self.title = title
        self.board = board
        self.layout = layout
        self.base = title.table.base(board)
        self._sockets: dict[str, tuple[int, ...]] = {}
        self._places: dict[int, str] = {}
        self.serve({FIRST})
        self.leds: dict[str, int] = dict(layout.get("leds", {}))

    @classmethod
    def of(cls, title: Title, board_id: str, board: Json | str) -> TablePlan:
        """The plan of a shipped board, or of a board object without a layout."""
        if board_id in library.board_ids(title.name):
            return cls(title, library.board(board_id), layout_of(board_id))
        return cls(title, board if isinstance(board, dict) else {}, {})

    def serve(self, controllers: Collection[int]) -> None:
        """From now on these controllers' readers count; the first one's always do."""
        self._sockets = {}
        for place, given in self.layout.get("sockets", {}).items():
            where = self.base if place == BASE else place
            sockets = sockets_in(given, {FIRST, *controllers})
            if where is not None and sockets:
                self._sockets[where] = sockets
        self._places = {socket: place for place, sockets in self._sockets.items() for socket in sockets}

    @property
    def sockets(self) -> Mapping[int, str]:
        """Socket → place, of all that are served."""
        return self._places

    def sockets_of(self, place: str | None) -> tuple[int, ...]:
        """The sockets at a place; () where there is none."""
        return () if place is None else self._sockets.get(place, ())

    def place_of(self, socket: int) -> str | None:
        """The place of a socket; None for one that this board does not use."""
        return self._places.get(socket)

    def name(self, place: str | None) -> str:
        """What the table calls a place."""
        return "nowhere" if place is None else self.title.table.place_name(self.board, place)


def layout_of(board_id: str) -> Json:
    """A shipped board's layout; an empty one for a board without."""
    try:
        return library.layout(board_id)
    except PositionError:
        return {}


def sockets_in(given: Any, controllers: Collection[int] = (FIRST,)) -> tuple[int, ...]:
    """The sockets of one place in a layout that these controllers have: `7`, `[7, 8]`, `{"controller": 1, "socket":
    7}`; the last one is number 39."""
    if isinstance(given, list):
        return tuple(socket for one in given for socket in sockets_in(one, controllers))
    if isinstance(given, dict):
        number = SOCKETS_EACH * int(given.get("controller", FIRST)) + int(given["socket"])
    else:
        number = int(given)
    return (number,) if number // SOCKETS_EACH in controllers else ()


def nearest_led(plan: TablePlan, place: str, points: Mapping[str, Sequence[float]]) -> int | None:
    """The LED of a place, or the one nearest to it on the board's drawing; None on a board without."""
    if place in plan.leds:
        return plan.leds[place]
    where = points.get(place.split("~")[0])
    near = [(_squared(where, points[name]), led) for name, led in plan.leds.items() if where and name in points]
    return min(near)[1] if near else None


def _squared(a: Sequence[float], b: Sequence[float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
