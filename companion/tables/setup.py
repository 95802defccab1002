"""How an evening begins: the choices of the set-up page, checked once, for `Evenings.create` and the rules core.

Names of people never enter a position or the log: they live beside it, so that they can be forgotten
(`Application.tables.forget_names`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from companion.errors import SetupError
from companion.tables.wording import plain_line

COLOURS = ("red", "yellow", "blue", "green", "white", "black")
MAX_NAME = 24
MAX_TITLE = 60


@dataclass
class SeatSetup:
    """One seat: the name people call it by (1–24 characters) and its colour."""

    name: str
    colour: str


@dataclass
class EveningSetup:
    """What the set-up page asks. Seats are in order of play.

    `length` takes 15 or 30 trips of the board's guides; `cards` digital or paper decks; `dice` what a throw
    normally rests on (the table's die, the companion's random numbers, or typing; everything stays possible);
    `money` kept by the table or counted along only. `position` enters a game in progress instead (a whole position;
    seats' names and colours are taken from `seats`).
    """

    seats: list[SeatSetup]
    title: str = ""
    game: str = "taxi"
    board: str = "fumbling"
    options: dict[str, Any] = field(default_factory=dict)
    length: Literal["short", "long"] = "short"
    cards: Literal["digital", "paper"] = "digital"
    dice: Literal["table", "digital", "typed"] = "table"
    money: Literal["ledger", "by_hand"] = "ledger"
    position: dict[str, Any] | None = None

    def checked(self) -> EveningSetup:
        """This set-up with names trimmed and a title made up if it has none. `SetupError` names the field to change."""
        if not 2 <= len(self.seats) <= len(COLOURS):
            raise SetupError(f"A game needs two to six seats, not {len(self.seats)}.", "seats")
        seats: list[SeatSetup] = []
        for index, seat in enumerate(self.seats):
            name = plain_line(seat.name)
            if not name:
                raise SetupError(f"Seat {index + 1} needs a name.", f"seats[{index}].name")
            if len(name) > MAX_NAME:
                raise SetupError(
                    f"The name of seat {index + 1} is longer than {MAX_NAME} characters.", f"seats[{index}].name"
                )
            if seat.colour not in COLOURS:
                raise SetupError(
                    f"Seat {index + 1} needs one of the colours {', '.join(COLOURS)}.", f"seats[{index}].colour"
                )
            if any(other.colour == seat.colour for other in seats):
                raise SetupError(f"Two seats are {seat.colour}; each needs its own colour.", f"seats[{index}].colour")
            seats.append(SeatSetup(name, seat.colour))
        for name, value, allowed in (
            ("length", self.length, ("short", "long")),
            ("cards", self.cards, ("digital", "paper")),
            ("dice", self.dice, ("table", "digital", "typed")),
            ("money", self.money, ("ledger", "by_hand")),
        ):
            if value not in allowed:
                raise SetupError(f"{name} is one of {', '.join(allowed)}, not {value!r}.", name)
        title = plain_line(self.title)[:MAX_TITLE] or "An evening of TAXI!"
        return EveningSetup(
            seats,
            title,
            self.game,
            self.board,
            dict(self.options),
            self.length,
            self.cards,
            self.dice,
            self.money,
            self.position,
        )
