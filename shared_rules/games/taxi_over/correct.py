"""The operator's correction: parts of the position are set, with a reason, and booked against the supply.

A correction is decided by making the corrected position and reading it; its event holds what was set, so `evolve` makes
the same position again.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.errors import PositionError
from shared_rules.engine.ledger import transfer
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi_over import position_reader, position_writer
from shared_rules.games.taxi_over.meta import BOX, SUPPLY, TOKENS
from shared_rules.games.taxi_over.state import OVER, State

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

SETTABLE = ("players", "taxis", "dice", "box", "supply", "phase", "turn", "result")
# What belongs to the rest of the position or to the play since it was read, not to what is set.
_KEPT = ("board_ref", "turns")


def decide(s: State, seat: int, command: "dict[str, Any]") -> "list[dict[str, Any]]":
    """`correct`."""
    if seat != 0:
        raise refuse("not_allowed", "Only the operator corrects.")
    if s.phase == OVER:
        raise refuse("game_over", "The game is over; undo its end first.", "O-058")
    why = command.get("why")
    if not isinstance(why, str) or why == "":
        raise refuse("why_missing", "A correction says why.")
    changes = command.get("set")
    if not isinstance(changes, dict) or not changes:
        raise refuse("malformed", "'set' says what to set: keys of a position.")
    for key in sorted(changes):
        if key not in position_reader.KEYS:
            raise refuse("malformed", "A position has no key '" + key + "'.")
    try:
        after = _after(s, changes)
    except PositionError as error:
        code = "malformed" if error.code == "malformed" else "not_allowed"
        raise refuse(code, "The result is no legal position: " + error.message + " (" + error.at + ")", "O-065")
    for key in sorted(changes):
        if key not in SETTABLE:
            raise refuse("not_allowed", "'" + key + "' cannot be set.")
    return [{"event": "corrected", "set": changes, "why": why, "booked": _booked(s, after), "rules": ["O-065"]}]


def _after(s: State, changes: "dict[str, Any]") -> State:
    """The state after the correction, and after what happens by itself then."""
    after = position_reader.read(_merged(s, changes), s.title, s.board)
    position_reader.settle_down(after, changes.get("phase"))
    return after


def _merged(s: State, changes: "dict[str, Any]") -> "dict[str, Any]":
    """The position to be read; supply and phase follow from the rest if they are not set."""
    position = position_writer.dump(s)
    strangers: list[dict[str, Any]] = []
    for key in ("supply", "phase", "waiting_for"):
        del position[key]
    for key in sorted(changes):
        if key == "players":
            strangers = _set_players(s, position["players"], changes[key])
        elif key == "taxis":
            _set_taxis(position["taxis"], changes[key])
        elif key in SETTABLE:
            position[key] = changes[key]
    if position["turn"] != s.turn and "dice" not in changes:
        position["dice"] = []
    if strangers:
        # A wrong kind anywhere is named before a seat that is not there.
        position_reader.check_kinds(dict(position, players=position["players"] + strangers))
        raise refuse("not_allowed", "There is no seat " + str(strangers[0]["seat"]) + ".")
    return position


def _set_players(s: State, players: "list[dict[str, Any]]", changes: object) -> "list[dict[str, Any]]":
    """Set what is given; the entries whose seat is not in this game."""
    strangers = []
    if not isinstance(changes, list):
        raise refuse("malformed", "'players' is a list of objects with a seat.")
    for entry in changes:
        if not isinstance(entry, dict) or not is_whole(entry.get("seat")):
            raise refuse("malformed", "'players' is a list of objects with a seat.")
        if 1 <= entry["seat"] <= s.seats:
            players[entry["seat"] - 1].update(entry)
        else:
            strangers.append(entry)
    return strangers


def _set_taxis(taxis: "dict[str, Any]", changes: object) -> None:
    if not isinstance(changes, dict):
        raise refuse("malformed", "'taxis' is an object, a taxi's id before its place.")
    for name in changes:
        entry = changes[name]
        if name in taxis and isinstance(entry, dict) and "at" not in entry:
            taxis[name].update(entry)
        else:
            # With a place, what is not given has its default there.
            taxis[name] = entry


def _booked(s: State, after: State) -> "list[dict[str, Any]]":
    """What tokens moved, as transfers between the supply and an account each."""
    out = []
    accounts: list[Any] = list(range(1, s.seats + 1)) + [BOX]
    for i, account in enumerate(accounts):
        change = after.tokens[i + 1] - s.tokens[i + 1]
        if change > 0:
            out.append(transfer("booked", TOKENS, SUPPLY, account, change, ["O-065"]))
        elif change < 0:
            out.append(transfer("booked", TOKENS, account, SUPPLY, -change, ["O-065"]))
    return out


def _corrected(s: State, event: "dict[str, Any]") -> None:
    after = _after(s, event["set"])
    for name in State.__slots__:
        if name not in _KEPT:
            setattr(s, name, getattr(after, name))


EVOLVE = {"corrected": _corrected}
