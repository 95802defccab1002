"""The operator's correction: parts of the position are set, with a reason, and booked against the bank.

A correction is decided by writing the corrected position and reading it; its event holds what was set, so `evolve`
makes the same position again. L-083 to L-087.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.errors import PositionError
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import light_cards, position_kinds, position_reader, position_writer
from shared_rules.games.destination_london.meta import UNITS
from shared_rules.games.destination_london.state import State

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Card, Json

SETTABLE = ("players", "pile", "gone", "lights", "turn")
PLAYER_SETTABLE = (
    "name", "colour", "cash", "fuel", "bonus_fuel", "loan", "loan_used", "sections", "turbo", "hand", "held", "at",
)  # fmt: skip


_KEPT = ("title", "board", "board_ref", "turns")


def decide(s: State, seat: int, command: "Json") -> "list[Json]":
    """`correct`."""
    if seat != 0:
        raise refuse("not_allowed", "Only the operator corrects.", "LQ-03")
    if s.result is not None:
        raise refuse("game_over", "The game is over; undo its end first.", "L-068")
    why = command.get("why")
    if not isinstance(why, str) or why == "":
        raise refuse("why_missing", "A correction says why.")
    changes = command.get("set")
    if not isinstance(changes, dict) or not changes:
        raise refuse("malformed", "'set' says what to set: keys of a position.")
    _check_kinds(changes)
    for key in sorted(changes):
        if key not in SETTABLE:
            raise refuse("not_allowed", "'" + key + "' cannot be set.")
    for entry in changes.get("players", []):
        _check_player(s, entry)
    try:
        after = _after(s, changes)
    except PositionError as error:
        code = "malformed" if error.code == "malformed" else "not_allowed"
        raise refuse(code, "The result is no legal position: " + error.message + " (" + error.at + ")")
    return [
        {"event": "Corrected", "set": changes, "why": why, "booked": _booked(s, after), "rules": ["L-084", "L-086"]}
    ]


def _check_kinds(changes: "Json") -> None:
    if "players" in changes:
        players = changes["players"]
        if not isinstance(players, list) or not players:
            raise refuse("malformed", "'players' is a list of objects with a seat and what to set.")
        for entry in players:
            if not isinstance(entry, dict) or "seat" not in entry or len(entry) < 2:
                raise refuse("malformed", "'players' is a list of objects with a seat and what to set.")
    try:
        position_kinds.check(changes)
    except PositionError as error:
        raise refuse("malformed", error.message + " (" + error.at + ")")


def _check_player(s: State, entry: "Json") -> None:
    seat = entry["seat"]
    if not 1 <= seat <= s.seats:
        raise refuse("not_allowed", "There is no seat " + str(seat) + ".")
    if not s.playing[seat]:
        raise refuse("not_allowed", s.names[seat] + " is out of the game.", "LQ-72")
    for key in sorted(entry):
        if key != "seat" and key not in PLAYER_SETTABLE:
            raise refuse("not_allowed", "'" + key + "' of a player cannot be set.")


def _after(s: State, changes: "Json") -> State:
    """The state after the correction, before anything happens by itself. PositionError if it is no legal position."""
    return position_reader.corrected(s, _merged(s, changes), "turn" in changes)


def _merged(s: State, changes: "Json") -> "Json":
    """The position after the correction, as an object for the reader; bank and fuel follow from the rest."""
    position = position_writer.dump(s)
    for key in ("bank", "fuel_bank", "phase", "waiting_for"):
        del position[key]
    for entry in changes.get("players", []):
        player = position["players"][entry["seat"] - 1]
        for key in entry:
            player[key] = entry[key]
        if entry.get("loan") is True and "loan_used" not in entry:
            player["loan_used"] = True
    if "turn" in changes:
        _drop_turn(position)
        position["turn"] = changes["turn"]
    for key in ("pile", "gone", "lights"):
        if key in changes:
            position[key] = changes[key]
    _move_cards(s, position, changes)
    if "lights" not in changes:
        _move_lights(s, position)
    return position


def _drop_turn(position: "Json") -> None:
    """The running turn is dropped; a drawn move card goes back."""
    for landing in position["arrivals"]:
        if landing["card"] is not None:
            _return_light(position["lights"], landing["card"])
    position["dice"] = []
    position["moves"] = []
    position["extra_turn"] = False
    position["extra_turns"] = 0
    position["arrivals"] = []
    position["offer"] = None
    position["asked"] = []
    position["order"] = None


def _return_light(lights: "Json", card: "Any") -> None:
    if isinstance(lights["returned"], list):
        lights["returned"].append(card)
    else:
        lights["returned"] += 1


def _move_cards(s: State, position: "Json", changes: "Json") -> None:
    """Cards that enter a hand leave pile or gone; those that leave one go to the pile."""
    entering: "list[str]" = []
    leaving: "list[str]" = []
    for seat in range(1, s.seats + 1):
        before, after = s.hand[seat], position["players"][seat - 1]["hand"]
        if isinstance(after, list):
            entering += [card for card in after if card not in before]
            leaving += [card for card in before if card not in after]
    swapped = [card for card in leaving if card in entering]
    for key in ("pile", "gone"):
        if key not in changes:
            position[key] = [card for card in position[key] if card not in entering]
    if "pile" not in changes:
        position["pile"] = position["pile"] + [card for card in leaving if card not in swapped]


def _move_lights(s: State, position: "Json") -> None:
    """Light cards that are kept now leave the deck; those that no longer are go back."""
    before: "list[Card]" = []
    after: "list[Card]" = []
    for seat in range(1, s.seats + 1):
        player = position["players"][seat - 1]
        before += s.bonus[seat] + s.held[seat]
        for key in ("bonus_fuel", "held"):
            if isinstance(player[key], list):
                after += player[key]
    entering = _less(after, before)
    leaving = _less(before, after)
    lights = position["lights"]
    for card in leaving:
        _return_light(lights, light_cards.shown(card))
    if s.typed:
        lights["pile"] -= len(entering)
    else:
        for key in ("pile", "returned"):
            lights[key] = [card for card in lights[key] if card not in entering]


def _less(cards: "list[Card]", others: "list[Card]") -> "list[Card]":
    """The cards that are not among the others, one for one: typed cards may be equal."""
    # Compared by what they are sorted by: MicroPython holds no dict equal to one that keeps its order.
    rest = [light_cards.order_of(card) for card in others]
    out = []
    for card in cards:
        if light_cards.order_of(card) in rest:
            rest.remove(light_cards.order_of(card))
        else:
            out.append(card)
    return out


def _booked(s: State, after: State) -> "list[Json]":
    """What moved, as transfers between the bank and a seat each."""
    out = []
    for unit in UNITS:
        old, new = s.ledger.held[unit], after.ledger.held[unit]
        for seat in range(1, s.seats + 1):
            change = new[seat] - old[seat]
            if change > 0:
                out.append(transfer("Booked", unit, 0, seat, change, ["L-086" if unit == "money" else "L-084"]))
            elif change < 0:
                out.append(transfer("Booked", unit, seat, 0, -change, ["L-086" if unit == "money" else "L-084"]))
    return out


def _corrected(s: State, event: "Json") -> None:
    after = _after(s, event["set"])
    for name in State.__slots__:
        if name not in _KEPT:
            setattr(s, name, getattr(after, name))


EVOLVE = {"Corrected": _corrected}
