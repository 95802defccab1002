"""A small seeded generator that gives the same numbers on both Pythons; for bots and tests, never for real dice.

xorshift* of 64 bits (Vigna, 2014): far better than a game needs, and reproducible from its seed for ever.
"""

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

_MASK = 0xFFFFFFFFFFFFFFFF


class RandomStream:
    """Numbers from a seed (any whole number)."""

    def __init__(self, seed: int) -> None:
        # One round of splitmix64 spreads small seeds; the state may not be 0.
        z = (seed + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        self._state = (z ^ (z >> 31)) or 1

    def bits(self) -> int:
        """The next 32 bits, as a whole number."""
        x = self._state
        x ^= x >> 12
        x = (x ^ (x << 25)) & _MASK
        x ^= x >> 27
        self._state = x
        return (((x * 0x2545F4914F6CDD1D) & _MASK) >> 32) & 0xFFFFFFFF

    def random(self) -> float:
        """A number from 0 up to but not including 1."""
        return self.bits() / 4294967296.0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1. The bias of at most n / 2**32 does not matter here."""
        return (self.bits() * n) >> 32

    def choice(self, entries: "Any") -> "Any":
        """One of the entries of a list that is not empty."""
        return entries[(self.bits() * len(entries)) >> 32]
