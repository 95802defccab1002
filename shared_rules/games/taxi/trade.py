"""Buying taxis, selling by choice, gifts between players (T-122 to T-128, T-080; house rules A-15, A-64 to A-67)."""

from shared_rules.engine.commands import refuse, whole
from shared_rules.engine.ledger import transfer
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi.meta import (
    BARRIERS,
    GREEN,
    MONEY,
    OWNERSHIP_CARDS,
    PLATE_SALE,
    PLATES,
    SMALLEST_NOTE,
    WHITE,
)
from shared_rules.games.taxi.order import need_turn, wrong_phase
from shared_rules.games.taxi.state import TURN_PHASES, State

# The phases in which each purchase window is open; `settlement` waits for a step of its own.
WINDOWS = {
    "own_turn_before_d6": ("card_choice", "before_roll"),
    "own_turn_any": TURN_PHASES,
    "any_time": TURN_PHASES + ("settle",),
    "settlement": ("settle",),
}
GIVING_PHASES = TURN_PHASES + ("settle",)
# What may be given under the house rule `trading`.
GIFTS = {
    "none": (),
    "tablets": (GREEN, WHITE),
    "tablets_and_money": (GREEN, WHITE, MONEY),
    "all": (GREEN, WHITE, MONEY, PLATES, BARRIERS),
}
# Fields of `give` and their units, in the order in which they are looked at.
GIFT_FIELDS = (("green", GREEN), ("white", WHITE), ("cash", MONEY), ("plates", PLATES), ("barriers", BARRIERS))


def may_buy_now(s: State, seat: int) -> bool:
    """Whether the phase lets this seat buy; money, supply and limit apart."""
    window = s.options["purchase_window"]
    if s.phase not in WINDOWS[window]:
        return False
    if window == "settlement":
        return s.settle[0] == [seat, "buy"]
    return window == "any_time" or seat == s.turn


