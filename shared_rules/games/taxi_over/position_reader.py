"""Reads a Taxi Over position (docs/records.md) into a state, or says with code and path why it is none.

Kinds are checked before anything else, so that a wrong kind is `malformed` whatever else is wrong. What is left out has
its value in a new game. `load` also does what happens by itself on reading, and only then compares a given phase.
"""

from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError
from shared_rules.engine.options import find, read_options
from shared_rules.engine.reading import (
    a_bool,
    a_list,
    a_text,
    a_whole,
    a_word,
    an_object,
    impossible,
    join,
    malformed,
    only_keys,
)
from shared_rules.games.taxi_over import meta, turn
from shared_rules.games.taxi_over.board import START_PLACE, Board, parse_board
from shared_rules.games.taxi_over.moves import game_over, leaders
from shared_rules.games.taxi_over.state import OVER, READING, TAXI_IDS, State, whole_supply

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

KEYS = (
    "game", "options", "board", "players", "taxis", "dice", "box", "supply", "target", "phase", "turn", "waiting_for",
    "result",
)  # fmt: skip
PLAYER_KEYS = ("seat", "name", "colour", "held", "driver", "status")
TAXI_KEYS = ("at", "fresh", "came_from")

# Shipped boards are parsed once.
_BOARDS: dict[str, Board] = {}


def load(position: "dict[str, Any]", title: object) -> State:
    """The state of a position, after what happens by itself on reading. PositionError."""
    s = read(position, title)
    settle_down(s, position.get("phase"))
    return s


def read(position: "dict[str, Any]", title: object, board: "Board | None" = None) -> State:
    """The state of a position before anything happens by itself. `board` skips parsing it."""
    only_keys(position, KEYS, "")
    for key in ("board", "players"):
        if key not in position:
            raise malformed("A position needs '" + key + "'.", key)
    options = _options(position)
    if board is None:
        board = _board(position["board"])
    players = check_kinds(position)
    if not meta.PLAYERS[0] <= len(players) <= meta.PLAYERS[1]:
        raise impossible("Taxi Over has 2 to 4 players.", "players")
    s = State(title, len(players), board, options)
    if isinstance(position["board"], str):
        s.board_ref = position["board"]
    over = position.get("result") is not None
    _read_taxis(s, position.get("taxis", {}))
    _read_colours(s, players)
    for seat in range(1, s.seats + 1):
        _read_player(s, seat, players[seat - 1], "players[" + str(seat - 1) + "]")
    if not s.seats_in():
        raise impossible("At least one player is in the game.", "players")
    _read_tokens(s, position)
    s.turn = _turn(s, position)
    _read_dice(s, position.get("dice", []), over)
    if over:
        _read_result(s, position["result"])
    return s


def settle_down(s: State, given: "str | None") -> None:
    """What happens by itself on reading, in its order; then see that the phase is the given one."""
    if s.phase == READING:
        _end_at_once(s)
    if s.phase == READING:
        # Of a finished game it may be anybody's turn, also where it ends only now.
        if not s.playing[s.turn]:
            raise impossible("Seat " + str(s.turn) + " has left the game; it cannot be its turn.", "turn")
        if s.all_out():
            turn.EVOLVE["all_to_start"](s, turn.all_to_start())
        phase = turn.phase_for(s, s.turn)
        if phase == "" and given is None:
            started = turn.next_turn(s, s.turn)[-1]
            s.turn = started["seat"]
            phase = started["phase"]
        s.phase = phase
    if given is not None and given != s.phase:
        what = "is in phase '" + s.phase + "'" if s.phase else "skips this turn"
        raise impossible("The position " + what + ", not in '" + given + "'.", "phase")


def _end_at_once(s: State) -> None:
    seats = s.seats_in()
    arrived = [seat for seat in seats if s.tokens[seat] >= s.target]
    if arrived:
        _end(s, arrived, "target")
    elif len(seats) == 1:
        _end(s, seats, "last_player")
    elif s.is_stalemate() and s.options["stalemate"] == "shared_win":
        _end(s, leaders(s.tokens, seats), "stalemate")


def _end(s: State, winners: list[int], reason: str) -> None:
    turn.EVOLVE["game_over"](s, game_over(winners, reason, s.tokens[1 : s.seats + 1], []))


