"""What a seat can know about the rest of the table: which cards it has not seen, who may hold them, who is ahead.

Only what its view shows goes in: its own hand, the numbers of others' cards, and what lies open.
"""

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.state import State


class Knowledge:
    """The table through the eyes of one seat.

    `unseen` are the cards that are neither in its hand nor out of the game; `held_chance` is the chance that a given
    unseen card is in a rival's hand and not in the pile.
    """

    def __init__(self, s: "State", seat: int) -> None:
        known = set(s.gone)
        known.update(s.hand[seat])
        self.seat = seat
        self.unseen = [card for card in s.board.card_ids if card not in known]
        self.rivals = s.others_from_left(seat)
        held = sum([len(s.hand[rival]) for rival in self.rivals])
        self.held_chance = held / len(self.unseen) if self.unseen else 0.0
        able = sum([len(s.hand[rival]) for rival in self.rivals if s.total_fuel(rival) > 1])
        # Whoever has no more than its last fuel does not claim.
        self.claim_chance = able / len(self.unseen) if self.unseen else 0.0
        fares = s.board.fares
        self.mean_fare = sum([fares[card] for card in self.unseen]) / len(self.unseen) if self.unseen else 0.0
        # What a rival gains weighs the more, the fewer rivals there are.
        self.rivalry = 1.0 / max(1, len(self.rivals))

    def claimable(self, s: "State", square: str) -> int:
        """The fares of the unseen cards for a square."""
        if square not in s.attractions:
            return 0
        return sum([s.board.fares[card] for card in self.unseen if square in s.card_squares[card]])
