"""Which house rules of TAXI! the set-up page asks first: the nine that change a game most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ASKED = (
    "round_completion",
    "card_draw",
    "fee_scope",
    "purchase_window",
    "insolvency",
    "bets_per_gambler",
    "barrier_extent",
    "bend_90_costs",
    "freeway_stop",
)
"""A-46, A-08, A-50, A-65, A-73, A-81, A-95, A-25, A-36."""
EXTRA: Mapping[str, tuple[Any, ...]] = {"purchase_limit": ("max_total_1", "max_total_2", "max_total_3", "max_total_6")}
"""Values of an option that takes more than it lists, as a form offers them."""
TYPED = frozenset({"plate_price"})
