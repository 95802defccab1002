"""Reads what is under way in a position: turn, throw, landings, debts, owed cards, offers, who begins, the end."""

from shared_rules.engine.reading import impossible
from shared_rules.games.destination_london import light_cards, meta

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

_MOST_SQUARES = 12


def read(s: "State", position: "Json", given: "str | None", over: bool) -> None:
    """All of it; `given` is the phase that is given, `over` whether there is a result."""
    seats_in = s.seats_in()
    s.turn = position.get("turn", seats_in[0] if seats_in else 1)
    if not 1 <= s.turn <= s.seats or not (s.playing[s.turn] or over or not seats_in):
        raise impossible("It is the turn of a seat that is in.", "turn")
    s.first = position.get("first", 1)
    if not 1 <= s.first <= s.seats:
        raise impossible("There is no seat " + str(s.first) + ".", "first")
    _throw(s, position)
    s.arrivals = [_landing(s, entry, i) for i, entry in enumerate(position.get("arrivals", []))]
    s.debts = [_debt(s, entry, i) for i, entry in enumerate(position.get("debts", []))]
    _sections(s, over)
    _deals(s, position, given, over)
    _offer(s, position)
    _order(s, position, given)
    ending = position.get("ending")
    if ending is not None:
        if s.options["finish_round"] != "yes" or ending["reason"] not in ("home", "knocked_home"):
            raise impossible("Somebody is home while the game goes on only with finish_round.", "ending")
        if not 1 <= ending["seat"] <= s.seats:
            raise impossible("There is no seat " + str(ending["seat"]) + ".", "ending.seat")
        s.ending = {"seat": ending["seat"], "reason": ending["reason"]}
    if over:
        _nothing_left(s)


def _seat(s: "State", seat: int, at: str) -> int:
    if not 1 <= seat <= s.seats or not s.playing[seat]:
        raise impossible("Seat " + str(seat) + " is not in the game.", at)
    return seat


def _throw(s: "State", position: "Json") -> None:
    s.dice = list(position.get("dice", []))
    if len(s.dice) > 2:
        raise impossible("One or two dice are thrown.", "dice")
    for face in s.dice:
        if not 1 <= face <= 6:
            raise impossible("A die has the faces 1 to 6.", "dice")
    s.moves = list(position.get("moves", []))
    if len(s.moves) > 1 or (s.moves and not 1 <= s.moves[0] <= _MOST_SQUARES):
        raise impossible("There is one move, of 1 to 12 squares.", "moves")
    s.extra_turn = position.get("extra_turn", False)
    if not s.dice and (s.moves or s.extra_turn):
        raise impossible("Without a throw there is no move and no extra turn.", "dice")
    s.extra_turns = position.get("extra_turns", 0)
    if s.extra_turns < 0:
        raise impossible("Extra turns are counted from 0.", "extra_turns")


def _landing(s: "State", given: "Json", index: int) -> "Json":
    at = "arrivals[" + str(index) + "]"
    seat = _seat(s, given.get("seat", s.turn), at + ".seat")
    if index == 0 and seat != s.turn:
        raise impossible("The first landing is that of the turn.", at + ".seat")
    square = given["square"]
    if square not in s.board.squares or square == s.board.base:
        raise impossible("Nobody lands on '" + square + "'.", at + ".square")
    steps = given["steps"]
    last = -1
    for step in steps:
        if step not in meta.STEPS or meta.STEPS.index(step) <= last:
            raise impossible("Steps are, in this order: " + ", ".join(meta.STEPS) + ".", at + ".steps")
        last = meta.STEPS.index(step)
    card = given.get("card")
    if card is not None:
        _open_card(s, card, square, steps, at + ".card")
    return {
        "seat": seat,
        "square": square,
        "steps": list(steps),
        "must_collect": given.get("must_collect", False),
        "knocks": _others(s, seat, given.get("knocks"), True, at + ".knocks"),
        "claims": _others(s, seat, given.get("claims"), False, at + ".claims"),
        "knocked": given.get("knocked", False),
        "home": given.get("home", False),
        "card": light_cards.typed(card) if isinstance(card, dict) else card,
    }


