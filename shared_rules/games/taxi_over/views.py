"""What each audience may see of a Taxi Over game: everything, for there are no secrets in it; and its prompts.

Nothing but the position is shown, so what chance will bring is in no view.
"""

from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi_over import position_writer
from shared_rules.games.taxi_over.legal import legal_commands
from shared_rules.games.taxi_over.state import State
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def view_for(s: State, audience: "str | int") -> "dict[str, Any]":
    """The position with `audience` and `prompts` (see docs/architecture.md).

    ValueError for an audience that there is not: a mistake of the caller, never answered with somebody else's view.
    """
    if audience not in ("spectator", "bank") and not (is_whole(audience) and 1 <= audience <= s.seats):
        raise ValueError("There is no audience " + str(audience) + ".")
    return ordered([("audience", audience)] + position_writer.pairs(s) + [("prompts", _prompts(s, audience))])


def _prompts(s: State, audience: "str | int") -> object:
    if audience == "spectator":
        return []
    if audience != "bank":
        return legal_commands(s, int(audience))
    out = Ordered()
    for seat in range(s.seats + 1):
        out[str(seat)] = legal_commands(s, seat)
    return out


def event_for(s: State, event: "dict[str, Any]", audience: "str | int") -> "dict[str, Any]":
    """An event as the audience may see it: whole."""
    return dict(event)
