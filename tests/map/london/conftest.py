"""London's board, its layout and a view with six taxis."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from london_boxes import BOARDS, COLOURS, Json  # noqa: E402

from companion.titles.destination_london.map.london import London  # noqa: E402


@pytest.fixture(scope="module")
def board() -> Json:
    found: Json = json.loads((BOARDS / "thames.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def layout() -> Json:
    found: Json = json.loads((BOARDS / "thames.layout.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def here(board: Json, layout: Json) -> London:
    return London(board, layout)


@pytest.fixture
def view() -> Json:
    at = ["PIC", "CAY", "CAY", "SLO", "BASE", "TRA"]
    players = [
        {"seat": n + 1, "colour": colour, "name": colour.title(), "at": at[n], "status": "in"}
        for n, colour in enumerate(COLOURS)
    ]
    return {"turn": 1, "players": players, "gone": []}
