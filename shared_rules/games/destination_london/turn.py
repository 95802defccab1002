"""A turn from its start to the next seat's: who begins, throwing, extra turns, the Turbo Taxi.

L-020 to L-023, L-055 to L-057, LQ-02 to LQ-14, LQ-40, LQ-70.
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.engine.reading import is_whole
from shared_rules.games.destination_london import ending, leaving
from shared_rules.games.destination_london.meta import FUEL_PRICE, MONEY, TURBO_PRICE
from shared_rules.games.destination_london.state import OPEN, RUNNING, START

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def order_step(s: "State") -> "str | list[Json]":
    """The throws for who begins: waiting for one, tied, or settled (L-021, LQ-02)."""
    assert s.order is not None
    among, rolls = s.order
    if not among:
        return [{"event": "OrderTied", "among": s.seats_in(), "rules": ["LQ-02"]}]
    if len(rolls) < len(among):
        return "order_roll"
    most = max([rolls[seat] for seat in among])
    highest = [seat for seat in among if rolls[seat] == most]
    if len(highest) > 1:
        return [{"event": "OrderTied", "among": highest, "rules": ["LQ-02"]}]
    return [{"event": "OrderFixed", "seat": highest[0], "rules": ["L-021"]}]


def starting(s: "State", seat: int, extra: bool = False) -> "list[Json] | None":
    """The start of a seat's turn if nothing comes before it, else None."""
    if not s.may_drive(seat):
        if s.cash[seat] < s.fuel_price(seat) and not s.can_loan(seat):
            return None
        if dead_game(s):
            return None
    return [_started(seat, extra)]


def _started(seat: int, extra: bool) -> "Json":
    return {"event": "TurnStarted", "seat": seat, "extra": extra, "rules": ["L-023"] if extra else ["L-022"]}


def start_step(s: "State") -> "list[Json]":
    """What the start of this turn brings: the player is out, the game is dead, or the turn begins (LQ-40, LQ-70)."""
    seat = s.turn
    begun = starting(s, seat)
    if begun is not None:
        return begun
    if s.cash[seat] < s.fuel_price(seat) and not s.can_loan(seat):
        return leaving.departure(s, seat, "no_fuel", ["L-054", "LQ-70"])
    garages = s.board.garages
    if s.options["all_stranded"] == "tow_to_garage" and garages:
        towed: "Json" = {"event": "TaxisTowed", "to": garages[0], "rules": ["LQ-40"]}
        for other in s.seats_in():
            if _buys_at_garage(s, other):
                return [towed, _started(seat, False)]
        return [towed] + ending.count(s, "all_stranded")
    return ending.count(s, "all_stranded")


def dead_game(s: "State") -> bool:
    """Whether nobody can drive, or get fuel at a Garage."""
    for seat in s.seats_in():
        if s.may_drive(seat) or (s.at_garage(seat) and _buys_at_garage(s, seat)):
            return False
    return True


def _buys_at_garage(s: "State", seat: int) -> bool:
    return s.fuel[0] > 0 and (s.cash[seat] >= FUEL_PRICE or s.can_loan(seat))


def end_step(s: "State") -> "str | list[Json]":
    """What comes after all that a throw or a move card has brought."""
    seat = s.turn
    if s.extra_turn and not (s.ending is not None and s.ending["seat"] == seat):
        return extra(s) if s.options["extra_turn"] == "forced" else "extra_turn"
    return passing(s)


def passing(s: "State") -> "list[Json]":
    """The turn goes to the next seat, or the round is over."""
    seat = leaving.next_seat(s, s.turn)
    if not seat:
        assert s.ending is not None
        return ending.count(s, s.ending["reason"])
    begun = starting(s, seat)
    if begun is not None:
        return begun
    return [{"event": "TurnPassed", "seat": seat, "rules": ["L-022"]}]


def extra(s: "State") -> "list[Json]":
    """The extra turn is taken, and starts as any turn does."""
    begun = starting(s, s.turn, True)
    if begun is not None:
        return begun
    return [{"event": "ExtraTurnTaken", "seat": s.turn, "rules": ["L-023", "L-057"]}]


