"""Where a taxi can go: exact least costs (streets, green, white) on a board's streets, for the TAXI! rules.

A state is a link that is being driven in one direction (`2 * link` as its road lists it, `2 * link + 1` against it).
Going on through the point ahead costs a street when it turns, a green tablet at a light, a white one at a gate;
reversing costs a street; the first run of a turn costs one (T-044 to T-075). A *label* is (streets, green, white), and
every answer holds all labels that no other label of the same place beats or equals in each part.

Without barriers, answers for short throws come from tables of the whole board (`street_tables`), else from a search.
"""

from shared_rules.games.taxi.board import FREEWAY, LEAD_ON, OFF_RAMP, Board
from shared_rules.games.taxi.street_tables import ALL_GREEN, ALL_WHITE, ROOMY, TABLE_STREETS, StreetTables, tables_pay

# T-049: up to 45 degrees goes on as the same street; the hundredth is for rounding.
STRAIGHT_DEGREES = 45.01

# The options that change where a taxi can go, with their defaults.
MOVEMENT_OPTIONS = (
    ("bend_90_costs", True),
    ("node_light_scope", "all_movements"),
    ("freeway_stop", "forbidden"),
    ("base_through", "junction"),
    ("stop_points", "anywhere"),
    ("barrier_extent", "point"),
)

_FREEWAY_KINDS = (LEAD_ON, FREEWAY, OFF_RAMP)
_RAMP_KINDS = (LEAD_ON, OFF_RAMP)

# Answers to so many different questions are kept; when there are more, all are forgotten.
KEPT_ANSWERS = 64 if ROOMY else 2
KEPT_SEARCHES = 64 if ROOMY else 1


def street_map(board: Board, options: dict[str, object]) -> "StreetMap":
    """The street map of a board under the given house rules (names of docs/records.md; others are ignored).

    Kept on the board, so that all games on one `Board` object share one map and its tables.
    """
    key = tuple([options.get(name, default) for name, default in MOVEMENT_OPTIONS])
    found = board.street_maps.get(key)
    if isinstance(found, StreetMap):
        return found
    made = StreetMap(board, key)
    board.street_maps[key] = made
    return made


