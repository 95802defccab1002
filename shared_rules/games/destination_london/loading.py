"""Makes the state of a position: reads it, and takes the steps that happen by themselves on reading."""

from shared_rules.engine.reading import impossible
from shared_rules.games.destination_london import flow, position_reader

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

# Which of the two it is follows from the fuel, so either may be given.
_TURN_STARTED = ("before_roll", "stranded")


def load(position: "Json", title: "Any") -> "State":
    """The state of a position; a phase that is given is compared after what happens by itself. PositionError."""
    s, given = position_reader.read(position, title)
    flow.settle(s)
    if given is not None and given != s.phase and not (given in _TURN_STARTED and s.phase in _TURN_STARTED):
        raise impossible("The position is in phase '" + s.phase + "', not '" + given + "'.", "phase")
    if s.offer is not None and s.phase not in _TURN_STARTED:
        raise impossible("Nobody is asked for fuel in phase '" + s.phase + "'.", "offer")
    return s
