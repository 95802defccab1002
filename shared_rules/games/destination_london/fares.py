"""Playing Destination Cards: fuel is spent, fares are paid, replacements are owed.

L-025 to L-033, L-075, L-081, L-082, LQ-26 to LQ-33, LQ-50 to LQ-53. `play` serves own fares,
claims and move cards; what is paid by whom is theirs.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import ending, fields, landing
from shared_rules.games.destination_london.light_cards import NEXT_FARE, effects_of
from shared_rules.games.destination_london.meta import FUEL, HAND, MONEY

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Card, Json
    from shared_rules.games.destination_london.state import State


def check_held(s: "State", seat: int, cards: "list[str]") -> None:
    """Each card is in the hand."""
    for card in cards:
        if card not in s.hand[seat]:
            raise refuse("not_held", "'" + card + "' is not in " + s.names[seat] + "'s hand.", "L-025")


def check_square(s: "State", cards: "list[str]", square: str) -> None:
    """Each card is for the square."""
    for card in cards:
        if square not in s.card_squares[card]:
            raise refuse("not_allowed", "'" + card + "' is not for square '" + square + "'.", "L-025", "LQ-29")


def fuel_for(s: "State", seat: int, spend: "str | None") -> str:
    """Which kind of fuel is spent; a bonus card unless it is said otherwise (LQ-45)."""
    if spend is None:
        spend = fields.BONUS if s.bonus[seat] else fields.ORDINARY
    if not (s.bonus[seat] if spend == fields.BONUS else s.fuel[seat]):
        raise refuse("not_enough", "There is no such fuel to put back.", "L-028", "LQ-33", "LQ-82")
    return spend


def multiplier(s: "State", seat: int) -> "tuple[int, list[Card]]":
    """(what the next fare is multiplied by, the held cards that say so) (LQ-51 to LQ-53)."""
    factor = 1
    cards: "list[Card]" = []
    for card in s.held[seat]:
        effect = effects_of(card)[0]
        if effect[0] == NEXT_FARE:
            factor *= effect[1]
            cards.append(card)
    return factor, cards


def play(s: "State", seat: int, cards: "list[str]", spend: str, own: bool) -> "list[Json]":
    """One fuel goes back, the cards leave the game, held cards for the next fare are used, new ones are owed."""
    events: "list[Json]" = []
    if spend == fields.BONUS:
        events.append(
            {"event": "BonusFuelSpent", "seat": seat, "card": s.bonus[seat][0], "rules": ["L-028", "LQ-44", "LQ-45"]}
        )
    else:
        events.append(transfer("FuelReturned", FUEL, seat, 0, 1, ["L-028", "L-032", "L-075"]))
    owed = 0
    if s.pile:
        owed = max(0, HAND - (len(s.hand[seat]) - len(cards)) - s.deals.count(seat))
    events.append(
        {
            "event": "CardsPlayed", "seat": seat, "cards": sorted(cards), "used": multiplier(s, seat)[1],
            "owed": owed, "own": own, "rules": ["L-026", "L-027", "LQ-26"],
        }
    )  # fmt: skip
    return events


def total(s: "State", cards: "list[str]") -> int:
    """The printed fares."""
    return sum([s.board.fares[card] for card in cards])


def own_fare(s: "State", seat: int, cards: "list[str]", spend: str) -> "list[Json]":
    """Cards are played on a square of one's own, and the bank pays (LQ-32)."""
    factor = multiplier(s, seat)[0]
    events = play(s, seat, cards, spend, True)
    amount = factor * total(s, cards)
    if amount:
        rules = ["L-025"] if factor == 1 else ["L-025", "L-081", "LQ-52"]
        events.append(transfer("FarePaid", MONEY, 0, seat, amount, rules))
    return events


def fitting(s: "State", seat: int, square: str) -> "list[str]":
    """The cards of a hand that are for a square."""
    return [card for card in s.hand[seat] if square in s.card_squares[card]]


def decide_collect(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`collect`."""
    cards = fields.cards(command, "cards", 1)
    spend = fields.spend(command)
    check_held(s, seat, cards)
    check_square(s, cards, s.arrivals[-1]["square"])
    return own_fare(s, seat, cards, fuel_for(s, seat, spend)) + [{"event": "OwnFareDone", "seat": seat}]


def decide_keep_quiet(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`keep_quiet`."""
    if s.arrivals[-1]["must_collect"]:
        raise refuse("not_allowed", "The taxi stopped short for a fare, so it must be collected.", "L-029", "LQ-15")
    return [{"event": "OwnFareDone", "seat": seat, "rules": ["L-072"]}]


def _bonus_spent(s: "State", event: "Json") -> None:
    s.bonus[event["seat"]].remove(event["card"])
    ending.return_card(s, event["card"])


def _played(s: "State", event: "Json") -> None:
    seat = event["seat"]
    hand = s.hand[seat]
    for card in event["cards"]:
        hand.remove(card)
    s.gone = sorted(s.gone + event["cards"])
    for card in event["used"]:
        s.held[seat].remove(card)
        ending.return_card(s, card)
    for _ in range(event["owed"]):
        s.deals.append(seat)
    if event["own"]:
        s.moves = []
        if s.dice and s.options["fare_cancels_extra_turn"] == "yes":
            s.extra_turn = False


EVOLVE = {"BonusFuelSpent": _bonus_spent, "CardsPlayed": _played, "OwnFareDone": landing.step_done}
