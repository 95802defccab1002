"""A traffic light card of somebody's own deck, told on a form by its title, its side and up to three effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tables.receipts import Json
from companion.tables.wording import plain_line
from companion.web.forms import BadCardError, BadFormError, whole_number
from shared_rules import library
from shared_rules.games.destination_london import meta

SIDES = ("nice", "nasty")
TYPED_VERBS: Mapping[str, tuple[Any, ...]] = {
    "receive": ("receive", None),
    "pay_fine": ("pay_fine", None),
    "petrol_fine": ("pay_fine", None, "petrol_station"),
    "licence_points": ("licence_points", 3),
    "gain_bonus_fuel": ("gain_bonus_fuel", 1),
    "move_to_own_destination": ("move_to_own_destination",),
    "double_fare": ("next_fare", 2),
    "no_fare": ("next_fare", 0),
    "hold_shield": ("hold_shield", "petrol_station"),
}
"""Name on the form → the card's verb; None is the amount that is typed."""
SEVERAL = ("receive", "pay_fine", "petrol_fine", "licence_points")
"""What may stand beside other effects on one card."""
MAX_TITLE = 60
EFFECTS = 3


def typed_light(form: Mapping[str, Any]) -> Json | None:
    """The card that a form describes: one of the shipped ones by `like`, or one's own. None where the form tells of no
    card. `BadCardError` names the text that says what is missing."""
    like = str(form.get("like", ""))
    if like:
        known = {str(card["id"]): card for card in library.deck(meta.NAME, meta.LIGHTS)}
        if like not in known:
            raise BadCardError("card.unknown_effect")
        card: Any = known[like]
        title = library.card_text(meta.NAME, meta.LIGHTS, like)["title"]
        return {"title": title, "side": card["side"], "do": card["do"]}
    chosen = [(str(form.get(f"verb{n}", "")), str(form.get(f"amount{n}", ""))) for n in range(1, EFFECTS + 1)]
    chosen = [pair for pair in chosen if pair[0]]
    if not chosen:
        return None
    if any(name not in TYPED_VERBS for name, _ in chosen):
        raise BadCardError("card.unknown_effect")
    if len(chosen) > 1 and any(name not in SEVERAL for name, _ in chosen):
        raise BadCardError("card.alone")
    side = str(form.get("side", ""))
    title = plain_line(str(form.get("title", "")))[:MAX_TITLE]
    return {
        "title": title or "A card of our own",
        "side": side if side in SIDES else SIDES[0],
        "do": [_effect(name, amount) for name, amount in chosen],
    }


def _effect(name: str, amount: str) -> list[Any]:
    parts = TYPED_VERBS[name]
    if None not in parts:
        return list(parts)
    try:
        number = whole_number(amount)
    except BadFormError:
        number = 0
    if number < 1:
        raise BadCardError("card.number_missing")
    return [number if part is None else part for part in parts]
