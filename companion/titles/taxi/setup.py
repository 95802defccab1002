"""What the set-up page asks for TAXI!, and the position that an evening of it begins with."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.tables.setup import EveningSetup
from companion.tables.wording import colour_name
from shared_rules import library

LENGTHS = ("short", "long")
TRIPS = {"short": 15, "long": 30}
ASKS = ("cards", "dice", "money")
QUICK = 4
SHOWN = 1

PICTURE = (
    '<rect width="220" height="96" fill="var(--land)"/>'
    '<path d="M0 70H220M60 0V96M150 0V96" stroke="var(--major-c)" stroke-width="17"/>'
    '<path d="M0 70H220M60 0V96M150 0V96" stroke="var(--major)" stroke-width="13"/>'
    '<path d="M0 28Q110 44 220 20" fill="none" stroke="var(--fw-c)" stroke-width="20"/>'
    '<path d="M0 28Q110 44 220 20" fill="none" stroke="var(--fw)" stroke-width="16"/>'
    '<g transform="translate(104 70)" class="s-red">'
    '<rect x="-21" y="-11" width="42" height="22" rx="7" fill="var(--red)" stroke="#14161a" stroke-width="2"/>'
    '<rect x="-9" y="-8" width="16" height="16" rx="3" fill="#fff3cf" stroke="#14161a" stroke-width="1.6"/>'
    '<circle r="5" cx="-1" fill="var(--red)"/></g>'
)


def position(setup: EveningSetup) -> Json:
    """A new game: each seat follows the guide of its place, as far as the evening is long."""
    guides = library.board(setup.board).get("guides") or []
    assert isinstance(guides, list)
    players = []
    for index, seat in enumerate(setup.seats):
        player: Json = {"name": colour_name(seat.colour), "colour": seat.colour}
        if index < len(guides):
            player["guide"] = guides[index][: TRIPS[setup.length]]
        players.append(player)
    return {"game": setup.game, "options": setup.options, "board": setup.board, "players": players}
