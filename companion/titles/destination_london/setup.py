"""What the set-up page asks for Destination London, and the position that an evening of it begins with."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.tables.setup import EveningSetup
from companion.tables.wording import colour_name

LENGTHS: tuple[str, ...] = ()
ASKS = ("cards", "dice", "money")
QUICK = 4
SHOWN = 3

PICTURE = (
    '<rect width="220" height="96" fill="#e2e9ea"/>'
    '<path d="M-5 78Q50 60 92 74T150 66T225 74V100H-5z" fill="#9cc8da"/>'
    '<path d="M0 50H220" stroke="#8f9a9e" stroke-width="17"/><path d="M0 50H220" stroke="#fffaf0" stroke-width="13"/>'
    '<g transform="translate(164 4)" fill="#c9a44c" stroke="#20242c" stroke-width="1.8" stroke-linejoin="round">'
    '<path d="M2 40V12h16v28z"/><path d="M2 12l8-11 8 11z" fill="#5f94aa"/><circle cx="10" cy="19" r="5" '
    'fill="#fffaf0"/><path d="M10 15.500v4h3" fill="none"/></g>'
    '<g transform="translate(22 8)" stroke="#20242c" stroke-width="1.8"><path d="M0 36V10M40 36V10" stroke-width="7"/>'
    '<path d="M-4 10L0 2l4 8zM36 10l4-8 4 8z" fill="#5f94aa"/><path d="M0 14h40M-10 34h60" stroke-width="3"/></g>'
    '<g transform="translate(104 50)"><rect x="-21" y="-11" width="42" height="22" rx="7" fill="#20242c" '
    'stroke="#14161a" stroke-width="2"/><rect x="-9" y="-8" width="16" height="16" rx="3" fill="#f2b81b" '
    'stroke="#14161a" stroke-width="1.6"/></g>'
)


def position(setup: EveningSetup) -> Json:
    """A new game: everybody throws for the first turn, then three Destination Cards are dealt to each. With cards of
    paper the traffic light cards are told as they come."""
    players = [{"name": colour_name(seat.colour), "colour": seat.colour} for seat in setup.seats]
    found: Json = {
        "game": setup.game,
        "options": setup.options,
        "board": setup.board,
        "players": players,
        "phase": "order_roll",
    }
    if setup.cards == "paper":
        found["lights"] = {"pile": 30, "returned": 0}
    return found
