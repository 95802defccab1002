"""The state of a Destination London game inside the engine, and the small questions that every rules module asks of it.

Lists by seat have an unused entry 0 (the bank's, where the bank has one). The phase is not stored: it follows from the
rest, see `flow`. What is stored of the turn is its `stage`.
"""

from shared_rules.engine.ledger import Ledger
from shared_rules.engine.seats import from_left_of
from shared_rules.games.destination_london.board import Board
from shared_rules.games.destination_london.meta import FUEL, FUEL_PRICE, MONEY, UNITS

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Card, Json

# Stages of a turn: it is to start (after debts and owed cards), nothing is thrown yet, a throw or a move card is being
# carried out; or the round is over and the money is to be counted.
START = "start"
OPEN = "open"
RUNNING = "running"
COUNT = "count"

# The phase while steps that happen by themselves are to be taken; never seen from outside.
WORKING = "working"


class State:
    """One game. Made by the reader of positions, changed by `evolve` alone.

    `arrivals`, `debts`, `ending` and `result` look as in a position (docs/records.md); their entries are never changed
    but replaced. `order` is None or (seats that throw, {seat: face}). With a physical deck (`typed`) `lights` and
    `returned` are empty and `lights_count` and `returned_count` say how many cards lie there.
    """

    __slots__ = (
        "title", "board", "board_ref", "options", "roads", "attractions", "card_squares", "seats", "names", "colours",
        "playing", "left", "ledger", "cash", "fuel", "bonus", "loan", "loan_used", "sections", "turbo", "hand", "held",
        "at", "turn", "stage", "first", "pile", "gone", "typed", "lights", "returned", "lights_count",
        "returned_count", "dice", "moves", "extra_turn", "extra_turns", "arrivals", "debts", "deals", "offer", "asked",
        "order", "ending", "result", "turns", "known_phase",
    )  # fmt: skip

    def __init__(self, title: "Any", seats: int, board: Board, options: "Json") -> None:
        self.title = title
        self.board = board
        self.board_ref: "str | None" = None
        self.options = options
        self.roads = board.road_map(options["path_rule"])
        sides = board.sides(options["collect_from_either_side"] == "yes")
        self.attractions = sides.attractions
        self.card_squares = sides.card_squares
        self.seats = seats
        self.names = [""] * (seats + 1)
        self.colours = [""] * (seats + 1)
        self.playing = [False] * (seats + 1)
        self.left = seats
        self.bonus: "list[list[Card]]" = [[] for _ in range(seats + 1)]
        self.loan = [False] * (seats + 1)
        self.loan_used = [False] * (seats + 1)
        self.sections = [0] * (seats + 1)
        self.turbo = [False] * (seats + 1)
        self.hand: "list[list[str]]" = [[] for _ in range(seats + 1)]
        self.held: "list[list[Card]]" = [[] for _ in range(seats + 1)]
        self.at: "list[str | None]" = [None] * (seats + 1)
        self.turn = 1
        self.stage = START
        self.first = 1
        self.pile: "list[str]" = []
        self.gone: "list[str]" = []
        self.typed = False
        self.lights: "list[str]" = []
        self.returned: "list[str]" = []
        self.lights_count = 0
        self.returned_count = 0
        self.dice: "list[int]" = []
        self.moves: "list[int]" = []
        self.extra_turn = False
        self.extra_turns = 0
        self.arrivals: "list[Json]" = []
        self.debts: "list[Json]" = []
        self.deals: "list[int]" = []
        self.offer: "int | None" = None
        self.asked: "list[int]" = []
        self.order: "tuple[list[int], dict[int, int]] | None" = None
        self.ending: "Json | None" = None
        self.result: "Json | None" = None
        # How many turns have begun since the position was read; for `round_number` alone.
        self.turns = 0
        self.known_phase: "str | None" = None
        self.take_ledger(Ledger(seats, UNITS, ()))

    def take_ledger(self, ledger: Ledger) -> None:
        """Use a ledger; its rows are kept at hand by name."""
        self.ledger = ledger
        self.cash: "list[int]" = ledger.held[MONEY]
        self.fuel: "list[int]" = ledger.held[FUEL]

    @property
    def phase(self) -> str:
        """What the table waits for, a name of docs/records.md."""
        if self.known_phase is None:
            self.known_phase = str(self.title.phase_of(self))
        return self.known_phase

    def copy(self) -> "State":
        """An independent state of the same game; the board is shared."""
        other: State = object.__new__(State)
        for name in _SHARED:
            setattr(other, name, getattr(self, name))
        for name in _LISTS:
            setattr(other, name, list(getattr(self, name)))
        other.bonus = [list(cards) for cards in self.bonus]
        other.hand = [list(cards) for cards in self.hand]
        other.held = [list(cards) for cards in self.held]
        other.take_ledger(self.ledger.copy())
        return other

    def seats_in(self) -> "list[int]":
        """The seats in the game, in order."""
        return [seat for seat in range(1, self.seats + 1) if self.playing[seat]]

    def others_from_left(self, seat: int) -> "list[int]":
        """The other seats in, from the left of `seat`."""
        others: "list[int]" = from_left_of(seat, self.playing)
        return others

    def total_fuel(self, seat: int) -> int:
        """Ordinary and bonus Fuel Cards (LQ-44)."""
        return self.fuel[seat] + len(self.bonus[seat])

    def bound_home(self, seat: int) -> bool:
        """Whether a seat has no Destination Card and gets none any more (L-065)."""
        return not self.hand[seat] and not self.pile

    def may_drive(self, seat: int) -> bool:
        """Whether a seat may throw and move: with fuel, or by house rule on its way home (L-037, LQ-46)."""
        if self.fuel[seat] or self.bonus[seat]:
            return True
        return self.options["home_run_needs_fuel"] == "no" and self.bound_home(seat)

    def at_garage(self, seat: int) -> bool:
        """Whether a seat's taxi is at a Garage."""
        return self.at[seat] in self.board.garage_squares

    def can_loan(self, seat: int) -> bool:
        """Whether a seat could take a loan if it has the need (L-050, LQ-67)."""
        if self.loan[seat]:
            return False
        return not (self.loan_used[seat] and self.options["loan_limit"] == "once_per_game")

    def fuel_price(self, seat: int) -> int:
        """What one Fuel Card costs a seat without fuel where it stands (LQ-70)."""
        if self.fuel[0] > 0 and self.at_garage(seat):
            return FUEL_PRICE
        price: int = self.options["fuel_resale_price"]
        return price

    def lights_left(self) -> bool:
        """Whether a Traffic Light Card can be drawn, be it after a reshuffle (LQ-47)."""
        if self.typed:
            return self.lights_count + self.returned_count > 0
        return len(self.lights) + len(self.returned) > 0


_LISTS = (
    "names", "colours", "playing", "loan", "loan_used", "sections", "turbo", "at", "pile", "gone", "lights",
    "returned", "dice", "moves", "arrivals", "debts", "deals", "asked",
)  # fmt: skip
_SHARED = (
    "title", "board", "board_ref", "options", "roads", "attractions", "card_squares", "seats", "left", "turn", "stage",
    "first", "typed", "lights_count", "returned_count", "extra_turn", "extra_turns", "offer", "order", "ending",
    "result", "turns", "known_phase",
)  # fmt: skip
