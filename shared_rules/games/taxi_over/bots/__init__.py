"""Players for Taxi Over that are no people: one plays at random but lawfully, one by a fixed plan, one reckons.

All take `random`, a function that gives a number from 0 up to but not including 1, and nothing else from chance.
`Strong` is in `bots.strong` and is imported only by who wants it.
"""

from shared_rules.games.taxi_over.bots.greedy import Greedy
from shared_rules.games.taxi_over.bots.random_lawful import RandomLawful

__all__ = ["Greedy", "RandomLawful"]
