"""The house rules as the set-up page asks them: the nine that change a game most, and all others, with their rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared_rules.games.taxi import meta

ASKED = ("round_completion", "card_draw", "fee_scope", "purchase_window", "insolvency", "bets_per_gambler", "barrier_extent", "bend_90_costs", "freeway_stop")
"""A-46, A-08, A-50, A-65, A-73, A-81, A-95, A-25, A-36."""


@dataclass(frozen=True)
class HouseRule:
    """One option: its name, its ruling (A-nn), its values (default first) and the one that is chosen now."""

    name: str
    ruling: str
    values: tuple[str, ...]
    chosen: str


def _rule(name: str, form: Mapping[str, Any] | None) -> HouseRule:
    return HouseRule(name, "", (), "")


def asked_rules(form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """The nine, in the order in which they are asked."""
    return [_rule(name, form) for name in ASKED]


def all_rules(form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """All others, in the order of the rule pages."""
    return [_rule(name, form) for name in meta.OPTIONS if name not in ASKED]


def options_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a form chose and that differ from the default."""
    return {}
