"""Fuel: bought at the Garage, asked of other players, waited for (L-033 to L-041, LQ-34 to LQ-43)."""

from shared_rules.engine.commands import refuse, whole
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import fields, leaving
from shared_rules.games.destination_london.meta import FUEL, FUEL_PRICE, MONEY, MOST_FUEL

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def decide_buy(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`buy_fuel`."""
    count = whole(command, "count", None, 1)
    if not s.at_garage(seat):
        raise refuse("not_allowed", "Fuel is bought at the Garage.", "L-034")
    if s.fuel[seat] + count > MOST_FUEL:
        raise refuse("not_allowed", "Nobody holds more than 5 Fuel Cards.", "L-036")
    if count > s.fuel[0]:
        raise refuse("none_left", "The bank has only " + str(s.fuel[0]) + " Fuel Cards.", "LQ-43")
    if count * FUEL_PRICE > s.cash[seat]:
        raise refuse("not_enough_money", "A Fuel Card costs £5.", "L-035")
    return [
        transfer("FuelPaid", MONEY, seat, 0, count * FUEL_PRICE, ["L-035"]),
        transfer("FuelBought", FUEL, 0, seat, count, ["L-034", "L-036"]),
    ]


def most_to_buy(s: "State", seat: int) -> int:
    """How many Fuel Cards a seat could buy where it stands."""
    if not s.at_garage(seat):
        return 0
    return min(MOST_FUEL - s.fuel[seat], s.fuel[0], s.cash[seat] // FUEL_PRICE)


def decide_done(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`done`."""
    return [{"event": "GarageLeft", "seat": seat, "rules": ["LQ-42"]}]


def can_sell(s: "State", seat: int) -> bool:
    """Whether a seat has one to sell and keeps one (LQ-36)."""
    return s.fuel[seat] >= 1 and s.total_fuel(seat) >= 2


def next_to_ask(s: "State", seat: int) -> int:
    """The seat that must be asked first, from the left; 0 if nobody can be asked (L-038, L-039, LQ-34, LQ-35)."""
    if s.asked and s.options["ask_after_refusal"] == "no":
        return 0
    for other in s.others_from_left(seat):
        if other not in s.asked and can_sell(s, other):
            return other
    return 0


def decide_ask(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`ask_fuel`."""
    of = fields.seat_in(s, command, "of")
    if not s.playing[of]:
        raise refuse("out_of_game", s.names[of] + " is out of the game.", "LQ-72")
    if of == seat:
        raise refuse("not_allowed", "Fuel is bought from somebody else.", "L-037")
    if s.fuel[seat] >= MOST_FUEL:
        raise refuse("not_allowed", "Nobody holds more than 5 Fuel Cards.", "L-036")
    price: int = s.options["fuel_resale_price"]
    if s.cash[seat] < price:
        raise refuse("not_enough_money", "A Fuel Card costs £" + str(price) + " among players.", "L-038")
    if of in s.asked:
        raise refuse("already_done", s.names[of] + " has refused in this turn.", "L-041")
    if s.asked and s.options["ask_after_refusal"] == "no":
        raise refuse("not_allowed", "By house rule nobody else is asked after a refusal.", "LQ-35")
    if not can_sell(s, of):
        raise refuse("not_enough", s.names[of] + " has no fuel to sell.", "L-039", "LQ-36")
    first = next_to_ask(s, seat)
    if first != of:
        raise refuse("not_allowed", s.names[first] + " is asked first.", "L-038", "LQ-34")
    return [{"event": "FuelAsked", "seat": seat, "of": of, "rules": ["L-038", "L-039"]}]


def decide_sell(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`sell`."""
    buyer = s.turn
    price: int = s.options["fuel_resale_price"]
    if not can_sell(s, seat):
        raise refuse("not_enough", "There is no fuel to sell; a seller keeps one.", "LQ-36")
    if s.fuel[buyer] >= MOST_FUEL:
        raise refuse("not_allowed", "Nobody holds more than 5 Fuel Cards.", "L-036")
    if s.cash[buyer] < price:
        raise refuse("not_enough_money", s.names[buyer] + " has not £" + str(price) + " any more.", "L-038")
    events: "list[Json]" = []
    if price:
        events.append(transfer("FuelPaid", MONEY, buyer, seat, price, ["L-038", "LQ-38"]))
    events.append(transfer("FuelSold", FUEL, seat, buyer, 1, ["L-038", "LQ-37"]))
    return events


def decide_refuse(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`refuse`."""
    return [{"event": "FuelRefused", "seat": seat, "rules": ["L-041"]}]


def decide_wait(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`wait`."""
    if s.options["stranded_unsold"] == "out":
        return leaving.departure(s, seat, "waited", ["LQ-39"])
    return [{"event": "TurnWaited", "seat": seat, "rules": ["L-040", "LQ-39"]}]


def _asked(s: "State", event: "Json") -> None:
    s.offer = event["of"]


def _sold(s: "State", event: "Json") -> None:
    s.offer = None


def _refused(s: "State", event: "Json") -> None:
    s.offer = None
    s.asked.append(event["seat"])


EVOLVE = {"FuelAsked": _asked, "FuelSold": _sold, "FuelRefused": _refused}