def most_to_buy(s: State, seat: int) -> int:
    """How many taxis a seat could buy by money, supply and limit."""
    return max(0, min(s.cash[seat] // s.options["plate_price"], s.plates[0], _limit(s, seat)))


def can_buy(s: State, seat: int) -> bool:
    """Whether a seat could buy a taxi."""
    return most_to_buy(s, seat) > 0


def _limit(s: State, seat: int) -> int:
    limit = s.options["purchase_limit"]
    if limit == "none":
        return s.plates[0]
    if limit == "one_per_turn":
        return 0 if seat in s.bought else 1
    return int(limit[len("max_total_") :]) - s.plates[seat]


def decide_buy(s: State, seat: int, command: dict) -> list:
    """`buy_taxi`."""
    if s.options["purchase_window"] != "any_time" or s.phase not in WINDOWS["any_time"]:
        need_turn(s, seat, "T-123", "A-65")
        if not may_buy_now(s, seat):
            raise wrong_phase(s, "buy a taxi", "T-123", "A-65")
    count = whole(command, "count", 1, 1)
    limit = s.options["purchase_limit"]
    if limit != "none" and count > _limit(s, seat):
        raise refuse("not_allowed", "The limit of purchases is reached.", "A-66")
    if count > s.plates[0]:
        raise refuse("none_left", "The bank has " + str(s.plates[0]) + " plates left.", "T-010", "A-70")
    price = count * s.options["plate_price"]
    if price > s.cash[seat]:
        raise refuse("not_enough_money", "It costs " + str(price) + " in cash.", "T-123", "T-136")
    events = [transfer("TaxiBought", MONEY, seat, 0, price, ["T-122", "T-123"])]
    events.extend(plates_to(s.plates[seat], seat, 0, count, ["T-122"]))
    return events


def plates_to(held: int, seat: int, source, count: int, rules: list) -> list:
    """Plates for a seat that holds `held`; with the first it gets an ownership card (T-124)."""
    events = [transfer("PlateMoved", PLATES, source, seat, count, rules)]
    if held == 0:
        events.append({"event": "OwnershipCardGiven", "seat": seat, "rules": ["T-124", "T-145"]})
    return events


def plates_from(held: int, seat: int, to, count: int, rules: list) -> list:
    """Plates leave a seat that holds `held`; with the last its ownership card goes back (T-128)."""
    events = [transfer("PlateMoved", PLATES, seat, to, count, rules)]
    if held == count:
        events.append({"event": "OwnershipCardReturned", "seat": seat, "rules": ["T-128", "T-145"]})
    return events


def sale(held: int, seat: int, count: int) -> list:
    """A seat that holds `held` plates sells so many to the bank."""
    events = plates_from(held, seat, 0, count, ["T-126"])
    events.append(transfer("PlateSold", MONEY, 0, seat, count * PLATE_SALE, ["T-126"]))
    return events


def decide_voluntary_sale(s: State, seat: int, command: dict) -> list:
    """`sell_plate` outside a debt."""
    allowed = s.options["voluntary_sale"]
    if allowed:
        if s.phase not in TURN_PHASES:
            raise wrong_phase(s, "sell a plate", "A-67")
        if seat != s.turn:
            raise refuse("not_your_turn", "It is seat " + str(s.turn) + "'s turn.", "A-67")
    count = whole(command, "count", 1, 1)
    if not allowed:
        raise refuse("not_allowed", "A plate is sold only to pay a debt.", "T-126", "A-67")
    if count > s.plates[seat]:
        raise refuse("not_enough", "There are only " + str(s.plates[seat]) + " plates.", "T-126")
    return sale(s.plates[seat], seat, count)


def decide_give(s: State, seat: int, command: dict) -> list:
    """`give`: tablets, money, plates, barriers from one player to another, as far as the house rules allow."""
    if s.phase not in GIVING_PHASES:
        raise wrong_phase(s, "give something", "A-15")
    to: int = command.get("to")  # type: ignore[assignment]
    if not is_whole(to):
        raise refuse("malformed", "'to' is a seat.")
    amounts = []
    for field, unit in GIFT_FIELDS:
        amount = whole(command, field, 0)
        if unit == MONEY and amount % SMALLEST_NOTE:
            raise refuse("malformed", "Money is a multiple of 10.", "T-015")
        if amount:
            amounts.append((unit, amount))
    if not amounts:
        raise refuse("malformed", "Say what to give: green, white, cash, plates or barriers.")
    for unit, _ in amounts:
        if unit not in GIFTS[s.options["trading"]]:
            raise refuse("not_allowed", "The house rules do not allow to give this.", "T-080", "A-15")
    if not 1 <= to <= s.seats or to == seat or not s.playing[to]:
        raise refuse("not_allowed", "A gift goes to another player in the game.", "A-15")
    for unit, amount in amounts:
        if unit == MONEY and amount > s.cash[seat]:
            raise refuse("not_enough_money", "There is not so much money.", "T-136")
    for unit, amount in amounts:
        if amount > s.ledger.held[unit][seat]:
            raise refuse("not_enough", "There are not so many " + unit + ".", "A-15")
    events: list = []
    for unit, amount in amounts:
        if unit == PLATES:
            events.extend(plates_from(s.plates[seat], seat, to, amount, ["A-15"]))
            if s.plates[to] == 0:
                events.append({"event": "OwnershipCardGiven", "seat": to, "rules": ["T-124", "T-145"]})
        else:
            events.append(transfer("Given", unit, seat, to, amount, ["A-15"]))
    return events


def _bought(s: State, event: dict) -> None:
    if event["from"] not in s.bought:
        s.bought.append(event["from"])


def _plates_moved(s: State, event: dict) -> None:
    # The ownership card goes with the first plate and the last, in the same event: T-145 holds after every one.
    for seat in (event["from"], event["to"]):
        if seat != 0:
            cards = s.ledger.held[OWNERSHIP_CARDS]
            has = 1 if s.plates[seat] > 0 else 0
            cards[0] += cards[seat] - has
            cards[seat] = has


EVOLVE = {"TaxiBought": _bought, "PlateMoved": _plates_moved}
