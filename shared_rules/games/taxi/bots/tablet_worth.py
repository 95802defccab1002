"""What tablets are worth on the trips to come, for the strong bot: the guides are open, so the legs are known.

Backwards over the trips: with (green, white) in hand at the start of a trip a seat spends as many as pay, wins some
with the tablet die on the way, and goes into the next trip with the rest. A leg's worth is its expected part of the
bonus against the others' legs; tablets are dollars by this alone.
"""

from shared_rules.games.taxi.bots.race import NEVER, bonus_shares, expected, turns_for
from shared_rules.games.taxi.meta import BONUS
from shared_rules.games.taxi.state import State

# More in hand are worth no more, and no leg is planned with more.
MOST_GREEN = 7
MOST_WHITE = 3
LEG_GREEN = 4
LEG_WHITE = 2
# What the tablet die brings in a trip of about two turns: chances of 0, 1, 2 green and of 0, 1 white (T-007).
_GREEN_GAINS = (0.34, 0.486, 0.174)
_WHITE_GAINS = (0.69, 0.31)
# What others are taken to have in hand on a leg to come.
_THEIR_GREEN = 1


class Ways:
    """Least streets between places by tablets, kept for many questions of one street map."""

    def __init__(self, streets) -> None:
        self._streets = streets
        self._kept: dict = {}
        self._rows: dict = {}

    def profile(self, start: str, goal: str, green: int, white: int) -> list:
        """[(streets, green, white), …]: the least streets with up to so many tablets; dearer ones only if shorter."""
        green = min(green, LEG_GREEN)
        white = min(white, LEG_WHITE)
        key = (start, goal, green, white)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) > 100000:
                self._kept.clear()
            found = self._kept[key] = self._profile(start, goal, green, white)
        return found

    def _profile(self, start: str, goal: str, green: int, white: int) -> list:
        plain = self.needed(start, goal, 0, 0)
        out = [(plain, 0, 0)]
        least = self.needed(start, goal, green, white)
        if least == plain:
            return out
        for w in range(white + 1):
            for g in range(green + 1):
                if g or w:
                    streets = self.needed(start, goal, g, w)
                    if all([streets < known or g < kg or w < kw for known, kg, kw in out]):
                        out.append((streets, g, w))
        return out

    def needed(self, start: str, goal: str, green: int, white: int) -> int:
        """The least streets, NEVER if there is no way; more tablets than a leg is planned with are of no use."""
        row = self._rows.get((start, goal))
        if row is None:
            row = self._rows[(start, goal)] = [-1] * ((LEG_GREEN + 1) * (LEG_WHITE + 1))
        at = min(green, LEG_GREEN) * (LEG_WHITE + 1) + min(white, LEG_WHITE)
        known: int = row[at]
        if known < 0:
            found = self._streets.streets_needed(start, goal, min(green, LEG_GREEN), min(white, LEG_WHITE))
            known = row[at] = NEVER if found is None else found
        return known


class TabletWorth:
    """The worth of tablets in hand at the end of each trip, for one seat of one game; in dollars of lead.

    It rests on the guides and on who is in the game, and holds as long as these do.
    """

    def __init__(self, s: State, seat: int, ways: Ways, weight: float) -> None:
        self._tables: dict = {s.trips: [0.0] * ((MOST_GREEN + 1) * (MOST_WHITE + 1))}
        self._s = s
        seats = s.seats_in()
        for trip in range(s.trips, 1, -1):
            self._tables[trip - 1] = self._before(s, seat, seats, trip, ways, weight)

    def after(self, trip: int, green: int, white: int) -> float:
        """What (green, white) in hand when this trip is over are worth on all that follow."""
        return self._tables[trip][min(green, MOST_GREEN) * (MOST_WHITE + 1) + min(white, MOST_WHITE)]

    def _before(self, s: State, seat: int, seats: list, trip: int, ways: Ways, weight: float) -> list:
        others = []
        for other in seats:
            if other != seat:
                start, goal = leg(s, other, trip)
                others.append(turns_for(ways.needed(start, goal, _THEIR_GREEN, 0)))
        shares = bonus_shares(others, [], 0, False)
        start, goal = leg(s, seat, trip)
        profile = []
        for streets, g, w in ways.profile(start, goal, LEG_GREEN, LEG_WHITE):
            profile.append((weight * BONUS * expected(turns_for(streets), shares), g, w))
        kept = []
        for g in range(MOST_GREEN + 1):
            for w in range(MOST_WHITE + 1):
                worth = 0.0
                for more_g, p in enumerate(_GREEN_GAINS):
                    for more_w, q in enumerate(_WHITE_GAINS):
                        worth += p * q * self.after(trip, g + more_g, w + more_w)
                kept.append(worth)
        out = []
        for g in range(MOST_GREEN + 1):
            for w in range(MOST_WHITE + 1):
                best = None
                for worth, used_g, used_w in profile:
                    if used_g <= g and used_w <= w:
                        total = worth + kept[(g - used_g) * (MOST_WHITE + 1) + w - used_w]
                        if best is None or total > best:
                            best = total
                out.append(best or 0.0)
        return out


def leg(s: State, seat: int, trip: int) -> tuple:
    """(start, goal) of a seat's leg of a trip to come; everybody starts where the last trip led (T-114)."""
    guide = s.guide[seat]
    return s.point_of(guide[trip - 2]), s.point_of(guide[trip - 1])
