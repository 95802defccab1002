"""Writes a TAXI! state as a position (docs/records.md): every key, in canonical order, the caller's own."""

from shared_rules.engine.options import changed_options
from shared_rules.games.taxi import meta
from shared_rules.games.taxi.state import State
from shared_rules.portable.ordered import Ordered, ordered


def dump(s: State) -> dict:
    """The whole position."""
    return ordered(
        (
            ("game", meta.NAME),
            ("options", changed_options(s.options, meta.OPTIONS)),
            ("board", s.board_ref if s.board_ref is not None else s.board.dump()),
            ("trips", s.trips),
            ("trip", s.trip),
            ("round", s.round),
            ("starter", s.starter),
            ("first_arrival", s.first_arrival),
            ("players", [player(s, seat) for seat in range(1, s.seats + 1)]),
            ("turn", s.turn),
            ("phase", s.phase),
            ("waiting_for", waiting_for(s)),
            ("card_drawn", card(s)),
            ("effects", effects(s)),
            ("d6", s.d6),
            ("fresh", ordered((("green", s.fresh_green), ("white", s.fresh_white)))),
            ("placed_barriers", placed(s)),
            ("gamble", gamble(s)),
            ("dues", dues(s)),
            ("settle", None if s.settle is None else [list(step) for step in s.settle]),
            ("bank", bank(s)),
            ("decks", decks(s)),
            ("result", result(s)),
        )
    )


def player(s: State, seat: int) -> dict:
    """One entry of `players`."""
    kept = []
    for held in s.kept[seat]:
        kept.append(ordered([(key, held[key]) for key in ("deck", "card", "title", "keep")]))
    return ordered(
        (
            ("seat", seat),
            ("name", s.names[seat]),
            ("colour", s.colours[seat]),
            ("status", "in" if s.playing[seat] else "out"),
            ("cash", s.cash[seat]),
            ("green", s.green[seat]),
            ("white", s.white[seat]),
            ("plates", s.plates[seat]),
            ("barriers", s.barriers[seat]),
            ("kept", kept),
            ("skip", s.skip[seat]),
            ("at", s.at[seat]),
            ("guide", list(s.guide[seat])),
            ("arrived", s.arrived[seat]),
            ("owner_on_arrival", s.owner[seat]),
        )
    )


def waiting_for(s: State) -> list:
    """The seats that may act now, in order; questions, gifts, corrections and leaving apart."""
    phase = s.phase
    if phase == "card_choice" or phase == "before_roll":
        return [seat for seat in s.seats_in() if seat == s.turn or may_place_barrier(s, seat)]
    if phase == "move" or phase == "tablet_die":
        return [s.turn]
    if phase == "card_option":
        return [s.card["seat"]]
    if phase == "gamble_bets":
        return [seat for seat in s.seats_in() if seat != s.gamble["holder"]]
    if phase == "gamble_reveal":
        return [s.gamble["holder"]]
    if phase == "settle":
        return [s.settle[0][0]]
    if phase == "kept_card" or phase == "debt":
        return [s.dues[0]["seat"]]
    return []


def may_place_barrier(s: State, seat: int) -> bool:
    """Whether a seat could place a barrier against the turn's seat now, if it finds a spot (T-100, T-106)."""
    return s.barriers[seat] > 0 and seat != s.turn and s.playing[seat] and not barrier_limit_reached(s, seat)


def barrier_limit_reached(s: State, seat: int) -> bool:
    """Whether the house rule forbids a further barrier of this seat in this turn (A-98)."""
    limit = s.options["barriers_per_victim_turn"]
    if limit == "one":
        return len(s.placed) > 0
    if limit == "one_per_holder":
        for barrier in s.placed:
            if barrier["by"] == seat:
                return True
    return False


def card(s: State) -> "dict | None":
    """The card that is being carried out."""
    if s.card is None:
        return None
    return ordered([(key, s.card[key]) for key in ("seat", "deck", "card", "title", "fine", "do", "keep")])


def effects(s: State) -> dict:
    """What cards and purchases of this turn have brought about."""
    return ordered(
        (
            ("drawn", list(s.drawn)),
            ("bought", list(s.bought)),
            ("add_streets", s.add_streets),
            ("times", s.times),
            ("again", s.again),
            ("no_move", s.no_move),
            ("no_d12", s.no_d12),
            ("moved", s.moved),
            ("free_lights", s.free_lights),
        )
    )


def placed(s: State) -> list:
    """The barriers on the board."""
    return [ordered([(key, barrier[key]) for key in ("on", "by", "against")]) for barrier in s.placed]


def gamble(s: State) -> "dict | None":
    """The gamble, words and bets included."""
    if s.gamble is None:
        return None
    bets = Ordered()
    for seat in range(1, s.seats + 1):
        bet = s.gamble["bets"][seat]
        if bet is not None:
            bets[str(seat)] = ordered((("words", list(bet[0])), ("done", bet[1])))
    return ordered((("holder", s.gamble["holder"]), ("word", s.gamble["word"]), ("bets", bets)))


def dues(s: State) -> list:
    """The open payments."""
    out = []
    for due in s.dues:
        to = [list(entry) for entry in due["to"]]
        pairs = (("seat", due["seat"]), ("kind", due["kind"]), ("to", to), ("declined", due["declined"]))
        out.append(ordered(pairs))
    return out


def bank(s: State) -> dict:
    """What the bank holds."""
    out = ordered((("cash", s.cash[0]), ("pot", s.cash[s.ledger.index[meta.POT]])))
    for unit, _ in meta.PIECES:
        out[unit] = s.ledger.held[unit][0]
    return out


def decks(s: State) -> dict:
    """The three decks."""
    out = Ordered()
    for name in meta.DECKS:
        deck = s.decks[name]
        out[name] = ordered((("draw", deck.draw), ("discard", list(deck.discard))))
    return out


def result(s: State) -> "dict | None":
    """Who has won, once the game is over."""
    if s.result is None:
        return None
    totals = Ordered()
    for seat, total in s.result["totals"]:
        totals[str(seat)] = total
    winners = list(s.result["winners"])
    return ordered((("winners", winners), ("reason", s.result["reason"]), ("totals", totals)))
