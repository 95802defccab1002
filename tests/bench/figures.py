"""What a bench hands back, and what benches share: clocks, medians, percentiles.

A bench is a module of this folder with `run() -> list[Figure]`, whose arguments, if any, make it smaller: for a test
of whether it still fits the product (`test_benches.py`). It prints nothing, takes at most a minute or two, and
raises `MissingPartError` with a sentence when this machine lacks something that it needs.
"""

from __future__ import annotations

import math
import re
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class MissingPartError(Exception):
    """A part that the bench needs is not on this machine."""


class Figure(NamedTuple):
    """One measured figure. `goal` reads "at least 20,000" or "at most 100", or is empty."""

    name: str
    figure: float
    unit: str
    goal: str = ""
    method: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without a goal."""
        bound = re.fullmatch(r"at (least|most) ([\d,.]+)", self.goal)
        if bound is None:
            return None
        limit = float(bound[2].replace(",", ""))
        return self.figure >= limit if bound[1] == "least" else self.figure <= limit


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes, by the wall clock."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def median_seconds(action: Callable[[], object], runs: int = 5) -> float:
    """The median of so many calls, one after the other, after one that is thrown away."""
    action()
    return statistics.median(seconds(action) for _ in range(runs))


def percentile(values: list[float], percent: float) -> float:
    """The value below which `percent` of the values lie, nearest rank: a p95 is a value that was measured."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(len(ranked) * percent / 100) - 1)]
