"""Card effects in words, for a button that chooses between them and for the sheet where a card is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from companion.titles.taxi.money import amount
from companion.web.texts import Texts

MONEY = (
    "pay_bank",
    "collect_bank",
    "pay_each",
    "collect_each",
    "pay_per_taxi",
    "collect_per_taxi",
    "pay_by_die",
    "collect_by_die",
)
"""Verbs whose one argument is an amount."""


def verbs_in_words(verbs: Sequence[Any], t: Texts) -> Markup:
    """A list of effects as one phrase: "Pay the bank $200, then miss the next turn"."""
    phrases = [verb_in_words(verb, t) for verb in verbs]
    return Markup(", ").join(phrases) if phrases else t("verb.nothing")


def verb_in_words(verb: Sequence[Any], t: Texts) -> Markup:
    """One effect as a phrase."""
    name = str(verb[0])
    if name in MONEY:
        return t(f"verb.{name}", a=amount(int(verb[1])))
    if name == "collect_from":
        return t(f"verb.collect_from.{verb[1]}", a=amount(int(verb[2])))
    if name in ("lose_tablet", "win_tablet"):
        return t(f"verb.{name}.{verb[1]}", n=int(verb[2]))
    if name in ("throw_d12", "barrier"):
        return t(f"verb.{name}", n=int(verb[1]))
    if name == "add_streets":
        return t("verb.add_streets" if int(verb[1]) >= 0 else "verb.take_streets", n=abs(int(verb[1])))
    if name in ("move_to", "keep"):
        return t(f"verb.{name}.{verb[1]}")
    if name == "if_owner":
        return t("verb.if_owner", owner=verbs_in_words(verb[1], t), other=verbs_in_words(verb[2], t))
    if name == "choose":
        return Markup(" ").join(
            [t("verb.choose"), (Markup(" / ")).join(verbs_in_words(option, t) for option in verb[1])]
        )
    return t(f"verb.{name}")
