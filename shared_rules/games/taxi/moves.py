"""A taxi's move after its throw: which routes fit, what they cost, whether it arrives (T-037, T-044 to T-075)."""

from shared_rules.engine.commands import refuse, text, whole
from shared_rules.games.taxi.meta import GREEN, WHITE
from shared_rules.games.taxi.order import need_turn, wrong_phase
from shared_rules.games.taxi.state import ENDING, State


def d12_due(s: State, arrived: bool) -> bool:
    """Whether the turn's seat still throws the tablet die (T-038, A-11, A-12)."""
    if s.no_d12 or (arrived and not s.options["d12_on_arrival"]):
        return False
    return s.moved or s.options["d12_after_no_move"]


def arrival(s: State, seat: int, rules: list) -> dict:
    """The event of an arrival; whether the seat owns a taxi is fixed with it (T-117)."""
    return {
        "event": "Arrived",
        "seat": seat,
        "trip": s.trip,
        "round": s.round,
        "owner": s.plates[seat] > 0,
        "rules": rules + ["T-117"],
    }


def decide_move(s: State, seat: int, command: dict) -> list:
    """`move`: the taxi drives to a place where a legal route within the throw and the tablets ends."""
    need_turn(s, seat, "T-031")
    if s.phase != "move":
        raise wrong_phase(s, "move", "T-032")
    named = text(command, "to")
    green = whole(command, "green") if "green" in command else -1
    white = whole(command, "white") if "white" in command else -1
    at = s.at[seat]
    to = s.board.place(named)
    if to is None:
        raise refuse("unknown_place", "There is no place '" + named + "'.", "T-054")
    if not s.streets.is_stop(to):
        raise refuse("not_allowed", "A move cannot end on " + to + ".", "T-056", "T-062")
    usable_green, usable_white = s.usable(seat)
    if green > usable_green or white > usable_white:
        raise refuse("not_enough", "There are fewer tablets to hand in.", "T-073")
    barriers = s.blocked(seat)
    if to == at and s.options["zero_move"] == "must_move_if_possible" and _could_move(s, seat, barriers):
        raise refuse("not_allowed", "The taxi can move, so it must.", "T-037", "A-42")
    if green < 0:
        green = usable_green
    if white < 0:
        white = usable_white
    best = None
    for label in s.streets.labels(at, to, s.d6, green + s.free_lights, white, barriers):
        if best is None or (label[2], label[1]) < (best[2], best[1]):
            best = label
    if best is None:
        raise refuse(
            "unreachable", to + " cannot be reached with " + str(s.d6) + " streets and these tablets.", "T-075"
        )
    events = []
    spent = max(0, best[1] - s.free_lights)
    if spent:
        events.append(
            {
                "event": "TabletMoved", "unit": GREEN, "from": seat, "to": 0, "amount": spent,
                "rules": ["T-058", "T-077"],
            }
        )  # fmt: skip
    if best[2]:
        events.append(
            {
                "event": "TabletMoved", "unit": WHITE, "from": seat, "to": 0, "amount": best[2],
                "rules": ["T-065", "T-077"],
            }
        )  # fmt: skip
    arrives = to == s.goal(seat)
    events.append(
        {
            "event": "TaxiMoved", "seat": seat, "from": at, "to": to, "by": "throw", "streets": best[0],
            "forfeited": s.d6 - best[0], "arrives": arrives, "rules": ["T-037", "T-075"],
        }
    )  # fmt: skip
    if arrives:
        events.append(arrival(s, seat, ["T-108", "T-109"]))
    return events


def reach(s: State, seat: int) -> list:
    """Where the turn's seat may move now, with least costs: [[place, streets, green, white], …]."""
    green, white = s.usable(seat)
    barriers = s.blocked(seat)
    places = s.streets.reach(s.at[seat], s.d6, green + s.free_lights, white, barriers)
    if s.options["zero_move"] == "must_move_if_possible":
        others = [entry for entry in places if entry[0] != s.at[seat]]
        return others or places
    return places


def _could_move(s: State, seat: int, barriers: list) -> bool:
    green, white = s.usable(seat)
    for entry in s.streets.reach(s.at[seat], s.d6, green + s.free_lights, white, barriers):
        if entry[0] != s.at[seat]:
            return True
    return False


def _moved(s: State, event: dict) -> None:
    seat = event["seat"]
    to = event["to"]
    if s.at[seat] != to:
        s.at[seat] = to
        if event["by"] != "settlement":
            s.moved = True
    if event["by"] == "throw":
        s.free_lights = 0
        if event["arrives"]:
            return
        if s.again > 0:
            s.again -= 1
            s.d6 = None
            s.phase = "before_roll"
        else:
            s.phase = "tablet_die" if d12_due(s, False) else ENDING


def _arrived(s: State, event: dict) -> None:
    seat = event["seat"]
    s.arrived[seat] = True
    s.owner[seat] = event["owner"]
    s.again = 0
    if s.first_arrival is None:
        s.first_arrival = seat
    if s.phase == "move":
        s.phase = "tablet_die" if d12_due(s, True) else ENDING


EVOLVE = {"TaxiMoved": _moved, "Arrived": _arrived}
