"""Open payments: kept cards against them, paying, selling plates, insolvency (T-115, T-126 to T-136, A-73, A-74).

Dues are paid one after the other; nothing else happens while one is open.
"""

from shared_rules.engine.commands import refuse, whole
from shared_rules.engine.ledger import shares, transfer
from shared_rules.games.taxi import leaving
from shared_rules.games.taxi.meta import MONEY, PLATE_SALE, POT, SMALLEST_NOTE
from shared_rules.games.taxi.order import wrong_phase
from shared_rules.games.taxi.state import WORKING, State
from shared_rules.games.taxi.trade import decide_voluntary_sale, sale

# Which kinds of dues a kept card waives.
WAIVES = {"waive_fine": ("fine",), "waive_settlement_due": ("fee", "expense"), "pass_one_light": ()}
PAYMENTS = {
    "fine": ("DuePaid", ["T-083", "T-130"]),
    "card": ("DuePaid", ["T-082", "T-130"]),
    "fee": ("HireFeePaid", ["T-115"]),
    "expense": ("ExpensePaid", ["T-116"]),
}


def total(due: dict) -> int:
    """The whole amount of a due."""
    return sum([amount for _, amount in due["to"]])


def next_step(s: State) -> list:
    """What happens to the first due by itself; [] while its payer must decide."""
    due = s.dues[0]
    seat = due["seat"]
    if not due["declined"] and s.kept[seat]:
        for card in s.kept[seat]:
            if due["kind"] in WAIVES[card["keep"]]:
                return [] if s.phase == "kept_card" else [{"event": "KeptCardOffered", "seat": seat}]
    if s.cash[seat] >= total(due):
        return payments(s, due)
    if s.phase == "debt":
        return []
    return [{"event": "InDebt", "seat": seat, "short": total(due) - s.cash[seat], "rules": ["T-130"]}]


def payments(s: State, due: dict) -> list:
    """The transfers that pay a due in full."""
    name, rules = PAYMENTS[due["kind"]]
    events = []
    for creditor, amount in due["to"]:
        event = transfer(name, MONEY, due["seat"], _account(s, due, creditor), amount, list(rules))
        events.append(event)
    events.append({"event": "DueClosed", "seat": due["seat"], "kind": due["kind"]})
    return events


def _account(s: State, due: dict, creditor: int):
    if creditor == 0 and due["kind"] == "fine" and s.options["fine_recipient"] == "pot":
        return POT
    return creditor


def plates_needed(s: State, due: dict) -> int:
    """T-127: how many plates the payer may sell for a due, whether it has them or not."""
    return (total(due) - s.cash[due["seat"]] + PLATE_SALE - 1) // PLATE_SALE


def decide_sell(s: State, seat: int, command: dict) -> list:
    """`sell_plate`, in debt or by choice."""
    if s.phase != "debt":
        return decide_voluntary_sale(s, seat, command)
    due = s.dues[0]
    if due["seat"] != seat:
        raise refuse("not_your_turn", "Seat " + str(due["seat"]) + " is in debt.", "T-126")
    count = whole(command, "count", 1, 1)
    if count > plates_needed(s, due):
        raise refuse("not_allowed", "Fewer plates are enough.", "T-127")
    if count > s.plates[seat]:
        raise refuse("not_enough", "There are only " + str(s.plates[seat]) + " plates.", "T-126")
    return sale(s.plates[seat], seat, count)


def decide_insolvent(s: State, seat: int, command: dict) -> list:
    """`declare_insolvent`: what happens then is a house rule (A-73)."""
    if s.phase != "debt":
        raise wrong_phase(s, "declare insolvency", "T-132")
    due = s.dues[0]
    if due["seat"] != seat:
        raise refuse("not_your_turn", "Seat " + str(due["seat"]) + " is in debt.", "T-132")
    if not insolvent(s, due):
        raise refuse("not_allowed", "Cash and plates cover the payment.", "T-131")
    plates = s.plates[seat]
    events = sale(plates, seat, plates) if plates else []
    if s.options["insolvency"] == "carry_debt":
        return events + payments(s, due)
    cash = s.cash[seat] + plates * PLATE_SALE
    events.extend(_part_payments(s, due, cash))
    if s.options["insolvency"] == "forgive":
        events.append({"event": "DueClosed", "seat": seat, "kind": due["kind"], "rules": ["A-73"]})
        return events
    events.extend(leaving.pieces_back(s, seat))
    events.extend(leaving.departure(s, seat, "PlayerEliminated", ["T-132", "T-133"]))
    return events


