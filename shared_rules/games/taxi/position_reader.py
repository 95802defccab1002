"""Reads a TAXI! position (docs/records.md) into a state, or says with code and path why it is none.

What is left out has its value in a new game. `load` also takes the steps that happen by themselves on reading, and only
then compares the phase that was given.
"""

from shared_rules.engine import titles
from shared_rules.engine.decks import Deck
from shared_rules.engine.options import read_options
from shared_rules.engine.pending import close_answers
from shared_rules.engine.reading import (
    a_bool,
    a_count,
    a_list,
    a_seat,
    a_text,
    a_whole,
    a_word,
    an_object,
    impossible,
    join,
    malformed,
    only_keys,
)
from shared_rules.engine.seats import first_from
from shared_rules.games.taxi import meta, pending_reader
from shared_rules.games.taxi.board import Board, parse_board
from shared_rules.games.taxi.cards import KEEPS
from shared_rules.games.taxi.state import PHASES, TURN_PHASES, WORKING, State
from shared_rules.games.taxi.streets import street_map

KEYS = (
    "game", "options", "board", "trips", "trip", "round", "starter", "first_arrival", "players", "turn", "phase",
    "waiting_for", "card_drawn", "effects", "d6", "fresh", "placed_barriers", "gamble", "dues", "settle", "bank",
    "decks", "result",
)  # fmt: skip
PLAYER_KEYS = (
    "seat", "name", "colour", "status", "cash", "green", "white", "plates", "barriers", "kept", "skip", "at", "guide",
    "arrived", "owner_on_arrival",
)  # fmt: skip
BANK_KEYS = ("cash", "pot", "green", "white", "plates", "barriers", "ownership_cards")

# Shipped boards are parsed once, so that their games share street maps. At most so many are kept; a map can grow to
# tens of megabytes, and there is one for each set of house rules about streets.
_BOARDS: dict = {}
_KEPT_BOARDS = 8
_KEPT_MAPS = 4


def read(position: dict, title, board: "Board | None" = None) -> tuple:
    """(state, given phase or None) of a position, before anything happens by itself. `board` skips parsing it."""
    only_keys(position, KEYS, "")
    for key in ("board", "players"):
        if key not in position:
            raise malformed("A position needs '" + key + "'.", key)
    options = read_options(position.get("options", {}), meta.OPTIONS, "options")
    players = a_list(position["players"], "players")
    for i, player in enumerate(players):
        only_keys(player, PLAYER_KEYS, "players[" + str(i) + "]")
    if board is None:
        board = _read_board(position["board"], options["freeway_stop"] == "allowed")
    if not meta.PLAYERS[0] <= len(players) <= meta.PLAYERS[1]:
        raise impossible("TAXI! has 2 to 6 players.", "players")
    if len(board.street_maps) > _KEPT_MAPS:
        board.street_maps.clear()
    s = State(title, len(players), board, street_map(board, options), options)
    s.board_ref = position["board"] if isinstance(position["board"], str) else None
    for i, player in enumerate(players):
        _read_player(s, i + 1, player, "players[" + str(i) + "]")
    _check_players(s)
    _read_progress(s, position)
    _read_turn(s, position)
    pending_reader.read_pending(s, position)
    given = None
    if "phase" in position:
        given = a_word(position["phase"], PHASES, "phase")
    if "waiting_for" in position:
        for i, seat in enumerate(a_list(position["waiting_for"], "waiting_for")):
            a_whole(seat, "waiting_for[" + str(i) + "]")
    _read_bank(s, position.get("bank", {}), "bank")
    _read_decks(s, position.get("decks", {}), "decks")
    _read_result(s, position, given)
    _check_together(s)
    _enter_phase(s, given)
    s.money_total = s.ledger.total(meta.MONEY)
    return s, given


def load(position: dict, title, board: "Board | None" = None) -> State:
    """The state of a position, after what happens by itself on reading. PositionError."""
    s, given = read(position, title, board)
    settle_down(s, given)
    return s


def settle_down(s: State, given: "str | None") -> None:
    """Take the steps that happen by themselves, then see that the phase is the given one and fits the die."""
    while True:
        events = s.title.follow(s)
        if not events:
            break
        for event in events:
            s.title.evolve(s, event)
    if given is not None and given != s.phase:
        raise impossible("The position is in phase '" + s.phase + "', not '" + given + "'.", "phase")
    if s.phase == "move" and s.d6 is None:
        raise impossible("A move needs a throw; give 'd6'.", "d6")
    if s.phase in ("card_choice", "before_roll") and s.d6 is not None:
        raise impossible("Before the throw 'd6' is null.", "d6")


