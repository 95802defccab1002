"""Players for TAXI! that are no people: one plays at random but lawfully, one drives for its bonus, one reckons.

All take `random`, a function that gives a number from 0 up to but not including 1, and nothing else from chance. They
look at the state with the eyes of their seat: a bot never reads a gamble's word, another's bet or another's kept cards.
`Strong` is in `bots.strong` and is imported only by who wants it.
"""

from shared_rules.games.taxi.bots.greedy import Greedy
from shared_rules.games.taxi.bots.random_lawful import RandomLawful

__all__ = ["Greedy", "RandomLawful"]