def _open_card(s: "State", card: "Any", square: str, steps: "list[str]", at: str) -> None:
    if isinstance(card, str) and card not in light_cards.STAND_IN:
        raise impossible("There is no light card '" + card + "'.", at)
    if light_cards.verb_of(card) != light_cards.MOVE:
        raise impossible("Only a card that moves a taxi lies open.", at)
    if not steps or steps[0] != meta.LIGHTS or square not in s.board.light_squares:
        raise impossible("A card lies open only in the step 'lights'.", at)


def _others(s: "State", lander: int, given: "list[int] | None", in_order: bool, at: str) -> "list[int] | None":
    if given is None:
        return None
    for i, seat in enumerate(given):
        _seat(s, seat, at)
        if seat == lander or seat in given[:i]:
            raise impossible("These are other seats, each once.", at)
    return sorted(given) if in_order else list(given)


def _debt(s: "State", given: "Json", index: int) -> "Json":
    at = "debts[" + str(index) + "]"
    seat = _seat(s, given["seat"], at + ".seat")
    to = given["to"]
    if to != 0:
        _seat(s, to, at + ".to")
    if to == seat:
        raise impossible("Nobody owes money to itself.", at + ".to")
    if given["amount"] < 1:
        raise impossible("A debt is £1 or more.", at + ".amount")
    if given["why"] not in meta.DEBTS:
        raise impossible("A debt is for: " + ", ".join(meta.DEBTS) + ".", at + ".why")
    return {"seat": seat, "amount": given["amount"], "to": to, "why": given["why"]}


def _sections(s: "State", over: bool) -> None:
    owing = [debt["seat"] for debt in s.debts if debt["why"] == "licence"]
    for seat in s.seats_in():
        if s.sections[seat] == meta.LICENCE_SECTIONS and seat not in owing and not over:
            raise impossible("Four sections are turned only while the £200 are owed.", "players")


def _deals(s: "State", position: "Json", given: "str | None", over: bool) -> None:
    if "deals" in position:
        s.deals = [_seat(s, seat, "deals") for seat in position["deals"]]
    elif not over and (given is None or given == "deal" or given == "order_roll"):
        for i, player in enumerate(position["players"]):
            if "hand" not in player and s.playing[i + 1]:
                s.deals += [i + 1] * meta.HAND


def _offer(s: "State", position: "Json") -> None:
    offer = position.get("offer")
    if offer is not None:
        s.offer = _seat(s, offer, "offer")
        if s.offer == s.turn:
            raise impossible("Nobody asks itself for fuel.", "offer")
    s.asked = list(position.get("asked", []))
    for i, seat in enumerate(s.asked):
        if not 1 <= seat <= s.seats or seat in s.asked[:i]:
            raise impossible("Those asked are seats, each once.", "asked")


def _order(s: "State", position: "Json", given: "str | None") -> None:
    order = position.get("order")
    if order is None:
        if given == "order_roll" and "order" not in position:
            _nothing_thrown(s)
            s.order = (s.seats_in(), {})
        return
    among = order["among"]
    for i, seat in enumerate(among):
        _seat(s, seat, "order.among")
        if seat in among[:i]:
            raise impossible("A seat throws once.", "order.among")
    rolls = {}
    for seat in among:
        if str(seat) in order["rolls"]:
            rolls[seat] = order["rolls"][str(seat)]
            if not 1 <= rolls[seat] <= 6:
                raise impossible("A die has the faces 1 to 6.", "order.rolls")
    if len(rolls) != len(order["rolls"]) or not among:
        raise impossible("Those throw who are named in 'among'.", "order.rolls")
    _nothing_thrown(s)
    s.order = (list(among), rolls)


def _nothing_thrown(s: "State") -> None:
    if s.dice or s.arrivals:
        raise impossible("Nothing is thrown or in work before it is known who begins.", "order")


def _nothing_left(s: "State") -> None:
    under_way = s.dice or s.moves or s.extra_turn or s.extra_turns or s.arrivals or s.debts or s.deals or s.asked
    if under_way or s.offer is not None or s.order is not None or s.ending is not None:
        raise impossible("Nothing is under way in a game that is over.", "result")
