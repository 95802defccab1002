"""Roadwork barriers: where one may stand against the turn's seat, and placing it (T-099 to T-107)."""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.games.taxi.meta import BARRIERS, ON_BOARD
from shared_rules.games.taxi.order import wrong_phase
from shared_rules.games.taxi.position_writer import barrier_limit_reached
from shared_rules.games.taxi.state import State


def decide_place(s: State, seat: int, command: dict) -> list:
    """`place_barrier`."""
    if s.phase != "card_choice" and s.phase != "before_roll":
        raise wrong_phase(s, "place a barrier", "T-100")
    if seat == s.turn:
        raise refuse("not_allowed", "A barrier is placed against an opponent.", "T-102")
    named = command.get("on")
    if not isinstance(named, str):
        raise refuse("malformed", "'on' is a place.")
    if s.barriers[seat] < 1:
        raise refuse("not_enough", "This seat holds no barrier.", "T-100")
    place = s.board.place(named)
    if place is None:
        raise refuse("unknown_place", "There is no place '" + named + "'.", "T-105")
    if not s.board.is_link(place) or place == s.at[s.turn]:
        raise refuse("not_allowed", "A barrier stands on an open link without the taxi.", "T-105")
    if barrier_limit_reached(s, seat):
        raise refuse("not_allowed", "No further barrier may be placed in this turn.", "T-106", "A-98")
    for barrier in s.placed:
        if barrier["on"] == place:
            raise refuse("already_done", "Two barriers cannot share a spot.", "A-102")
    event = transfer("BarrierPlaced", BARRIERS, seat, ON_BOARD, 1, ["T-100", "T-105"])
    event["on"] = place
    event["against"] = s.turn
    return [event]


def spots(s: State) -> list:
    """Where a barrier could be placed now, sorted."""
    taken = [barrier["on"] for barrier in s.placed] + [s.at[s.turn]]
    return sorted([link.name for link in s.board.links if link.name not in taken])


def _placed(s: State, event: dict) -> None:
    s.placed = s.placed + [{"on": event["on"], "by": event["from"], "against": event["against"]}]


EVOLVE = {"BarrierPlaced": _placed}
