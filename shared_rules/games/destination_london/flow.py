"""What the table waits for, or what happens by itself: found from the state alone, and events applied to it.

From the topmost down: the end, debts, who begins, owed cards, the landing in work, squares still to be moved, the end
or the start of a turn.
"""

from shared_rules.games.destination_london import (
    claims,
    correct,
    debts,
    ending,
    fares,
    fuel,
    landing,
    leaving,
    lights,
    movement,
    turn,
)
from shared_rules.games.destination_london.state import COUNT, RUNNING, START, WORKING

MYPY = False
if MYPY:
    from collections.abc import Callable

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def next_step(s: "State") -> "str | list[Json]":
    """The name of the phase if somebody must decide or chance must answer, else the events of the next step."""
    if s.result is not None:
        return "over"
    if ending.over_now(s):
        assert s.ending is not None
        return ending.count(s, s.ending["reason"])
    if s.left < 2:
        return ending.last_survivor(s)
    if s.stage == COUNT:
        assert s.ending is not None
        return ending.count(s, s.ending["reason"])
    if s.deals and not s.pile:
        return [{"event": "DealsLapsed", "rules": ["LQ-93"]}]
    if s.debts:
        return debts.next_step(s)
    if s.arrivals and s.arrivals[-1]["home"]:
        home = ending.home(s, s.arrivals[-1]["seat"], "knocked_home")
        if home:
            return home
    if s.order is not None:
        return turn.order_step(s)
    if s.deals:
        return "deal"
    if s.arrivals:
        return landing.next_step(s)
    if s.stage == RUNNING:
        return movement.next_step(s) if s.moves else turn.end_step(s)
    if s.stage == START:
        return turn.start_step(s)
    return "before_roll" if s.may_drive(s.turn) else "stranded"


def follow(s: "State") -> "list[Json]":
    """The events of the next step that happens by itself; [] when somebody must decide."""
    step = next_step(s)
    if isinstance(step, str):
        s.known_phase = step
        return []
    return step


def phase_of(s: "State") -> str:
    """The phase; `working` while steps that happen by themselves are to be taken."""
    step = next_step(s)
    return step if isinstance(step, str) else WORKING


def settle(s: "State") -> None:
    """Take all steps that happen by themselves."""
    while True:
        events = follow(s)
        if not events:
            return
        for event in events:
            evolve(s, event)


def evolve(s: "State", event: "Json") -> None:
    """Apply one event, from what stands in it alone."""
    if "amount" in event:
        s.ledger.post(event)
    s.known_phase = None
    change = _EVOLVE.get(event["event"])
    if change is not None:
        change(s, event)


def _dealt(s: "State", event: "Json") -> None:
    seat, card = event["seat"], event["card"]
    s.pile.remove(card)
    s.hand[seat] = sorted(s.hand[seat] + [card])
    s.deals = s.deals[1:]


def _lapsed(s: "State", event: "Json") -> None:
    s.deals = []


_EVOLVE: "dict[str, Callable[[State, Json], None]]" = {"CardDealt": _dealt, "DealsLapsed": _lapsed}
for _module in (claims, correct, debts, ending, fares, fuel, landing, leaving, lights, movement, turn):
    _EVOLVE.update(_module.EVOLVE)
