"""One way that a taxi can have driven, for lights that go green and taxis that glide: the rules know what a move
costs, not which way it went."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from companion.tables.receipts import Json
from shared_rules.games.taxi.streets import StreetMap, street_map

Label = tuple[int, int, int]


def driven(state: Any, start: str, to: str, cost: Label, barriers: list[str]) -> list[str]:
    """The points along a way from `start` to `to` that costs at most (streets, green, white), the cheapest of them;
    [] if there is none, or for a taxi that stays. `state` is a state of the rules core, for its board and house
    rules."""
    streets = street_map(state.board, state.options)
    if start == to:
        return []
    blocked = {streets.place_index[place] for place in barriers if place in streets.place_index}
    return _search(streets, streets.place_index[start], streets.place_index[to], cost, blocked)


def _search(streets: StreetMap, start: int, to: int, cost: Label, blocked: set[int]) -> list[str]:
    points = streets.board.point_ids
    heap: list[tuple[Label, int, tuple[str, ...]]] = [((1, 0, 0), state, ()) for state in streets.start_states(start)]
    heapq.heapify(heap)
    done: dict[int, list[Label]] = {}
    while heap:
        label, state, way = heapq.heappop(heap)
        if any(all(a <= b for a, b in zip(old, label, strict=True)) for old in done.get(state, [])):
            continue
        done.setdefault(state, []).append(label)
        if streets.state_place[state] == to:
            return list(way)
        end = (*way, points[streets.end_point[state]])
        parted = streets.place_index[streets.board.links[state // 2].name] in blocked
        if not parted and streets.end_place[state] == to:
            return list(end)
        ways: list[tuple[int, int, int, int, tuple[str, ...]]] = []
        if not parted:
            ways += [(on, turn, green, white, end) for on, turn, green, white in streets.ahead[state]]
        if not streets.one_way[state // 2]:
            ways.append((state ^ 1, 1, 0, 0, way))
        for on, turn, green, white, along in ways:
            more = (label[0] + turn, label[1] + green, label[2] + white)
            if all(a <= b for a, b in zip(more, cost, strict=True)):
                heapq.heappush(heap, (more, on, along))
    return []


def passed(state: Any, events: Sequence[Json], barriers: list[str]) -> list[str]:
    """The points that the taxi drove over in the move among these events, lights and gates included; [] without a
    move."""
    spent = {"green": 0, "white": 0}
    for event in events:
        if event["event"] == "TabletMoved" and event.get("to") == 0 and event.get("unit") in spent:
            spent[event["unit"]] += event["amount"]
        if event["event"] == "TaxiMoved" and event.get("by") == "throw":
            cost = (event["streets"], spent["green"], spent["white"])
            return driven(state, event["from"], event["to"], cost, barriers)
    return []
