"""Which squares a taxi can come to: exact ends of n squares under the three path rules, and shortest ways.

A path follows the roads; the Base can only be its last square. Under `no_immediate_reverse` it does not turn straight
back but where a square has no other exit (the Base counts as one); under `no_square_twice` it crosses no square twice,
its start included; under `free` anything goes. L-024, L-031, L-066, LQ-16, LQ-17, LQ-23. What has been found is kept:
a board's map serves all games on it.
"""

# How many searches with forced stops are kept; they depend on the hand, so there are many.
_KEPT = 512


class RoadMap:
    """The roads of a board under one path rule.

    `exits[square]` lists the squares that a road leads to.
    """

    def __init__(self, exits: "dict[str, list[str]]", base: str, rule: str) -> None:
        self.exits = exits
        self.base = base
        self.rule = rule
        self._reach: "dict[tuple[str, int], tuple[frozenset[str], frozenset[str]]]" = {}
        self._stopped: "dict[tuple[str, int, frozenset[str]], tuple[frozenset[str], frozenset[str]]]" = {}
        self._distances: "dict[str, dict[str, int]]" = {}
        self._into: "dict[str, list[str]]" = {}

    def reach(self, start: str, squares: int) -> "tuple[frozenset[str], frozenset[str]]":
        """(ends of paths of so many squares, squares that such a path may pass before its end).

        The Base is among the ends wherever a path leads into it; it is never passed.
        """
        key = (start, squares)
        found = self._reach.get(key)
        if found is None:
            found = self._reach[key] = self._search(start, squares, frozenset())
        return found

    def reach_with_stops(
        self, start: str, squares: int, stops: "frozenset[str]"
    ) -> "tuple[frozenset[str], frozenset[str]]":
        """The same where no path goes on from one of the stops (LQ-19)."""
        key = (start, squares, stops)
        found = self._stopped.get(key)
        if found is None:
            if len(self._stopped) >= _KEPT:
                self._stopped.clear()
            found = self._stopped[key] = self._search(start, squares, stops)
        return found

    def _search(self, start: str, squares: int, stops: "frozenset[str]") -> "tuple[frozenset[str], frozenset[str]]":
        if self.rule == "no_square_twice":
            layers = self._without_crossing(start, squares, stops)
        elif self.rule == "free":
            layers = self._freely(start, squares, stops)
        else:
            layers = self._without_turning(start, squares, stops)
        passed: "set[str]" = set()
        for layer in layers[:-1]:
            passed.update(layer)
        passed.discard(self.base)
        return frozenset(layers[-1]), frozenset(passed)

    def _without_turning(self, start: str, squares: int, stops: "frozenset[str]") -> "list[set[str]]":
        exits = self.exits
        layers = []
        # Each step is (where from, where to): where it came from decides where it may go on to.
        steps = {("", start)}
        for n in range(squares):
            further = set()
            for before, here in steps:
                if n and (here == self.base or here in stops):
                    continue
                ways = exits[here]
                for way in ways:
                    if n == 0 or way != before or len(ways) == 1:
                        further.add((here, way))
            steps = further
            layers.append({here for _, here in steps})
        return layers

    def _freely(self, start: str, squares: int, stops: "frozenset[str]") -> "list[set[str]]":
        layers = []
        here = {start}
        for n in range(squares):
            further: "set[str]" = set()
            for square in here:
                if n == 0 or (square != self.base and square not in stops):
                    further.update(self.exits[square])
            here = further
            layers.append(here)
        return layers

    def _without_crossing(self, start: str, squares: int, stops: "frozenset[str]") -> "list[set[str]]":
        layers: "list[set[str]]" = [set() for _ in range(squares)]
        self._cross(start, 0, {start}, layers, stops)
        return layers

    def _cross(
        self, here: str, depth: int, crossed: "set[str]", layers: "list[set[str]]", stops: "frozenset[str]"
    ) -> None:
        layer = layers[depth]
        depth += 1
        last = depth == len(layers)
        for way in self.exits[here]:
            if way in crossed:
                continue
            layer.add(way)
            if not last and way != self.base and way not in stops:
                crossed.add(way)
                self._cross(way, depth, crossed, layers, stops)
                crossed.remove(way)

    def distances_to(self, goal: str) -> "dict[str, int]":
        """How many squares the shortest way to the goal has, from each square with one; not through the Base."""
        found = self._distances.get(goal)
        if found is None:
            found = self._distances[goal] = self._measure(goal)
        return found

    def _measure(self, goal: str) -> "dict[str, int]":
        if not self._into:
            for square in self.exits:
                self._into[square] = []
            for square in sorted(self.exits):
                for way in self.exits[square]:
                    self._into[way].append(square)
        found = {goal: 0}
        here = [goal]
        while here:
            further = []
            for square in here:
                if square == self.base and square != goal:
                    continue
                for before in self._into[square]:
                    if before not in found:
                        found[before] = found[square] + 1
                        further.append(before)
            here = further
        return found
