"""Least costs from every place of a board at once, as sets of bits; what makes asking the street map cheap in play.

For a budget (streets, green, white) a *cell* holds, for each state, the set of places where a run that is under way in
that state may end: an integer with one bit a place. A cell follows from the cells of smaller budgets by a few "or"s a
state, and a place has a least cost exactly where its bit is new against the three budgets that are one smaller in one
part. States that lead to one another for nothing (a ring freeway) share one entry.
"""

import sys

# Above this many streets a question is searched for by itself: only doubled throws get there.
TABLE_STREETS = 12
# Throws of the die without card effects; most questions stay within it, so it has a table of its own.
DIE_STREETS = 6
# Nobody can hold more (T-008, T-009).
ALL_GREEN = 30
ALL_WHITE = 12

# Answers of `streets_needed` that are kept; when there are more, all are forgotten.
KEPT_NEEDED = 60000

# A replay line asks a question or two of a board and forgets it; a game asks thousands.
QUESTIONS_BEFORE_TABLES = 4
# The tables of a large board take tens of megabytes, which a microcontroller's Python does not have.
ROOMY = sys.implementation.name != "micropython"


def tables_pay(questions: int) -> bool:
    """Whether after so many questions about one board its tables are worth their making, here."""
    return ROOMY and questions >= QUESTIONS_BEFORE_TABLES


