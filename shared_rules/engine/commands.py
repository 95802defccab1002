"""What every command must be before a title looks at it: an object that says what to do and who does it.

The order of the refusals is part of docs/records.md: no object or no text in `do`, an unknown `do`, no seat, an unknown
seat; what follows is each title's own.
"""

from shared_rules.engine.errors import RuleViolation
from shared_rules.engine.reading import is_whole

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Sequence
    from typing import Any

    Json = dict[str, Any]


def refuse(code: str, message: str, *rules: str) -> RuleViolation:
    """A refusal, to be raised."""
    return RuleViolation(code, message, rules)


def head_of(command: "Any", known: "Sequence[str]", seats: int) -> "tuple[str, int]":
    """(do, seat) of a command. Only `ask` may leave out its seat: the operator, 0."""
    if not isinstance(command, dict):
        raise refuse("malformed", "A command is an object with 'do' and 'seat'.")
    do = command.get("do")
    if not isinstance(do, str):
        raise refuse("malformed", "A command says what to do in 'do'.")
    if do not in known:
        raise refuse("unknown_command", "There is no command '" + do + "'.")
    seat = command.get("seat")
    if seat is None and do == "ask" and "seat" not in command:
        return do, 0
    if not is_whole(seat):
        raise refuse("malformed", "A command names its seat by number; 0 is the operator.")
    if not 0 <= seat <= seats:
        raise refuse("unknown_seat", "There is no seat " + str(seat) + "; seats are 1 to " + str(seats) + ".")
    return do, seat


def whole(command: "Json", key: str, default: "int | None" = None, least: int = 0) -> int:
    """A field that is a whole number of at least `least`; `default` if it may be left out and is."""
    if key not in command and default is not None:
        return default
    value = command.get(key)
    if not is_whole(value) or value < least:
        raise refuse("malformed", "'" + key + "' is a whole number from " + str(least) + ".")
    return value


def text(command: "Json", key: str) -> str:
    """A field that is a text."""
    value = command.get(key)
    if not isinstance(value, str):
        raise refuse("malformed", "'" + key + "' is a text.")
    return value
