"""Applies events to a state, and finds the next step that happens by itself.

The order of such steps: an open due, the card's next verb, the settlement's next step, the next turn.
"""

from shared_rules.engine.pending import next_step
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


def _card_step(s: State) -> list:
    return gambles.next_step(s) if s.gamble is not None else effects.next_step(s)


# From the topmost down: a due is paid before the card goes on, the card is done before the settlement goes on.
_FRAMES: tuple = (
    (lambda s: s.phase == "over", lambda s: []),
    (lambda s: s.phase == CLOSING, leaving.closing),
    (lambda s: s.dues, debts.next_step),
    (lambda s: s.card is not None, _card_step),
    (lambda s: s.settle is not None, settlement.next_step),
    (lambda s: s.phase == ENDING, turn.ending),
)


def follow(s: State) -> list:
    """The events of the next step that happens by itself; [] when somebody must decide."""
    return next_step(s, _FRAMES)