def _read_board(given, freeway_stop: bool) -> Board:
    if not isinstance(given, str):
        return parse_board(given, "board", freeway_stop)
    key = (given, freeway_stop)
    if key not in _BOARDS:
        if len(_BOARDS) >= _KEPT_BOARDS:
            _BOARDS.clear()
        _BOARDS[key] = parse_board(titles.shipped_board(meta.NAME, given), "board", freeway_stop)
    return _BOARDS[key]


def _read_player(s: State, seat: int, player: dict, at: str) -> None:
    if "seat" in player and a_seat(player["seat"], s.seats, join(at, "seat")) != seat:
        raise impossible("Seats are listed in order; this is place " + str(seat) + ".", join(at, "seat"))
    s.names[seat] = a_text(player.get("name", "P" + str(seat)), join(at, "name"))
    s.colours[seat] = a_word(player.get("colour", meta.COLOURS[seat - 1]), meta.COLOURS, join(at, "colour"))
    status = a_word(player.get("status", "in"), ("in", "out"), join(at, "status"))
    s.playing[seat] = status == "in"
    cash = a_whole(player.get("cash", meta.FLOAT if s.playing[seat] else 0), join(at, "cash"))
    if cash % meta.SMALLEST_NOTE:
        raise impossible("Money is a multiple of 10.", join(at, "cash"))
    if cash < 0 and s.options["insolvency"] != "carry_debt":
        raise impossible("Cash below 0 needs the house rule insolvency: carry_debt.", join(at, "cash"))
    s.cash[seat] = cash
    for row, key in ((s.green, "green"), (s.white, "white"), (s.plates, "plates"), (s.barriers, "barriers")):
        row[seat] = a_count(player.get(key, 0), join(at, key))
    s.ledger.held[meta.OWNERSHIP_CARDS][seat] = 1 if s.plates[seat] else 0
    for i, card in enumerate(a_list(player.get("kept", []), join(at, "kept"))):
        s.kept[seat].append(_read_kept(card, join(at, "kept") + "[" + str(i) + "]"))
    s.skip[seat] = a_count(player.get("skip", 0), join(at, "skip"), 0, meta.MOST_SKIPS)
    _read_place(s, seat, player, join(at, "at"))
    _read_guide(s, seat, player, join(at, "guide"))
    s.arrived[seat] = a_bool(player.get("arrived", False), join(at, "arrived"))
    owner = player.get("owner_on_arrival")
    s.owner[seat] = None if owner is None else a_bool(owner, join(at, "owner_on_arrival"))
    if not s.playing[seat]:
        holds = s.cash[seat] or s.green[seat] or s.white[seat] or s.plates[seat] or s.barriers[seat] or s.kept[seat]
        if holds or s.at[seat] is not None or s.arrived[seat] or owner is not None:
            raise impossible("A seat that is out holds nothing and has no place.", at)


def _read_kept(card, at: str) -> dict:
    only_keys(card, ("deck", "card", "title", "keep"), at)
    for key in ("deck", "keep"):
        if key not in card:
            raise malformed("A kept card needs '" + key + "'.", join(at, key))
    return {
        "deck": a_word(card["deck"], meta.DECKS, join(at, "deck")),
        "card": pending_reader.card_id(card.get("card"), join(at, "card")),
        "title": a_text(card.get("title", ""), join(at, "title")),
        "keep": a_word(card["keep"], KEEPS, join(at, "keep")),
    }


def _read_place(s: State, seat: int, player: dict, at: str) -> None:
    if "at" not in player:
        if not s.playing[seat]:
            return
        if s.board.base is None:
            raise malformed("This board has no base to start from; give every taxi its place.", at)
        s.at[seat] = s.board.base
        return
    given = player["at"]
    if given is None:
        if s.playing[seat]:
            raise impossible("A taxi in the game stands somewhere.", at)
        return
    place = s.board.place(a_text(given, at))
    if place is None or not s.streets.is_stop(place):
        raise impossible("'" + given + "' is no place where a taxi can stand.", at)
    s.at[seat] = place


def _read_guide(s: State, seat: int, player: dict, at: str) -> None:
    board = s.board
    if "guide" in player:
        guide = a_list(player["guide"], at)
        for i, entry in enumerate(guide):
            where = at + "[" + str(i) + "]"
            a_text(entry, where)
            if entry == "base" and board.base is None:
                raise impossible("This board has no base.", where)
            if entry != "base" and entry not in board.destinations:
                raise impossible("There is no destination '" + entry + "'.", where)
        s.guide[seat] = list(guide)
    elif board.guides is not None and seat <= len(board.guides):
        s.guide[seat] = list(board.guides[seat - 1])
    else:
        ids = board.destination_ids
        turned = (seat - 1) % len(ids) if ids else 0
        s.guide[seat] = ids[turned:] + ids[:turned] + (["base"] if board.base is not None else [])


