"""What the strong bot expects of the trip that is going on, from what everybody may know.

All worths are dollars by which a seat is ahead of the others' mean: a bonus that one gets is one that the others do not
get, so it counts n / (n - 1) times; what comes from the bank counts once.
"""

from shared_rules.games.taxi.bots.race import bonus_shares, expected, shifted, turns_for
from shared_rules.games.taxi.bots.tablet_worth import TabletWorth, Ways
from shared_rules.games.taxi.meta import BONUS, GREEN, MONEY, STAKES, WHITE
from shared_rules.games.taxi.state import State

D12_GREEN = 5 / 12
D12_WHITE = 2 / 12


def in_hand(s: State, seat: int) -> tuple:
    """(cash, green, white) of a seat as everybody sees it: sealed stakes count as still in its hand (T-094)."""
    cash, green = s.cash[seat], s.green[seat]
    bet = None if s.gamble is None else s.gamble["bets"][seat]
    if bet is not None:
        for word in bet[0]:
            unit, amount = STAKES[word]
            if unit == MONEY:
                cash += amount
            else:
                green += amount
    return cash, green, s.white[seat]


class Outlook:
    """The race as one seat sees it now. `weight` is what a dollar of the bonus counts.

    `assumed` holds chances by round of other seats that are taken for granted instead of reckoned.
    """

    def __init__(self, s: State, seat: int, ways: Ways, worth: TabletWorth, assumed: "dict | None" = None) -> None:
        self.s = s
        self.seat = seat
        self.ways = ways
        self.worth = worth
        # Whether somebody wants to know why; most of the time nobody asks.
        self.reasons = True
        seats = s.seats_in()
        self.weight = len(seats) / max(1, len(seats) - 1)
        self.goal = s.goal(seat)
        self.arrived = s.arrived[seat]
        self.to_come = _turns_to_come(s)
        before: list = []
        after: list = []
        arrived = 0
        for other in seats:
            if other == seat:
                continue
            if s.arrived[other]:
                arrived += 1
            else:
                earlier = _place_in_order(s, other) < _place_in_order(s, seat)
                chances = self.chances_of(other) if assumed is None else assumed.get(other) or self.chances_of(other)
                (before if earlier else after).append(chances)
        at_once = s.options["round_completion"] == "immediate"
        self.shares = bonus_shares(before, after, arrived, at_once)
        # Worth by streets left: with a turn of this round still to come, and with the next round's first.
        self._soon: dict = {}
        self._next: dict = {}
        self._thrown: dict = {}
        self.now = self.weight * BONUS * self.shares[0]

    def chances_of(self, other: int) -> list:
        """By round from this one, the chances that another seat arrives then; with all tablets it has."""
        s = self.s
        _, green, white = in_hand(s, other)
        streets = self.ways.needed(s.at[other], s.goal(other), green, white)
        waits = 0 if other == s.turn else s.skip[other]
        if other not in self.to_come:
            waits += 1
        return shifted(turns_for(streets), waits)

    def next_round(self, streets: int, missed: int = 0) -> float:
        """The worth of having so many streets left when this seat's turn of this round is over."""
        key = (streets, missed)
        found = self._next.get(key)
        if found is None:
            chances = shifted(turns_for(streets), 1 + self.s.skip[self.seat] + missed)
            found = self._next[key] = self.weight * BONUS * expected(chances, self.shares)
        return found

    def this_round(self, streets: int) -> float:
        """The worth of having so many streets left when a turn of this round is still to come."""
        found = self._soon.get(streets)
        if found is None:
            chances = shifted(turns_for(streets), 0 if self.seat == self.s.turn else self.s.skip[self.seat])
            found = self._soon[streets] = self.weight * BONUS * expected(chances, self.shares)
        return found

    def kept(self, green: int, white: int) -> float:
        """The worth of tablets that are left when the trip is over."""
        return self.worth.after(self.s.trip, green, white)

    def left(self, place: str, green: int, white: int, pips: int = 0, missed: int = 0) -> float:
        """The worth of standing there after a turn, `pips` streets nearer than that, with these tablets."""
        best = None
        for streets, g, w in self.ways.profile(place, self.goal, green, white):
            worth = self.next_round(max(1, streets - pips), missed) + self.kept(green - g, white - w)
            if best is None or worth > best:
                best = worth
        return best or 0.0

    def thrown_for(self, green: int, white: int, worth_of) -> float:
        """The mean of `worth_of(green, white)` over the faces of the tablet die (T-007, T-042)."""
        blank = 1.0
        total = 0.0
        if self.s.bank_serves(GREEN, 1):
            blank -= D12_GREEN
            total += D12_GREEN * worth_of(green + 1, white)
        if self.s.bank_serves(WHITE, 1):
            blank -= D12_WHITE
            total += D12_WHITE * worth_of(green, white + 1)
        return total + blank * worth_of(green, white)

    def stopped(self, place: str, green: int, white: int, d12: bool) -> float:
        """The worth of ending a move there without arriving."""
        if not d12:
            return self.left(place, green, white)
        return self.thrown_for(green, white, lambda g, w: self.left(place, g, w))

    def arrives(self, green: int, white: int, d12: bool) -> float:
        """The worth of arriving now with so many tablets left."""
        if not d12:
            return self.now + self.kept(green, white)
        return self.now + self.thrown_for(green, white, self.kept)

    def thrown(self, place: str, green: int, white: int, pips: int, d12: bool) -> float:
        """The worth of a turn from there with so many streets to drive, driven as well as can be."""
        key = (place, green, white, pips, d12)
        found = self._thrown.get(key)
        if found is None:
            found = self._thrown[key] = self._worth_thrown(place, green, white, pips, d12)
        return found

    def _worth_thrown(self, place: str, green: int, white: int, pips: int, d12: bool) -> float:
        arriving = []
        for streets, g, w in self.ways.profile(place, self.goal, green, white):
            if streets <= pips:
                arriving.append((g, w))

        def worth_of(more_green: int, more_white: int) -> float:
            best = self.left(place, more_green, more_white, pips)
            for g, w in arriving:
                best = max(best, self.now + self.kept(more_green - g, more_white - w))
            return best

        return self.thrown_for(green, white, worth_of) if d12 else worth_of(green, white)

    def waiting(self, green: int, white: int) -> float:
        """The worth of the race and of these tablets while another seat's turn is on."""
        if self.arrived:
            return self.now + self.kept(green, white)
        by_streets = self.this_round if self.seat in self.to_come else self.next_round
        best = None
        for streets, g, w in self.ways.profile(self.s.at[self.seat], self.goal, green, white):
            worth = by_streets(streets) + self.kept(green - g, white - w)
            if best is None or worth > best:
                best = worth
        return best or 0.0


def _turns_to_come(s: State) -> list:
    """The seats that have a turn in this round from now on, the turn's seat first."""
    out = []
    seat = s.turn
    for _ in range(s.seats):
        if s.playing[seat] and not s.arrived[seat]:
            out.append(seat)
        seat = seat % s.seats + 1
        if seat == s.starter:
            break
    return out


def _place_in_order(s: State, seat: int) -> int:
    """How many seats are before this one in a round."""
    return (seat - s.starter) % s.seats
