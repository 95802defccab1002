"""What a command comes to: the order of its refusals, and the module that decides it (docs/records.md)."""

from shared_rules.engine.commands import head_of, refuse, text
from shared_rules.games.destination_london import (
    claims,
    correct,
    debts,
    fares,
    flow,
    fuel,
    landing,
    leaving,
    lights,
    movement,
    questions,
    turn,
)
from shared_rules.games.destination_london.meta import CLAIMS, DESTINATIONS, GARAGE, KNOCK_BACK, LIGHTS, OWN_FARE
from shared_rules.games.destination_london.waiting import waiting_for

MYPY = False
if MYPY:
    from collections.abc import Callable

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

    Decider = Callable[[State, int, Json], list[Json]]


def decide_deal(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`deal`."""
    card = text(command, "card")
    if card not in s.pile:
        raise refuse("none_left", "'" + card + "' is not in the pile.", "L-027")
    return [{"event": "CardDealt", "seat": s.deals[0], "card": card, "rules": ["L-013", "L-027", "LQ-26"]}]


# What a seat that is waited for may do, and in which phases.
_TURNS = ("before_roll", "stranded")
_BY_PHASE: "dict[str, tuple[tuple[str, ...], Decider]]" = {
    "roll": (("before_roll", "order_roll"), turn.decide_roll),
    "buy_turbo": (("before_roll",), turn.decide_turbo),
    "buy_fuel": (_TURNS + (GARAGE,), fuel.decide_buy),
    "play_move_card": (("before_roll",), lights.decide_play),
    "ask_fuel": (_TURNS, fuel.decide_ask),
    "wait": (("stranded",), fuel.decide_wait),
    "sell": (_TURNS, fuel.decide_sell),
    "refuse": (_TURNS, fuel.decide_refuse),
    "move": (("moving",), movement.decide_move),
    "stay": (("moving",), movement.decide_stay),
    "collect": ((OWN_FARE,), fares.decide_collect),
    "keep_quiet": ((OWN_FARE,), fares.decide_keep_quiet),
    "knock": ((KNOCK_BACK,), landing.decide_knock),
    "spare": ((KNOCK_BACK,), landing.decide_spare),
    "claim": ((CLAIMS,), claims.decide_claim),
    "pass": ((CLAIMS,), claims.decide_pass),
    "draw_light": ((LIGHTS,), lights.decide_draw),
    "choose_destination": ((LIGHTS,), lights.decide_choose),
    "keep": ((LIGHTS,), lights.decide_keep),
    "done": ((GARAGE,), fuel.decide_done),
    "decline_loan": (("debt",), debts.decide_decline_loan),
    "take_extra_turn": (("extra_turn",), turn.decide_take_extra),
    "decline_extra_turn": (("extra_turn",), turn.decide_decline_extra),
}
_OPERATOR: "dict[str, tuple[str, Decider]]" = {
    "deal": ("deal", decide_deal),
    "close_claims": (CLAIMS, claims.decide_close),
}
_ANY_TIME: "dict[str, Decider]" = {
    "take_loan": debts.decide_take_loan,
    "repay_loan": debts.decide_repay_loan,
    "resign": leaving.decide_resign,
}
KNOWN = tuple(_BY_PHASE) + tuple(_OPERATOR) + tuple(_ANY_TIME) + ("ask", "correct")


def decide(s: "State", command: "Json") -> "list[Json]":
    """The events of a command; RuleViolation. A question has none."""
    do, seat = head_of(command, KNOWN, s.seats)
    if do == "ask":
        questions.answer(s, command)
        return []
    if do == "correct":
        return correct.decide(s, seat, command)
    phase = s.phase
    if phase == "over":
        raise refuse("game_over", "The game is over.", "L-068")
    if seat and not s.playing[seat]:
        raise refuse("out_of_game", s.names[seat] + " is out of the game.", "LQ-72")
    if do in _ANY_TIME:
        if seat == 0:
            raise refuse("not_your_turn", "The operator plays no part in this.", "LQ-03")
        return _ANY_TIME[do](s, seat, command)
    if do in _OPERATOR:
        if seat != 0:
            raise refuse("not_your_turn", "This is the operator's to do, seat 0.", "LQ-03")
        needed, decider = _OPERATOR[do]
        if phase != needed:
            raise wrong_phase(do, phase)
        return decider(s, seat, command)
    if do == "roll" and phase == CLAIMS and seat:
        closed = closed_for(s, seat)
        if closed is not None:
            events, later = closed
            return events + decide(later, command)
    if seat == 0 or seat not in waiting_for(s):
        raise _not_your_turn(s)
    if do == "roll" and phase == "extra_turn":
        taken = taken_for_throw(s)
        if taken is not None:
            return taken[0] + turn.decide_roll(taken[1], seat, command)
    phases, decider = _BY_PHASE[do]
    if phase not in phases or not _fits(s, do, phase):
        raise wrong_phase(do, phase)
    return decider(s, seat, command)


def _fits(s: "State", do: str, phase: str) -> bool:
    """Whether the command has its place within the phase."""
    if phase in _TURNS:
        if (s.offer is not None) != (do == "sell" or do == "refuse"):
            return False
        return do != "ask_fuel" or phase == "stranded" or s.options["player_fuel_trade"] == "any_time"
    if phase == LIGHTS:
        return (s.arrivals[-1]["card"] is None) == (do == "draw_light")
    return True


def wrong_phase(do: str, phase: str) -> Exception:
    """The refusal of a command that has no place in this phase."""
    return refuse("wrong_phase", "'" + do + "' has no place in the phase '" + phase + "'.", "LQ-76")


def _not_your_turn(s: "State") -> Exception:
    waiting = waiting_for(s)
    if waiting == [0]:
        return refuse("not_your_turn", "A Destination Card is to be dealt first.", "L-027")
    names = " or ".join([s.names[seat] for seat in waiting])
    if waiting == [s.turn]:
        return refuse("not_your_turn", "It is " + names + "'s turn.", "L-022")
    return refuse("not_your_turn", "It is for " + names + " to decide.", "L-022")


def closed_for(s: "State", seat: int) -> "tuple[list[Json], State] | None":
    """(events, state after them) of closing the claims, if that brings this seat without any decision to its throw or
    its extra turn; else None (LQ-77)."""
    if s.options["claim_window"] == "ask_everyone":
        return None
    after = _ahead(s, claims.closing(s))
    later = after[1]
    if later.turn != seat or later.offer is not None:
        return None
    return after if later.phase == "before_roll" or later.phase == "extra_turn" else None


def taken_for_throw(s: "State") -> "tuple[list[Json], State] | None":
    """(events, state after them) of taking the extra turn, if one can throw in it at once; else None (LQ-05)."""
    after = _ahead(s, turn.extra(s))
    return after if after[1].phase == "before_roll" and after[1].turn == s.turn else None


def _ahead(s: "State", events: "list[Json]") -> "tuple[list[Json], State]":
    later = s.copy()
    todo = events
    while todo:
        for event in todo:
            flow.evolve(later, event)
        todo = flow.follow(later)
        events = events + todo
    return events, later


def chance(s: "State", command: "Json | None" = None) -> "Json | None":
    """What chance must answer now, or before this command is complete; `field` is where the answer goes."""
    if command is None:
        return _due(s)
    do, seat = command.get("do"), command.get("seat")
    if do == "roll" and "faces" not in command:
        dice = command.get("dice", 1)
        count = dice[0] if isinstance(dice, list) else dice
        return {"kind": "dice", "die": "d6", "count": count, "seat": seat, "field": "faces"}
    if "card" not in command:
        if do == "deal" and s.deals:
            return _a_card(DESTINATIONS, s.deals[0])
        if do == "draw_light":
            return _a_card(LIGHTS, seat)
    return None


def _a_card(deck: str, seat: "int | None") -> "Json":
    return {"kind": "card", "deck": deck, "seat": seat, "field": "card"}


def _due(s: "State") -> "Json | None":
    phase = s.phase
    if phase == "deal":
        return _a_card(DESTINATIONS, s.deals[0])
    if phase == LIGHTS:
        return None if s.arrivals[-1]["card"] is not None else _a_card(LIGHTS, s.arrivals[-1]["seat"])
    if phase == "order_roll" or phase == "extra_turn" or (phase == "before_roll" and s.offer is None):
        seat = waiting_for(s)[0]
        count = dice_of(s, seat)[0] if phase != "order_roll" else 1
        return {"kind": "dice", "die": "d6", "count": count, "seat": seat, "field": "faces"}
    return None


def dice_of(s: "State", seat: int) -> "list[int]":
    """[least, most] dice that a seat may throw for a move (L-020, L-056, LQ-09)."""
    if not s.turbo[seat]:
        return [1, 1]
    return [2, 2] if s.options["turbo_may_roll_one"] == "no" else [1, 2]


def cards_left(s: "State", deck: str, ids: "list[str]") -> "list[str]":
    """Those of the ids that can come up now."""
    if deck == DESTINATIONS:
        there = s.pile
    elif s.typed:
        return []
    else:
        there = s.lights if s.lights else s.returned
    return [card for card in ids if card in there]
