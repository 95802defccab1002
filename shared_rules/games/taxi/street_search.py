"""The exact search for least costs on a street graph, with barriers; one start at a time."""

from shared_rules.games.taxi.street_graph import StreetGraph


def search(
    graph: StreetGraph, start: str, streets: int, green: int, white: int, barred: tuple[int, ...]
) -> list[list[tuple[int, int, int]]]:
    """By place, all least costs within the limits (`streets` -1: any number): lists of (streets, green, white).

    `start` is a stop, `barred` are the indices of links with a barrier against the mover.

    A barrier by default parts its link: behind it lies a second pair of states, `count + state`, for the run from
    the barrier to the link's end. Labels are taken in the order of (streets, green + white), so a label that is
    taken is never beaten by a later one.
    """
    graph.build()
    count = len(graph.end_point)
    closed = graph.closed_links(barred)
    parted = barred if graph.extent == "point" else ()
    # Most of the board is out of reach: what no label has come to shares one empty list.
    none: list[tuple[int, int, int]] = []
    taken = [none] * (2 * count)
    result = [none] * len(graph.place_names)
    at = graph.place_index[start]
    result[at] = [(0, 0, 0)]
    now: list[list[tuple[int, int, int]]] = [[]]
    if streets != 0:
        for state in graph.start_states(at):
            if graph.place_point[at] >= 0:
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
                if labels:
                    labels.append((level, g, w))
                else:
                    taken[state] = [(level, g, w)]
                plain = state if state < count else state - count
                link = plain // 2
                barrier = link in parted
                place = graph.barrier_place[link] if barrier else graph.state_place[plain]
                if place >= 0 and not _beaten(result[place], g, w):
                    if result[place]:
                        result[place].append((level, g, w))
                    else:
                        result[place] = [(level, g, w)]
                if not graph.one_way[link] and level != streets:
                    back = plain ^ 1
                    if barrier and state < count:
                        back += count
                    _put(later, g + w, (back, g, w))
                if barrier and state < count:
                    continue
                place = graph.end_place[plain]
                if place >= 0 and not _beaten(result[place], g, w):
                    if result[place]:
                        result[place].append((level, g, w))
                    else:
                        result[place] = [(level, g, w)]
                for on, turn, lights, gates in graph.ahead[plain]:
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


def _beaten(labels: list[tuple[int, int, int]], green: int, white: int) -> bool:
    """Whether an earlier label (of no more streets) needs no more tablets of either colour."""
    for _, g, w in labels:
        if g <= green and w <= white:
            return True
    return False


def _put(buckets: list[list[tuple[int, int, int]]], tablets: int, entry: tuple[int, int, int]) -> None:
    while len(buckets) <= tablets:
        buckets.append([])
    buckets[tablets].append(entry)
