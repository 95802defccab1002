"""Shapes of a TAXI! board that only the checks look at: blocks, crossings, bridges, what can be driven to at all."""

from shared_rules.games.taxi.board import FREEWAY, OFF_RAMP, Board
from shared_rules.games.taxi.streets import StreetMap

# Two places are one when they are nearer than this (coordinates are in blocks).
_TOUCH = 1e-9


def is_junction(board: Board, name: str) -> bool:
    """Whether three or more links meet in the point, or it is the base."""
    return name == board.base or len(board.links_at[board.point_index[name]]) >= 3


def blocks(board: Board) -> list[list[str]]:
    """The roads cut at junctions, bends and ends: lists of points, with the X's and dots between.

    A point of two links that go straight on does not end a block.
    """
    ends = []
    for i, name in enumerate(board.point_ids):
        links = board.links_at[i]
        through = len(links) == 2 and name != board.base
        if through:
            first, second = [board.links[k] for k in links]
            a = first.end if first.start == i else first.start
            b = second.end if second.start == i else second.start
            marked = name in board.lights or name in board.gates
            through = marked or board.deflection(a, i, b) <= 20
        ends.append(not through)
    out = []
    used: set[int] = set()
    for i in range(len(board.point_ids)):
        if not ends[i]:
            continue
        for k in board.links_at[i]:
            if k in used:
                continue
            chain = [i]
            link = k
            while True:
                used.add(link)
                at = chain[-1]
                here = board.links[link]
                chain.append(here.end if here.start == at else here.start)
                if ends[chain[-1]]:
                    break
                pair = board.links_at[chain[-1]]
                link = pair[1] if pair[0] == link else pair[0]
            out.append([board.point_ids[p] for p in chain])
    return out


def drive(streets: StreetMap, starts: list[str], tablets: bool) -> set[str]:
    """Every place that can be driven to from some stops with all the throws one likes, with or without tablets."""
    board = streets.board
    names = streets.place_names
    found = set(starts)
    todo: list[int] = []
    for start in starts:
        todo += streets.start_states(streets.place_index[start])
    seen = set(todo)
    while todo:
        state = todo.pop()
        for place in (streets.state_place[state], streets.end_place[state]):
            if place >= 0:
                found.add(names[place])
        ways = [on for on, _, green, white in streets.ahead[state] if tablets or green == white == 0]
        if not board.links[state // 2].one_way:
            ways.append(state ^ 1)
        for on in ways:
            if on not in seen:
                seen.add(on)
                todo.append(on)
    return found


def least_gap(board: Board) -> tuple[float, str]:
    """The shortest link's length in the board's units, and its name."""
    best = (1e9, "-")
    for link in board.links:
        ax, ay = board.points[board.point_ids[link.start]]
        bx, by = board.points[board.point_ids[link.end]]
        best = min(best, (((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5, link.name))
    return best


def crossings(board: Board) -> list[tuple[str, str]]:
    """Pairs of links that meet anywhere but in a point that both have; also links that lie on one another."""
    out = []
    boxes = []
    for link in board.links:
        a, b = board.points[board.point_ids[link.start]], board.points[board.point_ids[link.end]]
        boxes.append((min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1]), a, b))
    for i, first in enumerate(board.links):
        x0, x1, y0, y1, a, b = boxes[i]
        for k in range(i):
            u0, u1, v0, v1, c, d = boxes[k]
            if u0 > x1 + _TOUCH or u1 < x0 - _TOUCH or v0 > y1 + _TOUCH or v1 < y0 - _TOUCH:
                continue
            second = board.links[k]
            shared = {first.start, first.end} & {second.start, second.end}
            if len(shared) == 1 and not _folded(a, b, c, d):
                continue
            if _meet(a, b, c, d):
                out.append((second.name, first.name))
    return out


def _side(a: list[float], b: list[float], p: list[float]) -> float:
    value = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return 0.0 if abs(value) < _TOUCH else value


def _meet(a: list[float], b: list[float], c: list[float], d: list[float]) -> bool:
    """Whether two segments whose boxes overlap have a point in common."""
    s1, s2, s3, s4 = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    return s1 * s2 <= 0 and s3 * s4 <= 0


def _folded(a: list[float], b: list[float], c: list[float], d: list[float]) -> bool:
    """Whether two segments with an end in common leave it in the same direction."""
    if a == d or b == d:
        c, d = d, c
    if b == c:
        a, b = b, a
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    return abs(ux * vy - uy * vx) < _TOUCH and ux * vx + uy * vy > 0


def bridges(board: Board, sites: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Blocks that are open without tablets and whose closing cuts what can be driven without tablets (BD-15).

    An X does not split a block. Returns the names of all, of those with an X on them, and of those with a destination
    on either side.
    """
    at = set(sites)
    edges = _open_edges(board, at)
    beside: dict[str, list[int]] = {}
    for i, (a, b, _) in enumerate(edges):
        beside.setdefault(a, []).append(i)
        beside.setdefault(b, []).append(i)
    found, with_x, parting = [], [], []
    for i, (a, b, on) in enumerate(edges):
        side = _side_of(edges, beside, a, i)
        if b in side:
            continue
        name = a + "~" + b
        found.append(name)
        if on:
            with_x.append(name)
        here = _sites_in(edges, side, at, i)
        there = _sites_in(edges, _side_of(edges, beside, b, i), at, i)
        if here and there:
            parting.append(name)
    return found, with_x, parting


def _open_edges(board: Board, at: set[str]) -> list[tuple[str, str, list[str]]]:
    """Blocks without dots as (end, end, X's between), for two-way roads."""
    out = []
    for i, name in enumerate(board.point_ids):
        if _splits(board, name, at):
            for k in board.links_at[i]:
                chain = [i]
                link = k
                ok = True
                while True:
                    here = board.links[link]
                    chain.append(here.end if here.start == chain[-1] else here.start)
                    last = board.point_ids[chain[-1]]
                    if here.kind in (FREEWAY, OFF_RAMP) or last in board.lights or last in board.gates:
                        ok = False
                        break
                    if _splits(board, last, at):
                        break
                    pair = board.links_at[chain[-1]]
                    link = pair[1] if pair[0] == link else pair[0]
                # Each block is found from both ends; a loop from its one end twice.
                if ok and chain[0] < chain[-1]:
                    out.append((name, last, [board.point_ids[p] for p in chain[1:-1]]))
    return out


def _splits(board: Board, name: str, at: set[str]) -> bool:
    if name in board.lights or name in board.gates:
        return False
    return name == board.base or name not in at or len(board.links_at[board.point_index[name]]) != 2


def _side_of(
    edges: list[tuple[str, str, list[str]]], beside: dict[str, list[int]], start: str, without: int
) -> set[str]:
    seen = {start}
    todo = [start]
    while todo:
        for i in beside[todo.pop()]:
            if i != without:
                for end in edges[i][:2]:
                    if end not in seen:
                        seen.add(end)
                        todo.append(end)
    return seen


def _sites_in(edges: list[tuple[str, str, list[str]]], side: set[str], at: set[str], without: int) -> bool:
    """Whether a destination lies on one side of a bridge (one on the bridge itself is on neither)."""
    if at & side:
        return True
    return bool([1 for i, (a, _, on) in enumerate(edges) if i != without and on and a in side])
