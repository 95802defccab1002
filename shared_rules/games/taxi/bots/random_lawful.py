"""The player that does anything lawful, for tests, simulations and the bench."""

from shared_rules.engine.pending import has_answered
from shared_rules.games.taxi.legal import legal_commands
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
