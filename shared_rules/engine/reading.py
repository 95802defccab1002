"""Checks of kinds for positions, boards and cards, for every title's reader. Each failing check names the place.

`malformed` is a wrong kind, a missing or an unknown key; `bad_position` is a value that cannot be. True is no number.
"""

from shared_rules.engine.errors import PositionError

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Container, Sequence
    from typing import Any, TypeGuard

    Json = dict[str, Any]


def malformed(message: str, at: str) -> PositionError:
    """The error for a wrong kind or key."""
    return PositionError("malformed", message, at)


def impossible(message: str, at: str) -> PositionError:
    """The error for parts that are well formed and impossible together."""
    return PositionError("bad_position", message, at)


def join(at: str, key: str) -> str:
    """The path of a key inside the object at a path."""
    return at + "." + key if at else key


def is_whole(value: "Any") -> "TypeGuard[int]":
    """Whether this is a whole number; true and 1.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def an_object(value: "Any", at: str) -> "Json":
    """An object."""
    if not isinstance(value, dict):
        raise malformed("An object is needed here.", at)
    return value


def only_keys(value: "Any", keys: "Container[str]", at: str) -> "Json":
    """An object that has no other keys than these."""
    found = an_object(value, at)
    for key in sorted(found):
        if key not in keys:
            raise malformed("There is no key '" + key + "' here; remove it.", join(at, key))
    return found


def a_list(value: "Any", at: str) -> "list[Any]":
    """A list."""
    if not isinstance(value, list):
        raise malformed("A list is needed here.", at)
    return value


def a_text(value: "Any", at: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise malformed("A text is needed here.", at)
    return value


def a_bool(value: "Any", at: str) -> bool:
    """true or false."""
    if value is not True and value is not False:
        raise malformed("true or false is needed here.", at)
    return value is True


def a_whole(value: "Any", at: str) -> int:
    """A whole number."""
    if not is_whole(value):
        raise malformed("A whole number is needed here.", at)
    return value


def a_count(value: "Any", at: str, least: int = 0, most: "int | None" = None) -> int:
    """A whole number within bounds; outside them the position is impossible."""
    number = a_whole(value, at)
    if number < least or (most is not None and number > most):
        bounds = "at least " + str(least) if most is None else str(least) + " to " + str(most)
        raise impossible("The number must be " + bounds + ".", at)
    return number


def a_word(value: "Any", words: "Sequence[str]", at: str) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in words:
        raise malformed("One of these is needed here: " + ", ".join(words) + ".", at)
    return value


def a_seat(value: "Any", seats: int, at: str) -> int:
    """A seat that exists."""
    seat = a_whole(value, at)
    if not 1 <= seat <= seats:
        raise malformed("There is no seat " + str(seat) + "; seats are 1 to " + str(seats) + ".", at)
    return seat
