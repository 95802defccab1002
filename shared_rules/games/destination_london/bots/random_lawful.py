"""Plays at random but lawfully: any template, and any choice within its bounds."""

from shared_rules.games.destination_london.legal import legal_commands

MYPY = False
if MYPY:
    from collections.abc import Callable
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

# Bounds that list choices of which one is made.
_CHOICES = ("to", "whom", "of", "card", "destination", "spend")


class RandomLawful:
    """Takes `random`, a function that gives a number from 0 up to but not including 1, and nothing else from chance."""

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: "State", seat: int) -> "Json | None":
        """A command of this seat, or None if it may do nothing now."""
        templates = legal_commands(s, seat)
        if not templates:
            return None
        return self.filled(templates[0] if len(templates) == 1 else self.one_of(templates))

    def one_of(self, entries: "list[Any]") -> "Any":
        """One of the entries of a list that is not empty."""
        return entries[int(self._random() * len(entries))]

    def filled(self, template: "Json") -> "Json":
        """A template with its choices made."""
        for key in _CHOICES:
            if key in template:
                template[key] = self.one_of(template[key])
        for key in ("count", "dice"):
            if key in template:
                least, most = template[key]
                template[key] = least + int(self._random() * (most - least + 1))
        if "cards" in template:
            template["cards"] = self._some(template["cards"])
        if "also" in template:
            chosen = template["destination"] if "destination" in template else template["card"]
            others = template["also"].get(chosen, [])
            template["also"] = self._some(others) if others and self._random() < 0.8 else []
        return template

    def _some(self, cards: "list[str]") -> "list[str]":
        """One or more of them; all, more often than not."""
        if len(cards) == 1 or self._random() < 0.7:
            return list(cards)
        first = self.one_of(cards)
        return [card for card in cards if card == first or self._random() < 0.3]
