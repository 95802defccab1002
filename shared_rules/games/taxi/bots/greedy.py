"""The player that drives for its bonus and buys and bets what it can well afford, without reckoning."""

from shared_rules.engine.pending import has_answered
from shared_rules.games.taxi.bots.random_lawful import RandomLawful
from shared_rules.games.taxi.legal import legal_commands
from shared_rules.games.taxi.meta import PLATE_TALLY
from shared_rules.games.taxi.state import State


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
