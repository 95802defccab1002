"""Drives to its best destination, keeps its tank filled, claims what it can afford."""

from shared_rules.games.destination_london.bots.random_lawful import RandomLawful


class Greedy(RandomLawful):
    """For now random."""
