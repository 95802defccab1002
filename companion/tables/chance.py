"""Digital dice and decks, for `TableActor`: chance answers when it is asked, so no order of a deck exists that
could leak."""

from __future__ import annotations

import random
from typing import Any

from companion.tables.receipts import Json
from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.errors import PositionError


def answer(state: Any, wanted: Json, chance: random.Random) -> Any:
    """What goes into the field that chance is asked for (`game.chance`): a face, a list of faces, or the id of one of
    the shipped deck's cards that may still be drawn. With no card left it is any card's, and for a die or a deck that
    there is not a face 0 or an empty id: the rules then say what is wrong."""
    if wanted["kind"] == "card":
        return _draw(state, str(wanted.get("deck")), chance)
    if wanted["kind"] == "dice":
        return [_throw(state, str(wanted["die"]), chance) for _ in range(int(wanted["count"]))]
    return _throw(state, str(wanted.get("die")), chance)


def _throw(state: Any, die: str, chance: random.Random) -> Any:
    if die not in state.title.meta.DICE:
        return 0
    faces = state.title.faces(state, die)
    return faces[chance.randrange(len(faces))]


def _draw(state: Any, deck: str, chance: random.Random) -> str:
    try:
        ids = [str(card["id"]) for card in library.deck(state.title.NAME, deck)]
    except PositionError:
        return ""
    return str(chance.choice(game.cards_left(state, deck, ids) or ids))


def is_left(state: Any, wanted: Json, outcome: Json) -> bool:
    """Whether this outcome can still come: every throw, and a shipped card that lies in its deck."""
    card = outcome.get("card")
    if not isinstance(card, str):
        return True
    return card in game.cards_left(state, str(wanted.get("deck")), [card])
