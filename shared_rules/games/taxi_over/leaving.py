"""Leaving the game: the tokens go to the supply, the taxi stays where it is, the rest play on (records: `resign`)."""

from shared_rules.engine.commands import refuse
from shared_rules.games.taxi_over.meta import SUPPLY, TOKENS
from shared_rules.games.taxi_over.moves import game_over
from shared_rules.games.taxi_over.state import ENDING, GOING_HOME, TAXI_IDS, State
from shared_rules.games.taxi_over.turn import all_to_start, driver_out

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def decide_resign(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`resign`."""
    if seat == 0:
        raise refuse("not_allowed", "The operator does not play and cannot leave.")
    taxi = s.driver[seat]
    left: dict[str, Any] = {
        "event": "resigned", "seat": seat, "taxi": TAXI_IDS[taxi] if taxi else None, "rules": ["O-065"]
    }  # fmt: skip
    if s.tokens[seat]:
        left["unit"] = TOKENS
        left["from"] = seat
        left["to"] = SUPPLY
        left["amount"] = s.tokens[seat]
    events = [left]
    others = [other for other in s.seats_in() if other != seat]
    if s.is_stranded(seat):
        events.append(all_to_start())
    if len(others) == 1:
        held = [0 if other == seat else s.tokens[other] for other in range(1, s.seats + 1)]
        events.append(game_over(others, "last_player", held, ["O-059"]))
    return events


def _resigned(s: State, event: "dict[str, Any]") -> None:
    seat = event["seat"]
    s.playing[seat] = False
    driver_out(s, event)
    if seat == s.turn:
        s.phase = ENDING
    elif s.is_stranded():
        s.phase = GOING_HOME


EVOLVE = {"resigned": _resigned}
