"""The state of a TAXI! game inside the engine, and the small questions that every rules module asks of it.

Lists by seat have an unused entry 0 (the bank's, where the bank has one). `phase` is a name of docs/records.md, or one
of three that are never seen from outside: `working` (steps that happen by themselves are to be taken), `ending` (the
turn is over) and `closing` (one seat is left).
"""

from shared_rules.engine.ledger import Ledger
from shared_rules.engine.seats import from_left_of
from shared_rules.games.taxi.board import Board
from shared_rules.games.taxi.meta import (
    BARRIERS,
    GREEN,
    MONEY,
    NAMED_ACCOUNTS,
    PLATE_TALLY,
    PLATES,
    UNITS,
    WHITE,
)
from shared_rules.games.taxi.streets import StreetMap

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

WORKING = "working"
ENDING = "ending"
CLOSING = "closing"

# Phases of a turn itself; the others interrupt it.
TURN_PHASES = ("card_choice", "before_roll", "move", "tablet_die")
PHASES = TURN_PHASES + ("card_option", "gamble_bets", "gamble_reveal", "settle", "kept_card", "debt", "over")


def _nothing() -> "Any":
    """None, where later JSON may stand: the phase says which."""
    return None


class State:
    """One game. Made by the reader of positions, changed by `evolve` alone.

    `card`, `dues`, `settle`, `placed` and `result` look as in a position (docs/records.md); `gamble` is None or
    {"holder", "word", "bets"} with bets as a list by seat of None or [words, done].
    """

    __slots__ = (
        "title", "board", "board_ref", "options", "streets", "seats", "names", "colours", "playing", "ledger", "cash",
        "green", "white", "plates", "barriers", "kept", "skip", "at", "guide", "arrived", "owner", "trips", "trip",
        "round", "starter", "first_arrival", "turn", "phase", "card", "drawn", "bought", "add_streets", "times",
        "again", "no_move", "no_d12", "moved", "free_lights", "d6", "fresh_green", "fresh_white", "placed", "gamble",
        "dues", "settle", "decks", "result", "money_total",
    )  # fmt: skip

    def __init__(self, title, seats: int, board: Board, streets: StreetMap, options: dict) -> None:
        self.title = title
        self.board = board
        self.board_ref = _nothing()
        self.options = options
        self.streets = streets
        self.seats = seats
        self.names = [""] * (seats + 1)
        self.colours = [""] * (seats + 1)
        self.playing = [False] + [True] * seats
        self.kept: list = [[] for _ in range(seats + 1)]
        self.skip = [0] * (seats + 1)
        self.at: list = [None] * (seats + 1)
        self.guide: list = [[] for _ in range(seats + 1)]
        self.arrived = [False] * (seats + 1)
        self.owner: list = [None] * (seats + 1)
        self.trips = 1
        self.trip = 1
        self.round = 1
        self.starter = 1
        self.first_arrival = _nothing()
        self.turn = 1
        self.phase = WORKING
        self.card = _nothing()
        self.placed: list = []
        self.gamble = _nothing()
        self.dues: list = []
        self.settle = _nothing()
        self.decks: dict = {}
        self.result = _nothing()
        self.money_total = 0
        self.take_ledger(Ledger(seats, UNITS, NAMED_ACCOUNTS))
        self.clear_turn()

    def take_ledger(self, ledger: Ledger) -> None:
        """Use a ledger; its rows are kept at hand by name."""
        self.ledger = ledger
        self.cash = ledger.held[MONEY]
        self.green = ledger.held[GREEN]
        self.white = ledger.held[WHITE]
        self.plates = ledger.held[PLATES]
        self.barriers = ledger.held[BARRIERS]

    def clear_turn(self) -> None:
        """What belongs to one turn starts anew."""
        self.drawn: list = []
        self.bought: list = []
        self.add_streets = 0
        self.times = 1
        self.again = 0
        self.no_move = False
        self.no_d12 = False
        self.moved = False
        self.free_lights = 0
        self.d6 = _nothing()
        self.fresh_green = 0
        self.fresh_white = 0

    def copy(self) -> "State":
        """An independent state of the same game; board and street map are shared."""
        other = State(self.title, self.seats, self.board, self.streets, self.options)
        for name in State.__slots__:
            setattr(other, name, getattr(self, name))
        other.take_ledger(self.ledger.copy())
        for name in ("playing", "skip", "at", "arrived", "owner", "drawn", "bought"):
            setattr(other, name, list(getattr(self, name)))
        other.kept = [list(cards) for cards in self.kept]
        other.placed = list(self.placed)
        other.dues = [dict(due) for due in self.dues]
        other.card = None if self.card is None else dict(self.card)
        other.settle = None if self.settle is None else list(self.settle)
        other.decks = {}
        for name in self.decks:
            other.decks[name] = self.decks[name].copy()
        if self.gamble is not None:
            other.gamble = dict(self.gamble)
            other.gamble["bets"] = [None if bet is None else list(bet) for bet in self.gamble["bets"]]
        return other

    def seats_in(self) -> list:
        """The seats in the game, in order."""
        return [seat for seat in range(1, self.seats + 1) if self.playing[seat]]

    def others_from_left(self, seat: int) -> list:
        """The other seats in, from the left of `seat`."""
        return from_left_of(seat, self.playing)

    def wealth(self, seat: int) -> int:
        """T-139."""
        return self.cash[seat] + PLATE_TALLY * self.plates[seat]

    def goal(self, seat: int) -> str:
        """The point of a seat's destination of this trip."""
        return self.point_of(self.guide[seat][self.trip - 1])

    def point_of(self, destination: str) -> str:
        """The point of a guide's entry."""
        if destination == "base":
            return self.board.base or ""
        return self.board.destinations[destination]["at"]

    def blocked(self, seat: int) -> list:
        """The places with a barrier against a seat."""
        if not self.placed:
            return []
        return [barrier["on"] for barrier in self.placed if barrier["against"] == seat]

    def usable(self, seat: int) -> tuple:
        """(green, white) tablets that a seat may hand in now; lights for nothing are not among them."""
        green, white = self.green[seat], self.white[seat]
        if seat == self.turn:
            return max(0, green - self.fresh_green), max(0, white - self.fresh_white)
        return green, white

    def bank_serves(self, unit: str, wanted: int) -> int:
        """How many of so many pieces the bank can hand out now."""
        if unit in (GREEN, WHITE) and self.options["tablet_shortage"] == "unlimited":
            return wanted
        return min(wanted, self.ledger.held[unit][0])

    def somebody_arrived(self) -> bool:
        """Whether a seat in has arrived in this trip."""
        for seat in range(1, self.seats + 1):
            if self.arrived[seat] and self.playing[seat]:
                return True
        return False