def insolvent(s: State, due: dict) -> bool:
    """Whether cash and all plates do not cover the due."""
    return s.cash[due["seat"]] + PLATE_SALE * s.plates[due["seat"]] < total(due)


def _part_payments(s: State, due: dict, cash: int) -> list:
    """All cash in equal parts to the creditors; what is left in tens from the payer's left (A-74)."""
    seat = due["seat"]
    order = []
    for other in s.others_from_left(seat) + [0]:
        for creditor, _ in due["to"]:
            if creditor == other:
                order.append(creditor)
    events = []
    parts = shares(cash, len(order), SMALLEST_NOTE)
    for i, creditor in enumerate(order):
        if parts[i]:
            account = _account(s, due, creditor)
            events.append(transfer("PartialPaid", MONEY, seat, account, parts[i], ["T-132", "A-74"]))
    return events


def decide_play_card(s: State, seat: int, command: dict) -> list:
    """`play_card`: a kept card waives a due, or passes one light for nothing in this turn."""
    if s.phase != "kept_card" and s.phase != "move":
        raise wrong_phase(s, "play a kept card", "T-084")
    whose = s.turn if s.phase == "move" else s.dues[0]["seat"]
    if seat != whose:
        raise refuse("not_your_turn", "It is for seat " + str(whose) + " to decide.", "T-084")
    index = whole(command, "card")
    if index >= len(s.kept[seat]):
        raise refuse("malformed", "There is no such kept card.")
    card = s.kept[seat][index]
    if not fits(s, card):
        raise refuse("not_allowed", "This card does not help here.", "T-084")
    events: list = [
        {
            "event": "CardPlayed", "seat": seat, "index": index, "deck": card["deck"], "card": card["card"],
            "title": card["title"], "keep": card["keep"], "rules": ["T-084"],
        }
    ]  # fmt: skip
    if s.phase == "kept_card":
        events.append({"event": "DueWaived", "seat": seat, "kind": s.dues[0]["kind"], "rules": ["T-084"]})
    return events


def fits(s: State, card: dict) -> bool:
    """Whether a kept card can be played in this phase."""
    if s.phase == "move":
        return card["keep"] == "pass_one_light"
    return s.dues[0]["kind"] in WAIVES[card["keep"]]


def decide_decline(s: State, seat: int, command: dict) -> list:
    """`decline`: the due goes on, or no (more) purchase."""
    if s.phase == "kept_card":
        whose = s.dues[0]["seat"]
        events: list = [{"event": "KeptCardDeclined", "seat": seat}]
    elif s.phase == "settle" and s.settle[0][1] == "buy":
        whose = s.settle[0][0]
        events = [{"event": "StepTaken", "seat": seat, "what": "buy"}]
    else:
        raise wrong_phase(s, "decline", "T-116")
    if seat != whose:
        raise refuse("not_your_turn", "It is for seat " + str(whose) + " to decide.", "T-118")
    return events


def _raised(s: State, event: dict) -> None:
    to = [list(entry) for entry in event["to"]]
    s.dues.append({"seat": event["seat"], "kind": event["kind"], "to": to, "declined": False})


def _closed(s: State, event: dict) -> None:
    s.dues = s.dues[1:]
    s.phase = WORKING


def _declined(s: State, event: dict) -> None:
    first = dict(s.dues[0])
    first["declined"] = True
    s.dues = [first] + s.dues[1:]
    s.phase = WORKING


def _offered(s: State, event: dict) -> None:
    s.phase = "kept_card"


def _in_debt(s: State, event: dict) -> None:
    s.phase = "debt"


def _played(s: State, event: dict) -> None:
    seat = event["seat"]
    s.kept[seat] = s.kept[seat][: event["index"]] + s.kept[seat][event["index"] + 1 :]
    s.decks[event["deck"]].discard.append(event["card"])
    if event["keep"] == "pass_one_light":
        s.free_lights += 1


EVOLVE = {
    "DueRaised": _raised,
    "DueClosed": _closed,
    "DueWaived": _closed,
    "KeptCardDeclined": _declined,
    "KeptCardOffered": _offered,
    "InDebt": _in_debt,
    "CardPlayed": _played,
}
