"""A turn: boarding, the dice one at a time, stopping, a speeding violation, and whose turn is next (O-018 to O-052)."""

from shared_rules.engine.commands import refuse, text
from shared_rules.engine.reading import is_whole
from shared_rules.engine.seats import following
from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.meta import DIE, MOST_DICE
from shared_rules.games.taxi_over.moves import Outcome
from shared_rules.games.taxi_over.state import BOARDING, ENDING, GOING_HOME, OVER, ROLLING, TAXI_IDS, State

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


def decide_board(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`board_taxi`: a driver who is out gets into an empty taxi at START (O-049)."""
    _need_phase(s, BOARDING)
    name = text(command, "taxi")
    if name not in TAXI_IDS[1 : s.taxis + 1]:
        raise refuse("unknown_taxi", "There is no taxi '" + name + "' in this game.", "OQ-15")
    taxi = TAXI_IDS.index(name)
    if s.at[taxi] != START_PLACE:
        raise refuse("not_allowed", name + " is not at START.", "O-048")
    if s.rider[taxi]:
        raise refuse("not_allowed", "Somebody sits in " + name + ".", "O-068")
    if taxi not in s.boardable(seat):
        raise refuse("not_allowed", name + " is another player's taxi.", "OQ-13")
    return [{"event": "driver_boarded", "seat": seat, "taxi": name, "rules": ["O-049", "O-050"]}]


def decide_decline(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`decline`: the driver stays out, and the turn ends (OQ-14)."""
    _need_phase(s, BOARDING)
    if s.options["boarding"] == "forced":
        raise refuse("not_allowed", "A driver who can board has to.", "OQ-14")
    return [{"event": "boarding_declined", "seat": seat, "rules": ["OQ-14", "O-051"]}]


def decide_roll(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`roll`: the next die; too much is a violation, and a third that is none moves at once (O-020 to O-030)."""
    _need_phase(s, ROLLING)
    face: Any = command.get("face")
    if not is_whole(face):
        raise refuse("malformed", "'face' is a whole number.")
    if command.get("die", DIE) != DIE:
        raise refuse("malformed", "'die' is '" + DIE + "', or left out.")
    if face not in s.options["dice_faces"]:
        raise refuse("bad_face", "No taxi die shows " + str(face) + ".", "OQ-01")
    dice: list[int] = s.dice + [face]
    events = [{"event": "die_rolled", "seat": seat, "face": face, "dice": dice, "rules": ["O-020", "O-021"]}]
    if len(dice) == MOST_DICE or s.is_violation(dice):
        events.extend(end_with(s, seat, dice))
    return events


def decide_stop(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`stop`: the taxi drives by the dice on the table (O-023, O-027)."""
    _need_phase(s, ROLLING)
    if not may_stop(s):
        raise refuse("not_allowed", "At least one die has to be rolled first.", "O-021", "OQ-03")
    return end_with(s, seat, s.dice)


def end_with(s: State, seat: int, dice: list[int]) -> "list[dict[str, Any]]":
    """The events of ending the turn with these dice, be they a violation or not."""
    events: list[dict[str, Any]] = []
    if s.is_violation(dice):
        _violate(s, seat, dice, events)
    elif dice:
        _drive(s, seat, dice, events)
    else:
        place = s.place_name(s.driver[seat])
        events.append(
            {
                "event": "moved", "seat": seat, "taxi": TAXI_IDS[s.driver[seat]], "from": place, "to": place,
                "dice": [], "distance": 0, "way": [], "taxis": {}, "rules": ["OQ-03"],
            }
        )  # fmt: skip
    return events


def may_stop(s: State) -> bool:
    """Whether enough dice lie on the table to drive (OQ-03)."""
    enough: bool = len(s.dice) >= s.options["minimum_dice"]
    return enough


def _need_phase(s: State, phase: str) -> None:
    if s.phase == phase:
        return
    if s.phase == BOARDING:
        message = s.names[s.turn] + "'s driver is out: board a taxi or decline."
    else:
        message = s.names[s.turn] + "'s driver sits in a taxi: roll or stop."
    raise refuse("wrong_phase", message, "O-019", "O-050")


def _drive(s: State, seat: int, dice: list[int], events: "list[dict[str, Any]]") -> None:
    outcome = Outcome(s, events)
    entered = outcome.drive(seat, list(dice))
    if entered:
        outcome.collect(seat, entered)


def _violate(s: State, seat: int, dice: list[int], events: "list[dict[str, Any]]") -> None:
    """Driver out, a token into the box, the taxi moved on: in this order (OQ-35)."""
    outcome = Outcome(s, events)
    taxi = s.driver[seat]
    if s.options["violation_moves"] == "move_then_exit":
        outcome.drive(seat, list(dice))
    if seat not in outcome.out:
        outcome.out.append(seat)
    outcome.add_token(
        {
            "event": "speeding_violation", "seat": seat, "taxi": TAXI_IDS[taxi], "dice": list(dice), "sum": sum(dice),
            "rules": ["O-043", "O-044", "O-045", "O-046"],
        }
    )  # fmt: skip
    outcome.place_empty(taxi)


def ending(s: State) -> "list[dict[str, Any]]":
    """What follows the end of a turn: all taxis go home if every driver is out; then the next turn (O-018, O-062)."""
    if s.is_stranded():
        return [all_to_start()]
    return next_turn(s, following(s.turn, s.seats))


def all_to_start() -> "dict[str, Any]":
    """Every driver is out: all taxis go to START (O-062)."""
    return {"event": "all_to_start", "rules": ["O-062", "O-063", "OQ-33"]}


def next_turn(s: State, seat: int) -> "list[dict[str, Any]]":
    """The next turn is that of `seat`, or of the first after it that can do something (O-048 to O-051).

    It cannot go round for ever: if a driver sits in a taxi its turn comes, and if none does all taxis are at START.
    """
    events: list[dict[str, Any]] = []
    while True:
        if s.playing[seat]:
            phase = phase_for(s, seat)
            if phase != "":
                events.append({"event": "turn_started", "seat": seat, "phase": phase, "rules": ["O-018"]})
                return events
            events.append({"event": "turn_skipped", "seat": seat, "rules": ["O-051", "O-052"]})
        seat = following(seat, s.seats)


def phase_for(s: State, seat: int) -> str:
    """How a seat's turn begins: "roll", "board", or "" if it is skipped."""
    if s.driver[seat]:
        return ROLLING
    return BOARDING if s.boardable(seat) else ""


def _turn_started(s: State, event: "dict[str, Any]") -> None:
    s.turn = event["seat"]
    s.phase = event["phase"]
    s.dice = []
    s.turns += 1


def _die_rolled(s: State, event: "dict[str, Any]") -> None:
    s.dice = list(event["dice"])


def _moved(s: State, event: "dict[str, Any]") -> None:
    _all_at(s, event["taxis"])
    s.phase = ENDING


def _all_at(s: State, taxis: "dict[str, Any]") -> None:
    board = s.board
    for name in taxis:
        entry = taxis[name]
        taxi = TAXI_IDS.index(name)
        s.at[taxi] = board.place_of(entry["at"], entry.get("came_from"))
        s.fresh[taxi] = entry["fresh"]


def _advanced(s: State, event: "dict[str, Any]") -> None:
    _all_at(s, event["taxis"])


def driver_out(s: State, event: "dict[str, Any]") -> None:
    """A driver gets out of whatever taxi it is in."""
    seat = event["seat"]
    s.rider[s.driver[seat]] = 0
    s.driver[seat] = 0


def _violated(s: State, event: "dict[str, Any]") -> None:
    driver_out(s, event)
    s.phase = ENDING


def _boarded(s: State, event: "dict[str, Any]") -> None:
    taxi = TAXI_IDS.index(event["taxi"])
    s.rider[taxi] = event["seat"]
    s.driver[event["seat"]] = taxi
    s.phase = ROLLING


def _declined(s: State, event: "dict[str, Any]") -> None:
    s.phase = ENDING


def _home(s: State, event: "dict[str, Any]") -> None:
    for taxi in range(1, s.taxis + 1):
        s.at[taxi] = START_PLACE
        s.fresh[taxi] = True
    if s.phase == GOING_HOME:
        # Whose turn it is can only have been waiting to board.
        s.phase = BOARDING


def _over(s: State, event: "dict[str, Any]") -> None:
    s.phase = OVER
    s.dice = []
    s.result = {"winners": list(event["winners"]), "reason": event["reason"], "totals": dict(event["totals"])}


EVOLVE: "dict[str, Callable[[State, dict[str, Any]], None]]" = {
    "turn_started": _turn_started,
    "die_rolled": _die_rolled,
    "moved": _moved,
    "taxi_advanced": _advanced,
    "speeding_violation": _violated,
    "driver_ejected": driver_out,
    "driver_boarded": _boarded,
    "boarding_declined": _declined,
    "all_to_start": _home,
    "game_over": _over,
}
