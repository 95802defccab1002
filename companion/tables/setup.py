"""How an evening begins: the choices of the set-up page, checked once, for `Evenings.create` and the rules core.

Names of people never enter a position or the log: they live beside it, so that they can be forgotten
(`Application.tables.forget_names`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from companion.errors import SetupError
from companion.tables.wording import plain_line
from shared_rules import library

if TYPE_CHECKING:
    from companion.titles import Title

MAX_NAME = 24
MAX_TITLE = 60


@dataclass
class SeatSetup:
    """One seat: the name people call it by (1–24 characters), its colour, and how well a bot plays it (one of the
    game's bots; empty: people play it)."""

    name: str
    colour: str
    bot: str = ""


@dataclass
class EveningSetup:
    """What the set-up page asks. Seats are in order of play. Without a `game` it is the first that is shown.

    `board` is a shipped one of the game's, the first where it is left out; `length` one of the game's lengths, the
    usual one where it is left out (a game of one length has none); `cards` digital or paper decks; `dice` what a throw
    normally rests on (the table's die, the companion's random numbers, or typing; everything stays possible);
    `money` kept by the table or counted along only. `position` enters a game in progress instead (a whole position;
    seats' names and colours are taken from `seats`).
    """

    seats: list[SeatSetup]
    title: str = ""
    game: str = ""
    board: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    length: str = ""
    cards: Literal["digital", "paper"] = "digital"
    dice: Literal["table", "digital", "typed"] = "table"
    money: Literal["ledger", "by_hand"] = "ledger"
    position: dict[str, Any] | None = None

    def checked(self) -> EveningSetup:
        """This set-up with names trimmed and a title made up if it has none. `SetupError` names the field to change."""
        found = playable(self.game)
        least, most = found.meta.PLAYERS
        colours = tuple(found.meta.COLOURS)
        if not least <= len(self.seats) <= most:
            seats_words = f"{spoken(least)} to {spoken(most)} seats" if most > least else f"{spoken(least)} seats"
            raise SetupError(f"A game needs {seats_words}, not {len(self.seats)}.", "seats")
        seats: list[SeatSetup] = []
        for index, seat in enumerate(self.seats):
            name = plain_line(seat.name)
            if not name:
                raise SetupError(f"Seat {index + 1} needs a name.", f"seats[{index}].name")
            if len(name) > MAX_NAME:
                raise SetupError(
                    f"The name of seat {index + 1} is longer than {MAX_NAME} characters.", f"seats[{index}].name"
                )
            if seat.colour not in colours:
                raise SetupError(
                    f"Seat {index + 1} needs one of the colours {', '.join(colours)}.", f"seats[{index}].colour"
                )
            if any(other.colour == seat.colour for other in seats):
                raise SetupError(f"Two seats are {seat.colour}; each needs its own colour.", f"seats[{index}].colour")
            if seat.bot and seat.bot not in found.rules.bots():
                bots = ", ".join(found.rules.bots())
                raise SetupError(f"There is no bot “{seat.bot}”. Bots: {bots}.", f"seats[{index}].bot")
            seats.append(SeatSetup(name, seat.colour, seat.bot))
        length = self.length or next(iter(found.setup.LENGTHS), "")
        for name, value, allowed in (
            ("length", length, found.setup.LENGTHS or ("",)),
            ("cards", self.cards, ("digital", "paper")),
            ("dice", self.dice, ("table", "digital", "typed")),
            ("money", self.money, ("ledger", "by_hand")),
        ):
            if value not in allowed:
                raise SetupError(f"{name} is one of {', '.join(allowed)}, not {value!r}.", name)
        title = plain_line(self.title)[:MAX_TITLE] or f"An evening of {found.meta.TITLE}"
        board = self.board or next(iter(library.board_ids(found.name)), "")
        return EveningSetup(
            seats,
            title,
            found.name,
            board,
            dict(self.options),
            length,
            self.cards,
            self.dice,
            self.money,
            self.position,
        )


def playable(game: str) -> Title:
    """The companion's part of a game, of the first for an empty name. `SetupError` for one that cannot be played."""
    from companion import titles

    game = game or titles.shown()[0]
    if game not in titles.names():
        known = ", ".join(str(titles.find(name).meta.TITLE) for name in titles.names())
        raise SetupError(f"There is no game “{game}”. Games: {known}.", "game")
    return titles.find(game)


def spoken(number: int) -> str:
    """A small number as a word."""
    words = ("no", "one", "two", "three", "four", "five", "six")
    return words[number] if number < len(words) else str(number)
