"""A throw's move: where it may end, driving there or staying (L-024, L-029, L-066, LQ-15 to LQ-24, LQ-94)."""

from shared_rules.engine.commands import refuse, text
from shared_rules.games.destination_london import ending, landing
from shared_rules.games.destination_london.state import RUNNING

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

_NONE: "frozenset[str]" = frozenset()


class Ends:
    """Where a move may end.

    `full` are the ends of paths of full length, `free` early stops that ask for nothing, `for_cards` early stops where
    a card must be collected; a square may be among several. `stay` tells whether the move may be given up, `stuck`
    whether it is given up by itself.
    """

    __slots__ = ("full", "free", "for_cards", "stay", "stuck")

    def __init__(
        self, full: "frozenset[str]", free: "frozenset[str]", for_cards: "frozenset[str]", stay: bool, stuck: bool
    ) -> None:
        self.full = full
        self.free = free
        self.for_cards = for_cards
        self.stay = stay
        self.stuck = stuck

    def __contains__(self, square: str) -> bool:
        return square in self.full or square in self.for_cards or square in self.free

    def squares(self) -> "list[str]":
        """All of them, sorted."""
        return sorted(self.full | self.free | self.for_cards)

    def must_collect(self, square: str) -> bool:
        """Whether a stop there is for a card alone."""
        return square not in self.full and square not in self.free


def own_stops(s: "State", seat: int) -> "frozenset[str]":
    """The squares for which a seat has a card that it could collect now."""
    if not s.fuel[seat] and not s.bonus[seat]:
        return _NONE
    hand = s.hand[seat]
    if not hand:
        return _NONE
    squares: "set[str]" = set()
    for card in hand:
        squares.update(s.card_squares[card])
    return frozenset(squares)


def ends_of(s: "State", seat: int, squares: int) -> Ends:
    """Where a seat's taxi can come to with so many squares."""
    options = s.options
    start = s.at[seat] or ""
    stops = own_stops(s, seat)
    if stops and options["must_stop_at_destination"] == "yes":
        full, passed = s.roads.reach_with_stops(start, squares, stops)
    else:
        full, passed = s.roads.reach(start, squares)
    base = s.board.base
    bound = s.bound_home(seat)
    if base in full and not bound and options["base_midgame"] == "forbidden":
        full = full - {base}
    free = _free_stops(s, passed)
    for_cards = passed & stops if stops else _NONE
    missed = bound and base not in full
    stay = not full or (missed and options["home_overshoot"] != "must_move")
    stuck = not (full or free or for_cards) or (missed and options["home_overshoot"] == "stay")
    return Ends(full, free, for_cards, stay, stuck)


def _free_stops(s: "State", passed: "frozenset[str]") -> "frozenset[str]":
    """Those of the squares on the way where a taxi may stop for nothing (LQ-15, LQ-24)."""
    short = s.options["short_moves"]
    if short == "free":
        return passed
    if short == "own_destination_only" or s.options["garage_entry"] == "exact":
        return _NONE
    return passed & s.board.garage_squares


def public_ends(s: "State", seat: int, squares: int) -> "tuple[list[str], list[str]]":
    """(squares, attractions on the way), both sorted, as everybody may reckon whatever the hand holds (L-014).

    Where a seat's taxi can come to, and where it can stop before only for a card, if it has one.
    """
    full, passed = s.roads.reach(s.at[seat] or "", squares)
    if not s.bound_home(seat) and s.options["base_midgame"] == "forbidden":
        full = full - {s.board.base}
    full = full | _free_stops(s, passed)
    with_card = (passed - full) & s.attractions if s.hand[seat] and s.total_fuel(seat) else _NONE
    return sorted(full), sorted(with_card)


def next_step(s: "State") -> "str | list[Json]":
    """What comes of squares that are still to be moved."""
    if not s.may_drive(s.turn):
        return [{"event": "MoveLost", "seat": s.turn, "rules": ["L-037"]}]
    if ends_of(s, s.turn, s.moves[0]).stuck:
        return [{"event": "TaxiStayed", "seat": s.turn, "chosen": False, "rules": ["LQ-18", "LQ-94"]}]
    return "moving"


def decide_move(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`move`."""
    to = text(command, "to")
    if to not in s.board.squares:
        raise refuse("unknown_place", "There is no square '" + to + "'.")
    ends = ends_of(s, seat, s.moves[0])
    if to not in ends:
        raise refuse("unreachable", _why_not(s, to), "L-024", "L-031", "L-066", "LQ-15", "LQ-16")
    base = to == s.board.base
    events: "list[Json]" = [
        {
            "event": "TaxiMoved", "seat": seat, "from": s.at[seat], "to": to, "squares": s.moves[0],
            "must_collect": ends.must_collect(to), "lands": not base, "rules": ["L-024", "LQ-15"],
        }
    ]  # fmt: skip
    if base and s.bound_home(seat):
        events.extend(ending.home(s, seat, "home"))
    return events


def _why_not(s: "State", to: str) -> str:
    if to == s.board.base:
        return "The Base is entered by the exact number alone."
    return "'" + to + "' is not where a path of " + str(s.moves[0]) + " squares, or an early stop on it, ends."


def decide_stay(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`stay`."""
    if not ends_of(s, seat, s.moves[0]).stay:
        raise refuse("not_allowed", "The throw can be moved, so it must be.", "LQ-15", "LQ-94")
    return [{"event": "TaxiStayed", "seat": seat, "chosen": True, "rules": ["LQ-18", "LQ-94"]}]


def _moved(s: "State", event: "Json") -> None:
    s.at[event["seat"]] = event["to"]
    s.moves = []
    if event["lands"]:
        s.arrivals.append(landing.fresh(event["seat"], event["to"], event["must_collect"]))


def _no_move(s: "State", event: "Json") -> None:
    s.moves = []
    s.stage = RUNNING


EVOLVE = {
    "TaxiMoved": _moved,
    "TaxiStayed": _no_move,
    "MoveLost": _no_move,
}
