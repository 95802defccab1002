"""Where a taxi can go: exact least costs (streets, green, white) on a board's streets, for the TAXI! rules.

The first run of a turn costs a street, every turn and reversal another; a light costs a green tablet, a gate a white
one (T-044 to T-075). A *label* is (streets, green, white), and every answer holds all labels that no other label of the
same place beats or equals in each part. Without barriers, answers for short throws come from tables of the whole board
(`street_tables`), else from a search (`street_search`).
"""

from shared_rules.games.taxi.board import Board
from shared_rules.games.taxi.street_graph import MOVEMENT_OPTIONS, StreetGraph
from shared_rules.games.taxi.street_search import search
from shared_rules.games.taxi.street_tables import ALL_GREEN, ALL_WHITE, ROOMY, TABLE_STREETS, StreetTables, tables_pay

# Answers to so many different questions are kept; when there are more, all are forgotten.
KEPT_ANSWERS = 64 if ROOMY else 2
KEPT_SEARCHES = 64 if ROOMY else 1


# Street maps kept on a board; a table has one set of house rules, only simulations with random ones have many.
KEPT_MAPS = 4


def street_map(board: Board, options: dict[str, object]) -> "StreetMap":
    """The street map of a board under the given house rules (names of docs/records.md; others are ignored).

    Kept on the board, so that all games on one `Board` object share one map and its tables.
    """
    key = tuple([options.get(name, default) for name, default in MOVEMENT_OPTIONS])
    found = board.street_maps.get(key)
    if isinstance(found, StreetMap):
        return found
    made = StreetMap(board, key)
    if len(board.street_maps) >= KEPT_MAPS:
        board.street_maps.clear()
    board.street_maps[key] = made
    return made


