"""What is under way and must come to its end before the game goes on; for every title.

*Frames* lie on one another: a title lists its kinds from the topmost down, each as a pair of functions, whether it is
open and its next step. A step is the events that happen by themselves; none means that somebody must decide.

*Sealed* answers are given at the same time by several seats, in any order, and count only when all are in or the asking
is closed. They are a list by seat of None or [what, done]; they are used in seat order, never in order of arrival.
"""

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]


def next_step(state: "Any", frames: "Any") -> "list[Json]":
    """The events of the topmost open frame's next step; [] if it waits, or if nothing is under way."""
    for is_open, step in frames:
        if is_open(state):
            events: "list[Json]" = step(state)
            return events
    return []


def has_answered(answers: "list[Any]", seat: int) -> bool:
    """Whether this seat has said its last word."""
    answer = answers[seat]
    return answer is not None and bool(answer[1])


def all_answered(answers: "list[Any]", seats: list[int]) -> bool:
    """Whether each of these seats has."""
    for seat in seats:
        if not has_answered(answers, seat):
            return False
    return True


def close_answers(answers: "list[Any]", seats: list[int]) -> None:
    """Nobody may say more: who was silent has answered with nothing."""
    for seat in seats:
        if answers[seat] is None:
            answers[seat] = [[], True]
        else:
            answers[seat][1] = True
