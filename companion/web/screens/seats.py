"""Views of the rules core made ready for pages: the header, seats with what they have and where they go, whose turn.

A title makes these from one `view` (white-listed for its audience) and the board's public data, so that no template
ever sees more. It may subclass them for fields of its own; templates read only what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.web.screens.places import Places


@dataclass(frozen=True)
class Amount:
    """What a meter shows: a number of `places` figures behind `sign`; `text` is how it is spoken. `plain`: the last
    figure is no painted nought."""

    value: int
    text: str
    sign: str = ""
    places: int = 5
    plain: bool = False


@dataclass(frozen=True)
class Count:
    """A small number of things with an icon. `top`: one
    of the boxes on top of the own phone."""

    icon: str
    n: int
    words: Markup | str
    top: bool = True


@dataclass(frozen=True)
class Goal:
    """Where a seat goes: `picture` names the drawing of it (`icons.picture`)."""

    name: str
    ref: str
    place: str | None
    picture: str = ""


@dataclass(frozen=True)
class Bar:
    """A piece of a seat's bar on the wall: as long as `size` (in the unit of `Screen.full`), or just the text."""

    css: str
    size: int = 0
    text: str = ""


@dataclass(frozen=True)
class HandCard:
    """A card in one's own hand."""

    title: str
    small: Markup | str = ""
    icon: str = "card"


@dataclass(frozen=True)
class Number:
    """The large number in the wall's head: "trip 3 of 15"."""

    label: Markup | str
    value: int
    of_label: Markup | str = ""
    of: int | None = None


@dataclass(kw_only=True)
class Seat:
    """One player as a page shows it. `line` and `ref` say shortly where it goes or what is the matter with it, `note`
    what else ("misses a turn"); `goal` and `then` are where it goes; `hand` is filled on its own pages only."""

    seat: int
    name: str
    colour: str
    out: bool
    now: bool
    at: str | None
    amount: Amount
    counts: Sequence[Count] = ()
    goal: Goal | None = None
    then: Goal | None = None
    line: Markup | str = ""
    ref: str = ""
    note: Markup | str = ""
    worth: Markup | str = ""
    bars: Sequence[Bar] = ()
    hand: Sequence[HandCard] = ()
    player: Json = field(default_factory=dict)
    bot: str = ""


SeatT_co = TypeVar("SeatT_co", bound=Seat, covariant=True)


@dataclass(kw_only=True)
class ScreenOf(Generic[SeatT_co]):
    """The public face of a table: what every page of it has in its head. `line` is the whole header in words, `short`
    the phone's; `full` is what fills the longest bar of the wall at least, in the unit of `Bar.size`. A title's own
    screen is one of its own seats, `ScreenOf[TaxiSeat]`."""

    game: str
    title: str
    line: Markup | str
    short: Markup | str = ""
    number: Number | None = None
    phase: str
    turn: int
    seats: Sequence[SeatT_co]
    places: Places
    view: Json
    over: bool
    result: Json | None = None
    full: int = 1

    def __post_init__(self) -> None:
        self.by_seat: Mapping[int, SeatT_co] = {seat.seat: seat for seat in self.seats}

    @property
    def on_turn(self) -> SeatT_co | None:
        """The seat whose turn it is, None when the game is over."""
        return None if self.over else self.by_seat.get(self.turn)

    @property
    def widest(self) -> int:
        """What the longest bar must hold."""
        return max(self.full, *(sum(bar.size for bar in seat.bars) for seat in self.seats))

    def name(self, seat: int) -> str:
        """What a seat's player is called."""
        found = self.by_seat.get(seat)
        return found.name if found else ""


Screen = ScreenOf[Seat]
"""A screen of any title."""
