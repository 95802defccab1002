"""Leaving the game, by insolvency or by going home, and what is left of it (T-132 to T-135, A-75 to A-79)."""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.games.taxi import gambles
from shared_rules.games.taxi.effects import discarding
from shared_rules.games.taxi.meta import BARRIERS, GREEN, MONEY, ON_BOARD, WHITE
from shared_rules.games.taxi.settlement import final_tally
from shared_rules.games.taxi.state import CLOSING, ENDING, WORKING, State
from shared_rules.games.taxi.trade import plates_from


def decide_resign(s: State, seat: int, command: dict) -> list:
    """`resign`: everything goes to the bank; the rest is as with an elimination."""
    if seat == 0:
        raise refuse("not_allowed", "The operator cannot leave the game.", "A-78")
    rules = ["A-78", "T-133"]
    events: list = []
    if s.gamble is not None:
        if s.gamble["holder"] == seat:
            events.extend(_void_gamble(s))
        else:
            events.extend(gambles.stakes_out(s, seat, 0, "StakeForfeited", rules))
    if s.cash[seat] > 0:
        events.append(transfer("MoneyReturned", MONEY, seat, 0, s.cash[seat], rules))
    elif s.cash[seat] < 0:
        events.append(transfer("MoneyReturned", MONEY, 0, seat, -s.cash[seat], rules))
    if s.plates[seat]:
        events.extend(plates_from(s.plates[seat], seat, 0, s.plates[seat], rules))
    events.extend(pieces_back(s, seat))
    events.extend(departure(s, seat, "PlayerLeft", rules))
    return events


def _void_gamble(s: State) -> list:
    events: list = []
    for other in s.others_from_left(s.gamble["holder"]):
        events.extend(gambles.stakes_out(s, other, other, "StakeTakenBack", ["A-78"]))
    events.append({"event": "GambleVoid", "seat": s.gamble["holder"], "rules": ["A-78"]})
    return events


def pieces_back(s: State, seat: int) -> list:
    """Tablets and barriers of a seat go back to the bank."""
    events = []
    for unit, name in ((GREEN, "TabletMoved"), (WHITE, "TabletMoved"), (BARRIERS, "BarrierReturnedUnused")):
        amount = s.ledger.held[unit][seat]
        if amount:
            events.append(transfer(name, unit, seat, 0, amount, ["T-133"]))
    return events


def departure(s: State, seat: int, name: str, rules: list) -> list:
    """The seat leaves the order of play; its card, if one is being carried out, is discarded."""
    events: list = []
    if s.card is not None and s.card["seat"] == seat:
        events.append(discarding(s))
    events.append({"event": name, "seat": seat, "rules": rules})
    return events


def closing(s: State) -> list:
    """One seat is left: what is under way comes to nothing, and the game ends (T-135)."""
    events: list = []
    if s.gamble is not None:
        events.extend(_void_gamble(s))
    if s.card is not None:
        events.append(discarding(s))
    for barrier in s.placed:
        event = transfer("BarrierReturned", BARRIERS, ON_BOARD, 0, 1, ["T-101"])
        event["on"] = barrier["on"]
        events.append(event)
    reason = "last_player" if s.seats_in() else "nobody_left"
    events.append(final_tally(s, reason, ["T-135"]))
    return events


def _left(s: State, event: dict) -> None:
    seat = event["seat"]
    for card in s.kept[seat]:
        s.decks[card["deck"]].discard.append(card["card"])
    s.kept[seat] = []
    s.playing[seat] = False
    s.at[seat] = None
    s.skip[seat] = 0
    s.arrived[seat] = False
    s.owner[seat] = None
    if not s.somebody_arrived():
        s.first_arrival = None
    if s.gamble is not None:
        s.gamble["bets"][seat] = None
    dues = []
    for due in s.dues:
        to = [entry for entry in due["to"] if entry[0] != seat]
        if due["seat"] != seat and to:
            dues.append({"seat": due["seat"], "kind": due["kind"], "to": to, "declined": due["declined"]})
    s.dues = dues
    own_turn = s.settle is None and seat == s.turn
    if s.settle is not None:
        s.settle = [step for step in s.settle if step[0] != seat]
    if len(s.seats_in()) < 2:
        s.phase = CLOSING
    elif own_turn:
        s.dues = []
        s.phase = ENDING
    elif s.phase in ("kept_card", "debt", "settle", "card_option"):
        s.phase = WORKING


EVOLVE = {"PlayerEliminated": _left, "PlayerLeft": _left}