class StreetMap:
    """The streets of one board under one set of house rules.

    Places are canonical names (`Board.place`). `place_names` lists them by character code and is the index of places;
    `ahead[state]` lists the ways on through the point ahead as (state, streets, green, white); `end_point[state]` is
    that point's index; `state_place[state]` and `end_place[state]` are indices of places where a taxi may stop, or -1.
    """

    def __init__(self, board: Board, key: tuple[object, ...]) -> None:
        self.board = board
        bends, lights, freeway, base, stops, extent = key
        self.bends_cost = bool(bends)
        self.straight_lights_only = lights == "straight_only"
        self.freeway_stop = freeway == "allowed"
        self.base_is_end = base == "terminal"
        self.corners_only = stops == "corners_only"
        self.extent = extent
        self.place_names = sorted(board.point_ids + [link.name for link in board.links])
        self.place_index = {}
        for i, name in enumerate(self.place_names):
            self.place_index[name] = i
        self.base_point = -1 if board.base is None else board.point_index[board.base]
        self._light = [name in board.lights for name in board.point_ids]
        self._gate = [name in board.gates for name in board.point_ids]
        self._stop = self._find_stops()
        self._build_states()
        self._searched: dict[int, list[list[tuple[int, int, int]]]] = {}
        self._answers: dict[tuple[object, ...], list[list[object]]] = {}
        self._tables: StreetTables | None = None
        self._questions = 0

    def is_stop(self, place: str) -> bool:
        """Whether a taxi may stand on this canonical place (`corners_only` limits moves, not where a taxi may be)."""
        index = self.place_index.get(place)
        return index is not None and self._stop[index]

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

    def start_states(self, place: int) -> list[int]:
        """The states that the first run of a turn may be in, for a taxi on this place (without barriers)."""
        point = self._place_point[place]
        if point >= 0:
            return list(self.leaving[point])
        forward = 2 * self._place_link[place]
        return [forward] if self.one_way[forward // 2] else [forward, forward + 1]

    # How the map is built

    def _find_stops(self) -> list[bool]:
        board = self.board
        touched = [False] * len(board.point_ids)
        for link in board.links:
            if link.kind == FREEWAY and not self.freeway_stop:
                touched[link.start] = touched[link.end] = True
        stop = [False] * len(self.place_names)
        self._place_point = [-1] * len(self.place_names)
        self._place_link = [-1] * len(self.place_names)
        for i, name in enumerate(board.point_ids):
            at = self.place_index[name]
            self._place_point[at] = i
            stop[at] = not (self._light[i] or self._gate[i] or touched[i])
        for i, link in enumerate(board.links):
            at = self.place_index[link.name]
            self._place_link[at] = i
            stop[at] = self.freeway_stop or link.kind != FREEWAY
        return stop

    def _build_states(self) -> None:
        board = self.board
        count = 2 * len(board.links)
        self.one_way = [link.one_way for link in board.links]
        # Where a move may end if a barrier against the mover stands there, also with `corners_only`.
        self._barrier_place = []
        for link in board.links:
            at = self.place_index[link.name]
            self._barrier_place.append(at if self._stop[at] else -1)
        self.leaving: list[list[int]] = [[] for _ in board.point_ids]
        self.end_point = [0] * count
        self.state_place = [-1] * count
        self.end_place = [-1] * count
        self.ahead: list[list[tuple[int, int, int, int]]] = [[] for _ in range(count)]
        for i, link in enumerate(board.links):
            self.leaving[link.start].append(2 * i)
            if not link.one_way:
                self.leaving[link.end].append(2 * i + 1)
            for state, end in ((2 * i, link.end), (2 * i + 1, link.start)):
                self.end_point[state] = end
                at = self.place_index[board.point_ids[end]]
                if self._stop[at]:
                    self.end_place[state] = at
                at = self.place_index[link.name]
                if self._stop[at] and self._ends_moves(i):
                    self.state_place[state] = at
        for state in range(count):
            if state % 2 and self.one_way[state // 2]:
                continue
            at = self.end_point[state]
            if self.base_is_end and at == self.base_point:
                continue
            for on in self.leaving[at]:
                if on // 2 != state // 2:
                    turn = 0 if self._same_street(state, on) else 1
                    self.ahead[state].append((on, turn, self._greens(state, on), 1 if self._gate[at] else 0))

    def _ends_moves(self, link: int) -> bool:
        """Whether a move may end on this link, a stop, when no barrier stands there."""
        if not self.corners_only:
            return True
        ends = (self.board.links[link].start, self.board.links[link].end)
        return self._light[ends[0]] or self._light[ends[1]] or self._gate[ends[0]] or self._gate[ends[1]]

    def _deflection(self, state: int, on: int) -> float:
        return self.board.deflection(self.end_point[state ^ 1], self.end_point[state], self.end_point[on])

    def _same_street(self, state: int, on: int) -> bool:
        first, second = self.board.links[state // 2], self.board.links[on // 2]
        if first.kind in _FREEWAY_KINDS and second.kind in _FREEWAY_KINDS:
            if first.kind == FREEWAY or second.kind == FREEWAY:
                return True
            if first.road == second.road and first.kind in _RAMP_KINDS:
                return True
        at = self.end_point[state]
        if not self.bends_cost and len(self.board.links_at[at]) == 2 and at != self.base_point:
            return True
        return self._deflection(state, on) <= STRAIGHT_DEGREES

    def _greens(self, state: int, on: int) -> int:
        at = self.end_point[state]
        if not self._light[at]:
            return 0
        if self.straight_lights_only and len(self.board.links_at[at]) >= 3:
            return 0 if self._deflection(state, on) > STRAIGHT_DEGREES else 1
        return 1

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
            return self._search(start, streets, green, white, barred)
        at = self.place_index[start]
        if at in self._searched:
            return self._searched[at]
        if self._use_tables(streets, barred):
            return self.tables().labels_from(at, streets, white)
        self._questions += 1
        return self._search(start, streets, green, white, ())

    def _search_labels(
        self, start: str, green: int, white: int, barred: tuple[int, ...]
    ) -> list[list[tuple[int, int, int]]]:
        if barred:
            return self._search(start, -1, green, white, barred)
        at = self.place_index[start]
        if at not in self._searched:
            if green > ALL_GREEN or white > ALL_WHITE:
                return self._search(start, -1, green, white, ())
            if len(self._searched) >= KEPT_SEARCHES:
                self._searched.clear()
            self._searched[at] = self._search(start, -1, ALL_GREEN, ALL_WHITE, ())
        return self._searched[at]

    def _search(
        self, start: str, streets: int, green: int, white: int, barred: tuple[int, ...]
    ) -> list[list[tuple[int, int, int]]]:
        """By place, all least costs within the limits (`streets` -1: any number).

        A barrier by default parts its link: behind it lies a second pair of states, `count + state`, for the run from
        the barrier to the link's end. Labels are taken in the order of (streets, green + white), so a label that is
        taken is never beaten by a later one.
        """
        count = len(self.end_point)
        closed = self._closed(barred)
        parted = barred if self.extent == "point" else ()
        taken: list[list[tuple[int, int, int]]] = [[] for _ in range(2 * count)]
        result: list[list[tuple[int, int, int]]] = [[] for _ in self.place_names]
        at = self.place_index[start]
        result[at].append((0, 0, 0))
        now: list[list[tuple[int, int, int]]] = [[]]
        if streets != 0:
            for state in self.start_states(at):
                if self._place_point[at] >= 0:
                    if state // 2 in closed:
                        continue
                elif state // 2 in parted:
                    state += count
                now[0].append((state, 0, 0))
        level = 1
        while now:
            later: list[list[tuple[int, int, int]]] = []
            tablets = 0
            while tablets < len(now):
                todo = now[tablets]
                while todo:
                    state, g, w = todo.pop()
                    labels = taken[state]
                    if _beaten(labels, g, w):
                        continue
                    labels.append((level, g, w))
                    plain = state if state < count else state - count
                    link = plain // 2
                    barrier = link in parted
                    place = self._barrier_place[link] if barrier else self.state_place[plain]
                    if place >= 0 and not _beaten(result[place], g, w):
                        result[place].append((level, g, w))
                    if not self.one_way[link] and level != streets:
                        back = plain ^ 1
                        if barrier and state < count:
                            back += count
                        _put(later, g + w, (back, g, w))
                    if barrier and state < count:
                        continue
                    place = self.end_place[plain]
                    if place >= 0 and not _beaten(result[place], g, w):
                        result[place].append((level, g, w))
                    for on, turn, lights, gates in self.ahead[plain]:
                        if on // 2 in closed or g + lights > green or w + gates > white:
                            continue
                        if turn == 0:
                            _put(now, g + w + lights + gates, (on, g + lights, w + gates))
                        elif level != streets:
                            _put(later, g + w + lights + gates, (on, g + lights, w + gates))
                tablets += 1
            now = later
            level += 1
        for labels in result:
            if len(labels) > 1:
                labels.sort()
        return result

    def _closed(self, barred: tuple[int, ...]) -> set[int]:
        """The links that barriers keep the mover from entering (`barrier_extent` link and street)."""
        if not barred or self.extent == "point":
            return set()
        closed = set(barred)
        if self.extent == "street":
            # The street is a matter of the map: `ahead` would end it at a base that ends moves.
            after: list[list[int]] = [[] for _ in self.end_point]
            before: list[list[int]] = [[] for _ in self.end_point]
            for state in range(len(self.end_point)):
                if state % 2 == 0 or not self.one_way[state // 2]:
                    for on in self.leaving[self.end_point[state]]:
                        if on // 2 != state // 2 and self._same_street(state, on):
                            after[state].append(on)
                            before[on].append(state)
            for link in barred:
                for state in (2 * link, 2 * link + 1):
                    if state % 2 == 0 or not self.one_way[link]:
                        _follow(state, after, closed)
                        _follow(state, before, closed)
        return closed


def _beaten(labels: list[tuple[int, int, int]], green: int, white: int) -> bool:
    """Whether an earlier label (of no more streets) needs no more tablets of either colour."""
    for _, g, w in labels:
        if g <= green and w <= white:
            return True
    return False


def _follow(state: int, next_states: list[list[int]], closed: set[int]) -> None:
    """Add the links of all states that follow on `state`."""
    seen = {state}
    todo = [state]
    while todo:
        state = todo.pop()
        closed.add(state // 2)
        for other in next_states[state]:
            if other not in seen:
                seen.add(other)
                todo.append(other)


def _put(buckets: list[list[tuple[int, int, int]]], tablets: int, entry: tuple[int, int, int]) -> None:
    while len(buckets) <= tablets:
        buckets.append([])
    buckets[tablets].append(entry)
