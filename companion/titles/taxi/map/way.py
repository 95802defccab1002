"""The way a taxi drives, for showing it: which links, street by street, between two places at a known cost.

Costs are the rules' business (`ask reachable`). This finds one way that keeps to them, of those with the fewest streets
the shortest on paper, so that the map can draw it with one number a street. Straight on and along the freeway is the
same street; a turn, a bend of 90 degrees and a reversal begin a new one (T-044, T-045, T-049, T-067).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from typing import Any

from companion.titles.taxi.map.town import STRAIGHT, Json, Town, town

_FAST = ("freeway", "lead_on", "off_ramp")
Step = tuple[str, str]


def find_way(
    board: Json,
    layout: Json,
    start: str,
    goal: str,
    *,
    green: int = 0,
    white: int = 0,
    against: Collection[str] = (),
) -> dict[str, Any] | None:
    """Return a way from ``start`` to ``goal`` with at most that many tablets, or None when there is none.

    The answer has ``legs`` (for each street the places passed, both ends included; a leg ends where the next begins),
    ``lights`` and ``gates`` that it opens, in order. ``against`` holds the links with a barrier: they may be entered
    but not passed. KeyError for a place that the board does not have.
    """
    here = town(board, layout)
    start, goal = here.canonical(start), here.canonical(goal)
    if start == goal:
        return {"legs": [], "lights": [], "gates": []}
    blocked = {frozenset(here.canonical(link).split("~")) for link in against}
    lights, gates = set(here.lights), set(here.gates)
    queue: list[tuple[int, float, int, int, tuple[Step, ...]]] = []
    for step in _first_steps(here, start):
        length = math.dist(here.xy(start), here.xy(step[1]))
        heapq.heappush(queue, (1, length, 0, 0, (step,)))
    done: set[tuple[Step, int, int]] = set()
    while queue:
        streets, length, greens, whites, steps = heapq.heappop(queue)
        last = steps[-1]
        if (last, greens, whites) in done:
            continue
        done.add((last, greens, whites))
        if goal in (last[1], here.link(*last)):
            return _legs(here, start, goal, steps, lights, gates)
        if frozenset(last) in blocked and start != here.link(*last):
            continue
        at = last[1]
        greens += at in lights
        whites += at in gates
        if greens > green or whites > white:
            continue
        for name in here.neighbours[at]:
            step = (at, name)
            if not _may_drive(here, step):
                continue
            more = streets + (not _same_street(here, last, step))
            further = length + math.dist(here.xy(at), here.xy(name))
            heapq.heappush(queue, (more, further, greens, whites, (*steps, step)))
    return None


def _may_drive(here: Town, step: Step) -> bool:
    return step in here.kinds or here.kind(*step) not in ("freeway", "off_ramp")


def _first_steps(here: Town, start: str) -> list[Step]:
    if "~" in start:
        one, other = start.split("~", 1)
        return [step for step in ((one, other), (other, one)) if _may_drive(here, step)]
    return [(start, name) for name in here.neighbours[start] if _may_drive(here, (start, name))]


def _same_street(here: Town, before: Step, after: Step) -> bool:
    if after[1] == before[0]:
        return False
    kinds = here.kind(*before), here.kind(*after)
    if "freeway" in kinds and all(kind in _FAST for kind in kinds):
        return True
    if kinds[0] == kinds[1] and kinds[0] in ("lead_on", "off_ramp"):
        return True
    return here.deflection(before[0], before[1], after[1]) <= STRAIGHT


def _legs(
    here: Town, start: str, goal: str, steps: tuple[Step, ...], lights: set[str], gates: set[str]
) -> dict[str, Any]:
    legs: list[list[str]] = [[start]]
    before: Step | None = None
    for step in steps:
        if before is not None and not _same_street(here, before, step):
            legs.append([before[1]])
        legs[-1].append(step[1])
        before = step
    if "~" in goal:
        legs[-1][-1] = goal
    passed = [step[1] for step in steps[:-1]]
    return {
        "legs": legs,
        "lights": [name for name in passed if name in lights],
        "gates": [name for name in passed if name in gates],
    }
