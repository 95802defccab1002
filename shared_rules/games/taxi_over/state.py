"""The state of a Taxi Over game inside the engine: whole numbers and lists, changed by `evolve` alone.

Lists by seat and by taxi have an unused entry 0. `phase` is a name of docs/records.md, or one of three that are never
seen from outside: `reading` (a position has just been read), `ending` (the turn is over, the next one is due) and
`going_home` (outside a turn's end the last driver got out; all taxis are about to go to START).
"""

from shared_rules.engine.ledger import Ledger
from shared_rules.games.taxi_over.board import START_PLACE, Board
from shared_rules.games.taxi_over.meta import ALL_TOKENS, BOX, LIMIT, MOST_TAXIS, TOKENS

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

READING = "reading"
ENDING = "ending"
GOING_HOME = "going_home"
BOARDING = "board"
ROLLING = "roll"
OVER = "over"

TAXI_IDS = ("",) + tuple(["T" + str(number) for number in range(1, MOST_TAXIS + 1)])


class State:
    """One game.

    `at[taxi]` is a place of the board (START_PLACE at START), `fresh[taxi]` whether the taxi has reached no
    intersection since, `rider[taxi]` the seat whose driver sits in it, 0 for nobody; `driver[seat]` the taxi, 0 for
    none. `tokens` is the ledger's row: the supply, the seats, the box. `turns` counts the turns since the position was
    read; it is no part of it.
    """

    __slots__ = (
        "title", "board", "board_ref", "options", "seats", "names", "colours", "playing", "ledger", "tokens", "target",
        "taxis", "at", "fresh", "rider", "driver", "dice", "turn", "phase", "turns", "result", "first_bust",
    )  # fmt: skip

    def __init__(self, title: object, seats: int, board: Board, options: "dict[str, Any]") -> None:
        self.title = title
        self.board = board
        self.board_ref: "str | None" = None
        self.options = options
        self.seats = seats
        self.names = [""] * (seats + 1)
        self.colours = [""] * (seats + 1)
        self.playing = [False] + [True] * seats
        self.take_ledger(Ledger(seats, (TOKENS,), (BOX,)))
        self.target: int = options["target_tokens"][str(seats)]
        self.taxis = MOST_TAXIS if options["taxis_in_play"] == "all_four" else seats
        self.at = [START_PLACE] * (self.taxis + 1)
        self.fresh = [True] * (self.taxis + 1)
        self.rider = [0] * (self.taxis + 1)
        self.driver = [0] * (seats + 1)
        self.dice: list[int] = []
        self.turn = 1
        self.phase = READING
        self.turns = 0
        self.result: "dict[str, Any] | None" = None
        self.first_bust = options["first_die_can_bust"] == "yes"

    def take_ledger(self, ledger: Ledger) -> None:
        """Use a ledger; its one row is kept at hand."""
        self.ledger = ledger
        self.tokens: list[int] = ledger.held[TOKENS]

    def copy(self) -> "State":
        """An independent state of the same game; what never changes is shared."""
        other = _blank(State)
        for name in State.__slots__:
            setattr(other, name, getattr(self, name))
        other.take_ledger(self.ledger.copy())
        other.playing = list(self.playing)
        other.at = list(self.at)
        other.fresh = list(self.fresh)
        other.rider = list(self.rider)
        other.driver = list(self.driver)
        other.dice = list(self.dice)
        return other

    def seats_in(self) -> list[int]:
        """The seats in the game, in order."""
        return [seat for seat in range(1, self.seats + 1) if self.playing[seat]]

    def box(self) -> int:
        """The tokens in the For Hire box."""
        return self.tokens[-1]

    def all_out(self, but: int = 0) -> bool:
        """Whether no driver sits in a taxi, but for that of one seat (O-062)."""
        for seat in range(1, self.seats + 1):
            if self.driver[seat] and seat != but:
                return False
        return True

    def is_stranded(self, but: int = 0) -> bool:
        """Whether every driver is out, but for that of one seat, and a taxi is not at START (O-062)."""
        if not self.all_out(but):
            return False
        for taxi in range(1, self.taxis + 1):
            if self.at[taxi] != START_PLACE:
                return True
        return False

    def boardable(self, seat: int) -> list[int]:
        """The taxis that a driver who is out may get into now (O-048, OQ-13)."""
        own = self.options["taxi_identity"] == "coloured"
        taxis = [seat] if own else range(1, self.taxis + 1)
        return [taxi for taxi in taxis if self.at[taxi] == START_PLACE and not self.rider[taxi]]

    def is_violation(self, dice: list[int]) -> bool:
        """Whether these dice are a speeding violation (O-043, OQ-02)."""
        return sum(dice) > LIMIT and (len(dice) > 1 or self.first_bust)

    def is_stalemate(self) -> bool:
        """Whether nobody can ever collect again (OQ-29); whatever becomes of it by the house rules."""
        return self.tokens[-1] == 0 and self.tokens[0] == 0 and self.options["supply_exhausted"] == "limited"

    def place_name(self, taxi: int) -> str:
        """Where a taxi is: a space's name or START."""
        return self.board.names[self.at[taxi]]


def _blank(kind: "type[State]") -> State:
    # MicroPython's classes have no __new__ of their own to skip __init__ with.
    return object.__new__(kind)


def spot(board: Board, place: int, fresh: bool) -> "dict[str, Any]":
    """A taxi's entry in an event: as in a position."""
    out: dict[str, Any] = {"at": board.names[place], "fresh": fresh}
    came_from = board.came_from[place]
    if came_from is not None:
        out["came_from"] = came_from
    return out


def whole_supply(s: State) -> int:
    """What the supply must hold by what all others hold (O-065)."""
    return ALL_TOKENS - sum(s.tokens[1:])
