"""The operator's correction: parts of the position are set, with a reason, and booked against the bank.

A correction is decided by making the corrected position and reading it; its event holds what was set, so `evolve` makes
the same position again.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.errors import PositionError
from shared_rules.engine.ledger import transfer
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi import position_reader, position_writer
from shared_rules.games.taxi.meta import DECKS, NAMED_ACCOUNTS, UNITS
from shared_rules.games.taxi.state import TURN_PHASES, State

FIXED = ("game", "options", "board", "trips", "waiting_for")
MERGED = ("bank", "effects", "fresh")


def decide(s: State, seat: int, command: dict) -> list:
    """`correct`."""
    if seat != 0:
        raise refuse("not_allowed", "Only the operator corrects.")
    if s.phase == "over":
        raise refuse("game_over", "The game is over; undo its end first.")
    why = command.get("why")
    if not isinstance(why, str) or why == "":
        raise refuse("why_missing", "A correction says why.")
    changes = command.get("set")
    if not isinstance(changes, dict) or not changes:
        raise refuse("malformed", "'set' says what to set: keys of a position.")
    for key in sorted(changes):
        if key not in position_reader.KEYS or key in FIXED:
            raise refuse("malformed", "'" + key + "' cannot be set.")
    _check_players(s, changes.get("players", []))
    for key in MERGED + ("decks",):
        if key in changes and not isinstance(changes[key], dict):
            raise refuse("malformed", "'" + key + "' is an object.")
    try:
        after, given = _after(s, changes)
        booked = _booked(s, after)
        position_reader.settle_down(after, given if "phase" in changes else None)
    except PositionError as error:
        code = "malformed" if error.code == "malformed" else "not_allowed"
        raise refuse(code, "The result is no legal position: " + error.message + " (" + error.at + ")")
    return [{"event": "Corrected", "set": changes, "why": why, "booked": booked, "rules": ["T-142", "T-143"]}]


def _check_players(s: State, players) -> None:
    if not isinstance(players, list):
        raise refuse("malformed", "'players' is a list of objects with a seat.")
    for entry in players:
        if not isinstance(entry, dict) or not is_whole(entry.get("seat")):
            raise refuse("malformed", "'players' is a list of objects with a seat.")
    for entry in players:
        if not 1 <= entry["seat"] <= s.seats:
            raise refuse("unknown_seat", "There is no seat " + str(entry["seat"]) + ".")


def _after(s: State, changes: dict) -> tuple:
    """(state, given phase) after the correction; the bank pays for money that appears, unless its cash is set."""
    after, given = position_reader.read(_merged(s, changes), s.title, s.board)
    if "cash" not in changes.get("bank", {}):
        after.cash[0] += s.money_total - after.money_total
        after.money_total = s.money_total
    return after, given


def _merged(s: State, changes: dict) -> dict:
    """The position after the correction; the bank's pieces and the draw piles follow from the rest."""
    position = position_writer.dump(s)
    del position["waiting_for"]
    if s.phase not in TURN_PHASES:
        # What interrupts the turn says by itself which phase it is.
        del position["phase"]
    position["bank"] = {"cash": position["bank"]["cash"], "pot": position["bank"]["pot"]}
    decks = changes.get("decks", {})
    for deck in DECKS:
        position["decks"][deck] = {"discard": position["decks"][deck]["discard"]}
    for key in changes:
        if key == "players":
            for entry in changes[key]:
                position["players"][entry["seat"] - 1].update(entry)
        elif key in MERGED:
            position[key].update(changes[key])
        elif key == "decks":
            for deck in decks:
                if deck in DECKS and isinstance(decks[deck], dict):
                    position["decks"][deck].update(decks[deck])
                else:
                    position["decks"][deck] = decks[deck]
        else:
            position[key] = changes[key]
    return position


def _booked(s: State, after: State) -> list:
    """What moved, as transfers between the bank and an account each; `outside` where the bank's cash itself is set."""
    out = []
    for unit in UNITS:
        old, new = s.ledger.held[unit], after.ledger.held[unit]
        for account in list(range(1, s.seats + 1)) + list(NAMED_ACCOUNTS):
            change = new[s.ledger.index[account]] - old[s.ledger.index[account]]
            if change > 0:
                out.append(transfer("Booked", unit, 0, account, change, ["T-142"]))
            elif change < 0:
                out.append(transfer("Booked", unit, account, 0, -change, ["T-142"]))
        change = sum(new) - sum(old)
        if change:
            ends = ("outside", 0) if change > 0 else (0, "outside")
            out.append(transfer("Booked", unit, ends[0], ends[1], abs(change), ["T-142"]))
    return out


def _corrected(s: State, event: dict) -> None:
    after, _ = _after(s, event["set"])
    for name in State.__slots__:
        if name != "board_ref":
            setattr(s, name, getattr(after, name))


EVOLVE = {"Corrected": _corrected}
