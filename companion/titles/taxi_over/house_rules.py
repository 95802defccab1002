"""Which house rules of Taxi Over the set-up page asks first: those that change a game most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ASKED = ("target_tokens", "empty_taxi_advance", "sinkhole_driver", "collect_per_move", "taxis_in_play", "boarding")
"""OQ-31, OQ-05, OQ-20, OQ-24, OQ-15, OQ-14."""
EXTRA: Mapping[str, tuple[Any, ...]] = {}
TYPED = frozenset({"dice_faces", "target_tokens"})
