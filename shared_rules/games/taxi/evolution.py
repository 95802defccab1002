"""Applies events to a state, and finds the next step that happens by itself.

The order of such steps: an open due, the card's next verb, the settlement's next step, the next turn.
"""

from shared_rules.games.taxi import barriers, correct, debts, effects, gambles, leaving, moves, settlement, trade, turn
from shared_rules.games.taxi.meta import GREEN
from shared_rules.games.taxi.state import CLOSING, ENDING, State

_EVOLVE: dict = {}
for _module in (turn, effects, moves, settlement, trade, barriers, gambles, debts, leaving, correct):
    _EVOLVE.update(_module.EVOLVE)


def evolve(s: State, event: dict) -> None:
    """Apply one event."""
    if "amount" in event:
        s.ledger.post(event)
        if "fresh" in event:
            if event["unit"] == GREEN:
                s.fresh_green += event["amount"]
            else:
                s.fresh_white += event["amount"]
        elif s.fresh_green > s.green[s.turn] or s.fresh_white > s.white[s.turn]:
            # Who loses tablets keeps no more fresh ones than it holds.
            s.fresh_green = min(s.fresh_green, s.green[s.turn])
            s.fresh_white = min(s.fresh_white, s.white[s.turn])
    change = _EVOLVE.get(event["event"])
    if change is not None:
        change(s, event)


def follow(s: State) -> list:
    """The events of the next step that happens by itself; [] when somebody must decide."""
    phase = s.phase
    if phase == "over":
        return []
    if phase == CLOSING:
        return leaving.closing(s)
    if s.dues:
        return debts.next_step(s)
    if s.card is not None:
        return gambles.next_step(s) if s.gamble is not None else effects.next_step(s)
    if s.settle is not None:
        return settlement.next_step(s)
    if phase == ENDING:
        return turn.ending(s)
    return []
