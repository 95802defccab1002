"""What a seat may do now, as templates with bounds, for pages and bots; questions, corrections and leaving apart.

Every template has `do` and `seat`. What is to be chosen has its bounds in place of a value: `count` and `dice` are
[least, most]; `to`, `whom`, `of`, `cards`, `card`, `destination` and `spend` list the choices (`cards`: one or more of
them). `also` maps a chosen card to further ones that may be collected with it. `faces` and drawn cards are chance's and
left out.
"""

from shared_rules.games.destination_london import commands, debts, fares, fields, fuel, lights, movement, turn
from shared_rules.games.destination_london.meta import CLAIMS, GARAGE, KNOCK_BACK, LIGHTS, LOAN, MOST_FUEL, OWN_FARE
from shared_rules.games.destination_london.waiting import waiting_for

MYPY = False
if MYPY:
    from collections.abc import Callable

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def legal_commands(s: "State", seat: int) -> "list[Json]":
    """The templates of one seat; 0 is the operator."""
    phase = s.phase
    if phase == "over":
        return []
    if seat == 0:
        if phase == "deal":
            return [{"do": "deal", "seat": 0}]
        if phase == CLAIMS and s.options["claim_window"] != "ask_everyone":
            return [{"do": "close_claims", "seat": 0}]
        return []
    if not s.playing[seat]:
        return []
    out: "list[Json]" = []
    if seat in waiting_for(s):
        _BY_PHASE[phase](s, seat, out)
    if phase == CLAIMS:
        closed = commands.closed_for(s, seat)
        if closed is not None and _may_throw(closed[1]):
            out.append({"do": "roll", "seat": seat, "dice": commands.dice_of(s, seat)})
    if debts.loan_refusal(s, seat) is None:
        out.append({"do": "take_loan", "seat": seat})
    if s.loan[seat] and s.cash[seat] >= LOAN and not debts.in_own_debt(s, seat):
        out.append({"do": "repay_loan", "seat": seat})
    return out


def _may_throw(s: "State") -> bool:
    return s.phase == "before_roll" or commands.taken_for_throw(s) is not None


def _order(s: "State", seat: int, out: "list[Json]") -> None:
    out.append({"do": "roll", "seat": seat, "dice": [1, 1]})


def _turn(s: "State", seat: int, out: "list[Json]") -> None:
    if s.offer is not None:
        price = s.options["fuel_resale_price"]
        if fuel.can_sell(s, seat) and s.fuel[s.turn] < MOST_FUEL and s.cash[s.turn] >= price:
            out.append({"do": "sell", "seat": seat})
        out.append({"do": "refuse", "seat": seat})
        return
    stranded = s.phase == "stranded"
    if not stranded:
        out.append({"do": "roll", "seat": seat, "dice": commands.dice_of(s, seat)})
        if turn.turbo_refusal(s, seat) is None:
            out.append({"do": "buy_turbo", "seat": seat})
        _held_move_card(s, seat, out)
    _garage_fuel(s, seat, out)
    if stranded or s.options["player_fuel_trade"] == "any_time":
        if s.fuel[seat] < MOST_FUEL and s.cash[seat] >= s.options["fuel_resale_price"]:
            of = fuel.next_to_ask(s, seat)
            if of:
                out.append({"do": "ask_fuel", "seat": seat, "of": [of]})
    if stranded:
        out.append({"do": "wait", "seat": seat})


def _garage_fuel(s: "State", seat: int, out: "list[Json]") -> None:
    most = fuel.most_to_buy(s, seat)
    if most > 0:
        out.append({"do": "buy_fuel", "seat": seat, "count": [1, most]})


def _held_move_card(s: "State", seat: int, out: "list[Json]") -> None:
    if not s.held[seat] or not s.total_fuel(seat):
        return
    names = lights.held_move_cards(s, seat)
    if names:
        targets = lights.targets(s, seat)
        if targets:
            template = {"do": "play_move_card", "seat": seat, "card": names, "destination": targets}
            out.append(_with_fuel(s, seat, _with_companions(s, seat, targets, template)))


def _with_companions(s: "State", seat: int, targets: "list[str]", template: "Json") -> "Json":
    also = {}
    for card in targets:
        others = lights.companions(s, seat, card)
        if others:
            also[card] = others
    if also:
        template["also"] = also
    return template


def _with_fuel(s: "State", seat: int, template: "Json") -> "Json":
    if s.fuel[seat] and s.bonus[seat]:
        template["spend"] = [fields.BONUS, fields.ORDINARY]
    return template


def _moving(s: "State", seat: int, out: "list[Json]") -> None:
    ends = movement.ends_of(s, seat, s.moves[0])
    out.append({"do": "move", "seat": seat, "to": ends.squares()})
    if ends.stay:
        out.append({"do": "stay", "seat": seat})


def _own_fare(s: "State", seat: int, out: "list[Json]") -> None:
    landing = s.arrivals[-1]
    cards = fares.fitting(s, seat, landing["square"]) if s.total_fuel(seat) else []
    if cards:
        out.append(_with_fuel(s, seat, {"do": "collect", "seat": seat, "cards": cards}))
    if not landing["must_collect"]:
        out.append({"do": "keep_quiet", "seat": seat})


def _knock_back(s: "State", seat: int, out: "list[Json]") -> None:
    for do in ("knock", "spare"):
        out.append({"do": do, "seat": seat, "whom": list(s.arrivals[-1]["knocks"])})


def _claims(s: "State", seat: int, out: "list[Json]") -> None:
    cards = fares.fitting(s, seat, s.arrivals[-1]["square"]) if s.total_fuel(seat) else []
    if cards:
        out.append(_with_fuel(s, seat, {"do": "claim", "seat": seat, "cards": cards}))
    out.append({"do": "pass", "seat": seat})


def _lights(s: "State", seat: int, out: "list[Json]") -> None:
    if s.arrivals[-1]["card"] is None:
        out.append({"do": "draw_light", "seat": seat})
        return
    targets = lights.targets(s, seat)
    if targets and s.total_fuel(seat):
        template = {"do": "choose_destination", "seat": seat, "card": targets}
        out.append(_with_fuel(s, seat, _with_companions(s, seat, targets, template)))
    if lights.may_keep(s, seat):
        out.append({"do": "keep", "seat": seat})


def _garage(s: "State", seat: int, out: "list[Json]") -> None:
    _garage_fuel(s, seat, out)
    out.append({"do": "done", "seat": seat})


def _debt(s: "State", seat: int, out: "list[Json]") -> None:
    out.append({"do": "decline_loan", "seat": seat})


def _extra_turn(s: "State", seat: int, out: "list[Json]") -> None:
    out.append({"do": "take_extra_turn", "seat": seat})
    out.append({"do": "decline_extra_turn", "seat": seat})
    if commands.taken_for_throw(s) is not None:
        out.append({"do": "roll", "seat": seat, "dice": commands.dice_of(s, seat)})


_BY_PHASE: "dict[str, Callable[[State, int, list[Json]], None]]" = {
    "order_roll": _order,
    "before_roll": _turn,
    "stranded": _turn,
    "moving": _moving,
    OWN_FARE: _own_fare,
    KNOCK_BACK: _knock_back,
    CLAIMS: _claims,
    LIGHTS: _lights,
    GARAGE: _garage,
    "debt": _debt,
    "extra_turn": _extra_turn,
}
