"""Answers to `ask`: where a taxi can go, how far a place is, what everybody is worth, which notes make a sum."""

from shared_rules.engine.commands import head_of, refuse
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi.meta import NOTES, SMALLEST_NOTE
from shared_rules.games.taxi.state import State
from shared_rules.portable.ordered import Ordered, ordered

# What a question about a distance assumes when it does not say: all tablets there are.
ALL_GREEN = 30
ALL_WHITE = 12


def answer(s: State, command: dict) -> dict:
    """The answer to a question, without its index."""
    _, seat = head_of(command, ("ask",), s.seats)
    what = command.get("what")
    if what == "reachable":
        return _reachable(s, seat, command)
    if what == "distance":
        return _distance(s, seat, command)
    if what == "wealth":
        wealth = Ordered()
        for other in s.seats_in():
            wealth[str(other)] = s.wealth(other)
        return ordered((("wealth", wealth),))
    if what == "notes":
        return ordered((("notes", _notes(command)),))
    raise refuse("malformed", "'what' is reachable, distance, wealth or notes.")


def _reachable(s: State, seat: int, command: dict) -> dict:
    start = _text(s, command, "from", s.at[seat] if seat else None)
    streets = _whole(command, "streets", s.d6 if seat and seat == s.turn else None)
    green = white = None
    if seat:
        green, white = s.usable(seat)
    green = _whole(command, "green", green)
    white = _whole(command, "white", white)
    if seat and seat == s.turn:
        green += s.free_lights
    against = _against(s, seat, command)
    start = _stop(s, start)
    barriers = _barriers(s, against)
    return ordered((("reachable", s.streets.reach(start, streets, green, white, barriers)),))


def _distance(s: State, seat: int, command: dict) -> dict:
    start = _text(s, command, "from", s.at[seat] if seat else None)
    to = _text(s, command, "to", None)
    green = _whole(command, "green", ALL_GREEN)
    white = _whole(command, "white", ALL_WHITE)
    against = _against(s, seat, command)
    start = _stop(s, start)
    to = _stop(s, to)
    barriers = _barriers(s, against)
    return ordered((("distance", s.streets.distance(start, to, green, white, barriers)),))


def _notes(command: dict) -> list:
    amount = _whole(command, "amount", None)
    if amount % SMALLEST_NOTE:
        raise refuse("malformed", "Money is a multiple of 10.", "T-015")
    out = []
    for note in NOTES:
        if amount >= note:
            out.append([note, amount // note])
            amount %= note
    return out


def _text(s: State, command: dict, key: str, default) -> str:
    value = command[key] if key in command else default
    if not isinstance(value, str):
        raise refuse("malformed", "'" + key + "' is a place.")
    return value


def _whole(command: dict, key: str, default) -> int:
    value = command[key] if key in command else default
    if not is_whole(value) or value < 0:
        raise refuse("malformed", "'" + key + "' is a whole number from 0.")
    return value


def _against(s: State, seat: int, command: dict) -> list:
    if "against" not in command:
        return s.blocked(seat) if seat else []
    against = command["against"]
    if not isinstance(against, list):
        raise refuse("malformed", "'against' is a list of places with barriers.")
    for place in against:
        if not isinstance(place, str):
            raise refuse("malformed", "'against' is a list of places with barriers.")
    return against


def _stop(s: State, named: str) -> str:
    place = s.board.place(named)
    if place is None:
        raise refuse("unknown_place", "There is no place '" + named + "'.")
    if not s.streets.is_stop(place):
        raise refuse("not_allowed", "No taxi can stand on " + place + ".", "T-056", "T-062")
    return place


def _barriers(s: State, against: list) -> list:
    out = []
    for named in against:
        place = s.board.place(named)
        if place is None:
            raise refuse("unknown_place", "There is no place '" + named + "'.")
        if not s.board.is_link(place):
            raise refuse("not_allowed", "A barrier stands on a link, not on " + place + ".", "T-105")
        out.append(place)
    return out
