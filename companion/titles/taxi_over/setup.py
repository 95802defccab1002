"""What the set-up page asks for Taxi Over, and the position that an evening of it begins with."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.tables.setup import EveningSetup
from companion.tables.wording import colour_name

LENGTHS = ()
ASKS = ("dice",)
QUICK = 3
SHOWN = 2

PICTURE = (
    '<rect width="220" height="96" fill="var(--land)"/>'
    '<path d="M42 96V52Q42 20 74 20H164" fill="none" stroke="var(--major-c)" stroke-width="30"/>'
    '<path d="M150 20Q186 20 186 56V96" fill="none" stroke="var(--major-c)" stroke-width="30"/>'
    '<path d="M160 20H214" stroke="#8d8269" stroke-width="30"/><path d="M160 20H214" stroke="#cfc7b4" '
    'stroke-width="26"/>'
    '<path d="M42 96V52Q42 20 74 20H164" fill="none" stroke="var(--major)" stroke-width="26"/>'
    '<path d="M150 20Q186 20 186 56V96" fill="none" stroke="var(--major)" stroke-width="26"/>'
    '<circle cx="214" cy="20" r="17" fill="#2b2622" stroke="#14161a" stroke-width="2"/>'
    '<path d="M76 62l8-17h60l8 17z" fill="#ffd95a" stroke="#14161a" stroke-width="2"/>'
    '<text x="114" y="58" text-anchor="middle" font-size="13" font-weight="700" fill="#20242c">FOR HIRE</text>'
    '<rect x="70" y="62" width="88" height="26" rx="3" fill="#1b1e24" stroke="#14161a" stroke-width="2"/>'
    '<g fill="#f2b81b" stroke="#6b4a06" stroke-width="1.5"><circle cx="84" cy="75" r="8"/><circle cx="104" cy="75" '
    'r="8"/>'
    '<circle cx="124" cy="75" r="8"/></g>'
    '<g transform="translate(112 20)"><rect x="-21" y="-11" width="42" height="22" rx="7" fill="#24272e" '
    'stroke="#14161a" '
    'stroke-width="2"/><path d="M-7 9C-7 1-4-2-3-3a5 5 0 116 0c1 1 4 4 4 12z" fill="var(--red)" stroke="#14161a"/></g>'
)


def position(setup: EveningSetup) -> Json:
    """A new game: everybody sits in a taxi at START, and the first seat begins."""
    players = [{"name": colour_name(seat.colour), "colour": seat.colour} for seat in setup.seats]
    return {"game": setup.game, "options": setup.options, "board": setup.board, "players": players}
