"""Where a taxi can go, by trying every route: slow, written from the rules alone, to hold the street map against.

Each link is cut in the middle, so a route is a walk over points and middles; reversing happens at either. Nothing is
pruned but what was seen with the very same costs. Shares no code with shared_rules.
"""

import cmath

FREEWAY_KINDS = ("lead_on", "freeway", "off_ramp")


class EveryRoute:
    def __init__(self, board, options):
        self.board, self.options = board, options
        self.at = {name: complex(*xy) for name, xy in board["points"].items()}
        self.lights, self.gates = set(board.get("lights", [])), set(board.get("gates", []))
        self.links = []
        for number, road in enumerate(board["roads"]):
            for a, b in zip(road["via"], road["via"][1:], strict=False):
                self.links.append((a, b, road["kind"], number))
        self.free_stops = options.get("freeway_stop") == "allowed"
        self.touched = {end for a, b, kind, _ in self.links if kind == "freeway" for end in (a, b)}

    def one_way(self, link):
        return link[2] in ("freeway", "off_ramp")

    def name(self, link):
        return f"{link[0]}~{link[1]}"

    def leaving(self, point):
        return [x for x in self.links if x[0] == point or (x[1] == point and not self.one_way(x))]

    def is_stop(self, place):
        if "~" in place:
            return self.free_stops or next(x for x in self.links if self.name(x) == place)[2] != "freeway"
        return place not in self.lights | self.gates and (self.free_stops or place not in self.touched)

    def stops(self):
        places = list(self.at) + [self.name(x) for x in self.links]
        return sorted(p for p in places if self.is_stop(p))

    def angle(self, a, b, c):
        return abs(cmath.phase((self.at[c] - self.at[b]) / (self.at[b] - self.at[a]))) * 180 / cmath.pi

    def straight(self, first, at, second):
        """Whether going on from link `first` to link `second` at a point stays in one street."""
        a = first[0] if first[1] == at else first[1]
        c = second[0] if second[1] == at else second[1]
        kinds = {first[2], second[2]}
        if "freeway" in kinds and kinds <= set(FREEWAY_KINDS):
            return True
        if first[3] == second[3] and first[2] in ("lead_on", "off_ramp"):
            return True
        meeting = [x for x in self.links if at in x[:2]]
        if self.options.get("bend_90_costs") is False and len(meeting) == 2 and at != self.board.get("base"):
            return True
        return self.angle(a, at, c) <= 45.01

    def greens(self, first, at, second):
        if at not in self.lights:
            return 0
        meeting = [x for x in self.links if at in x[:2]]
        if self.options.get("node_light_scope") == "straight_only" and len(meeting) >= 3:
            a = first[0] if first[1] == at else first[1]
            c = second[0] if second[1] == at else second[1]
            return int(self.angle(a, at, c) <= 45.01)
        return 1

    def closed(self, barriers):
        """Links that may not be entered."""
        extent = self.options.get("barrier_extent", "point")
        if extent == "point":
            return set()
        shut = set(barriers)
        if extent == "street":
            # directed links and which follow which in one street
            directed = [(x, x[0], x[1]) for x in self.links]
            directed += [(x, x[1], x[0]) for x in self.links if not self.one_way(x)]
            follow = {
                (p, q) for p in directed for q in directed
                if p[2] == q[1] and p[0] != q[0] and self.straight(p[0], p[2], q[0])
            }  # fmt: skip
            for _ in directed:  # transitive closure, the plain way
                more = {(p, s) for p, q in follow for r, s in follow if q == r} - follow
                if not more:
                    break
                follow |= more
            for p, q in follow:
                if self.name(p[0]) in barriers:
                    shut.add(self.name(q[0]))
                if self.name(q[0]) in barriers:
                    shut.add(self.name(p[0]))
        return shut

    def reach(self, start, streets, green, white, barriers=()):
        closed = self.closed(barriers)
        parted = set(barriers) if self.options.get("barrier_extent", "point") == "point" else set()
        found = {(start, 0, 0, 0)}
        todo, seen = [], set()

        def go(node, heading, link, s, g, w):
            if s <= streets and g <= green and w <= white and (node, heading, link, s, g, w) not in seen:
                seen.add((node, heading, link, s, g, w))
                todo.append((node, heading, link, s, g, w))

        # a node is ("mid", side) or a point; `heading` is the point that is driven to
        if "~" in start:
            link = next(x for x in self.links if self.name(x) == start)
            go("leaves middle", link[1], link, 1, 0, 0)
            if not self.one_way(link):
                go("leaves middle", link[0], link, 1, 0, 0)
        else:
            for link in self.leaving(start):
                if self.name(link) not in closed:
                    go("enters", link[1] if link[0] == start else link[0], link, 1, 0, 0)
        while todo:
            node, heading, link, s, g, w = todo.pop()
            back = link[0] if heading == link[1] else link[1]
            name = self.name(link)
            # A move may end at the middle: while coming to it, or having turned there.
            if self.is_stop(name):
                ends = {link[0], link[1]}
                corner = ends & (self.lights | self.gates) or name in barriers
                if self.options.get("stop_points") != "corners_only" or corner:
                    found.add((name, s, g, w))
            if node == "enters":
                if not self.one_way(link):
                    go("leaves middle", back, link, s + 1, g, w)  # turns round at the middle or before it
                if name not in parted:
                    go("leaves middle", heading, link, s, g, w)
                continue
            # between the middle and the point ahead
            if not self.one_way(link):
                go("enters", back, link, s + 1, g, w)
            if self.is_stop(heading):
                found.add((heading, s, g, w))
            if self.options.get("base_through") == "terminal" and heading == self.board.get("base"):
                continue
            for other in self.leaving(heading):
                if other != link and self.name(other) not in closed:
                    on = other[1] if other[0] == heading else other[0]
                    turn = 0 if self.straight(link, heading, other) else 1
                    lit = self.greens(link, heading, other)
                    go("enters", on, other, s + turn, g + lit, w + (heading in self.gates))
        out = []
        for place, *cost in found:
            costs = [c for p, *c in found if p == place]
            if not any(c != cost and all(x <= y for x, y in zip(c, cost, strict=True)) for c in costs):
                out.append([place, *cost])
        return sorted(out)