def _check_players(s: State) -> None:
    for seat in range(1, s.seats + 1):
        at = "players[" + str(seat - 1) + "]"
        if s.colours[seat] in s.colours[1:seat]:
            raise impossible("Two players have the colour " + s.colours[seat] + ".", join(at, "colour"))
        if len(s.guide[seat]) != len(s.guide[1]):
            raise impossible("All guides are equally long.", join(at, "guide"))
    if not s.guide[1]:
        raise impossible("A guide has at least one destination.", "players[0].guide")


def _read_progress(s: State, position: dict) -> None:
    s.trips = len(s.guide[1])
    if "trips" in position and a_whole(position["trips"], "trips") != s.trips:
        raise impossible("The guides have " + str(s.trips) + " trips.", "trips")
    s.trip = a_count(position.get("trip", 1), "trip", 1, s.trips)
    s.round = a_count(position.get("round", 1), "round", 1)
    s.starter = a_seat(position.get("starter", first_from(1, s.playing) or 1), s.seats, "starter")
    if position.get("first_arrival") is not None:
        s.first_arrival = a_seat(position["first_arrival"], s.seats, "first_arrival")
        if (s.playing[s.first_arrival] and not s.arrived[s.first_arrival]) or not s.somebody_arrived():
            raise impossible("The first to arrive has arrived.", "first_arrival")
    s.turn = a_seat(position.get("turn", 1), s.seats, "turn")


def _read_turn(s: State, position: dict) -> None:
    at = "effects"
    effects = position.get("effects", {})
    only_keys(
        effects,
        ("drawn", "bought", "add_streets", "times", "again", "no_move", "no_d12", "moved", "free_lights"),
        at,
    )
    for i, deck in enumerate(a_list(effects.get("drawn", []), join(at, "drawn"))):
        a_word(deck, meta.TURN_DECKS, "effects.drawn[" + str(i) + "]")
        if deck in s.drawn:
            raise impossible("A deck is named once.", "effects.drawn")
        s.drawn.append(deck)
    for i, seat in enumerate(a_list(effects.get("bought", []), join(at, "bought"))):
        a_seat(seat, s.seats, "effects.bought[" + str(i) + "]")
        if seat in s.bought:
            raise impossible("A seat is named once.", "effects.bought")
        s.bought.append(seat)
    s.add_streets = a_whole(effects.get("add_streets", 0), join(at, "add_streets"))
    s.times = a_count(effects.get("times", 1), join(at, "times"), 1)
    s.again = a_count(effects.get("again", 0), join(at, "again"))
    s.no_move = a_bool(effects.get("no_move", False), join(at, "no_move"))
    s.no_d12 = a_bool(effects.get("no_d12", False), join(at, "no_d12"))
    s.moved = a_bool(effects.get("moved", False), join(at, "moved"))
    s.free_lights = a_count(effects.get("free_lights", 0), join(at, "free_lights"))
    if position.get("d6") is not None:
        s.d6 = a_count(position["d6"], "d6")
    fresh = only_keys(position.get("fresh", {}), ("green", "white"), "fresh")
    s.fresh_green = a_count(fresh.get("green", 0), "fresh.green", 0)
    s.fresh_white = a_count(fresh.get("white", 0), "fresh.white", 0)
    if s.fresh_green > s.green[s.turn] or s.fresh_white > s.white[s.turn]:
        raise impossible("The turn's seat does not hold so many tablets.", "fresh")


def _read_bank(s: State, bank, at: str) -> None:
    only_keys(bank, BANK_KEYS, at)
    cash = a_whole(bank.get("cash", -meta.FLOAT * s.seats), join(at, "cash"))
    pot = a_count(bank.get("pot", 0), join(at, "pot"))
    for value, key in ((cash, "cash"), (pot, "pot")):
        if value % meta.SMALLEST_NOTE:
            raise impossible("Money is a multiple of 10.", join(at, key))
    s.cash[0] = cash
    s.cash[s.ledger.index[meta.POT]] = pot
    for unit, count in meta.PIECES:
        row = s.ledger.held[unit]
        row[0] = 0
        left = count - sum(row)
        if left < 0 and not (unit in ("green", "white") and s.options["tablet_shortage"] == "unlimited"):
            raise impossible("There are only " + str(count) + " " + unit.replace("_", " ") + " in the box.", "players")
        if unit in bank and a_whole(bank[unit], join(at, unit)) != left:
            raise impossible("What nobody holds is " + str(left) + " " + unit.replace("_", " ") + ".", join(at, unit))
        row[0] = left


