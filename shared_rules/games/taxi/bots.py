"""Two players for TAXI! that are no people: one plays at random but lawfully, one drives for its bonus.

Both take `random`, a function that gives a number from 0 up to but not including 1, and nothing else from chance. They
look at the state with the eyes of their seat: a bot never reads a gamble's word or another's bet.
"""

from shared_rules.engine.pending import has_answered
from shared_rules.games.taxi.legal import legal_commands
from shared_rules.games.taxi.meta import PLATE_TALLY
from shared_rules.games.taxi.state import State

# How often an opponent with a barrier thinks of placing it at all.
BARRIER_MOOD = 0.25


class RandomLawful:
    """Any lawful command; half of the time in which its destination can be reached it drives there."""

    def __init__(self, random) -> None:
        self._random = random

    def choose(self, s: State, seat: int) -> "dict | None":
        """A command of this seat, or None for now."""
        phase = s.phase
        if phase == "gamble_bets":
            if has_answered(s.gamble["bets"], seat):
                return None
        elif (phase == "card_choice" or phase == "before_roll") and seat != s.turn and self._random() >= BARRIER_MOOD:
            return None
        templates = legal_commands(s, seat)
        if not templates:
            return None
        template = templates[0] if len(templates) == 1 else self._one_of(templates)
        return self._filled(s, seat, template)

    def _one_of(self, entries: list):
        return entries[int(self._random() * len(entries))]

    def _between(self, bounds: list) -> int:
        return bounds[0] + int(self._random() * (bounds[1] - bounds[0] + 1))

    def _filled(self, s: State, seat: int, template: dict) -> dict:
        do = template["do"]
        if do == "move":
            return self._move(s, seat, template)
        if do == "give":
            return self._gift(template)
        if "count" in template:
            template["count"] = self._between(template["count"])
        elif "option" in template:
            template["option"] = self._between(template["option"])
        else:
            for key in ("word", "on", "card"):
                if key in template:
                    template[key] = self._one_of(template[key])
        return template

    def _move(self, s: State, seat: int, template: dict) -> dict:
        places = template["to"]
        goal = s.goal(seat)
        to = None
        if self._random() < 0.5:
            for entry in places:
                if entry[0] == goal:
                    to = goal
        if to is None:
            to = self._one_of(places)[0]
        return {"do": "move", "seat": seat, "to": to}

    def _gift(self, template: dict) -> dict:
        fields = [key for key in ("green", "white", "cash", "plates", "barriers") if key in template]
        field = self._one_of(fields)
        amount = 1
        if field == "cash":
            amount = 10 * (1 + int(self._random() * (template["cash"][1] // 10)))
        return {"do": "give", "seat": template["seat"], "to": self._one_of(template["to"]), field: amount}


class Greedy(RandomLawful):
    """Drives to its destination, or to where the fewest streets are left; buys and bets what it can well afford."""

    # What it keeps in hand when it buys or bets.
    RESERVE = 3000

    def choose(self, s: State, seat: int) -> "dict | None":
        """A command of this seat, or None for now."""
        if s.phase == "gamble_bets":
            if has_answered(s.gamble["bets"], seat):
                return None
        by_do = {}
        for template in legal_commands(s, seat):
            if template["do"] == "draw_card" and template["deck"] != "journey":
                # The Passenger deck is the mild one.
                by_do["draw_card"] = template
            elif template["do"] != "draw_card":
                by_do[template["do"]] = template
        for do in ("buy_taxi", "draw_card", "move", "place_bet", "sell_plate", "place_barrier", "play_card"):
            if do in by_do:
                command = getattr(self, "_" + do)(s, seat, by_do[do])
                if command is not None:
                    return command
        for do in ("roll", "choose", "pass_bet", "reveal_card", "declare_insolvent", "decline", "end_turn"):
            if do in by_do:
                return self._filled(s, seat, by_do[do])
        return None

    def _buy_taxi(self, s: State, seat: int, template: dict) -> "dict | None":
        afford = (s.cash[seat] - self.RESERVE) // s.options["plate_price"]
        if afford < 1 or s.options["plate_price"] > PLATE_TALLY:
            return None
        template["count"] = min(template["count"][1], afford)
        return template

    def _draw_card(self, s: State, seat: int, template: dict) -> dict:
        return template

    def _play_card(self, s: State, seat: int, template: dict) -> "dict | None":
        # A light for nothing is of use only before the move, and the move comes first here.
        return None if s.phase == "move" else self._filled(s, seat, template)

    def _sell_plate(self, s: State, seat: int, template: dict) -> "dict | None":
        if s.phase != "debt":
            return None
        template["count"] = template["count"][1]
        return template

    def _place_bet(self, s: State, seat: int, template: dict) -> "dict | None":
        bet = s.gamble["bets"][seat]
        if bet is not None and bet[0]:
            return None
        # One word in three wins: a plate is worth more than two lost stakes, and so is money.
        for word, stake in (("taxi", 5000), ("money", 1000)):
            if word in template["word"] and s.cash[seat] >= stake + self.RESERVE:
                return {"do": "place_bet", "seat": seat, "word": word}
        return None

    def _place_barrier(self, s: State, seat: int, template: dict) -> "dict | None":
        goal = s.goal(s.turn)
        near = [place for place in template["on"] if goal in place.split("~")]
        return {"do": "place_barrier", "seat": seat, "on": self._one_of(near)} if near else None

    def _move(self, s: State, seat: int, template: dict) -> dict:
        goal = s.goal(seat)
        green, white = s.usable(seat)
        best = None
        to = s.at[seat]
        for place, streets, greens, whites in template["to"]:
            if place == goal:
                to = goal
                break
            left = s.streets.streets_needed(place, goal, max(0, green - greens), max(0, white - whites))
            if left is None:
                continue
            rank = (left, greens + 2 * whites, streets)
            if best is None or rank < best:
                best = rank
                to = place
        return {"do": "move", "seat": seat, "to": to}
