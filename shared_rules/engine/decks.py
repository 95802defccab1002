"""A deck without an order: chance picks one of the cards that are left when a card is drawn, so nothing can leak.

Only the number of cards in the draw pile is known, and the discards one by one: a card's id, or None where a card was
typed in from paper.
"""


class Deck:
    """`draw` cards to be drawn, `discard` the ids of those that lie open, oldest first."""

    __slots__ = ("draw", "discard")

    def __init__(self, draw: int, discard: "list[str | None]") -> None:
        self.draw = draw
        self.discard = discard

    def empty(self) -> bool:
        """Whether no card can be drawn, not even after a reshuffle."""
        return self.draw == 0 and not self.discard

    def take(self) -> None:
        """One card leaves the draw pile; an empty pile is first made of the discards."""
        if self.draw == 0:
            self.draw = len(self.discard)
            self.discard = []
        self.draw -= 1

    def undrawable(self, elsewhere: "list[str | None]") -> "list[str | None]":
        """The ids that cannot come up now, given those that players hold and that are being carried out."""
        return list(elsewhere) if self.draw == 0 else self.discard + elsewhere

    def copy(self) -> "Deck":
        return Deck(self.draw, list(self.discard))
