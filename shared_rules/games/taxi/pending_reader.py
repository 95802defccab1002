"""Reads what a TAXI! position has under way: the card being carried out, barriers, bets, dues, settlement."""

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
from shared_rules.games.taxi import meta
from shared_rules.games.taxi.cards import KEEPS, fault_of, forbidden_on
from shared_rules.games.taxi.state import State

KINDS = ("fine", "card", "fee", "expense")
STEPS = ("fee", "expense", "buy")


def read_pending(s: State, position: dict) -> None:
    """Fill in everything that is under way."""
    if position.get("settle") is not None:
        s.settle = _read_settle(s, position["settle"], "settle")
    if position.get("card_drawn") is not None:
        s.card = _read_card(s, position["card_drawn"], "card_drawn")
    for i, barrier in enumerate(a_list(position.get("placed_barriers", []), "placed_barriers")):
        _read_placed(s, barrier, "placed_barriers[" + str(i) + "]")
    if position.get("gamble") is not None:
        _read_gamble(s, position["gamble"], "gamble")
    for i, due in enumerate(a_list(position.get("dues", []), "dues")):
        s.dues.append(_read_due(s, due, "dues[" + str(i) + "]"))
    if s.dues and s.gamble is not None:
        raise impossible("While bets are open nothing is due.", "dues")


def card_id(value, at: str) -> "str | None":
    """A card's id, or None for a card of paper."""
    if value is not None and not isinstance(value, str):
        raise malformed("A card's id is a text or null.", at)
    return value


def _seat_in(s: State, value, at: str) -> int:
    seat = a_seat(value, s.seats, at)
    if not s.playing[seat]:
        raise impossible("Seat " + str(seat) + " is out.", at)
    return seat


def _read_settle(s: State, steps, at: str) -> list:
    out = []
    for i, step in enumerate(a_list(steps, at)):
        where = at + "[" + str(i) + "]"
        if len(a_list(step, where)) != 2:
            raise malformed("A step is [seat, what].", where)
        out.append([_seat_in(s, step[0], where + "[0]"), a_word(step[1], STEPS, where + "[1]")])
    return out


def _read_card(s: State, card, at: str) -> dict:
    only_keys(card, ("seat", "deck", "card", "title", "fine", "do", "keep"), at)
    for key in ("seat", "deck"):
        if key not in card:
            raise malformed("The card being carried out needs '" + key + "'.", join(at, key))
    seat = _seat_in(s, card["seat"], join(at, "seat"))
    deck = a_word(card["deck"], meta.DECKS, join(at, "deck"))
    verbs = card.get("do", [])
    fault = fault_of(verbs)
    if fault:
        raise malformed(fault, join(at, "do"))
    fault = forbidden_on(verbs, deck, s.board.base is not None, s.trip)
    if fault:
        raise impossible(fault, join(at, "do"))
    if (deck == meta.EXPENSE) != (s.settle is not None):
        raise impossible("Expense cards are drawn in settlement, the others in turns.", join(at, "deck"))
    if deck != meta.EXPENSE and seat != s.turn:
        raise impossible("It is seat " + str(s.turn) + "'s turn.", join(at, "seat"))
    keep = card.get("keep")
    return {
        "seat": seat,
        "deck": deck,
        "card": card_id(card.get("card"), join(at, "card")),
        "title": a_text(card.get("title", ""), join(at, "title")),
        "fine": a_bool(card.get("fine", False), join(at, "fine")),
        "do": list(verbs),
        "keep": None if keep is None else a_word(keep, KEEPS, join(at, "keep")),
    }


