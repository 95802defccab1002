"""Applies events to a state, and finds the next step that happens by itself."""

from shared_rules.games.taxi_over import correct, leaving, turn
from shared_rules.games.taxi_over.state import ENDING, State

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

_EVOLVE = dict(turn.EVOLVE)
_EVOLVE.update(leaving.EVOLVE)
_EVOLVE.update(correct.EVOLVE)


def evolve(s: State, event: "dict[str, Any]") -> None:
    """Apply one event. One without a change of its own tells people something, or only moves tokens."""
    if "amount" in event:
        s.ledger.post(event)
    change = _EVOLVE.get(event["event"])
    if change is not None:
        change(s, event)


def follow(s: State) -> "list[dict[str, Any]]":
    """The events of the next step that happens by itself; [] when somebody must decide or the game is over."""
    return turn.ending(s) if s.phase == ENDING else []
