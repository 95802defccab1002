"""Digital dice and decks, for `TableActor`: chance answers when it is asked, so no order of a deck exists that
could leak."""

from __future__ import annotations

import random
from typing import Any

from shared_rules import library
from shared_rules.engine import game

# Rule T-007: five green, two white, five blank faces.
TWELVE = ("green",) * 5 + ("white",) * 2 + ("blank",) * 5


def throw(die: str, chance: random.Random) -> Any:
    """A face of `d6` (1–6) or `d12` (`green`, `white`, `blank`). Another name gives 0, which the rules refuse."""
    if die == "d6":
        return chance.randrange(6) + 1
    if die == "d12":
        return TWELVE[chance.randrange(12)]
    return 0


def draw(state: Any, deck: str, chance: random.Random) -> str:
    """The id of one of the shipped deck's cards that may still be drawn. With none left it is any card's, which the
    rules then refuse; an empty one for a deck that there is not."""
    if deck not in library.deck_names("taxi"):
        return ""
    ids = [str(card["id"]) for card in library.deck("taxi", deck)]
    return str(chance.choice(game.cards_left(state, deck, ids) or ids))


def is_left(state: Any, command: dict[str, Any], outcome: dict[str, Any]) -> bool:
    """Whether this outcome can still come: every throw, and a shipped card that lies in its deck."""
    card = outcome.get("card")
    if not isinstance(card, str):
        return True
    return card in game.cards_left(state, str(command.get("deck")), [card])