class StreetMap(StreetGraph):
    """The streets of one board under one set of house rules, with everything that is asked of them.

    Places are canonical names (`Board.place`); `place_names` lists them by character code.
    """

    def __init__(self, board: Board, key: tuple[object, ...]) -> None:
        super().__init__(board, key)
        self._searched: dict[int, list[list[tuple[int, int, int]]]] = {}
        self._answers: dict[tuple[object, ...], list[list[object]]] = {}
        self._tables: StreetTables | None = None
        self._questions = 0

    def reach(
        self, start: str, streets: int, green: int, white: int, barriers: list[str] | tuple[str, ...] = ()
    ) -> list[list[object]]:
        """Every place where a move from `start` may end within the limits, with all its least costs.

        `start` is a stop, `barriers` are links with a barrier against the mover. Returns [[place, streets, green,
        white], …] sorted by place (character codes), streets, green, white; staying is [start, 0, 0, 0]. The outer
        list is the caller's own, the entries are shared: do not change them.
        """
        barred = self._barred(barriers)
        key = (start, streets, green, white, barred)
        kept = self._answers.get(key)
        if kept is None:
            if self._use_tables(streets, barred):
                kept = self.tables().entries(self.place_index[start], streets, green, white, self.place_names)
            else:
                kept = []
                labels_by_place = self._labels(start, streets, green, white, barred)
                for i, name in enumerate(self.place_names):
                    for s, g, w in labels_by_place[i]:
                        if s <= streets and g <= green and w <= white:
                            kept.append([name, s, g, w])
            if len(self._answers) >= KEPT_ANSWERS:
                self._answers.clear()
            self._answers[key] = kept
        return list(kept)

    def labels(
        self, start: str, to: str, streets: int, green: int, white: int, barriers: list[str] | tuple[str, ...] = ()
    ) -> list[list[int]]:
        """The least costs of a move from `start` that ends on `to` within the limits: [[streets, green, white], …]."""
        found = self._labels(start, streets, green, white, self._barred(barriers))[self.place_index[to]]
        return [[s, g, w] for s, g, w in found if s <= streets and g <= green and w <= white]

    def distance(
        self, start: str, to: str, green: int, white: int, barriers: list[str] | tuple[str, ...] = ()
    ) -> list[list[int]]:
        """As `labels`, whatever the number of streets; [] if `to` cannot be reached with so many tablets."""
        barred = self._barred(barriers)
        found = self._search_labels(start, green, white, barred)[self.place_index[to]]
        return [[s, g, w] for s, g, w in found if g <= green and w <= white]

    def streets_needed(self, start: str, to: str, green: int, white: int) -> int | None:
        """The least streets from `start` to `to` with so many tablets and no barrier, or None; fast for many pairs."""
        if start == to:
            return 0
        if tables_pay(self._questions):
            return self.tables().streets_needed(self.place_index[start], self.place_index[to], green, white)
        self._questions += 1
        found = self.distance(start, to, green, white)
        return found[0][0] if found else None

    def tables(self) -> StreetTables:
        """The board's tables (made when first asked for): least costs from every place at once."""
        if self._tables is None:
            self._tables = self.tables_if((), ())
        return self._tables

    def tables_if(
        self, open_lights: list[str] | tuple[str, ...], shut_gates: list[str] | tuple[str, ...]
    ) -> StreetTables:
        """New tables as if some lights were open for ever and some gates shut; for judging a board.

        A shut gate asks for more white tablets than there are.
        """
        self.build()
        opened = [name in open_lights for name in self.board.point_ids]
        shut = [name in shut_gates for name in self.board.point_ids]
        ahead = []
        back = []
        ends = []
        for state in range(len(self.end_point)):
            at = self.end_point[state]
            ways = self.ahead[state]
            if opened[at]:
                ways = [(on, s, 0, w) for on, s, g, w in ways]
            if shut[at]:
                ways = [(on, s, g, w + ALL_WHITE) for on, s, g, w in ways]
            ahead.append(ways)
            back.append(-1 if self.one_way[state // 2] else state ^ 1)
            bits = 0
            for place in (self.state_place[state], self.end_place[state]):
                if place >= 0:
                    bits |= 1 << place
            ends.append(bits)
        starts = [self.start_states(place) for place in range(len(self.place_names))]
        return StreetTables(ahead, back, ends, starts)

    def prepare(self) -> None:
        """Fill the tables for ordinary throws now instead of during play; takes about a second on a large board."""
        tables = self.tables()
        for index in range(len(self.place_names)):
            if self._stop[index]:
                tables.labels_from(index, 6, 2)

    # How questions are answered

    def _barred(self, barriers: list[str] | tuple[str, ...]) -> tuple[int, ...]:
        if not barriers:
            return ()
        return tuple(sorted({self.board.link_index(name) for name in barriers}))

    def _use_tables(self, streets: int, barred: tuple[int, ...]) -> bool:
        return not barred and streets <= TABLE_STREETS and tables_pay(self._questions)

    def _labels(
        self, start: str, streets: int, green: int, white: int, barred: tuple[int, ...]
    ) -> list[list[tuple[int, int, int]]]:
        """By place, least costs that hold at least those within the limits (and may hold dearer ones)."""
        if barred:
            return search(self, start, streets, green, white, barred)
        at = self.place_index[start]
        if at in self._searched:
            return self._searched[at]
        if self._use_tables(streets, barred):
            return self.tables().labels_from(at, streets, white)
        self._questions += 1
        return search(self, start, streets, green, white, ())

    def _search_labels(
        self, start: str, green: int, white: int, barred: tuple[int, ...]
    ) -> list[list[tuple[int, int, int]]]:
        if barred:
            return search(self, start, -1, green, white, barred)
        at = self.place_index[start]
        if at not in self._searched:
            if green > ALL_GREEN or white > ALL_WHITE:
                return search(self, start, -1, green, white, ())
            if len(self._searched) >= KEPT_SEARCHES:
                self._searched.clear()
            self._searched[at] = search(self, start, -1, ALL_GREEN, ALL_WHITE, ())
        return self._searched[at]
