"""Whether a TAXI! state adds up (T-142 to T-148); asked after every event in tests, and on request at the table."""

from shared_rules.games.taxi import meta
from shared_rules.games.taxi.position_writer import waiting_for
from shared_rules.games.taxi.state import PHASES, State


def check_invariants(s: State) -> list:
    """[] if all hold, else sentences with the numbers of the rules that are broken."""
    wrong: list = []
    _money(s, wrong)
    _pieces(s, wrong)
    _decks(s, wrong)
    _seats(s, wrong)
    _arrivals(s, wrong)
    return wrong


def _money(s: State, wrong: list) -> None:
    total = s.ledger.total(meta.MONEY)
    if total != s.money_total:
        wrong.append("T-142: all money is " + str(total) + ", it was " + str(s.money_total) + ".")
    for i, amount in enumerate(s.cash):
        if amount % meta.SMALLEST_NOTE:
            wrong.append("T-146: account " + str(i) + " holds " + str(amount) + ", no multiple of 10.")
        if amount < 0 and i > 0 and not (i <= s.seats and s.options["insolvency"] == "carry_debt"):
            wrong.append("T-146: account " + str(i) + " holds " + str(amount) + ".")
    staked = {meta.MONEY: 0, meta.GREEN: 0}
    if s.gamble is not None:
        for bet in s.gamble["bets"]:
            for word in bet[0] if bet is not None else ():
                unit, amount = meta.STAKES[word]
                staked[unit] += amount
    for unit in sorted(staked):
        held = s.ledger.held[unit][s.ledger.index[meta.ESCROW]]
        if held != staked[unit]:
            wrong.append("T-142: bets stake " + str(staked[unit]) + " " + unit + ", escrow holds " + str(held) + ".")


def _pieces(s: State, wrong: list) -> None:
    for unit, count in meta.PIECES:
        row = s.ledger.held[unit]
        if sum(row) != count:
            wrong.append("T-143: there are " + str(sum(row)) + " " + unit + ", not " + str(count) + ".")
        endless = unit in (meta.GREEN, meta.WHITE) and s.options["tablet_shortage"] == "unlimited"
        for i, held in enumerate(row):
            if held < 0 and not (i == 0 and endless):
                wrong.append("T-143: account " + str(i) + " holds " + str(held) + " " + unit + ".")
    on_board = s.barriers[s.ledger.index[meta.ON_BOARD]]
    if on_board != len(s.placed):
        wrong.append("T-143: " + str(on_board) + " barriers are booked on the board, " + str(len(s.placed)) + " stand.")
    for seat in range(1, s.seats + 1):
        if s.ledger.held[meta.OWNERSHIP_CARDS][seat] != (1 if s.plates[seat] else 0):
            wrong.append("T-145: seat " + str(seat) + "'s ownership card does not fit its plates.")


def _decks(s: State, wrong: list) -> None:
    for name in meta.DECKS:
        deck = s.decks[name]
        out = [card["card"] for cards in s.kept for card in cards if card["deck"] == name]
        if s.card is not None and s.card["deck"] == name:
            out.append(s.card["card"])
        if deck.draw < 0 or deck.draw + len(deck.discard) + len(out) != meta.CARDS_PER_DECK:
            wrong.append("T-144: the " + name + " deck has not 50 cards.")
        ids = [card for card in deck.discard + out if card is not None]
        if len(set(ids)) != len(ids):
            wrong.append("T-144: a card of the " + name + " deck is there twice.")


def _seats(s: State, wrong: list) -> None:
    for seat in range(1, s.seats + 1):
        name = "seat " + str(seat)
        if s.playing[seat]:
            if s.at[seat] is None or not s.streets.is_stop(s.at[seat]):
                wrong.append("T-147: the taxi of " + name + " stands on no stop.")
            continue
        held = [s.ledger.held[unit][seat] for unit in meta.UNITS]
        if held != [0] * len(held) or s.kept[seat] or s.at[seat] is not None:
            wrong.append("T-133: " + name + " is out and holds something.")
    if s.fresh_green > s.green[s.turn] or s.fresh_white > s.white[s.turn] or s.fresh_green < 0 or s.fresh_white < 0:
        wrong.append("T-040: more tablets are fresh than the turn's seat holds.")
    if s.phase in PHASES and (waiting_for(s) == []) != (s.phase == "over"):
        wrong.append("T-031: nobody is waited for in phase " + s.phase + ".")
    for due in s.dues:
        if not s.playing[due["seat"]]:
            wrong.append("T-133: a seat that is out owes something.")


def _arrivals(s: State, wrong: list) -> None:
    if s.phase == "over":
        return
    first = s.first_arrival
    if first is not None and ((s.playing[first] and not s.arrived[first]) or not s.somebody_arrived()):
        wrong.append("T-148: the first to arrive has not arrived.")
    for seat in s.seats_in():
        if s.arrived[seat] and s.owner[seat] is None:
            wrong.append("T-117: seat " + str(seat) + " has arrived, and whether it owns a taxi is not fixed.")
