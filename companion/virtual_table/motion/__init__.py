"""What happens to the handheld die: simulated throws, hands, tables and cars, as its accelerometer feels them.

    thrown = motion.throw(7)                    # a Motion
    gx, gy, gz = thrown.acceleration(t_us)      # g, gravity included, microseconds from its start
    thrown.truth.face, thrown.truth.last_motion

Seeds give the same motion on every call. `throw`, `cocked` and `dropped_twice` are a rigid body that falls, bounces and
settles; one takes a tenth of a second to simulate, and `throws` makes hundreds at once for a fifth of that each. The
same few are kept once made.
"""

from __future__ import annotations

from functools import lru_cache

from companion.virtual_table.motion.handling import car, handled, knocked, lying, placed, pocket, wobble
from companion.virtual_table.motion.scenes import KNOWN_TO_LEAN, LEANING, THROWS
from companion.virtual_table.motion.throws import simulated
from companion.virtual_table.motion.trace import COCKED_DEGREES, FLAT_DEGREES, LONGEST_PAUSE, Motion, Truth

__all__ = [
    "Motion",
    "Truth",
    "car",
    "cocked",
    "dropped_twice",
    "handled",
    "knocked",
    "lying",
    "placed",
    "pocket",
    "throw",
    "throws",
    "wobble",
]


@lru_cache(maxsize=64)
def throw(seed: int, kind: str = "table") -> Motion:
    """A throw that ends flat; `kind` is one of `scenes.THROWS`."""
    return _the_first(kind, seed, flat=True)


@lru_cache(maxsize=64)
def cocked(seed: int, kind: str = "") -> Motion:
    """A throw that ends leaning on something; `kind` is one of `scenes.LEANING`, or any."""
    kind = kind or LEANING[seed % len(LEANING)]
    known = KNOWN_TO_LEAN.get(kind)
    return _the_first(kind, known[seed % len(known)] if known else seed, flat=False)


def dropped_twice(seed: int) -> Motion:
    """A throw that lands on something that does not stay, and falls on."""
    return throw(seed, "twice")


def throws(seeds: range, kinds: tuple[str, ...] = THROWS) -> list[Motion]:
    """One throw a seed, the kinds in turn, as they come: some may end leaning, or be too short to be called a throw."""
    return simulated((kinds[seed % len(kinds)], seed) for seed in seeds)


def _the_first(kind: str, seed: int, *, flat: bool) -> Motion:
    """Of the seeds from `seed` on in steps of a million, the first that was thrown and ended as wished."""
    while True:
        motion = simulated([(kind, seed)])[0]
        truth = motion.truth
        as_wished = truth.tilt <= FLAT_DEGREES if flat else truth.tilt >= COCKED_DEGREES
        if truth.thrown and truth.rested and truth.pause <= LONGEST_PAUSE and as_wished:
            return motion
        seed += 1_000_000
