"""Taxis on the road: driving, pushing rows, falling into sinkholes, placing (O-034 to O-042, OQ-07, OQ-16 to OQ-19).

`Traffic` works on its own lists, so that a rule or a bot can try a move. It counts in places of the board.
"""

from shared_rules.games.taxi_over.board import START_PLACE, Board


class Traffic:
    """The taxis of a moment, moved about.

    `at` and `fresh` by taxi are as in a state. `entered` are the taxis that entered an intersection, in order, `ways`
    the names of the spaces that each pushed taxi was pushed over, `falls` (taxi, sinkhole) in order. `own_heading` and
    `any_falls` are house rules (OQ-47, OQ-19).
    """

    __slots__ = ("board", "at", "fresh", "standing", "entered", "ways", "falls", "own_heading", "any_falls")

    def __init__(self, board: Board, at: list[int], fresh: list[bool], own_heading: bool, any_falls: bool) -> None:
        self.board = board
        self.at = list(at)
        self.fresh = list(fresh)
        # No road leads to START, so its entry is never looked at: nobody is in the way there (OQ-12).
        self.standing = [0] * (board.spaces + 1)
        space = board.space
        for taxi in range(1, len(at)):
            self.standing[space[at[taxi]]] = taxi
        self.entered: list[int] = []
        self.ways: dict[int, list[str]] = {}
        self.falls: "list[tuple[int, str]]" = []
        self.own_heading = own_heading
        self.any_falls = any_falls

    def drive(self, taxi: int, steps: int, landing_only: bool) -> list[str]:
        """Drive so many steps, pushing; the names of the spaces entered. A fall ends it (OQ-19)."""
        board = self.board
        at = self.at
        standing = self.standing
        place = at[taxi]
        self._lift(taxi)
        way: list[str] = []
        for left in range(steps - 1, -1, -1):
            pit = board.pits[place]
            if pit is not None and self.any_falls:
                self._fall(taxi, pit)
                return way
            place = board.next[place]
            if standing[board.space[place]] and not (landing_only and left):
                self._push(place)
            way.append(board.names[place])
            if board.marks[place]:
                self.entered.append(taxi)
                self.fresh[taxi] = False
        at[taxi] = place
        standing[board.space[place]] = taxi
        return way

    def to_next_mark(self, taxi: int) -> int:
        """The place of the first intersection ahead on a taxi's road (OQ-06)."""
        place = self.at[taxi]
        for _ in range(self.board.to_mark[place]):
            place = self.board.next[place]
        return place

    def put(self, taxi: int, place: int) -> None:
        """Place a taxi on an intersection and push on the row that stands there (OQ-07)."""
        self._lift(taxi)
        if self.standing[self.board.space[place]]:
            self._push(place)
        self._set_down(taxi, place)

    def put_behind(self, taxi: int) -> None:
        """Place a taxi on the next intersection or, that taken, on the last free space before it, if any (OQ-07)."""
        board = self.board
        way = []
        ahead = self.at[taxi]
        for _ in range(board.to_mark[ahead]):
            ahead = board.next[ahead]
            way.append(ahead)
        for place in reversed(way):
            if not self.standing[board.space[place]]:
                self._lift(taxi)
                self._set_down(taxi, place)
                return

    def _lift(self, taxi: int) -> None:
        # The space that is being left counts as free (OQ-38).
        place = self.at[taxi]
        if place != START_PLACE:
            self.standing[self.board.space[place]] = 0

    def _set_down(self, taxi: int, place: int) -> None:
        self.at[taxi] = place
        self.standing[self.board.space[place]] = taxi
        if self.board.marks[place]:
            self.fresh[taxi] = False

    def _push(self, place: int) -> None:
        """Push on the unbroken row that begins at a place of the pusher's road by one, the foremost first."""
        board = self.board
        standing = self.standing
        row = []
        while True:
            taxi = standing[board.space[place]]
            if not taxi:
                break
            if self.own_heading:
                place = self.at[taxi]
            row.append((taxi, place))
            if board.pits[place] is not None:
                break
            place = board.next[place]
        for taxi, place in reversed(row):
            standing[board.space[place]] = 0
            pit = board.pits[place]
            if pit is not None:
                self.ways.setdefault(taxi, [])
                self._fall(taxi, pit)
                continue
            place = board.next[place]
            self._set_down(taxi, place)
            self.ways.setdefault(taxi, []).append(board.names[place])
            if board.marks[place]:
                self.entered.append(taxi)

    def _fall(self, taxi: int, pit: str) -> None:
        self.at[taxi] = START_PLACE
        self.fresh[taxi] = True
        self.falls.append((taxi, pit))
