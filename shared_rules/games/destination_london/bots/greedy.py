"""Drives to the destination with the best fare a square, keeps its tank filled, claims what it can afford.

It knows the rules and its own hand, and looks one move ahead.
"""

from shared_rules.games.destination_london.bots.random_lawful import RandomLawful
from shared_rules.games.destination_london.legal import legal_commands
from shared_rules.games.destination_london.meta import LOAN
from shared_rules.games.destination_london.movement import Ends, ends_of

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

# With so little fuel it turns to the Garage.
LOW = 1
# What it keeps in hand when it repays a loan or buys a Turbo Taxi.
RESERVE = 100
# It sells fuel only from such a hand.
SPARE_FUEL = 4
_FAR = 999


class Greedy(RandomLawful):
    """Chooses by the phase it is in; what it has no opinion on it leaves to chance."""

    def choose(self, s: "State", seat: int) -> "Json | None":
        """A command of this seat, or None if it may do nothing now."""
        templates = legal_commands(s, seat)
        if not templates:
            return None
        by_do = {}
        for template in templates:
            by_do[template["do"]] = template
        if "take_loan" in by_do and (s.phase == "debt" or s.phase == "stranded"):
            return by_do["take_loan"]
        if "repay_loan" in by_do and s.cash[seat] >= LOAN + RESERVE:
            return by_do["repay_loan"]
        for do in _ORDER:
            if do in by_do:
                template = getattr(self, "_" + do)(s, seat, by_do[do])
                if template is not None:
                    command: "Json" = template
                    return command
        return None

    def _buy_fuel(self, s: "State", seat: int, template: "Json") -> "Json":
        template["count"] = template["count"][1]
        return template

    def _buy_turbo(self, s: "State", seat: int, template: "Json") -> "Json | None":
        return template if s.cash[seat] >= 150 + 2 * RESERVE and len(s.pile) > 3 * s.left else None

    def _play_move_card(self, s: "State", seat: int, template: "Json") -> "Json":
        return self._driven(s, template, "destination", self._best_paid(s, template["destination"]))

    def _choose_destination(self, s: "State", seat: int, template: "Json") -> "Json":
        return self._driven(s, template, "card", self._best_paid(s, template["card"]))

    def _best_paid(self, s: "State", cards: "list[str]") -> str:
        best = cards[0]
        for card in cards:
            if s.board.fares[card] > s.board.fares[best]:
                best = card
        return best

    def _driven(self, s: "State", template: "Json", field: str, card: str) -> "Json":
        if field == "destination":
            template["card"] = template["card"][0]
        template[field] = card
        if "also" in template:
            template["also"] = template["also"].get(card, [])
        return _cheapest(template)

    def _roll(self, s: "State", seat: int, template: "Json") -> "Json":
        least, most = template["dice"]
        if s.bound_home(seat):
            left = self._distance(s, s.at[seat] or "", s.board.base)
            template["dice"] = least if left <= 6 else most
        else:
            template["dice"] = most
        return template

    def _move(self, s: "State", seat: int, template: "Json") -> "Json | None":
        ends = ends_of(s, seat, s.moves[0])
        goal = self._goal(s, seat)
        here = self._distance(s, s.at[seat] or "", goal)
        best, best_rank = "", (_FAR, _FAR, _FAR)
        for square in template["to"]:
            rank = self._rank(s, seat, ends, square, goal)
            if not best or rank < best_rank:
                best, best_rank = square, rank
        if ends.stay and best_rank[0] > 0 and self._distance(s, best, goal) >= here and s.bound_home(seat):
            return None
        template["to"] = best
        return template

    def _rank(self, s: "State", seat: int, ends: Ends, square: str, goal: str) -> "tuple[int, int, int]":
        """Less is better: a fare that can be collected, then how far the goal still is, then lights."""
        fare = 0
        if s.total_fuel(seat) > LOW:
            for card in s.hand[seat]:
                if square in s.card_squares[card]:
                    fare += s.board.fares[card]
        left = self._distance(s, square, goal)
        if fare:
            return (-fare, left, 0)
        if ends.must_collect(square) and square != goal:
            return (_FAR, left, 0)
        return (left, 0, 1 if square in s.board.light_squares else 0)

    def _goal(self, s: "State", seat: int) -> str:
        """The Base, the Garage, or the destination with the best fare a square."""
        here = s.at[seat] or ""
        if s.bound_home(seat):
            return s.board.base
        if s.total_fuel(seat) <= LOW and s.board.garages and s.fuel[0] > 0:
            return self._nearest(s, here, s.board.garages)
        best, best_worth = s.board.base, -1.0
        for card in s.hand[seat]:
            squares = s.card_squares[card]
            square = self._nearest(s, here, squares)
            # Who stands on the square has to leave it and to come back.
            left = self._distance(s, here, square) or 4
            worth = s.board.fares[card] / (left + 2.0)
            if worth > best_worth:
                best, best_worth = square, worth
        return best

    def _nearest(self, s: "State", here: str, squares: "list[str] | tuple[str, ...]") -> str:
        best = squares[0]
        for square in squares:
            if self._distance(s, here, square) < self._distance(s, here, best):
                best = square
        return best

    def _distance(self, s: "State", here: str, goal: str) -> int:
        return s.roads.distances_to(goal).get(here, _FAR)

    def _stay(self, s: "State", seat: int, template: "Json") -> "Json":
        return template

    def _collect(self, s: "State", seat: int, template: "Json") -> "Json | None":
        if not self._affordable(s, seat) and not s.arrivals[-1]["must_collect"]:
            return None
        return _cheapest(template)

    def _claim(self, s: "State", seat: int, template: "Json") -> "Json | None":
        return _cheapest(template) if self._affordable(s, seat) else None

    def _affordable(self, s: "State", seat: int) -> bool:
        """Whether the fuel for a fare can be spared: not the last, unless it can be bought at once."""
        if s.total_fuel(seat) > LOW:
            return True
        if s.at_garage(seat):
            return True
        return not s.pile and len(s.hand[seat]) == 1 and s.options["home_run_needs_fuel"] == "no"

    def _knock(self, s: "State", seat: int, template: "Json") -> "Json | None":
        for whom in template["whom"]:
            if not s.bound_home(whom):
                template["whom"] = whom
                return template
        return None

    def _spare(self, s: "State", seat: int, template: "Json") -> "Json":
        template["whom"] = template["whom"][0]
        return template

    def _sell(self, s: "State", seat: int, template: "Json") -> "Json | None":
        return template if s.fuel[seat] >= SPARE_FUEL else None

    def _ask_fuel(self, s: "State", seat: int, template: "Json") -> "Json | None":
        if s.total_fuel(seat) > 0:
            return None
        template["of"] = template["of"][0]
        return template

    def _as_it_is(self, s: "State", seat: int, template: "Json") -> "Json":
        return template

    _keep = _keep_quiet = _pass = _draw_light = _done = _refuse = _wait = _take_extra_turn = _decline_loan = _as_it_is


def _cheapest(template: "Json") -> "Json":
    """The bonus card is spent first."""
    if "spend" in template:
        template["spend"] = template["spend"][0]
    return template


_ORDER = (
    "buy_fuel", "buy_turbo", "play_move_card", "ask_fuel", "choose_destination", "collect", "claim", "knock",
    "take_extra_turn", "move", "roll", "sell", "keep", "keep_quiet", "pass", "spare", "draw_light", "done", "refuse",
    "stay", "wait", "decline_loan",
)  # fmt: skip