def _read_decks(s: State, decks, at: str) -> None:
    only_keys(decks, meta.DECKS, at)
    for name in meta.DECKS:
        where = join(at, name)
        deck = only_keys(decks.get(name, {}), ("draw", "discard"), where)
        discard = []
        for i, card in enumerate(a_list(deck.get("discard", []), join(where, "discard"))):
            discard.append(pending_reader.card_id(card, join(where, "discard") + "[" + str(i) + "]"))
        out = [card["card"] for cards in s.kept for card in cards if card["deck"] == name]
        if s.card is not None and s.card["deck"] == name:
            out.append(s.card["card"])
        left = meta.CARDS_PER_DECK - len(discard) - len(out)
        draw = a_whole(deck.get("draw", left), join(where, "draw"))
        if draw < 0 or draw != left:
            raise impossible("A deck has 50 cards; " + str(left) + " are left to draw.", join(where, "draw"))
        ids = [card for card in discard + out if card is not None]
        if len(set(ids)) != len(ids):
            raise impossible("Every card is there once.", where)
        s.decks[name] = Deck(draw, discard)


def _read_result(s: State, position: dict, given: "str | None") -> None:
    result = position.get("result")
    if result is None:
        if given == "over":
            raise impossible("A game that is over has a result.", "result")
        return
    only_keys(result, ("winners", "reason", "totals"), "result")
    for key in ("winners", "reason", "totals"):
        if key not in result:
            raise malformed("A result needs '" + key + "'.", join("result", key))
    if given is not None and given != "over":
        raise impossible("A game with a result is over.", "phase")
    winners = []
    for i, seat in enumerate(a_list(result["winners"], "result.winners")):
        a_seat(seat, s.seats, "result.winners[" + str(i) + "]")
        if not s.playing[seat] or seat in winners:
            raise impossible("Winners are seats in the game, each once.", "result.winners")
        winners.append(seat)
    a_word(result["reason"], meta.REASONS, "result.reason")
    totals = an_object(result["totals"], "result.totals")
    for key in sorted(totals):
        if key not in [str(seat) for seat in range(1, s.seats + 1)]:
            raise malformed("There is no seat '" + key + "'.", join("result.totals", key))
        a_whole(totals[key], join("result.totals", key))
    for seat in range(1, s.seats + 1):
        if (str(seat) in totals) != s.playing[seat]:
            raise impossible("The totals are those of the seats in the game.", "result.totals")
    pairs = [(seat, totals[str(seat)]) for seat in s.seats_in()]
    s.result = {"winners": winners, "reason": result["reason"], "totals": pairs}


def _check_together(s: State) -> None:
    over = s.result is not None
    if not over and len(s.seats_in()) < 2:
        raise impossible("Fewer than two seats are in; the game is over.", "players")
    if s.settle is None and not over and not s.playing[s.turn]:
        raise impossible("Seat " + str(s.turn) + " is out; it cannot be its turn.", "turn")
    for seat in s.seats_in():
        where = "players[" + str(seat - 1) + "].owner_on_arrival"
        if s.settle is not None or s.arrived[seat]:
            if s.owner[seat] is None and not over:
                raise impossible("Whether this seat counts as an owner is decided by now: true or false.", where)
        elif s.owner[seat] is not None and not over:
            raise impossible("This seat has not arrived and there is no settlement; null is right.", where)
    if (over or s.settle is not None) and (s.placed or s.d6 is not None or s.gamble is not None):
        raise impossible("Outside a turn there is no throw, no gamble and no barrier on the board.", "d6")
    if over and (s.card is not None or s.dues or s.settle is not None):
        raise impossible("A game that is over waits for nothing.", "phase")


def _enter_phase(s: State, given: "str | None") -> None:
    if s.result is not None:
        s.phase = "over"
    elif s.gamble is not None:
        s.phase = "gamble_bets"
        if given == "gamble_reveal":
            # The operator may have closed the bets before all had answered.
            close_answers(s.gamble["bets"], s.others_from_left(s.gamble["holder"]))
            s.phase = "gamble_reveal"
    elif s.card is not None or s.dues or s.settle is not None:
        s.phase = WORKING
    else:
        s.phase = given if given in TURN_PHASES else "card_choice"
