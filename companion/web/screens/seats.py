"""Views of the rules core made ready for pages: seats with names, destinations and map references; whose turn; what a
page is called.

Everything here reads one `view` (white-listed for its audience) and the board's public data, so that no template ever
sees more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from companion.tables.receipts import Json
from companion.web.map.places import grid_reference, place_name, place_points
from shared_rules import library
from shared_rules.engine.errors import PositionError

BASE = "base"


class Town:
    """A board and its layout: what pages need to name places. Names and references are made once."""

    def __init__(self, board: Json, layout: Json) -> None:
        self.board = board
        self.layout = layout
        self.points = place_points(board, layout)
        """Where every stop lies on the map."""
        self._refs: dict[str, str] = {}

    def destination_name(self, destination: str | None) -> str:
        """A character's name, or the base's; empty for none."""
        if destination is None:
            return ""
        if destination == BASE:
            return str(self.layout.get("base_name", "the Rank"))
        found = self.board["destinations"].get(destination)
        return str(found["name"]) if found else destination

    def destination_at(self, destination: str | None) -> str | None:
        """The point that a destination is reached at."""
        if destination is None:
            return None
        if destination == BASE:
            at: str | None = self.board["base"]
            return at
        found = self.board["destinations"].get(destination)
        return str(found["at"]) if found else None

    def ref(self, place: str | None) -> str:
        """The map reference of a place: "M 1"; empty for none."""
        if not place:
            return ""
        if place not in self._refs:
            self._refs[place] = grid_reference(self.board, self.layout, place)
        return self._refs[place]

    def stops(self) -> list[str]:
        """Every place where a taxi may stand."""
        return list(self.points)

    def place(self, place: str) -> str:
        """A place as people call it: a character's X, or a street and what is near."""
        return place_name(self.board, self.layout, place)


@cache
def town_of(board_id: str) -> Town:
    """The town of a shipped board."""
    return Town(library.board(board_id), library.layout(board_id))


@dataclass
class Seat:
    """One player as a page shows it."""

    seat: int
    name: str
    colour: str
    out: bool
    cash: int
    green: int
    white: int
    plates: int
    barriers: int
    cards: int
    kept: list[Json]
    now: bool
    wealth: int
    skip: int
    arrived: bool
    at: str | None
    destination: str | None
    destination_name: str
    ref: str
    next_name: str
    next_ref: str

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)


@dataclass
class Screen:
    """The public face of a table: what every page of it has in its head."""

    title: str
    trip: int
    trips: int
    round: int
    phase: str
    turn: int
    seats: list[Seat]
    town: Town
    view: Json
    over: bool
    d6: int | None
    result: Json | None
    bank: Json
    decks: Json
    by_seat: dict[int, Seat] = field(default_factory=dict)

    @property
    def on_turn(self) -> Seat | None:
        """The seat whose turn it is, None when the game is over."""
        return None if self.over else self.by_seat.get(self.turn)

    def name(self, seat: int) -> str:
        """What a seat's player is called."""
        found = self.by_seat.get(seat)
        return found.name if found else ""


def screen_of(view: Json, title: str, language: str = "en") -> Screen:
    """The screen of a view; `language` is that of the cards a seat keeps."""
    board = view["board"]
    town = town_of(board) if isinstance(board, str) else Town(board, {})
    over = view["phase"] == "over"
    seats = [_seat(player, view, town, over, language) for player in view["players"]]
    return Screen(
        title=title,
        trip=view["trip"],
        trips=view["trips"],
        round=view["round"],
        phase=view["phase"],
        turn=view["turn"],
        seats=seats,
        town=town,
        view=view,
        over=over,
        d6=view.get("d6"),
        result=view.get("result"),
        bank=view["bank"],
        decks=view["decks"],
        by_seat={seat.seat: seat for seat in seats},
    )


def card_title(card: Json, language: str) -> str:
    """A card's title: its own, or that of the shipped card it is."""
    if card.get("title") or not card.get("card"):
        return str(card.get("title") or "")
    try:
        return str(library.card_text("taxi", card["deck"], card["card"], language)["title"])
    except PositionError:
        return ""


def _seat(player: Json, view: Json, town: Town, over: bool, language: str) -> Seat:
    kept = player.get("kept", [])
    cards = kept if isinstance(kept, int) else len(kept)
    out = player["status"] == "out"
    destination = None if out else player.get("destination")
    following = None if out else player.get("next_destination")
    return Seat(
        seat=player["seat"],
        name=player["name"],
        colour=player["colour"],
        out=out,
        cash=player["cash"],
        green=player["green"],
        white=player["white"],
        plates=player["plates"],
        barriers=player["barriers"],
        cards=cards,
        kept=[] if isinstance(kept, int) else [{**card, "title": card_title(card, language)} for card in kept],
        now=not over and view["turn"] == player["seat"],
        wealth=player.get("wealth", player["cash"] + 15000 * player["plates"]),
        skip=player.get("skip", 0),
        arrived=bool(player.get("arrived")),
        at=player.get("at"),
        destination=destination,
        destination_name=town.destination_name(destination),
        ref=town.ref(town.destination_at(destination)),
        next_name=town.destination_name(following),
        next_ref=town.ref(town.destination_at(following)),
    )
