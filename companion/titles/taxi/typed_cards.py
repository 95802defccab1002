"""A card of one's own printed deck, typed in: a title, whether it is a traffic fine, and up to three effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tables.receipts import Json
from companion.tables.wording import plain_line
from companion.web.forms import BadCardError, BadFormError, typed_amount

EFFECTS = 3
# verb as the form names it → (what stands before the number, the verb's own words, the kind of number)
TYPED_VERBS: dict[str, tuple[list[Any], str]] = {
    "pay_bank": (["pay_bank"], "amount"),
    "collect_bank": (["collect_bank"], "amount"),
    "pay_each": (["pay_each"], "amount"),
    "collect_each": (["collect_each"], "amount"),
    "collect_from.richest": (["collect_from", "richest"], "amount"),
    "collect_from.most_taxis": (["collect_from", "most_taxis"], "amount"),
    "collect_from.left_neighbour": (["collect_from", "left_neighbour"], "amount"),
    "pay_per_taxi": (["pay_per_taxi"], "amount"),
    "collect_per_taxi": (["collect_per_taxi"], "amount"),
    "pay_by_die": (["pay_by_die"], "amount"),
    "collect_by_die": (["collect_by_die"], "amount"),
    "throw_d12": (["throw_d12"], "count"),
    "win_tablet.green": (["win_tablet", "green"], "count"),
    "win_tablet.white": (["win_tablet", "white"], "count"),
    "lose_tablet.green": (["lose_tablet", "green"], "count"),
    "lose_tablet.white": (["lose_tablet", "white"], "count"),
    "gamble.unknown": (["gamble", None], ""),
    "barrier": (["barrier"], "count"),
    "add_streets": (["add_streets"], "count"),
    "double_move": (["double_move"], ""),
    "throw_again": (["throw_again"], ""),
    "no_move_now": (["no_move_now"], ""),
    "no_d12_now": (["no_d12_now"], ""),
    "miss_next_turn": (["miss_next_turn"], ""),
    "move_to.base": (["move_to", "base"], ""),
    "move_to.trip_start": (["move_to", "trip_start"], ""),
    "move_to.own_destination": (["move_to", "own_destination"], ""),
    "keep.waive_fine": (["keep", "waive_fine"], ""),
    "keep.waive_settlement_due": (["keep", "waive_settlement_due"], ""),
    "keep.pass_one_light": (["keep", "pass_one_light"], ""),
    "nothing": (["nothing"], ""),
}


def typed_card(form: Mapping[str, Any]) -> Json | None:
    """The card that a form describes, None if it describes none."""
    if not form.get("verb1"):
        return None
    verbs: list[list[Any]] = []
    for index in range(1, EFFECTS + 1):
        name = str(form.get(f"verb{index}", ""))
        if not name:
            continue
        if name not in TYPED_VERBS:
            raise BadCardError("card.unknown_effect")
        start, kind = TYPED_VERBS[name]
        if kind:
            try:
                verbs.append([*start, typed_amount(form.get(f"amount{index}", ""))])
            except BadFormError:
                raise BadCardError("card.number_missing") from None
        else:
            verbs.append(list(start))
    title = plain_line(str(form.get("title", "")))[:60]
    return {"title": title, "fine": form.get("fine") == "yes", "do": verbs}
