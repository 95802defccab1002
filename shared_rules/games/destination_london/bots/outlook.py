"""What it is worth to stand on a square with some cards and some fuel: the best order in which to drive to them.

Everything is in pounds, less the later they come. How long a way takes is counted in throws: with early stops allowed,
the expected number of throws to cover so many squares.
"""

from shared_rules.games.destination_london.bots.knowledge import Knowledge
from shared_rules.games.destination_london.meta import BONUS, FUEL_PRICE, MOST_FUEL

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.state import State

# What a pound one throw later is worth.
PATIENCE = 0.93
# How much of a mean fare a card that is still to be drawn is worth.
NEW_CARD = 0.55
# How many cards of a hand are planned for; the others hardly matter.
_PLANNED = 4
_FAR = 60


def _throws_needed(dice: int) -> "list[float]":
    """Expected throws to come so many squares far or farther, by the number of squares."""
    if dice == 1:
        chances = [(n, 1 / 6) for n in range(1, 7)]
    else:
        chances = [(n, (6 - abs(n - 7)) / 36) for n in range(2, 13)]
    out = [0.0]
    for squares in range(1, _FAR + 1):
        out.append(1.0 + sum([chance * out[squares - n] for n, chance in chances if n < squares]))
    return out




def _worth(dice: int) -> "list[float]":
    """What a pound is worth so many squares away."""
    out: "list[float]" = [PATIENCE**throws for throws in _throws_needed(dice)]
    return out


_WORTH = (_worth(1), _worth(2))


class Outlook:
    """Values of squares for one seat, as things stand; made anew for each decision."""

    def __init__(self, s: "State", seat: int, known: Knowledge) -> None:
        self._s = s
        self._seat = seat
        self._known = known
        self._worth = _WORTH[1 if s.turbo[seat] else 0]
        self._roads = s.roads
        self._found: "dict[tuple[str, tuple[str, ...], int, int, int], float]" = {}

    def factor(self, here: str, goal: str) -> float:
        """What a pound at the goal is worth here."""
        squares = self._roads.distances_to(goal).get(here, _FAR)
        return self._worth[min(squares, _FAR)]

    def value(self, here: str, hand: "list[str]", fuel: int, slots: int, times: int) -> float:
        """What it is worth to stand here with a hand and so much fuel, `slots` cards being still to be drawn.

        `times` is what held cards multiply the next fare by.
        """
        key = (here, tuple(hand), fuel, slots, times)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._value(here, hand, fuel, slots, times)
        return found

    def _value(self, here: str, hand: "list[str]", fuel: int, slots: int, times: int) -> float:
        s = self._s
        new = NEW_CARD * self._known.mean_fare
        waiting = slots * new * PATIENCE
        if fuel <= 0:
            return self._stranded(here, hand, slots, times)
        fares = s.board.fares
        cards = sorted(hand, key=lambda card: -fares[card] * self.factor(here, self._square(here, card)))[:_PLANNED]
        left = len(s.pile) - slots
        return waiting + self._tour(here, cards, fuel, left, 1.0, times)

    def _square(self, here: str, card: str) -> str:
        squares = self._s.card_squares[card]
        if len(squares) == 1:
            return squares[0]
        best = squares[0]
        for square in squares:
            if self.factor(here, square) > self.factor(here, best):
                best = square
        return best

    def _tour(self, here: str, cards: "list[str]", fuel: int, pile: int, factor: float, times: int) -> float:
        """The best order of the cards, with a stop for fuel where it is needed or lies on the way."""
        s = self._s
        if not cards:
            if pile > 0:
                return 0.0
            return factor * self.factor(here, s.board.base) * BONUS * 0.7
        best = 0.0
        new = NEW_CARD * self._known.mean_fare if pile > 0 else 0.0
        if fuel > 1:
            for i, card in enumerate(cards):
                square = self._square(here, card)
                later: float = factor * (PATIENCE**4 if square == here else self.factor(here, square))
                rest = cards[:i] + cards[i + 1 :]
                worth = later * (times * s.board.fares[card] + new)
                worth += self._tour(square, rest, fuel - 1, pile - 1, later, 1)
                if worth > best:
                    best = worth
        if fuel <= len(cards) and fuel < MOST_FUEL and s.board.garages:
            garage = s.board.garages[0]
            for other in s.board.garages:
                if self.factor(here, other) > self.factor(here, garage):
                    garage = other
            later = factor * (1.0 if garage == here else self.factor(here, garage))
            worth = self._tour(garage, cards, MOST_FUEL, pile, later, times) - later * FUEL_PRICE * (MOST_FUEL - fuel)
            if worth > best:
                best = worth
        return best

    def _stranded(self, here: str, hand: "list[str]", slots: int, times: int) -> float:
        """Without fuel: at a Garage hardly worse off, elsewhere at the mercy of others."""
        s = self._s
        if here in s.board.garage_squares and s.cash[self._seat] >= FUEL_PRICE:
            return self._value(here, hand, MOST_FUEL, slots, times) - MOST_FUEL * FUEL_PRICE
        if not hand and not s.pile and s.options["home_run_needs_fuel"] == "no":
            return self._value(here, hand, 1, slots, times)
        return -100.0
