"""What a command comes to: the order of its refusals, and the module that decides it (docs/records.md)."""

from shared_rules.engine.commands import head_of, refuse
from shared_rules.games.taxi_over import correct, leaving, questions, turn
from shared_rules.games.taxi_over.meta import DIE
from shared_rules.games.taxi_over.state import OVER, ROLLING, State

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

_DECIDE = {
    "roll": turn.decide_roll,
    "stop": turn.decide_stop,
    "board_taxi": turn.decide_board,
    "decline": turn.decide_decline,
    "resign": leaving.decide_resign,
}
KNOWN = tuple(sorted(_DECIDE)) + ("ask", "correct")


def decide(s: State, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The events of a command; RuleViolation. A question has none."""
    do, seat = head_of(command, KNOWN, s.seats)
    if do == "ask":
        questions.answer(s, command)
        return []
    if do == "correct":
        return correct.decide(s, seat, command)
    if s.phase == OVER:
        raise refuse("game_over", "The game is over.", "O-058")
    if seat and not s.playing[seat]:
        raise refuse("out_of_game", s.names[seat] + " has left the game.", "O-018")
    if seat != s.turn and do != "resign":
        raise refuse("not_your_turn", "It is " + s.names[s.turn] + "'s turn.", "O-018")
    return _DECIDE[do](s, seat, command)


def chance(s: State, command: "dict[str, Any] | None" = None) -> "dict[str, Any] | None":
    """What chance must answer now, or before this command is complete."""
    if command is None:
        seat = s.turn if s.phase == ROLLING else 0
    else:
        seat = command["seat"] if command.get("do") == "roll" and "face" not in command else 0
    return {"kind": "die", "die": DIE, "seat": seat, "field": "face"} if seat else None
