"""What a seat expects of places and deals: fares, claims, lights, knock-backs, the end. All in pounds.

Another's loss counts as a part of one's own gain: all of it against one rival, less of it among many.
"""

from shared_rules.games.destination_london import fares
from shared_rules.games.destination_london.bots import home_run
from shared_rules.games.destination_london.bots.knowledge import Knowledge
from shared_rules.games.destination_london.bots.outlook import Outlook
from shared_rules.games.destination_london.meta import BONUS, FUEL_PRICE, HAND, LICENCE_FINE, MOST_FUEL

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

# What it costs a rival to be sent to the Base: the throws for the way back.
SENT_BACK = 8.0
# What a light card costs on average, and what the fourth section costs beyond.
LIGHT_CARD = 4.0
SPEEDING = 0.2
# A game that is won or lost now.
DECIDED = 2000.0
# The rounds after which the risk of being claimed is heeded less and less, and not at all; games take about 30.
WAITS = 60.0
WAITS_NO_MORE = 90.0


class Thoughts:
    """One seat's view of one decision."""

    def __init__(self, s: "State", seat: int) -> None:
        self.s = s
        self.seat = seat
        self.known = Knowledge(s, seat)
        self.outlook = Outlook(s, seat, self.known)
        # What held cards multiply the next fare by.
        self.times = fares.multiplier(s, seat)[0]

    def stay_worth(self) -> float:
        """What it is worth to stand where the taxi stands, with all it has."""
        s, seat = self.s, self.seat
        return self.place_worth(s.at[seat] or "", s.hand[seat], s.total_fuel(seat))

    def place_worth(
        self, square: str, hand: "list[str]", fuel: int, slots: int = 0, times: "int | None" = None
    ) -> float:
        """What it is worth to stand on a square with a hand, so much fuel and cards still to be drawn."""
        if not hand and not slots and not self.s.pile:
            return BONUS * 0.7 * (1.0 + home_run.closeness(self.s, self.seat, square)) - (0.0 if fuel else 150.0)
        return self.outlook.value(square, hand, fuel, slots, self.times if times is None else times)

    def slots_for(self, hand: "list[str]") -> int:
        """How many cards are drawn to such a hand."""
        return min(len(self.s.pile), max(0, HAND - len(hand)))

    def played(self, cards: "list[str]", square: str) -> "tuple[float, float]":
        """(fares that the bank pays, worth of standing there afterwards) of playing cards on a square."""
        s, seat = self.s, self.seat
        hand = [card for card in s.hand[seat] if card not in cards]
        after = self.place_worth(square, hand, s.total_fuel(seat) - 1, self.slots_for(hand), 1)
        return float(self.times * fares.total(s, cards)), after

    def landing_worth(self, square: str, must_collect: bool) -> "tuple[float, list[list[object]]]":
        """(what it is worth to land on a square, why)."""
        s, seat = self.s, self.seat
        because: "list[list[object]]" = []
        cards = fares.fitting(s, seat, square)
        if cards and s.total_fuel(seat):
            fare, worth = 0.0, -DECIDED
            for some in sets(cards):
                paid, after = self.played(some, square)
                if paid + after > worth:
                    fare, worth = paid, paid + after
            quiet = self.place_worth(square, s.hand[seat], s.total_fuel(seat))
            if must_collect or worth >= quiet:
                because.append(["fare", round(fare)])
            else:
                worth = quiet
        else:
            worth = self.place_worth(square, s.hand[seat], s.total_fuel(seat))
        risk = self.risk(square, worth)
        if risk >= 0.5:
            because.append(["claims_may_cost", round(risk)])
        worth -= risk
        if square in s.board.light_squares:
            lights = self.lights_cost()
            because.append(["lights_may_cost", round(lights)])
            worth -= lights
        worth += self.knocks(square, because)
        if square in s.board.garage_squares and s.fuel[seat] < MOST_FUEL and s.cash[seat] >= FUEL_PRICE:
            count = min(MOST_FUEL - s.fuel[seat], s.cash[seat] // FUEL_PRICE)
            full = self.place_worth(square, s.hand[seat], s.total_fuel(seat) + count) - count * FUEL_PRICE
            if full > worth:
                worth = full
                because.append(["fuel", count])
        return worth, because

    def risk(self, square: str, worth: float) -> float:
        """What others' claims may cost on a square."""
        s = self.s
        claimable = self.known.claimable(s, square)
        if not claimable:
            return 0.0
        chance = self.known.claim_chance
        hand = s.hand[self.seat]
        sent = max(0.0, worth - self.place_worth(s.board.base, hand, s.total_fuel(self.seat))) if hand else 0.0
        cost: float = chance * (claimable * (1.0 + self.known.rivalry) + min(sent, 2 * SENT_BACK))
        # Two who hold cards for one square could wait for each other for ever: long after games usually end, nobody
        # waits any more.
        rounds = s.turns / s.seats
        return cost * min(1.0, max(0.0, (WAITS_NO_MORE - rounds) / (WAITS_NO_MORE - WAITS)))

    def lights_cost(self) -> float:
        """What a light card may cost."""
        s, seat = self.s, self.seat
        if s.sections[seat] < 3:
            return LIGHT_CARD + SPEEDING * 20.0 * s.sections[seat]
        cost = float(LICENCE_FINE)
        if s.cash[seat] < LICENCE_FINE and not s.can_loan(seat):
            cost = DECIDED
        return LIGHT_CARD + SPEEDING * cost

    def knocks(self, square: str, because: "list[list[object]]") -> float:
        """What it is worth to meet the taxis on a square."""
        s = self.s
        worth = 0.0
        if square == s.board.base:
            return worth
        for rival in self.known.rivals:
            if s.at[rival] == square:
                gain = self.knock_worth(rival)
                if s.bound_home(rival) and s.options["knock_back_endgame"] == "optional":
                    gain = max(0.0, gain)
                because.append(["knocks_back", s.names[rival]])
                worth += gain
        return worth

    def knock_worth(self, rival: int) -> float:
        """What it is worth to send a rival to the Base."""
        s = self.s
        if s.bound_home(rival) and s.options["knock_home_ends_game"] == "yes":
            return self.decided(rival, BONUS, 0)
        here = s.at[rival]
        way = s.roads.distances_to(s.board.base).get(here or "", 0)
        return SENT_BACK * self.known.rivalry * min(1.0, way / 8.0)

    def decided(self, rival: int, gain: int, own: int) -> float:
        """What it is worth if the game ends now with so much more for a rival and for oneself."""
        s, seat = self.s, self.seat
        if s.loan[seat]:
            return -DECIDED
        mine = s.cash[seat] + own
        for other in self.known.rivals:
            theirs = s.cash[other] + (gain if other == rival else 0)
            if not s.loan[other] and theirs >= mine:
                return -DECIDED
        return DECIDED

    def home_worth(self) -> float:
        """What it is worth to come home now. Nothing more can be earned without cards, so it is never put off."""
        return BONUS + DECIDED


def sets(cards: "list[str]") -> "list[list[str]]":
    """All of the cards, and each alone: how the cards for one square can be played."""
    return [list(cards)] + ([[card] for card in cards] if len(cards) > 1 else [])


def entry(command: "Json", score: float, because: "list[list[object]]") -> "Json":
    """One entry of a ranking."""
    return {"command": command, "score": round(score, 1), "because": because}
