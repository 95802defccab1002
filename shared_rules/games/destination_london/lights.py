"""Traffic lights: drawing a card, obeying it, and the card that moves one's taxi.

L-042 to L-045, L-077 to L-082, LQ-47 to LQ-61.
"""

from shared_rules.engine.commands import refuse, text
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import ending, fares, fields, landing, light_cards
from shared_rules.games.destination_london.light_cards import (
    BONUS_FUEL,
    LICENCE_POINTS,
    MOVE,
    PAY_FINE,
    RECEIVE,
    SHIELD,
    effects_of,
    verb_of,
)
from shared_rules.games.destination_london.meta import LICENCE_FINE, LICENCE_SECTIONS, MONEY, OWN_FARE, STEPS
from shared_rules.games.destination_london.state import RUNNING

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Card, Json
    from shared_rules.games.destination_london.state import State

# Where a drawn card goes: back, among the bonus fuel, among the held cards, or it lies open until it is decided on.
RETURNED = "returned"
BONUS = "bonus_fuel"
HELD = "held"
OPEN = "open"

_LANDING_BY_CARD = tuple([step for step in STEPS if step != OWN_FARE])


def _drawn(s: "State", given: "Any") -> "Card":
    if isinstance(given, str):
        if s.typed:
            raise refuse("not_allowed", "The lights deck is a physical one; type the card in.", "L-042")
        if given not in (s.lights if s.lights else s.returned):
            raise refuse("none_left", "'" + given + "' is not in the pile.", "L-042", "LQ-47")
        return given
    fault = light_cards.fault_of(given)
    if fault:
        raise refuse("malformed", fault)
    if not s.typed:
        raise refuse("not_allowed", "The lights deck has cards by id; name one of them.", "L-042")
    return light_cards.typed(given)


