"""Questions: where a move can end, how far it is (docs/records.md). They change nothing.

The answer about ends uses the hand of the seat that is asked about; whoever passes it on to others tells its hand.
"""

from shared_rules.engine.commands import head_of, refuse
from shared_rules.engine.reading import is_whole
from shared_rules.games.destination_london import movement, turn
from shared_rules.portable.ordered import ordered

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def answer(s: "State", command: "Json") -> "Json":
    """The answer to a command `ask`; RuleViolation."""
    head_of(command, ("ask",), s.seats)
    what = command.get("what")
    if isinstance(what, str):
        if what == "ends":
            return _ends(s, command)
        if what == "distance":
            return _distance(s, command)
    raise refuse("malformed", "'what' is ends or distance.")


def _ends(s: "State", command: "Json") -> "Json":
    of = command.get("of", s.turn)
    if not is_whole(of):
        raise refuse("malformed", "'of' names a seat by number.")
    if "faces" in command:
        squares = sum(turn.faces_of(command))
    elif s.moves and of == s.turn:
        squares = s.moves[0]
    else:
        raise refuse("malformed", "'faces' lists what one or two dice show.")
    if not 1 <= of <= s.seats:
        raise refuse("unknown_seat", "There is no seat " + str(of) + ".")
    if not s.playing[of]:
        raise refuse("out_of_game", s.names[of] + " is out of the game.", "LQ-72")
    ends = movement.ends_of(s, of, squares)
    return ordered((("what", "ends"), ("seat", of), ("reachable", ends.squares()), ("stay", ends.stay)))


def _distance(s: "State", command: "Json") -> "Json":
    for key in ("from", "to"):
        if not isinstance(command.get(key), str):
            raise refuse("malformed", "'from' and 'to' name squares.")
    for key in ("from", "to"):
        if command[key] not in s.board.squares:
            raise refuse("unknown_place", "There is no square '" + command[key] + "'.")
    distance = s.roads.distances_to(command["to"]).get(command["from"])
    return ordered((("what", "distance"), ("distance", distance)))
