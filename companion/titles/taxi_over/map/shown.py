"""What the map shows besides the position: what lies before the seat on turn, and what has just happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.titles.taxi_over.map.moments import moment_of
from companion.titles.taxi_over.outlook import outlook_of
from companion.web.screens.seats import Screen


def extra(screen: Screen, rows: Sequence[LogRow], alarms: Sequence[Json]) -> dict[str, Any]:
    """The arguments of `draw_live` besides the view."""
    return {"outlook": outlook_of(screen.view), "moment": moment_of(rows), "alarms": list(alarms)}


def focus(screen: Screen, seat: int) -> list[str]:
    """Nothing: the ring is looked at as a whole, on a phone too."""
    return []
