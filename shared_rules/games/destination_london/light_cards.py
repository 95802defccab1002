"""Traffic Light Cards: the stand-in deck of 30 by id, and typed cards of a physical deck as objects.

A typed card is {"title", "side", "do"}; `do` lists effects, each a verb with its values. L-042 to L-048, L-077 to
L-082; which cards a deck has beyond those the rule book names is ours (LQ-43, LQ-48, LQ-56).
"""

from shared_rules.engine.reading import is_whole
from shared_rules.portable.json_text import dumps
from shared_rules.portable.ordered import ordered

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Card, Json

RECEIVE = "receive"
PAY_FINE = "pay_fine"
LICENCE_POINTS = "licence_points"
BONUS_FUEL = "gain_bonus_fuel"
MOVE = "move_to_own_destination"
NEXT_FARE = "next_fare"
SHIELD = "hold_shield"

NICE = "nice"
NASTY = "nasty"
SIDES = (NICE, NASTY)
PETROL_STATION = "petrol_station"

# Several of these may stand on one card; any other verb stands alone.
COMBINABLE = (RECEIVE, PAY_FINE, LICENCE_POINTS)
# What is kept among the held cards; bonus fuel is kept apart.
HOLDABLE = (MOVE, NEXT_FARE, SHIELD)


def _deck() -> "dict[str, tuple[str, list[list[Any]]]]":
    deck: "dict[str, tuple[str, list[list[Any]]]]" = {}
    for amount in (20, 30, 40, 50):
        deck["tip_" + str(amount)] = (NICE, [[RECEIVE, amount]])
    for n in range(1, 5):
        deck["fuel_" + str(n)] = (NICE, [[BONUS_FUEL, 1]])
    for n in range(1, 4):
        deck["move_" + str(n)] = (NICE, [[MOVE]])
    for n in range(1, 3):
        deck["double_" + str(n)] = (NICE, [[NEXT_FARE, 2]])
        deck["escape_" + str(n)] = (NICE, [[SHIELD, PETROL_STATION]])
        deck["petrol_" + str(n)] = (NASTY, [[PAY_FINE, 50, PETROL_STATION]])
    for n in range(1, 7):
        deck["speeding_" + str(n)] = (NASTY, [[LICENCE_POINTS, 3]])
    for n in range(1, 4):
        deck["no_fare_" + str(n)] = (NASTY, [[NEXT_FARE, 0]])
    for amount in (20, 30, 40, 60):
        deck["fine_" + str(amount)] = (NASTY, [[PAY_FINE, amount]])
    return deck


STAND_IN = _deck()
IDS = tuple(sorted(STAND_IN))
SIZE = len(IDS)  # L-006


def effects_of(card: "Card") -> "list[list[Any]]":
    """What a card does, verb by verb."""
    if isinstance(card, str):
        return STAND_IN[card][1]
    effects: "list[list[Any]]" = card["do"]
    return effects


def side_of(card: "Card") -> str:
    """nice or nasty."""
    if isinstance(card, str):
        return STAND_IN[card][0]
    return str(card["side"])


def verb_of(card: "Card") -> str:
    """The first verb, which says where the card is kept."""
    return str(effects_of(card)[0][0])


def order_of(card: "Card") -> "tuple[str, ...]":
    """By what cards are sorted: ids by character code, typed ones by title, side and text of `do`."""
    if isinstance(card, str):
        return (card,)
    return (card["title"], card["side"], dumps(card["do"]))


def in_order(cards: "list[Card]") -> "list[Card]":
    """The cards, sorted."""
    return sorted(cards, key=order_of) if len(cards) > 1 else list(cards)


def shown(card: "Card") -> "Card":
    """A card for a position: an id, or an object with its keys in order that is the caller's own."""
    if isinstance(card, str):
        return card
    do = [list(effect) for effect in card["do"]]
    return ordered((("title", card["title"]), ("side", card["side"]), ("do", do)))


def fault_of(card: "Any") -> str:
    """What is wrong with a typed card, in a sentence; empty if nothing is."""
    if not isinstance(card, dict):
        return "A card of a physical deck is an object with title, side and do."
    for key in ("title", "side", "do"):
        if key not in card:
            return "A typed card needs '" + key + "'."
    if len(card) != 3:
        return "A typed card has title, side and do, and no other keys."
    if not isinstance(card["title"], str):
        return "A card's title is a text."
    if not isinstance(card["side"], str) or card["side"] not in SIDES:
        return "A card's side is nice or nasty."
    effects = card["do"]
    if not isinstance(effects, list) or not effects:
        return "A card's 'do' is a list of one to three effects."
    for effect in effects:
        fault = _fault_of_effect(effect)
        if fault:
            return fault
    if len(effects) > 1:
        if len(effects) > 3:
            return "A card has at most three effects."
        for effect in effects:
            if effect[0] not in COMBINABLE:
                return "'" + str(effect[0]) + "' stands alone on a card."
    return ""


def _fault_of_effect(effect: "Any") -> str:
    if not isinstance(effect, list) or not effect or not isinstance(effect[0], str):
        return "An effect is a list of a verb and its values."
    verb = effect[0]
    values = effect[1:]
    if verb == RECEIVE:
        good = len(values) == 1 and is_whole(values[0]) and values[0] >= 1
    elif verb == PAY_FINE:
        good = 1 <= len(values) <= 2 and is_whole(values[0]) and values[0] >= 1
        good = good and (len(values) == 1 or isinstance(values[1], str))
    elif verb == LICENCE_POINTS:
        good = len(values) == 1 and is_whole(values[0]) and values[0] == 3
    elif verb == BONUS_FUEL:
        good = len(values) == 1 and is_whole(values[0]) and values[0] == 1
    elif verb == MOVE:
        good = not values
    elif verb == NEXT_FARE:
        good = len(values) == 1 and is_whole(values[0]) and values[0] in (0, 2)
    elif verb == SHIELD:
        good = len(values) == 1 and isinstance(values[0], str)
    else:
        return "There is no verb '" + verb + "'."
    return "" if good else "The values of '" + verb + "' are not such as it takes."


def typed(card: "Json") -> "Json":
    """A typed card without a fault, as the state holds it: a copy of its own."""
    return {"title": card["title"], "side": card["side"], "do": [list(effect) for effect in card["do"]]}
