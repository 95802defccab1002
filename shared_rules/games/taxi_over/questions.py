"""Questions to the rules: `ask` with `what`: odds or preview (docs/records.md). Neither changes anything."""

from shared_rules.engine.commands import head_of, refuse
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi_over import evolution, odds, turn
from shared_rules.games.taxi_over.meta import MOST_DICE
from shared_rules.games.taxi_over.state import OVER, ROLLING, State
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def answer(s: State, command: "dict[str, Any]") -> "dict[str, Any]":
    """The answer to a question, without its index. RuleViolation."""
    head_of(command, ("ask",), s.seats)
    what = command.get("what")
    if what != "odds" and what != "preview":
        raise refuse("malformed", "'what' is odds or preview.")
    if what == "preview" and "face" in command and not is_whole(command["face"]):
        raise refuse("malformed", "'face' is a whole number.")
    if s.phase == OVER:
        raise refuse("game_over", "The game is over.", "O-058")
    return _odds(s) if what == "odds" else _preview(s, command.get("face"))


def _odds(s: State) -> "dict[str, Any]":
    dice = s.dice
    plans = []
    for more in range(1, MOST_DICE - len(dice) + 1):
        plans.append(
            ordered(
                (
                    ("dice", len(dice) + more),
                    ("violation", odds.violation(s, dice, more)),
                    ("moves", _moves(s, more)),
                    ("mean", odds.mean(s, dice, more)),
                )
            )
        )
    return ordered(
        (
            ("what", "odds"),
            ("stop", sum(dice) * len(dice) if turn.may_stop(s) else None),
            ("violation", odds.violation(s, dice, 1)),
            ("moves", _moves(s, 1)),
            ("plans", plans),
        )
    )


def _moves(s: State, more: int) -> "list[dict[str, Any]]":
    return [
        ordered((("distance", move["distance"]), ("chance", move["chance"]))) for move in odds.moves(s, s.dice, more)
    ]


def _preview(s: State, face: "int | None") -> "dict[str, Any]":
    if s.phase != ROLLING:
        raise refuse("wrong_phase", s.names[s.turn] + "'s driver is out.", "O-050")
    seat = s.turn
    later = s.copy()
    events: list[dict[str, Any]] = []
    dice = list(s.dice)
    if face is not None:
        dice.append(face)
        events = _played(later, turn.decide_roll(later, seat, {"face": face}))
    if later.phase == ROLLING and later.turn == seat and not _is_done(events):
        events += _played(later, turn.decide_stop(later, seat, {}))
    pushed: list[str] = []
    fell: list[str] = []
    collected = [0] * (s.seats + 1)
    distance = 0
    for event in events:
        name = event["event"]
        if name == "moved":
            distance = event["distance"]
        elif name == "pushed":
            pushed.append(event["taxi"])
        elif name == "fell":
            fell.append(event["taxi"])
        elif name == "collected":
            collected[event["to"]] += event["amount"]
    taxis = Ordered()
    for taxi in range(1, s.taxis + 1):
        taxis["T" + str(taxi)] = later.place_name(taxi)
    taken = Ordered()
    for other in range(1, s.seats + 1):
        if collected[other]:
            taken[str(other)] = collected[other]
    return ordered(
        (
            ("what", "preview"),
            ("dice", dice),
            ("violation", s.is_violation(dice)),
            ("distance", distance),
            ("taxis", taxis),
            ("pushed", sorted(set(pushed))),
            ("fell", fell),
            ("collected", taken),
            ("box", later.box()),
            ("over", later.phase == OVER),
        )
    )


def _played(s: State, events: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    """Apply events and what follows by itself; all events."""
    out = list(events)
    while events:
        for event in events:
            evolution.evolve(s, event)
        events = evolution.follow(s)
        out.extend(events)
    return out


def _is_done(events: "list[dict[str, Any]]") -> bool:
    for event in events:
        if event["event"] in ("moved", "speeding_violation"):
            return True
    return False
