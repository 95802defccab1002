"""What the seat on turn has before it: what stopping now does, what each face of the next die would do, and how sure
the next intersection is. Asked of the rules (`ask preview`, `title.odds`); for pages, map and lights alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.tables.receipts import Json
from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi_over import meta

REMEMBERED = 64
PARTS = (
    "game", "options", "board", "players", "taxis", "dice", "box", "supply", "target", "phase", "turn", "waiting_for",
    "result",
)  # fmt: skip
"""What of a view is its position."""


@dataclass(frozen=True)
class Outcome:
    """One end of the turn: how far the taxi drives and to where, which taxis are pushed, which of them fall, what is
    taken from the box. `taxis` is where all stand then."""

    dice: Sequence[int]
    violation: bool
    distance: int
    to: str
    taxis: Mapping[str, str]
    pushed: Sequence[str]
    fell: Sequence[str]
    taken: Mapping[int, int]
    over: bool

    @property
    def sum(self) -> int:
        """Of all dice."""
        return sum(self.dice)


@dataclass(frozen=True)
class Chance:
    """What one face of the next die brings, with the chance of that face: `n` of `d`."""

    face: int
    n: int
    d: int
    outcome: Outcome


@dataclass(frozen=True)
class Outlook:
    """Of the seat on turn, whose driver sits in `taxi`, or is out (None). `ahead` are the spaces to the next
    intersection, `cross`; `reach` and `risk` are [(dice in all, numerator, denominator)] of reaching it and of a
    violation when one rolls on to so many dice."""

    seat: int
    taxi: str | None
    at: str
    dice: Sequence[int]
    stop: Outcome | None
    next: Sequence[Chance]
    risk_next: tuple[int, int]
    ahead: int
    cross: str
    stop_reaches: bool
    reach: Sequence[tuple[int, int, int]]
    risk: Sequence[tuple[int, int, int]]
    boardable: Sequence[str] = field(default=())

    @property
    def certain(self) -> bool:
        """Whether the next die is too much, whatever it shows."""
        return self.risk_next[0] == self.risk_next[1]


_seen: dict[str, Outlook | None] = {}


def outlook_of(view: Json) -> Outlook | None:
    """The outlook of the seat on turn, from any audience's view (nothing of this game is hidden); None when the game
    is over."""
    position = {name: view[name] for name in PARTS}
    key = json.dumps(position, sort_keys=True)
    if key not in _seen:
        while len(_seen) >= REMEMBERED:
            _seen.pop(next(iter(_seen)))
        _seen[key] = look_ahead(game.load_position(position))
    return _seen[key]


def look_ahead(state: Any) -> Outlook | None:
    """The outlook in a state of the rules; None when the game is over."""
    if state.phase == meta.PHASES[2]:
        return None
    seat = int(state.turn)
    taxi = state.driver[seat]
    name = f"T{taxi}" if taxi else None
    board, place = state.board, state.at[taxi] if taxi else -1
    ahead = int(board.to_mark[place])
    rows = state.title.odds(state, seat)
    risk_next = next((tuple(row["chance"]) for row in rows if row["what"] == "violation"), (0, 1))
    seated = taxi != 0
    return Outlook(
        seat=seat,
        taxi=name,
        at=board.names[place],
        dice=tuple(state.dice),
        stop=preview(state, name) if seated else None,
        next=_faces(state, name) if seated else (),
        risk_next=(int(risk_next[0]), int(risk_next[1])),
        ahead=ahead,
        cross=board.way(place, ahead)[-1],
        stop_reaches=any(row["what"] == "stop_reaches" and row["chance"][0] for row in rows),
        reach=_by_dice(rows, "reach_intersection"),
        risk=_by_dice(rows, "violation_within"),
        boardable=() if seated else tuple(f"T{one}" for one in state.boardable(seat)),
    )


def preview(state: Any, taxi: str | None, face: int | None = None) -> Outcome | None:
    """What stopping now does, or rolling `face` and then stopping; None where that may not be."""
    asked: Json = {"do": "ask", "seat": state.turn, "what": "preview"}
    if face is not None:
        asked["face"] = face
    try:
        told = game.ask(state, asked)
    except RuleViolation:
        return None
    return Outcome(
        dice=tuple(told["dice"]),
        violation=bool(told["violation"]),
        distance=int(told["distance"]),
        to=str(told["taxis"].get(taxi, "")),
        taxis=dict(told["taxis"]),
        pushed=tuple(told["pushed"]),
        fell=tuple(told["fell"]),
        taken={int(seat): int(tokens) for seat, tokens in told["collected"].items()},
        over=bool(told["over"]),
    )


def _faces(state: Any, taxi: str | None) -> Sequence[Chance]:
    faces = list(state.title.faces(state, meta.DIE))
    found = []
    for face in sorted(set(faces)):
        outcome = preview(state, taxi, face)
        if outcome is not None:
            found.append(Chance(face, faces.count(face), len(faces), outcome))
    return tuple(found)


def _by_dice(rows: Sequence[Json], what: str) -> Sequence[tuple[int, int, int]]:
    return tuple((row["dice"], row["chance"][0], row["chance"][1]) for row in rows if row["what"] == what)
