"""The way of the taxi that moved last, written on its element so that the page lets it glide along its streets.

The attribute is `data-way="1400 612.3 402.1 624.2 402.8 …"`: milliseconds, then points in even steps along the way.
What is done with it is the page's business (`live.js`): nothing for eyes that want no motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.taxi.map.town import Town
from companion.titles.taxi.map.ways import leg_line
from companion.web.map import pieces
from companion.web.map.geometry import Line, Point

STREET_MS = 700
LONGEST_MS = 2200


def glide(town: Town, way: Mapping[str, Any]) -> str:
    """Return the attribute's value for a way from :func:`companion.titles.taxi.map.way.find_way`; "" for one that goes
    nowhere.
    """
    legs: Sequence[Sequence[str]] = way["legs"]
    points: list[Point] = [point for leg in legs if (line := leg_line(town, leg)) is not None for point in line.points]
    return pieces.glide(Line(points), min(STREET_MS * len(legs), LONGEST_MS)) if points else ""
