"""Whether what a recording heard came again. Two evenings are never the same to the millisecond: links are made anew,
readers poll in turn. So a recorded fact may come somewhat earlier or later, and facts that came almost together may
change places; each heard fact answers one recorded fact, and beyond that the order of each device holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.fault_scripts.script import Expected

WINDOW_SECONDS = 10.0
"""How far from its recorded time a fact may come: as long as a lost link takes to be back at the worst."""
TOGETHER_SECONDS = 2.0
"""Facts of one device this close may change places: a socket is empty after a second of silence, taken at once."""


def never_came(expected: Sequence[Expected], heard: Sequence[Mapping[str, Any]], patience: float) -> list[str]:
    """A sentence for each fact of a loose order that did not come about when it must; `patience` stretches the
    window. `heard` are the watcher's facts, in the order in which they came."""
    wrong: list[str] = []
    found: dict[int, tuple[Any, float]] = {}
    window = WINDOW_SECONDS * patience
    for one in sorted(expected, key=lambda each: each.about_ms):
        about, device = one.about_ms / 1000, one.pattern.values.get("device")
        before = (i for i, (who, when) in found.items() if who == device and when < about - TOGETHER_SECONDS)
        start = max(before, default=-1) + 1
        at = next(
            (
                i
                for i in range(start, len(heard))
                if i not in found and abs(heard[i]["at"] - about) <= window and one.pattern.fits(dict(heard[i]))
            ),
            None,
        )
        if at is None:
            wrong.append(f"{one.pattern} never came about {about:.1f} s after the start (or {window:g} s around it)")
        else:
            found[at] = (device, about)
    return wrong
