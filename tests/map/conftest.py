"""The reference board, its layout and a view with six taxis for the map's tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

BOARDS = Path(__file__).resolve().parents[2] / "shared_rules" / "games" / "taxi" / "boards"
COLOURS = ("red", "yellow", "blue", "green", "white", "black")
NAMES = ("Ann", "Bo", "Carla", "Dev", "Edie", "Finn")


@pytest.fixture(scope="session")
def board() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((BOARDS / "fumbling.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def layout_text() -> str:
    return (BOARDS / "fumbling.layout.json").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def layout(layout_text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(layout_text)
    return found


@pytest.fixture(scope="session")
def view(board: dict[str, Any]) -> dict[str, Any]:
    """Six seats: two taxis share a stop, one stands on a link, one is at home."""
    goals = sorted(board["destinations"])
    corners = [road["via"][0] for road in board["roads"] if road["kind"] == "minor"]
    link = next(road["via"][:2] for road in board["roads"] if road["kind"] == "major")
    at = [corners[0], corners[3], "~".join(link), corners[3], board["base"], corners[8]]
    players = [
        {
            "seat": n + 1,
            "name": NAMES[n],
            "colour": COLOURS[n],
            "status": "in",
            "at": at[n],
            "destination": goals[n * 4],
        }
        for n in range(6)
    ]
    return {"turn": 1, "players": players, "placed_barriers": [{"on": "~".join(link), "by": 2, "against": 1}]}
