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


def cards_left(state: Any, deck: str) -> list[str]:
    """Ids of the shipped deck's cards that may still be drawn, in the deck's order; [] for a deck that there is not."""
    ids = _ids(deck)
    return list(game.cards_left(state, deck, ids)) if ids else []


def any_card(deck: str) -> str:
    """Some card of the deck, to ask the rules with when none is left."""
    return (_ids(deck) or [""])[0]


def _ids(deck: str) -> list[str]:
    if deck not in ("journey", "passenger", "expense"):
        return []
    return [str(card["id"]) for card in library.deck(deck)]
