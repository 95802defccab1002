"""Leaving the game: elimination and resigning (L-046, L-049, L-054, LQ-71 to LQ-73).

Claims that are owed are paid with what there is; then everything goes back.
"""

from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import ending
from shared_rules.games.destination_london.meta import FUEL, MONEY
from shared_rules.games.destination_london.state import COUNT, START

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def departure(s: "State", seat: int, why: str, rules: "list[str]") -> "list[Json]":
    """The events of a seat's going out. `why`: resigned, unpaid, no_fuel or waited."""
    events: "list[Json]" = []
    cash = s.cash[seat]
    unpaid = s.options["unpaid_penalty"]
    for debt in s.debts:
        if debt["seat"] != seat or debt["why"] != "claim" or unpaid == "nothing":
            continue
        part = min(cash, debt["amount"])
        if part:
            events.append(transfer("PenaltyPartPaid", MONEY, seat, debt["to"], part, ["L-060", "LQ-71"]))
            cash -= part
        if unpaid == "bank_tops_up" and debt["to"] and part < debt["amount"]:
            events.append(transfer("PenaltyToppedUp", MONEY, 0, debt["to"], debt["amount"] - part, ["LQ-71"]))
    if cash:
        events.append(transfer("CashReturned", MONEY, seat, 0, cash, ["LQ-72"]))
    if s.fuel[seat]:
        events.append(transfer("FuelReturned", FUEL, seat, 0, s.fuel[seat], ["LQ-72"]))
    events.append({"event": "PlayerOut", "seat": seat, "why": why, "cards": list(s.hand[seat]), "rules": rules})
    return events


def decide_resign(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`resign`."""
    return departure(s, seat, "resigned", ["LQ-72"])


def next_seat(s: "State", seat: int) -> int:
    """The seat whose turn comes after a seat's; 0 if the round is over and the money is to be counted (LQ-96)."""
    ending_now = s.ending
    other = seat % s.seats + 1
    while True:
        if ending_now is not None and other == s.first:
            return 0
        if s.playing[other] and (ending_now is None or other != ending_now["seat"]):
            return other
        if other == seat:
            return 0
        other = other % s.seats + 1


def _out(s: "State", event: "Json") -> None:
    seat = event["seat"]
    s.playing[seat] = False
    s.left -= 1
    s.at[seat] = None
    s.gone = sorted(s.gone + s.hand[seat])
    s.hand[seat] = []
    for card in s.bonus[seat] + s.held[seat]:
        ending.return_card(s, card)
    s.bonus[seat] = []
    s.held[seat] = []
    debts = []
    for debt in s.debts:
        if debt["seat"] != seat:
            if debt["to"] == seat:
                debt = dict(debt)
                debt["to"] = 0
            debts.append(debt)
    s.debts = debts
    s.deals = [other for other in s.deals if other != seat]
    if s.offer == seat:
        s.offer = None
    if s.order is not None:
        among, rolls = s.order
        kept = {}
        for other in among:
            if other != seat and other in rolls:
                kept[other] = rolls[other]
        s.order = ([other for other in among if other != seat], kept)
    landings = []
    for landing in s.arrivals:
        if seat == s.turn or landing["seat"] == seat:
            ending.return_card(s, landing["card"])
        else:
            landings.append(_without(landing, seat))
    s.arrivals = landings
    if seat == s.turn:
        # Whom it has asked for fuel is forgotten with the start of the next turn.
        asked = s.asked
        ending.clear_turn(s)
        s.asked = asked
        s.extra_turns = 0
        if s.left < 2:
            # The game ends with this seat's turn: nobody is left to whom it could pass.
            return
        following = next_seat(s, seat)
        if following:
            s.turn = following
            s.stage = START
        else:
            s.stage = COUNT


def _without(landing: "Json", seat: int) -> "Json":
    out = dict(landing)
    for key in ("knocks", "claims"):
        if out[key] is not None:
            out[key] = [other for other in out[key] if other != seat]
    return out


EVOLVE = {"PlayerOut": _out}
