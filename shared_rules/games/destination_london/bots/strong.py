"""The player that plans: routes over all its cards, fuel, claims and the risk of being claimed, the race home.

`ranked` gives what it can do with the pounds that it expects of each, and the reasons. It looks with the eyes of its
seat: what it chooses does not depend on others' hands.
"""

from shared_rules.games.destination_london.bots import choices
from shared_rules.games.destination_london.bots.thoughts import Thoughts
from shared_rules.games.destination_london.legal import legal_commands

MYPY = False
if MYPY:
    from collections.abc import Callable

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


class Strong:
    """Plays what it expects most of. `random` is taken as all bots take it, and used for nothing."""

    UNIT = "pounds"

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: "State", seat: int) -> "Json | None":
        """A command of this seat, or None if it may do nothing now."""
        templates = legal_commands(s, seat)
        if len(templates) == 1 and choices.settled(templates[0]):
            # Nothing is to be thought about; that saves time.
            return choices.plain(templates[0])
        found = self._weighed(s, seat, templates)
        if not found:
            return None
        command: "Json" = found[0]["command"]
        return command

    def ranked(self, s: "State", seat: int) -> "list[Json]":
        """[{"command", "score", "because": [[key, value], …]}, …], best first."""
        return self._weighed(s, seat, legal_commands(s, seat))

    def _weighed(self, s: "State", seat: int, templates: "list[Json]") -> "list[Json]":
        if not templates:
            return []
        thoughts = Thoughts(s, seat)
        out: "list[Json]" = []
        for template in templates:
            choices.WEIGH[template["do"]](thoughts, template, out)
        # The order of what is equal is fixed, so that a game is the same again.
        order = sorted(range(len(out)), key=lambda i: (-out[i]["score"], i))
        return [out[i] for i in order]
