"""Where London's board is, and what stands on its sheet with the boxes that it takes up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.titles.destination_london.map import attractions, names, squares
from companion.titles.destination_london.map.london import London
from companion.web.map.geometry import Box, overlap

Json = dict[str, Any]
Named = list[tuple[str, list[Box]]]
BOARDS = Path(__file__).resolve().parents[3] / "shared_rules" / "games" / "destination_london" / "boards"
COLOURS = ("red", "yellow", "blue", "green", "white", "black")


def signs(here: London) -> Named:
    return [
        (name, list(attractions.boxes(here.layout["attractions"][name], here.fares[name]).values()))
        for name in sorted(here.attractions)
    ]


def words(here: London) -> Named:
    return [(" ".join(label.lines), label.boxes) for label in names.all_labels(here)]


def posts(here: London) -> Named:
    return [(square, [squares.box(here, square, 0.0)]) for square in here.squares()]


def fixtures(here: London) -> Named:
    x, y = here.layout["cartouche"]["at"]
    found: Named = [("title", [(x - 104, y - 40, x + 104, y + 40)])]
    x, y = here.layout["compass"]
    found.append(("compass", [(x - 28, y - 44, x + 28, y + 28)]))
    return found + [("boat", [(x - 13, y - 10, x + 13, y + 9)]) for x, y in here.layout["boats"]]


def clashes(pairs: Any) -> list[str]:
    return [
        f"{one[0]} / {other[0]}" for one, other in pairs if any(overlap(a, b) > 0 for a in one[1] for b in other[1])
    ]
