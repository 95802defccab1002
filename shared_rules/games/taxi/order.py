"""Whose turn it is, and how turns, rounds and skipped places follow one another (T-031, T-043, T-085, T-111)."""

from shared_rules.engine.commands import refuse
from shared_rules.games.taxi.state import State


def acting_seat(s: State) -> int:
    """Whose turn it is in the sense of the refusal `not_your_turn`."""
    if s.phase == "settle":
        return s.settle[0][0]
    if s.phase == "card_option":
        return s.card["seat"]
    return s.turn


def need_turn(s: State, seat: int, *rules) -> None:
    """Refuse a command of a seat whose turn it is not."""
    if acting_seat(s) != seat:
        raise refuse("not_your_turn", "It is seat " + str(acting_seat(s)) + "'s turn.", *(rules or ("T-031",)))


def wrong_phase(s: State, what: str, *rules):
    """The refusal of something that does not fit the phase."""
    return refuse("wrong_phase", "Now is not the time to " + what + " (phase " + s.phase + ").", *rules)


def go_round(s: State, events: list, place: int, round_number: int, starter: int, arrived: bool, skips: list) -> bool:
    """Add what happens from `place` on, until a seat has its turn; False if the trip is to be settled.

    A round ends when the order comes round to its starter's place, whoever sits there. With one more turn each, the
    trip ends where its first arrival was (A-46). `skips` is used up.
    """
    end = starter
    if arrived and s.options["round_completion"] == "one_more_turn_each" and s.first_arrival is not None:
        end = s.first_arrival
    while True:
        if arrived and place == end:
            events.append({"event": "RoundEnded", "round": round_number, "rules": ["T-111"]})
            return False
        if place == starter:
            events.append({"event": "RoundEnded", "round": round_number, "rules": ["T-031"]})
            round_number += 1
            events.append({"event": "RoundStarted", "round": round_number})
        if enter(s, events, place, skips):
            return True
        place = place % s.seats + 1


def enter(s: State, events: list, place: int, skips: list) -> bool:
    """Add what happens at a place of the order; whether its seat has a turn."""
    if not s.playing[place]:
        events.append({"event": "SeatPassed", "seat": place, "rules": ["T-133"]})
    elif skips[place] > 0:
        skips[place] -= 1
        events.append({"event": "TurnSkipped", "seat": place, "rules": ["T-085"]})
    else:
        events.append({"event": "TurnStarted", "seat": place})
        return True
    return False
