"""Exact odds of what a seat can do now, from what that seat may know; for pages, for `cabstand odds`, for players.

Each entry has `what` and `chance` as [numerator, denominator], not reduced, so that 4 of 6 faces reads as such:

- `arrive`: a lawful move to the own destination in this turn, with at most `green` and `white` tablets handed in; one
  entry for each way that more tablets make likelier, the thriftiest first (T-037, T-075). None with a chance of 0.
- `tablet`: the tablet die gives one of `colour`, or `nothing` (T-007, T-042).
- `face`: a face of the d6 that a card waits for.
- `card`: the next card of `deck` is a `kind`: gamble, roadworks, fine, other; free or bill for Expense cards (T-014).
- `word`: the gamble on offer says `word` (T-088 to T-090).

Cards count as likely to come that are neither open on the discards nor known to the seat.
"""

from shared_rules.engine import titles
from shared_rules.games.taxi import turn
from shared_rules.games.taxi.cards import DIE_OF, every_verb
from shared_rules.games.taxi.meta import EXPENSE, GREEN, TURN_DECKS, WHITE, WORDS
from shared_rules.games.taxi.moves import d12_due
from shared_rules.games.taxi.state import State

CARD_KINDS = ("gamble", "roadworks", "fine", "other", "free", "bill")
# More throws than this in one turn are not counted out; no shipped card gives more than two.
MOST_THROWS = 4


_cards_of: dict = {}


def shipped_cards(deck: str) -> list:
    """The cards of a shipped deck; asked for so often that they are kept at hand."""
    found = _cards_of.get(deck)
    if found is None:
        found = _cards_of[deck] = titles.shipped_cards("taxi", deck)
    return found


def odds(s: State, seat: int) -> list:
    """The odds of one seat; [] when nothing that it does now hangs on chance."""
    phase = s.phase
    if phase == "over" or not (1 <= seat <= s.seats and s.playing[seat]):
        return []
    if phase == "gamble_bets":
        return [] if seat == s.gamble["holder"] else _words(s)
    if phase == "settle":
        draws = s.settle[0][0] == seat and s.settle[0][1] == EXPENSE
        return _cards(s, seat, EXPENSE) if draws else []
    if phase == "card_option":
        return _by_die(s) if s.card["seat"] == seat else []
    if seat != s.turn:
        return []
    out: list = []
    if phase == "card_choice" or phase == "before_roll":
        if not s.no_move:
            out += _arrivals(s, seat, pips(s))
        for deck in turn.decks_to_draw(s):
            out += _cards(s, seat, deck)
    elif phase == "move":
        out += _arrivals(s, seat, further(s, {s.d6: 1}, s.again))
        if d12_due(s, False):
            out += _tablets(s)
    elif phase == "tablet_die":
        out += _tablets(s)
    return out


def pips(s: State) -> dict:
    """Streets that the turn's seat may drive in all, before its throw: streets -> in how many equally likely cases."""
    return further(s, {0: 1}, 1 + s.again)


def further(s: State, driven: dict, throws: int) -> dict:
    """The same after so many throws more; what cards did to the throw counts for each (T-036)."""
    for _ in range(min(throws, MOST_THROWS)):
        more: dict = {}
        for so_far in sorted(driven):
            for face in range(1, 7):
                total = so_far + max(0, face * s.times + s.add_streets)
                more[total] = more.get(total, 0) + driven[so_far]
        driven = more
    return driven


def words(s: State) -> dict:
    """By word, how many cards say it that may be the gamble on offer."""
    counts = {}
    for word in WORDS:
        counts[word] = 0
    for deck in TURN_DECKS:
        if s.card is not None and s.card["deck"] != deck:
            continue
        gone = s.decks[deck].discard
        for card in shipped_cards(deck):
            if card["id"] not in gone:
                for verb in every_verb(card["do"]):
                    if verb[0] == "gamble" and verb[1] is not None:
                        counts[verb[1]] += 1
    return counts


def unseen(s: State, seat: int, deck: str) -> list:
    """The shipped cards of a deck that a seat may draw, as far as it knows; each equally likely."""
    known = [card["card"] for card in s.kept[seat] if card["deck"] == deck]
    if s.card is not None and s.card["deck"] == deck:
        known.append(s.card["card"])
    gone = s.decks[deck].undrawable(known)
    return [card for card in shipped_cards(deck) if card["id"] not in gone]


def _arrivals(s: State, seat: int, driven: dict) -> list:
    green, white = s.usable(seat)
    labels = s.streets.distance(s.at[seat], s.goal(seat), green + s.free_lights, white, s.blocked(seat))
    cases = sum([driven[total] for total in sorted(driven)])
    ways: list = []
    for streets, greens, whites in labels:
        enough = sum([driven[total] for total in sorted(driven) if total >= streets])
        ways.append((greens - min(greens, s.free_lights), whites, enough))
    ways.sort()
    out: list = []
    for greens, whites, enough in ways:
        better = [entry for entry in ways if entry[0] <= greens and entry[1] <= whites and entry[2] >= enough]
        if enough and better == [(greens, whites, enough)]:
            out.append({"what": "arrive", "green": greens, "white": whites, "chance": [enough, cases]})
    return out


def _tablets(s: State) -> list:
    counts = {"green": 5, "white": 2, "nothing": 5}
    for colour, unit in (("green", GREEN), ("white", WHITE)):
        if not s.bank_serves(unit, 1):
            counts["nothing"] += counts[colour]
            counts[colour] = 0
    out = []
    for colour in ("green", "white", "nothing"):
        if counts[colour]:
            out.append({"what": "tablet", "colour": colour, "chance": [counts[colour], 12]})
    return out


def _by_die(s: State) -> list:
    die = DIE_OF.get(s.card["do"][0][0])
    if die == "d12":
        return _tablets(s)
    if die == "d6":
        return [{"what": "face", "face": face, "chance": [1, 6]} for face in range(1, 7)]
    return []


def _cards(s: State, seat: int, deck: str) -> list:
    cards = unseen(s, seat, deck)
    counts: dict = {}
    for card in cards:
        kind = _kind(card, deck)
        counts[kind] = counts.get(kind, 0) + 1
    out = []
    for kind in CARD_KINDS:
        # That every card of a deck is of one kind is nothing to reckon with.
        if kind in counts and len(counts) > 1:
            out.append({"what": "card", "deck": deck, "kind": kind, "chance": [counts[kind], len(cards)]})
    return out


def _kind(card: dict, deck: str) -> str:
    names = [verb[0] for verb in every_verb(card["do"])]
    if deck == EXPENSE:
        return "free" if not [name for name in names if name != "nothing"] else "bill"
    if "gamble" in names:
        return "gamble"
    if "barrier" in names:
        return "roadworks"
    return "fine" if card["fine"] else "other"


def _words(s: State) -> list:
    counts = words(s)
    cards = sum([counts[word] for word in WORDS])
    out = []
    for word in WORDS:
        if counts[word]:
            out.append({"what": "word", "word": word, "chance": [counts[word], cards]})
    return out
