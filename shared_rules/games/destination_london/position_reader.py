"""Reads a Destination London position (docs/records.md) into a state, or says with code and path why it is none.

What is left out has its value in a new game. Nothing happens by itself here yet; `loading` sees to that.
"""

from shared_rules.engine import titles
from shared_rules.engine.options import read_options
from shared_rules.engine.reading import impossible, join, malformed
from shared_rules.games.destination_london import light_cards, meta, pending_reader, position_kinds
from shared_rules.games.destination_london.board import Board, parse_board
from shared_rules.games.destination_london.state import OPEN, RUNNING, START, State

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json

# Phases that do not tell whether the turn has started.
_BEFORE_TURN = ("deal", "debt", "order_roll")

# Shipped boards are parsed once, so that their games share what has been found out about roads.
_BOARDS: "dict[str, Board]" = {}
_KEPT_BOARDS = 8


def corrected(s: State, position: "Json", turn_set: bool) -> State:
    """The state of a corrected position, before anything happens by itself. A turn that was set starts."""
    after, _ = read(position, s.title, s.board)
    after.stage = START if turn_set else s.stage
    return after


def read(position: "Json", title: "Any", board: "Board | None" = None) -> "tuple[State, str | None]":
    """(state, given phase or None), before anything happens by itself."""
    position_kinds.check(position)
    for key in ("board", "players"):
        if key not in position:
            raise malformed("A position needs '" + key + "'.", key)
    options = read_options(position.get("options", {}), meta.OPTIONS, "options")
    players = position["players"]
    if not meta.LEAST_PLAYERS <= len(players) <= meta.MOST_PLAYERS:
        raise malformed("Destination London has 2 to 6 players.", "players")
    if board is None:
        board = _board(position["board"])
    s = State(title, len(players), board, options)
    s.board_ref = position["board"] if isinstance(position["board"], str) else None
    over = position.get("result") is not None
    for i, player in enumerate(players):
        _player(s, i + 1, player, over, "players[" + str(i) + "]")
    _colours(s, players)
    given = position.get("phase")
    if given is not None and given not in meta.PHASES:
        raise impossible("There is no phase '" + given + "'.", "phase")
    pending_reader.read(s, position, given, over)
    _cards(s, position)
    _lights(s, position.get("lights", {}))
    _bank(s, position)
    if over:
        _result(s, position["result"])
    elif s.left < 2:
        raise impossible("Fewer than two players are in, and the game has no result.", "players")
    if (given == "over") != over and given is not None:
        raise impossible("A game is over exactly when it has a result.", "phase")
    if s.dice or s.arrivals:
        s.stage = RUNNING
    else:
        s.stage = START if given is None or given in _BEFORE_TURN else OPEN
    return s, given


def _board(given: "Any") -> Board:
    if isinstance(given, dict):
        return parse_board(given)
    if given not in _BOARDS:
        if len(_BOARDS) >= _KEPT_BOARDS:
            _BOARDS.clear()
        _BOARDS[given] = parse_board(titles.shipped_board(meta.NAME, given))
    return _BOARDS[given]


def _player(s: State, seat: int, player: "Json", over: bool, at: str) -> None:
    if player.get("seat", seat) != seat:
        raise impossible("Seats are listed in order; this is place " + str(seat) + ".", join(at, "seat"))
    status = player.get("status", "in")
    if status not in ("in", "out"):
        raise impossible("A player is \"in\" or \"out\".", join(at, "status"))
    playing = status == "in"
    s.playing[seat] = playing
    if not playing:
        s.left -= 1
    s.cash[seat] = player.get("cash", meta.FLOAT if playing else 0)
    s.fuel[seat] = player.get("fuel", meta.START_FUEL if playing else 0)
    if s.cash[seat] < 0:
        raise impossible("Nobody has less than no money.", join(at, "cash"))
    if not 0 <= s.fuel[seat] <= meta.MOST_FUEL:
        raise impossible("Nobody holds more than 5 Fuel Cards.", join(at, "fuel"))
    s.loan[seat] = player.get("loan", False)
    s.loan_used[seat] = player.get("loan_used", s.loan[seat])
    if s.loan[seat] and not s.loan_used[seat]:
        raise impossible("An open loan has been taken.", join(at, "loan_used"))
    s.sections[seat] = player.get("sections", 0)
    if playing and not 0 <= s.sections[seat] <= meta.LICENCE_SECTIONS:
        raise impossible("A licence has four sections.", join(at, "sections"))
    s.turbo[seat] = player.get("turbo", False)
    s.hand[seat] = sorted(player.get("hand", []))
    s.bonus[seat] = _kept(player.get("bonus_fuel", []), (light_cards.BONUS_FUEL,), join(at, "bonus_fuel"))
    s.held[seat] = _kept(player.get("held", []), light_cards.HOLDABLE, join(at, "held"))
    _place(s, seat, player, join(at, "at"))
    if not playing and not over:
        if s.cash[seat] or s.fuel[seat] or s.hand[seat] or s.bonus[seat] or s.held[seat]:
            raise impossible("Who is out has no money, fuel or cards.", at)


def _kept(cards: "list[Any]", verbs: "tuple[str, ...]", at: str) -> "list[Any]":
    out = []
    for i, card in enumerate(cards):
        where = at + "[" + str(i) + "]"
        if isinstance(card, str) and card not in light_cards.STAND_IN:
            raise impossible("There is no light card '" + card + "'.", where)
        if light_cards.verb_of(card) not in verbs:
            raise impossible("This card is not kept here.", where)
        out.append(card if isinstance(card, str) else light_cards.typed(card))
    return light_cards.in_order(out)


