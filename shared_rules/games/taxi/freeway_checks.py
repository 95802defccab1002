"""Whether a board's freeway works: BD-05 to BD-07 of the rules, part F. Each check gives (faults, figure)."""

from shared_rules.games.taxi.board import FREEWAY, OFF_RAMP, Board


def entries(board: Board) -> tuple[list[str], str]:
    """One gate on every way onto the freeway, an exit after each."""
    faults = []
    out = _freeway_next(board)
    into = set()
    for link in board.links:
        if link.kind == FREEWAY:
            into.add(link.end)
    for link in board.links:
        for end in (link.start, link.end):
            arrives = link.kind != FREEWAY and (end == link.end or not link.one_way)
            if arrives and out[end] and board.point_ids[end] not in board.gates:
                faults.append("one can drive onto the freeway at " + board.point_ids[end] + " without a gate")
    for name in board.gates:
        at = board.point_index[name]
        if not out[at]:
            faults.append(name + " leads to no freeway")
        elif at in into:
            faults.append(name + " lies inside the freeway")
        elif not _exits_after(board, at):
            faults.append("no exit after " + name)
    for i in range(len(board.point_ids)):
        if i in _freeway_after(board, i) and len(_exits_after(board, i)) < 2:
            faults.append("the ring through " + board.point_ids[i] + " has fewer than two exits")
    exits = len([link for link in board.links if link.kind == OFF_RAMP and link.start in into])
    figure = str(len(board.gates)) + " gates, " + str(exits) + " exits"
    return _once(faults), figure


def useless_links(board: Board) -> tuple[list[str], str]:
    """Every freeway link lies on a way from a gate to an exit."""
    entered = set()
    for name in board.gates:
        entered.add(board.point_index[name])
        entered.update(_freeway_after(board, board.point_index[name]))
    useless = []
    for link in board.links:
        if link.kind == FREEWAY and (link.start not in entered or not _exits_after(board, link.end)):
            useless.append(link.name)
    faults = ["of no use: " + ", ".join(useless)] if useless else []
    return faults, str(len(useless)) + " useless"


def stops_around(board: Board) -> tuple[list[str], str]:
    """A stop before every gate and after every freeway end."""
    faults = []
    out = _freeway_next(board)
    for name in board.gates:
        links = [board.links[i] for i in board.links_at[board.point_index[name]]]
        if not [link for link in links if link.kind != FREEWAY and link.kind != OFF_RAMP]:
            faults.append("no road to wait on before " + name)
    for link in board.links:
        if link.kind == FREEWAY and not out[link.end]:
            others = [board.links[i] for i in board.links_at[link.end]]
            if not [x for x in others if x.kind == OFF_RAMP and x.start == link.end]:
                faults.append("no off-ramp where the freeway ends at " + board.point_ids[link.end])
    return _once(faults), str(len(faults)) + " missing"


def _once(items: list[str]) -> list[str]:
    return sorted(set(items))


def _freeway_next(board: Board) -> list[list[int]]:
    """By point, where the freeway goes on from there."""
    out: list[list[int]] = [[] for _ in board.point_ids]
    for link in board.links:
        if link.kind == FREEWAY:
            out[link.start].append(link.end)
    return out


def _freeway_after(board: Board, start: int) -> set[int]:
    """The points that the freeway leads to from a point (itself only if it comes round)."""
    out = _freeway_next(board)
    found: set[int] = set()
    todo = [start]
    while todo:
        for point in out[todo.pop()]:
            if point not in found:
                found.add(point)
                todo.append(point)
    return found


def _exits_after(board: Board, start: int) -> set[int]:
    """The points with an off-ramp on the freeway from a point on, itself included."""
    there = _freeway_after(board, start)
    there.add(start)
    return {link.start for link in board.links if link.kind == OFF_RAMP and link.start in there}
