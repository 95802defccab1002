"""The fields of commands that several commands have: cards, fuel to spend, seats; checked for their kinds."""

from shared_rules.engine.commands import refuse
from shared_rules.engine.reading import is_whole

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

BONUS = "bonus"
ORDINARY = "fuel"


def seat_in(s: "State", command: "Json", key: str) -> int:
    """A field that names a seat; the operator's 0 is none."""
    value = command.get(key)
    if not is_whole(value):
        raise refuse("malformed", "'" + key + "' names a seat by number.")
    seat: int = value
    if not 1 <= seat <= s.seats:
        raise refuse("unknown_seat", "There is no seat " + str(seat) + "; seats are 1 to " + str(s.seats) + ".")
    return seat


def cards(command: "Json", key: str, least: int) -> "list[str]":
    """A field that lists ids of Destination Cards, each once."""
    value = command.get(key)
    if not isinstance(value, list) or len(value) < least:
        raise refuse("malformed", "'" + key + "' lists Destination Cards by their ids.")
    for i, card in enumerate(value):
        if not isinstance(card, str) or card in value[:i]:
            raise refuse("malformed", "'" + key + "' lists Destination Cards by their ids, each once.")
    return value


def spend(command: "Json") -> "str | None":
    """Which kind of fuel is to be spent; None if the command leaves it open (LQ-45)."""
    if "spend" not in command:
        return None
    value = command["spend"]
    if not isinstance(value, str) or (value != BONUS and value != ORDINARY):
        raise refuse("malformed", "'spend' is \"bonus\" or \"fuel\".")
    return value
