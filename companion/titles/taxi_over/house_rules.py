"""Which house rules of Taxi Over the set-up page asks first: those that change a game most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared_rules.games.taxi_over import meta

ASKED = ("target_tokens", "empty_taxi_advance", "sinkhole_driver", "collect_per_move", "taxis_in_play", "boarding")
"""OQ-31, OQ-05, OQ-20, OQ-24, OQ-15, OQ-14."""
EXTRA: Mapping[str, tuple[Any, ...]] = {
    "target_tokens": (meta.TARGETS, {"2": 5, "3": 6, "4": 6}, {"2": 12, "3": 12, "4": 12}),
    "dice_faces": ([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6]),
}
"""What a form offers of options that take far more; any other value comes with a preset or a position."""
TYPED: frozenset[str] = frozenset()
