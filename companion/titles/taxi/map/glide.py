"""The way of the taxi that moved last, written on its element so that the page lets it glide along its streets.

The attribute is `data-way="1400 612.3 402.1 624.2 402.8 …"`: milliseconds, then points in even steps along the way.
What is done with it is the page's business (`live.js`): nothing for eyes that want no motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.taxi.map.town import Town
from companion.titles.taxi.map.ways import leg_line
from companion.web.map.geometry import Line, Point, pair

STREET_MS = 700
LONGEST_MS = 2200
STEP = 12.0
"""Page units between two points: a third of a taxi, so that it turns within its own length."""
MOST = 64


def glide(town: Town, way: Mapping[str, Any]) -> str:
    """Return the attribute's value for a way from :func:`companion.titles.taxi.map.way.find_way`; "" for one that goes
    nowhere.
    """
    legs: Sequence[Sequence[str]] = way["legs"]
    points: list[Point] = [point for leg in legs if (line := leg_line(town, leg)) is not None for point in line.points]
    if len(points) < 2 or not (line := Line(points)).length:
        return ""
    count = max(1, min(MOST, round(line.length / STEP)))
    steps = [pair(line.at(line.length * index / count)[:2]) for index in range(count + 1)]
    return f"{min(STREET_MS * len(legs), LONGEST_MS)} {' '.join(steps)}"
