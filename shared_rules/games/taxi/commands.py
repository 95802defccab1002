"""What a command comes to: the order of its refusals, and the module that decides it (docs/records.md)."""

from shared_rules.engine.commands import head_of, refuse
from shared_rules.games.taxi import barriers, correct, debts, effects, gambles, leaving, moves, questions, trade, turn
from shared_rules.games.taxi.evolution import evolve, follow
from shared_rules.games.taxi.meta import DECKS
from shared_rules.games.taxi.state import State

_DECIDE = {
    "draw_card": turn.decide_draw,
    "choose": effects.decide_choose,
    "roll": turn.decide_roll,
    "move": moves.decide_move,
    "end_turn": turn.decide_end_turn,
    "buy_taxi": trade.decide_buy,
    "sell_plate": debts.decide_sell,
    "declare_insolvent": debts.decide_insolvent,
    "place_barrier": barriers.decide_place,
    "place_bet": gambles.decide_bet,
    "pass_bet": gambles.decide_pass,
    "close_bets": gambles.decide_close,
    "reveal_card": gambles.decide_reveal,
    "play_card": debts.decide_play_card,
    "decline": debts.decide_decline,
    "give": trade.decide_give,
    "resign": leaving.decide_resign,
}
KNOWN = tuple(_DECIDE) + ("ask", "correct")
# What the next seat may do before the tablet die of the turn is thrown (T-041).
_ENDS_OLD_TURN = ("draw_card", "roll", "buy_taxi")


def decide(s: State, command: dict) -> list:
    """The events of a command; RuleViolation. A question has none."""
    do, seat = head_of(command, KNOWN, s.seats)
    if do == "ask":
        questions.answer(s, command)
        return []
    if do == "correct":
        return correct.decide(s, seat, command)
    if do == "draw_card":
        _one_of(command, "deck", DECKS)
    elif do == "roll":
        _one_of(command, "die", ("d6", "d12"))
    if s.phase == "over":
        raise refuse("game_over", "The game is over.", "T-137")
    if seat == 0:
        if do != "close_bets" and do != "resign":
            raise refuse("not_your_turn", "The operator has no turn.", "T-031")
    elif not s.playing[seat]:
        raise refuse("out_of_game", "Seat " + str(seat) + " is out of the game.", "T-133")
    if s.phase == "tablet_die" and do in _ENDS_OLD_TURN:
        after = ended_for(s, seat, command)
        if after is not None:
            events, later = after
            return events + _DECIDE[do](later, seat, command)
    return _DECIDE[do](s, seat, command)


def _one_of(command: dict, key: str, words) -> None:
    value = command.get(key)
    if not isinstance(value, str) or value not in words:
        raise refuse("malformed", "'" + key + "' is one of: " + ", ".join(words) + ".")


def ended_for(s: State, seat: int, command: dict) -> "tuple | None":
    """(events, state after them) of ending the turn, if that brings this seat its turn or its step; else None.

    The turn's seat itself ends its turn so only by what it could not do in it.
    """
    if seat == s.turn:
        if command["do"] == "roll" and command["die"] == "d12":
            return None
        if command["do"] == "buy_taxi" and trade.may_buy_now(s, seat):
            return None
    later = s.copy()
    events = turn.lapse(s)
    for event in events:
        evolve(later, event)
    while True:
        more = follow(later)
        if not more:
            break
        for event in more:
            evolve(later, event)
        events.extend(more)
    if later.phase == "card_choice":
        next_seat = later.turn
    elif later.phase == "settle":
        next_seat = later.settle[0][0]
    else:
        return None
    return (events, later) if next_seat == seat else None


def chance(s: State, command: "dict | None") -> "dict | None":
    """What chance must answer now, or before this command is complete."""
    if command is not None:
        seat = command.get("seat")
        if command.get("do") == "draw_card" and "card" not in command:
            return {"kind": "card", "deck": command.get("deck"), "seat": seat, "field": "card"}
        if command.get("do") == "roll" and "face" not in command:
            return {"kind": "die", "die": command.get("die"), "seat": seat, "field": "face"}
        return None
    die = turn.die_due(s)
    if die is None:
        return None
    if s.phase == "card_choice" and s.options["card_draw"] == "mandatory_one" and turn.decks_to_draw(s):
        return None
    seat = s.card["seat"] if s.phase == "card_option" else s.turn
    return {"kind": "die", "die": die, "seat": seat, "field": "face"}
