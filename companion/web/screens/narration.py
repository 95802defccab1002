"""The log in sentences: one line a command, from the events that an audience may know.

Each event kind has a text `event.<kind>`; an event without one is not spoken of. What a text may use is listed in `_places`, so no field reaches a
page by accident. A row's amount (right edge of the roll) is what its own seat gained or lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json, LogRow
from companion.web.rendering import dollars
from companion.web.screens.seats import Screen
from companion.web.texts import Texts


@dataclass
class Line:
    """One line of the roll."""

    id: str
    time: str
    colour: str
    sentence: Markup
    quote: str = ""
    amount: str = ""
    sign: str = ""
    rules: Sequence[str] = ()
    undone: bool = False
    facts: list[Json] = field(default_factory=list)


def lines(rows: Sequence[LogRow], screen: Screen, t: Texts, limit: int) -> list[Line]:
    """The newest `limit` lines, newest first."""
    found: list[Line] = []
    for row in rows:
        line = _line(row, screen, t)
        if line is not None:
            found.append(line)
        if len(found) == limit:
            break
    return found


def _line(row: LogRow, screen: Screen, t: Texts) -> Line | None:
    return None
