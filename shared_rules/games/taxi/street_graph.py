"""The streets of a TAXI! board as states and ways on, under one set of house rules; what all searching stands on.

A state is a link that is being driven in one direction (`2 * link` as its road lists it, `2 * link + 1` against it).
Going on through the point ahead costs a street when it turns, a green tablet at a light, a white one at a gate;
reversing costs a street (T-044 to T-071).
"""

from shared_rules.games.taxi.board import FREEWAY, LEAD_ON, OFF_RAMP, Board

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


class StreetGraph:
    """The streets of one board under one set of house rules; states and ways are there after `build`.

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
        self._built = False

    def build(self) -> None:
        """Make states and ways, if that is not done: a position can be read and written without them."""
        if not self._built:
            self._built = True
            self._build_states()

    def is_stop(self, place: str) -> bool:
        """Whether a taxi may stand on this canonical place (`corners_only` limits moves, not where a taxi may be)."""
        index = self.place_index.get(place)
        return index is not None and self._stop[index]

    def start_states(self, place: int) -> list[int]:
        """The states that the first run of a turn may be in, for a taxi on this place (without barriers)."""
        self.build()
        point = self.place_point[place]
        if point >= 0:
            return list(self.leaving[point])
        forward = 2 * self._place_link[place]
        return [forward] if self.one_way[forward // 2] else [forward, forward + 1]

    def closed_links(self, barred: tuple[int, ...]) -> set[int]:
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
                        if on // 2 != state // 2 and self.same_street(state, on):
                            after[state].append(on)
                            before[on].append(state)
            for link in barred:
                for state in (2 * link, 2 * link + 1):
                    if state % 2 == 0 or not self.one_way[link]:
                        _add_street(state, after, closed)
                        _add_street(state, before, closed)
        return closed

    def _find_stops(self) -> list[bool]:
        board = self.board
        touched = [False] * len(board.point_ids)
        for link in board.links:
            if link.kind == FREEWAY and not self.freeway_stop:
                touched[link.start] = touched[link.end] = True
        stop = [False] * len(self.place_names)
        self.place_point = [-1] * len(self.place_names)
        self._place_link = [-1] * len(self.place_names)
        for i, name in enumerate(board.point_ids):
            at = self.place_index[name]
            self.place_point[at] = i
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
        self.barrier_place = []
        for link in board.links:
            at = self.place_index[link.name]
            self.barrier_place.append(at if self._stop[at] else -1)
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
                    turn = 0 if self.same_street(state, on) else 1
                    self.ahead[state].append((on, turn, self._greens(state, on), 1 if self._gate[at] else 0))

    def _ends_moves(self, link: int) -> bool:
        """Whether a move may end on this link, a stop, when no barrier stands there."""
        if not self.corners_only:
            return True
        ends = (self.board.links[link].start, self.board.links[link].end)
        return self._light[ends[0]] or self._light[ends[1]] or self._gate[ends[0]] or self._gate[ends[1]]

    def _deflection(self, state: int, on: int) -> float:
        return self.board.deflection(self.end_point[state ^ 1], self.end_point[state], self.end_point[on])

    def same_street(self, state: int, on: int) -> bool:
        """Whether going on from a state into another stays in the same street (T-044, T-049, T-067)."""
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


def _add_street(state: int, next_states: list[list[int]], closed: set[int]) -> None:
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