class StreetTables:
    """The tables of one street map.

    `ahead[state]` lists ways on as (state, streets, green, white), `back[state]` is the state after reversing or -1,
    `ends[state]` the bits of the places where a move may end in it, `starts[place]` the states of a first run.
    """

    def __init__(
        self,
        ahead: list[list[tuple[int, int, int, int]]],
        back: list[int],
        ends: list[int],
        starts: list[list[int]],
    ) -> None:
        free: list[list[int]] = []
        for ways in ahead:
            free.append([on for on, s, g, w in ways if s == g == w == 0])
        group_of, count = _groups(free)
        self._starts = [sorted({group_of[state] for state in states}) for states in starts]
        self._ends = [0] * count
        self._free: list[list[int]] = [[] for _ in range(count)]
        costs: dict[tuple[int, int, int], list[set[int]]] = {}
        for state in range(len(ahead)):
            group = group_of[state]
            self._ends[group] |= ends[state]
            ways = list(ahead[state])
            if back[state] >= 0:
                ways.append((back[state], 1, 0, 0))
            for on, s, g, w in ways:
                other = group_of[on]
                if s == g == w == 0:
                    if other != group and other not in self._free[group]:
                        self._free[group].append(other)
                else:
                    if (s, g, w) not in costs:
                        costs[(s, g, w)] = [set() for _ in range(count)]
                    costs[(s, g, w)][group].add(other)
        self._costs = [(cost, [sorted(others) for others in costs[cost]]) for cost in sorted(costs)]
        self._cells: dict[tuple[int, int, int], list[int]] = {}
        self._enough: dict[tuple[int, int], int] = {}
        self._labels: dict[tuple[int, int, int], list[list[tuple[int, int, int]]]] = {}
        self._needed: dict[int, int | None] = {}
        self._same: dict[tuple[tuple[int, int, int], ...], list[tuple[int, int, int]]] = {}

    def within(self, place: int, streets: int, green: int, white: int) -> int:
        """The places where a move from `place` may end within the budget, as bits (staying included)."""
        out = 1 << place
        if streets > 0:
            cell = self._cell(streets, green, white)
            for group in self._starts[place]:
                out |= cell[group]
        return out

    def streets_needed(self, start: int, to: int, green: int, white: int) -> int | None:
        """The least streets from one place to another with so many tablets, or None if it cannot be reached."""
        key = ((start * len(self._starts) + to) * (ALL_GREEN + 1) + green) * (ALL_WHITE + 1) + white
        if key not in self._needed:
            if len(self._needed) >= KEPT_NEEDED:
                self._needed.clear()
            self._needed[key] = self._streets_needed(start, to, green, white)
        return self._needed[key]

    def _streets_needed(self, start: int, to: int, green: int, white: int) -> int | None:
        bit = 1 << to
        if start == to:
            return 0
        streets = 1
        while True:
            cell = self._cell(streets, green, white)
            for group in self._starts[start]:
                if cell[group] & bit:
                    return streets
            # If one street more changes nothing for anybody, with fewer tablets neither, it cannot be reached.
            # Looked at now and then, as it costs more than the search itself.
            if streets % 8 == 0 and self._one_more_street_is_useless(streets, green, white):
                return None
            streets += 1

    def entries(self, place: int, streets: int, green: int, white: int, names: list[str]) -> list[list[object]]:
        """What `StreetMap.reach` answers for a move from `place`: [[name, streets, green, white], …] by place."""
        labels = self.labels_from(place, streets, white)
        enough = self._enough_green(DIE_STREETS if streets <= DIE_STREETS else TABLE_STREETS, max(white, 2))
        bits = bin(self.within(place, streets, min(green, enough), white))[2:]
        last = len(bits) - 1
        out: list[list[object]] = []
        at = bits.rfind("1")
        while at >= 0:
            name = names[last - at]
            for s, g, w in labels[last - at]:
                if s <= streets and g <= green and w <= white:
                    out.append([name, s, g, w])
            at = bits.rfind("1", 0, at)
        return out

    def labels_from(self, place: int, streets: int, white: int) -> list[list[tuple[int, int, int]]]:
        """By place, the least costs (streets, green, white) of a move from `place`, for any number of green tablets.

        Holds all within `streets` (at most TABLE_STREETS) and `white`, and some beyond.
        """
        limit = DIE_STREETS if streets <= DIE_STREETS else TABLE_STREETS
        whites = max(white, 2)
        key = (place, limit, whites)
        found = self._labels.get(key)
        if found is None:
            found = self._labels[key] = self._make_labels(place, limit, whites)
        return found

    def _make_labels(self, place: int, streets: int, white: int) -> list[list[tuple[int, int, int]]]:
        greens = self._enough_green(streets, white)
        here = 1 << place
        labels: dict[int, list[tuple[int, int, int]]] = {place: [(0, 0, 0)]}
        fewer = [[here] * (white + 1) for _ in range(greens + 1)]
        for s in range(1, streets + 1):
            now: list[list[int]] = []
            for g in range(greens + 1):
                row: list[int] = []
                for w in range(white + 1):
                    known = fewer[g][w]
                    if g:
                        known |= now[g - 1][w]
                    if w:
                        known |= row[w - 1]
                    bits = self.within(place, s, g, w)
                    row.append(bits)
                    new = bin(bits & ~known)
                    at = new.rfind("1")
                    while at > 1:
                        labels.setdefault(len(new) - 1 - at, []).append((s, g, w))
                        at = new.rfind("1", 2, at)
                now.append(row)
            fewer = now
        none: list[tuple[int, int, int]] = []
        out = [none] * len(self._starts)
        for at, costs in labels.items():
            out[at] = self._same.setdefault(tuple(costs), costs)
        return out

    def _enough_green(self, streets: int, white: int) -> int:
        """So many green tablets that more are of no use to anybody with this many streets and white tablets.

        If one more changes no cell of any smaller budget either, then by the way in which cells follow from one
        another two more change none, and so on.
        """
        found = self._enough.get((streets, white))
        if found is None:
            found = 0
            while found < ALL_GREEN and not self._one_more_is_useless(streets, found, white):
                found += 1
            self._enough[(streets, white)] = found
        return found

    def _one_more_is_useless(self, streets: int, green: int, white: int) -> bool:
        for s in range(1, streets + 1):
            for w in range(white + 1):
                if self._cell(s, green, w) != self._cell(s, green + 1, w):
                    return False
        return True

    def _one_more_street_is_useless(self, streets: int, green: int, white: int) -> bool:
        for g in range(green + 1):
            for w in range(white + 1):
                if self._cell(streets, g, w) != self._cell(streets + 1, g, w):
                    return False
        return True

    def _cell(self, streets: int, green: int, white: int) -> list[int]:
        """By group, the bits of the places where a run may end; `streets` counts the run that is under way."""
        found = self._cells.get((streets, green, white))
        if found is not None:
            return found
        used = []
        for (s, g, w), ways in self._costs:
            if streets - s >= 1 and green >= g and white >= w:
                used.append((self._cell(streets - s, green - g, white - w), ways))
        free = self._free
        cell: list[int] = []
        # Groups are numbered so that every group comes after those it leads to for nothing.
        for group in range(len(self._ends)):
            bits = self._ends[group]
            for other in free[group]:
                bits |= cell[other]
            for source, ways in used:
                for other in ways[group]:
                    bits |= source[other]
            cell.append(bits)
        self._cells[(streets, green, white)] = cell
        return cell


def _groups(free: list[list[int]]) -> tuple[list[int], int]:
    """Number the strongly connected components of a graph, successors first (Tarjan, without recursion)."""
    count = len(free)
    number = [-1] * count
    low = [0] * count
    group = [-1] * count
    stack: list[int] = []
    groups = 0
    next_number = 0
    for root in range(count):
        if number[root] >= 0:
            continue
        path = [(root, 0)]
        while path:
            node, step = path.pop()
            if step == 0:
                number[node] = low[node] = next_number
                next_number += 1
                stack.append(node)
            if step < len(free[node]):
                path.append((node, step + 1))
                other = free[node][step]
                if number[other] < 0:
                    path.append((other, 0))
                elif group[other] < 0:
                    low[node] = min(low[node], number[other])
                continue
            if low[node] == number[node]:
                while True:
                    other = stack.pop()
                    group[other] = groups
                    if other == node:
                        break
                groups += 1
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[node])
    return group, groups