def _place(s: State, seat: int, player: "Json", at: str) -> None:
    place = player.get("at", s.board.base if s.playing[seat] else None)
    if (place is None) == s.playing[seat]:
        raise impossible("A taxi in the game stands somewhere, any other nowhere.", at)
    if place is not None and place not in s.board.squares:
        raise impossible("There is no square '" + place + "'.", at)
    s.at[seat] = place


def _colours(s: State, players: "list[Json]") -> None:
    free = list(meta.COLOURS)
    for i, player in enumerate(players):
        if "colour" in player:
            at = "players[" + str(i) + "].colour"
            if player["colour"] not in meta.COLOURS:
                raise impossible("A colour is one of: " + ", ".join(meta.COLOURS) + ".", at)
            if player["colour"] not in free:
                raise impossible("Two players have the colour " + player["colour"] + ".", at)
            free.remove(player["colour"])
    for i, player in enumerate(players):
        colour = player["colour"] if "colour" in player else free.pop(0)
        s.colours[i + 1] = colour
        s.names[i + 1] = player.get("name", colour[0].upper() + colour[1:])


def _cards(s: State, position: "Json") -> None:
    """Hands, pile and gone hold each card of the board once (L-083)."""
    elsewhere: "set[str]" = set()
    places = [("players[" + str(seat - 1) + "].hand", s.hand[seat]) for seat in range(1, s.seats + 1)]
    for key in ("pile", "gone"):
        if key in position:
            places.append((key, position[key]))
    for at, cards in places:
        for card in cards:
            if card not in s.board.cards:
                raise impossible("There is no Destination Card '" + card + "' on this board.", at)
            if card in elsewhere:
                raise impossible("The card '" + card + "' is there twice.", at)
            elsewhere.add(card)
    rest = [card for card in s.board.card_ids if card not in elsewhere]
    if "pile" in position and "gone" in position and rest:
        raise impossible("The card '" + rest[0] + "' is nowhere.", "pile")
    s.pile = sorted(position["pile"]) if "pile" in position else rest
    s.gone = sorted(position["gone"]) if "gone" in position else (rest if "pile" in position else [])


def _lights(s: State, given: "Json") -> None:
    """The lights deck; each card of the stand-in deck is somewhere once (L-085)."""
    s.typed = False
    for key in given:
        s.typed = not isinstance(given[key], list)
    kept: "list[Any]" = []
    for seat in range(1, s.seats + 1):
        kept += s.bonus[seat] + s.held[seat]
    kept += [landing["card"] for landing in s.arrivals if landing["card"] is not None]
    for card in kept:
        if isinstance(card, str) == s.typed:
            raise impossible("Kept cards are ids of the stand-in deck, or all cards are typed in.", "lights")
    if s.typed:
        s.lights_count = given.get("pile", light_cards.SIZE)
        s.returned_count = given.get("returned", 0)
        if s.lights_count < 0 or s.returned_count < 0:
            raise impossible("A deck has no fewer than no cards.", "lights")
        return
    elsewhere: "set[str]" = set()
    for at, cards in (
        ("players", kept), ("lights.pile", given.get("pile", [])), ("lights.returned", given.get("returned", []))
    ):  # fmt: skip
        for card in cards:
            if card not in light_cards.STAND_IN:
                raise impossible("There is no light card '" + card + "'.", at)
            if card in elsewhere:
                raise impossible("The light card '" + card + "' is there twice.", at)
            elsewhere.add(card)
    rest = [card for card in light_cards.IDS if card not in elsewhere]
    if "pile" in given and "returned" in given and rest:
        raise impossible("The light card '" + rest[0] + "' is nowhere.", "lights")
    s.lights = sorted(given["pile"]) if "pile" in given else rest
    s.returned = list(given["returned"]) if "returned" in given else (rest if "pile" in given else [])


def _bank(s: State, position: "Json") -> None:
    s.cash[0] = -sum(s.cash[1:])
    s.fuel[0] = meta.FUEL_CARDS - sum(s.fuel[1:])
    cash = position.get("bank", {}).get("cash", s.cash[0])
    if cash != s.cash[0]:
        raise impossible("The bank has what the players have not: " + str(s.cash[0]) + ".", "bank.cash")
    if position.get("fuel_bank", s.fuel[0]) != s.fuel[0] or s.fuel[0] < 0:
        raise impossible("There are 30 Fuel Cards; the bank has " + str(s.fuel[0]) + ".", "fuel_bank")


def _result(s: State, given: "Json") -> None:
    if given["reason"] not in meta.REASONS:
        raise impossible("There is no such reason; reasons: " + ", ".join(meta.REASONS) + ".", "result.reason")
    winners = sorted(given["winners"])
    for i, seat in enumerate(winners):
        if not 1 <= seat <= s.seats or not s.playing[seat] or seat in winners[:i]:
            raise impossible("Winners are seats that are in, each once.", "result.winners")
    totals = given["totals"]
    for seat in range(1, s.seats + 1):
        if totals.get(str(seat)) != s.cash[seat]:
            raise impossible("The totals are every seat's cash.", "result.totals")
    if len(totals) != s.seats:
        raise impossible("The totals are every seat's cash.", "result.totals")
    s.result = {
        "winners": winners,
        "reason": given["reason"],
        "totals": [[seat, s.cash[seat]] for seat in range(1, s.seats + 1)],
    }
