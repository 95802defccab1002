"""Confidence intervals for counts and means, for whoever prints figures of simulated games.

All intervals are two-sided at 95 %. Wilson: E. B. Wilson, "Probable inference, the law of succession, and statistical
inference", JASA 22 (1927). Means: Student's t by the expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5),
right to 0.5 % of the width from 4 values on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

Z = NormalDist().inv_cdf(0.975)


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The Wilson interval of a share; (0, 1) without trials. `successes` may be a fraction, such as a shared win."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    weight = 1 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / weight
    half = Z * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials)) / weight
    return max(0.0, centre - half), min(1.0, centre + half)


def student(degrees: int) -> float:
    """The 97.5 % point of Student's t with so many degrees of freedom, at least 3."""
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(degrees) ** power for power, term in enumerate(terms, 1))


def mean_interval(values: Sequence[float]) -> tuple[float, float, float] | None:
    """(mean, low, high), or None for fewer than four values, which say next to nothing about their spread."""
    if len(values) < 4:
        return None
    mean = fmean(values)
    half = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half