def _options(position: "dict[str, Any]") -> "dict[str, Any]":
    options = read_options(position.get("options", {}), meta.OPTIONS, "options")
    for name in ("dice_faces", "target_tokens"):
        # A list or object equals its default even where true stands for 1.
        if not find(meta.OPTIONS, name).takes(options[name]):
            raise PositionError("bad_option", "'" + name + "' has whole numbers only.", join("options", name))
    targets = dict(meta.TARGETS)
    targets.update(options["target_tokens"])
    options["target_tokens"] = targets
    return options


def _board(given: object) -> Board:
    if not isinstance(given, str):
        return parse_board(given, "board")
    if given not in _BOARDS:
        shipped: Any = titles.shipped_board
        _BOARDS[given] = parse_board(shipped(meta.NAME, given), "board")
    return _BOARDS[given]


def check_kinds(position: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The players, once everything but options and board has the right kind. PositionError `malformed`."""
    players = a_list(position["players"], "players")
    for i, player in enumerate(players):
        at = "players[" + str(i) + "]"
        only_keys(player, PLAYER_KEYS, at)
        for key in ("seat", "held"):
            a_whole(player.get(key, 0), join(at, key))
        a_text(player.get("name", ""), join(at, "name"))
        a_text(player.get("colour", ""), join(at, "colour"))
        a_word(player.get("status", "in"), ("in", "out"), join(at, "status"))
        if player.get("driver") is not None:
            a_text(player["driver"], join(at, "driver"))
    taxis = an_object(position.get("taxis", {}), "taxis")
    for name in sorted(taxis):
        at = join("taxis", name)
        only_keys(taxis[name], TAXI_KEYS, at)
        for key in ("at", "came_from"):
            a_text(taxis[name].get(key, ""), join(at, key))
        a_bool(taxis[name].get("fresh", True), join(at, "fresh"))
    for i, face in enumerate(a_list(position.get("dice", []), "dice")):
        a_whole(face, "dice[" + str(i) + "]")
    for key in ("box", "supply", "target", "turn"):
        a_whole(position.get(key, 0), key)
    a_word(position.get("phase", "over"), meta.PHASES, "phase")
    if position.get("result") is not None:
        _result_kinds(only_keys(position["result"], ("winners", "reason", "totals"), "result"))
    return players


def _result_kinds(result: "dict[str, Any]") -> None:
    for key in ("winners", "reason"):
        if key not in result:
            raise malformed("A result needs '" + key + "'.", join("result", key))
    for i, seat in enumerate(a_list(result["winners"], "result.winners")):
        a_whole(seat, "result.winners[" + str(i) + "]")
    a_word(result["reason"], meta.REASONS, "result.reason")
    totals = an_object(result.get("totals", {}), "result.totals")
    for key in sorted(totals):
        a_whole(totals[key], join("result.totals", key))


def _read_taxis(s: State, taxis: "dict[str, Any]") -> None:
    board = s.board
    standing: list[int] = []
    for name in sorted(taxis):
        at = join("taxis", name)
        if name not in TAXI_IDS[1 : s.taxis + 1]:
            raise impossible("There is no taxi '" + name + "' in this game.", at)
        taxi = TAXI_IDS.index(name)
        entry = taxis[name]
        where = entry.get("at", meta.START)
        place = board.place_of(where, entry.get("came_from"))
        if place == START_PLACE and "came_from" in entry:
            raise impossible("Only on a crossing a taxi has come from somewhere.", join(at, "came_from"))
        if place < START_PLACE:
            if where not in board.places:
                raise impossible("There is no space '" + where + "'.", join(at, "at"))
            if len(board.places[where]) == 1:
                raise impossible("'" + where + "' is no crossing; leave out 'came_from'.", join(at, "came_from"))
            before = [str(board.came_from[other]) for other in board.places[where]]
            raise impossible(
                "On the crossing '" + where + "' give 'came_from': '" + "' or '".join(before) + "'.",
                join(at, "came_from"),
            )
        s.at[taxi] = place
        s.fresh[taxi] = entry.get("fresh", place == START_PLACE)
        if place == START_PLACE and not s.fresh[taxi]:
            raise impossible("A taxi at START is fresh.", join(at, "fresh"))
        if board.marks[place] and s.fresh[taxi]:
            raise impossible("A taxi on an intersection is not fresh.", join(at, "fresh"))
        if place != START_PLACE:
            if board.space[place] in standing:
                raise impossible("On a space stands one taxi.", join(at, "at"))
            standing.append(board.space[place])


def _read_colours(s: State, players: "list[dict[str, Any]]") -> None:
    left = list(meta.COLOURS)
    for i, player in enumerate(players):
        if "colour" in player:
            at = "players[" + str(i) + "].colour"
            if player["colour"] not in meta.COLOURS:
                colours = ", ".join(meta.COLOURS)
                raise impossible("No driver is '" + player["colour"] + "'; there are " + colours + ".", at)
            if player["colour"] not in left:
                raise impossible("Two players have the colour " + player["colour"] + ".", at)
            left.remove(player["colour"])
    for i, player in enumerate(players):
        s.colours[i + 1] = player["colour"] if "colour" in player else left.pop(0)


def _read_player(s: State, seat: int, player: "dict[str, Any]", at: str) -> None:
    if player.get("seat", seat) != seat:
        raise impossible("Seats are listed in order; this is place " + str(seat) + ".", join(at, "seat"))
    colour = s.colours[seat]
    s.names[seat] = player.get("name", colour[0].upper() + colour[1:])
    s.playing[seat] = player.get("status", "in") == "in"
    held = player.get("held", 0)
    if held < 0:
        raise impossible("Nobody holds less than nothing.", join(at, "held"))
    s.tokens[seat] = held
    driver = player.get("driver", TAXI_IDS[seat] if s.playing[seat] else None)
    if not s.playing[seat] and (held or driver is not None):
        raise impossible("A seat that is out holds no token and has no driver in a taxi.", at)
    if driver is None:
        return
    if driver not in TAXI_IDS[1 : s.taxis + 1]:
        raise impossible("There is no taxi '" + driver + "' in this game.", join(at, "driver"))
    taxi = TAXI_IDS.index(driver)
    if s.rider[taxi]:
        raise impossible("In a taxi sits one driver.", join(at, "driver"))
    s.rider[taxi] = seat
    s.driver[seat] = taxi


def _read_tokens(s: State, position: "dict[str, Any]") -> None:
    box = position.get("box", meta.FIRST_BOX)
    if box < 0:
        raise impossible("The box holds no less than nothing.", "box")
    s.tokens[-1] = box
    supply = whole_supply(s)
    if supply < 0 and s.options["supply_exhausted"] == "limited":
        raise impossible("There are only " + str(meta.ALL_TOKENS) + " tokens.", "players")
    if position.get("supply", supply) != supply:
        raise impossible("What nobody holds and is not in the box is " + str(supply) + ".", "supply")
    s.tokens[meta.SUPPLY] = supply
    if position.get("target", s.target) != s.target:
        raise impossible("With these house rules " + str(s.target) + " tokens win.", "target")


def _turn(s: State, position: "dict[str, Any]") -> int:
    seat: int = position.get("turn", s.seats_in()[0])
    if not 1 <= seat <= s.seats:
        raise impossible("There is no seat " + str(seat) + ".", "turn")
    return seat


def _read_dice(s: State, dice: list[int], over: bool) -> None:
    s.dice = list(dice)
    if not dice:
        return
    if over or not s.driver[s.turn]:
        raise impossible("Dice lie on the table only while a seated driver rolls.", "dice")
    if len(dice) >= meta.MOST_DICE:
        raise impossible("After the third die the taxi has moved already.", "dice")
    for i, face in enumerate(dice):
        if face not in s.options["dice_faces"]:
            raise impossible("No taxi die shows " + str(face) + ".", "dice[" + str(i) + "]")
        if s.is_violation(dice[: i + 1]):
            raise impossible("These dice are a violation already.", "dice")


def _read_result(s: State, result: "dict[str, Any]") -> None:
    winners: list[int] = []
    for seat in result["winners"]:
        if not 1 <= seat <= s.seats or seat in winners:
            raise impossible("Winners are seats, each once.", "result.winners")
        winners.append(seat)
    if not winners:
        raise impossible("Somebody wins.", "result.winners")
    totals = {}
    for seat in range(1, s.seats + 1):
        totals[str(seat)] = s.tokens[seat]
    if result.get("totals", totals) != totals:
        raise impossible("The totals are what the players hold.", "result.totals")
    s.result = {"winners": sorted(winners), "reason": result["reason"], "totals": totals}
    s.phase = OVER