def decide_take_extra(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`take_extra_turn`."""
    return extra(s)


def decide_decline_extra(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`decline_extra_turn`."""
    return [{"event": "ExtraTurnDeclined", "seat": seat, "rules": ["LQ-05"]}] + passing(s)


def faces_of(command: "Json") -> "list[int]":
    """The faces of a throw: one or two, 1 to 6."""
    faces = command.get("faces")
    if not isinstance(faces, list) or not 1 <= len(faces) <= 2:
        raise refuse("malformed", "'faces' lists what one or two dice show.")
    for face in faces:
        if not is_whole(face):
            raise refuse("malformed", "'faces' lists what one or two dice show, as numbers.")
    for face in faces:
        if not 1 <= face <= 6:
            raise refuse("bad_face", "A die has the faces 1 to 6.", "L-009")
    return faces


def decide_roll(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`roll`, for who begins or for a move."""
    faces = faces_of(command)
    if s.order is not None:
        if len(faces) != 1:
            raise refuse("not_allowed", "One die decides who begins.", "L-021")
        return [{"event": "OrderRolled", "seat": seat, "face": faces[0], "rules": ["L-021"]}]
    if len(faces) == 2:
        if not s.turbo[seat]:
            raise refuse("not_allowed", "Two dice need a Turbo Taxi.", "L-020", "L-056")
    elif s.turbo[seat] and s.options["turbo_may_roll_one"] == "no":
        raise refuse("not_allowed", "By house rule a Turbo Taxi throws two dice.", "LQ-09")
    earned = _earns(s, faces)
    third = s.options["third_in_row"]
    ends = earned and s.extra_turns >= 2 and third != "nothing"
    rules = ["L-020", "L-023"] if len(faces) == 1 else ["L-056", "L-057", "LQ-11"]
    if ends:
        rules.append("LQ-07")
    return [
        {
            "event": "DiceRolled", "seat": seat, "faces": list(faces), "squares": 0 if ends else sum(faces),
            "extra_turn": earned and not ends, "to": s.board.base if ends and third == "back_to_base" else None,
            "rules": rules,
        }
    ]  # fmt: skip


def _earns(s: "State", faces: "list[int]") -> bool:
    """Whether a throw earns another turn (L-023, L-057, LQ-07, LQ-08)."""
    if len(faces) == 1:
        earned = faces[0] == 6
    else:
        earned = faces[0] == faces[1] or (6 in faces and s.options["turbo_six_extra"] == "yes")
    limit = s.options["max_extra_turns"]
    return earned and (limit == "none" or s.extra_turns < limit)


def turbo_refusal(s: "State", seat: int) -> "tuple[str, str, str] | None":
    """(code, message, rule) if a seat cannot buy a Turbo Taxi where it stands."""
    if s.turbo[seat]:
        return "already_done", "The taxi is a Turbo Taxi already.", "LQ-10"
    where = s.options["turbo_where"]
    if where == "garage" and not s.at_garage(seat):
        return "not_allowed", "By house rule a Turbo Taxi is bought at the Garage.", "LQ-10"
    if where == "base" and s.at[seat] != s.board.base:
        return "not_allowed", "By house rule a Turbo Taxi is bought at the Base.", "LQ-10"
    if s.cash[seat] < TURBO_PRICE:
        return "not_enough_money", "A Turbo Taxi costs £150.", "L-055"
    return None


def decide_turbo(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`buy_turbo`."""
    no = turbo_refusal(s, seat)
    if no is not None:
        raise refuse(no[0], no[1], no[2])
    return [transfer("TurboBought", MONEY, seat, 0, TURBO_PRICE, ["L-055"])]


def _order_rolled(s: "State", event: "Json") -> None:
    assert s.order is not None
    rolls = dict(s.order[1])
    rolls[event["seat"]] = event["face"]
    s.order = (s.order[0], rolls)


def _order_tied(s: "State", event: "Json") -> None:
    s.order = (list(event["among"]), {})


def _order_fixed(s: "State", event: "Json") -> None:
    s.order = None
    s.turn = event["seat"]
    s.first = event["seat"]
    s.stage = START


def _rolled(s: "State", event: "Json") -> None:
    s.dice = list(event["faces"])
    s.moves = [event["squares"]] if event["squares"] else []
    s.extra_turn = event["extra_turn"]
    s.stage = RUNNING
    if event["to"] is not None:
        s.at[event["seat"]] = event["to"]


def _turbo(s: "State", event: "Json") -> None:
    s.turbo[event["from"]] = True


def _begin(s: "State", event: "Json") -> None:
    ending.clear_turn(s)
    seat = event["seat"]
    if event["extra"]:
        s.extra_turns += 1
    elif seat != s.turn:
        s.turn = seat
        s.extra_turns = 0
    s.stage = OPEN
    s.turns += 1


def _passed(s: "State", event: "Json") -> None:
    ending.clear_turn(s)
    s.turn = event["seat"]
    s.extra_turns = 0
    s.stage = START


def _extra_taken(s: "State", event: "Json") -> None:
    ending.clear_turn(s)
    s.extra_turns += 1
    s.stage = START


def _towed(s: "State", event: "Json") -> None:
    for seat in s.seats_in():
        s.at[seat] = event["to"]


def _ends(s: "State", event: "Json") -> None:
    s.stage = RUNNING


EVOLVE = {
    "OrderRolled": _order_rolled,
    "OrderTied": _order_tied,
    "OrderFixed": _order_fixed,
    "DiceRolled": _rolled,
    "TurboBought": _turbo,
    "TurnStarted": _begin,
    "TurnPassed": _passed,
    "ExtraTurnTaken": _extra_taken,
    "TaxisTowed": _towed,
    "TurnWaited": _ends,
}