def _read_placed(s: State, barrier, at: str) -> None:
    only_keys(barrier, ("on", "by", "against"), at)
    for key in ("on", "by", "against"):
        if key not in barrier:
            raise malformed("A barrier on the board needs '" + key + "'.", join(at, key))
    place = s.board.place(a_text(barrier["on"], join(at, "on")))
    if place is None or not s.board.is_link(place):
        raise impossible("A barrier stands on a link.", join(at, "on"))
    by = a_seat(barrier["by"], s.seats, join(at, "by"))
    against = a_seat(barrier["against"], s.seats, join(at, "against"))
    if against != s.turn or by == against:
        raise impossible("A barrier stands against the turn's seat, placed by another.", at)
    if place in s.blocked(against):
        raise impossible("Two barriers cannot share a spot.", join(at, "on"))
    s.placed.append({"on": place, "by": by, "against": against})
    s.barriers[s.ledger.index[meta.ON_BOARD]] += 1


def _read_gamble(s: State, gamble, at: str) -> None:
    only_keys(gamble, ("holder", "word", "bets"), at)
    if "holder" not in gamble:
        raise malformed("A gamble needs its holder.", join(at, "holder"))
    holder = _seat_in(s, gamble["holder"], join(at, "holder"))
    word = gamble.get("word")
    if word is not None:
        a_word(word, meta.WORDS, join(at, "word"))
    if s.card is None or s.card["seat"] != holder or s.card["deck"] == meta.EXPENSE:
        raise impossible("A gamble belongs to the card that its holder is carrying out.", join(at, "holder"))
    bets: list = [None] * (s.seats + 1)
    given = an_object(gamble.get("bets", {}), join(at, "bets"))
    for key in sorted(given):
        where = join(join(at, "bets"), key)
        if key not in [str(seat) for seat in range(1, s.seats + 1)]:
            raise malformed("There is no seat '" + key + "'.", where)
        seat = int(key)
        if not s.playing[seat] or seat == holder:
            raise impossible("Only the holder's opponents in the game bet.", where)
        bets[seat] = _read_bet(s, given[key], where)
    s.gamble = {"holder": holder, "word": word, "bets": bets}


def _read_bet(s: State, bet, at: str) -> list:
    only_keys(bet, ("words", "done"), at)
    words = []
    for i, word in enumerate(a_list(bet.get("words", []), join(at, "words"))):
        a_word(word, meta.WORDS, join(at, "words") + "[" + str(i) + "]")
        if word in words and s.options["bets_per_gambler"] != "unlimited":
            raise impossible("A word is bet on once.", join(at, "words"))
        words.append(word)
        unit, amount = meta.STAKES[word]
        s.ledger.held[unit][s.ledger.index[meta.ESCROW]] += amount
    if len(words) > 1 and s.options["bets_per_gambler"] == "one":
        raise impossible("One bet a gambler.", join(at, "words"))
    return [words, a_bool(bet.get("done", False), join(at, "done"))]


def _read_due(s: State, due, at: str) -> dict:
    only_keys(due, ("seat", "kind", "to", "declined"), at)
    for key in ("seat", "kind", "to"):
        if key not in due:
            raise malformed("A due needs '" + key + "'.", join(at, key))
    seat = _seat_in(s, due["seat"], join(at, "seat"))
    kind = a_word(due["kind"], KINDS, join(at, "kind"))
    to = []
    for i, entry in enumerate(a_list(due["to"], join(at, "to"))):
        where = join(at, "to") + "[" + str(i) + "]"
        if len(a_list(entry, where)) != 2:
            raise malformed("A creditor is [seat, amount].", where)
        creditor = a_whole(entry[0], where + "[0]")
        if creditor != 0:
            _seat_in(s, creditor, where + "[0]")
        amount = a_count(entry[1], where + "[1]", meta.SMALLEST_NOTE)
        if amount % meta.SMALLEST_NOTE or creditor == seat:
            raise impossible("An amount is a multiple of 10 and goes to somebody else.", where)
        to.append([creditor, amount])
    if not to:
        raise impossible("A due has a creditor.", join(at, "to"))
    if kind == "fee":
        fits = s.settle is not None and s.card is None
    else:
        fits = s.card is not None and (kind != "expense" or s.settle is not None)
    if not fits:
        raise impossible("Nothing is under way that such a due could come from.", at)
    return {"seat": seat, "kind": kind, "to": to, "declined": a_bool(due.get("declined", False), join(at, "declined"))}
