"""Which house rules of Destination London the set-up page asks first: those that change a game most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ASKED = (
    "claim_window",
    "knock_back",
    "short_moves",
    "fare_cancels_extra_turn",
    "stranded_unsold",
    "loan_when",
    "home_run_needs_fuel",
    "home_overshoot",
    "finish_round",
)
"""LQ-77, LQ-87, LQ-15, LQ-06, LQ-39, LQ-64, LQ-46, LQ-94, LQ-96."""
EXTRA: Mapping[str, tuple[Any, ...]] = {"max_extra_turns": (1, 2, 3)}
"""Values of an option that takes more than it lists, as a form offers them."""
TYPED = frozenset({"fuel_resale_price"})