def decide_draw(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`draw_light`: the card is obeyed or kept at once."""
    card = _drawn(s, command.get("card"))
    verb = verb_of(card)
    if verb == BONUS_FUEL:
        to = BONUS
    elif verb == MOVE:
        to = OPEN if s.total_fuel(seat) and targets(s, seat) else RETURNED
    elif verb in light_cards.HOLDABLE:
        to = HELD
    else:
        to = RETURNED
    events: "list[Json]" = [
        {
            "event": "LightDrawn", "seat": seat, "card": card, "side": light_cards.side_of(card), "to": to,
            "rules": ["L-042", "L-043"],
        }
    ]  # fmt: skip
    if to == RETURNED and verb != MOVE:
        _obey(s, seat, card, events)
    return events


def _obey(s: "State", seat: int, card: "Card", events: "list[Json]") -> None:
    sections = s.sections[seat]
    shields = list(s.held[seat])
    for effect in effects_of(card):
        verb = effect[0]
        if verb == RECEIVE:
            events.append(transfer("LightPaid", MONEY, 0, seat, effect[1], ["L-043"]))
        elif verb == PAY_FINE:
            shield = _shield(shields, effect[2]) if len(effect) > 2 else None
            if shield is not None:
                shields.remove(shield)
                events.append({"event": "FineEscaped", "seat": seat, "card": shield, "rules": ["L-080", "LQ-56"]})
            else:
                events.append(_debt(seat, effect[1], "fine", ["L-042"]))
        elif verb == LICENCE_POINTS and sections < LICENCE_SECTIONS:
            sections += 1
            if sections == LICENCE_SECTIONS:
                # Before the section itself: nobody ever stands at four without owing the fine (L-087).
                events.append(_debt(seat, LICENCE_FINE, "licence", ["L-045", "L-047", "LQ-62"]))
            events.append({"event": "SectionTurned", "seat": seat, "sections": sections, "rules": ["L-044"]})


def _debt(seat: int, amount: int, why: str, rules: "list[str]") -> "Json":
    return {"event": "DebtRaised", "seat": seat, "sum": amount, "creditor": 0, "why": why, "rules": rules}


def _shield(held: "list[Card]", name: str) -> "Card | None":
    for card in held:
        effect = effects_of(card)[0]
        if effect[0] == SHIELD and effect[1] == name:
            return card
    return None


def targets(s: "State", seat: int) -> "list[str]":
    """The cards of a hand to whose squares a move card can take the taxi (LQ-49)."""
    return [card for card in s.hand[seat] if s.board.home[card] != s.at[seat]]


def companions(s: "State", seat: int, card: str) -> "list[str]":
    """The other cards of a hand that can be collected on the square to which a move card takes one."""
    square = s.board.home[card]
    return [other for other in s.hand[seat] if other != card and square in s.card_squares[other]]


def may_keep(s: "State", seat: int) -> bool:
    """Whether a move card may be kept for later (L-077, LQ-49)."""
    return s.options["move_card"] == "always_keepable" or s.total_fuel(seat) == 1


def decide_keep(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`keep`."""
    if not may_keep(s, seat):
        raise refuse("not_allowed", "The card may be kept only with the last fuel.", "L-077", "LQ-49")
    return [{"event": "MoveCardKept", "seat": seat, "card": s.arrivals[-1]["card"], "rules": ["L-077", "LQ-49"]}]


def _also(command: "Json", card: str) -> "list[str]":
    if "also" not in command:
        return []
    also = fields.cards(command, "also", 0)
    if card in also:
        raise refuse("malformed", "'also' lists other cards than the one that is driven to.")
    return also


def decide_choose(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`choose_destination`: the move card that lies open is played."""
    card = text(command, "card")
    also = _also(command, card)
    spend = fields.spend(command)
    return _driven(s, seat, s.arrivals[-1]["card"], True, card, also, spend)


def decide_play(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`play_move_card`: a held one, instead of a throw."""
    name = text(command, "card")
    card = text(command, "destination")
    also = _also(command, card)
    spend = fields.spend(command)
    named = [held for held in s.held[seat] if name_of(held) == name]
    if not named:
        raise refuse("not_held", "'" + name + "' is not among the held cards.", "L-077")
    moving = [held for held in named if verb_of(held) == MOVE]
    if not moving:
        raise refuse("not_allowed", "'" + name + "' moves no taxi.", "L-077")
    return _driven(s, seat, moving[0], False, card, also, spend)


def name_of(card: "Card") -> str:
    """By what a held card is named in a command: its id, or a typed one's title."""
    return card if isinstance(card, str) else str(card["title"])


def held_move_cards(s: "State", seat: int) -> "list[str]":
    """By what the move cards that a seat keeps are named."""
    names: "list[str]" = []
    for card in s.held[seat]:
        if verb_of(card) == MOVE and name_of(card) not in names:
            names.append(name_of(card))
    return names


def _driven(
    s: "State", seat: int, move_card: "Card", drawn: bool, card: str, also: "list[str]", spend: "str | None"
) -> "list[Json]":
    cards = [card] + also
    fares.check_held(s, seat, cards)
    square = s.board.home[card]
    fares.check_square(s, also, square)
    if s.at[seat] == square:
        raise refuse("not_allowed", "The taxi stands there already.", "L-078", "LQ-49")
    kind = fares.fuel_for(s, seat, spend)
    landed = s.options["card_move_counts_as_landing"] == "yes"
    events: "list[Json]" = [
        {
            "event": "MovedByCard", "seat": seat, "card": move_card, "drawn": drawn, "from": s.at[seat], "to": square,
            "steps": list(_LANDING_BY_CARD) if landed else [], "rules": ["L-078", "LQ-49", "LQ-60"],
        }
    ]  # fmt: skip
    return events + fares.own_fare(s, seat, cards, kind)


def _light_drawn(s: "State", event: "Json") -> None:
    seat, card, to = event["seat"], event["card"], event["to"]
    if s.typed:
        if s.lights_count == 0:
            s.lights_count = s.returned_count
            s.returned_count = 0
        s.lights_count -= 1
    else:
        if not s.lights:
            s.lights = sorted(s.returned)
            s.returned = []
        s.lights.remove(card)
    if to == OPEN:
        landing.change(s, card=card)
        return
    if to == RETURNED:
        ending.return_card(s, card)
    else:
        keep(s, seat, card, to)
    landing.step_done(s, event)


def keep(s: "State", seat: int, card: "Card", where: str) -> None:
    """A card joins those that a seat keeps, in their order."""
    cards = s.bonus if where == BONUS else s.held
    cards[seat] = light_cards.in_order(cards[seat] + [card])


def _escaped(s: "State", event: "Json") -> None:
    s.held[event["seat"]].remove(event["card"])
    ending.return_card(s, event["card"])


def _turned(s: "State", event: "Json") -> None:
    s.sections[event["seat"]] = event["sections"]


def _kept(s: "State", event: "Json") -> None:
    keep(s, event["seat"], event["card"], HELD)
    landing.change(s, card=None, steps=s.arrivals[-1]["steps"][1:])


def _moved(s: "State", event: "Json") -> None:
    seat = event["seat"]
    if event["drawn"]:
        del s.arrivals[-1]
    else:
        s.held[seat].remove(event["card"])
    ending.return_card(s, event["card"])
    s.at[seat] = event["to"]
    s.stage = RUNNING
    s.arrivals.append(landing.fresh(seat, event["to"], False, tuple(event["steps"])))


EVOLVE = {
    "LightDrawn": _light_drawn,
    "FineEscaped": _escaped,
    "SectionTurned": _turned,
    "MoveCardKept": _kept,
    "MovedByCard": _moved,
}
