"""What London's map shows besides the position: where the taxi on turn can go, and the drive just made.

All pages show the same map, so nothing of it comes from a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.titles.destination_london.map.london import london
from companion.titles.destination_london.map.ways import find_way
from companion.web.screens.seats import Screen


def extra(screen: Screen, rows: Sequence[LogRow], alarms: Sequence[Json]) -> dict[str, Any]:
    """The arguments of `draw_live` besides the view."""
    return {
        "reach": reach_of(screen.view.get("prompts"), screen.turn),
        "unexplained": [one for one in alarms if one.get("colour")],
        "drove": last_drive(screen, rows),
    }


def focus(screen: Screen, seat: int) -> list[str]:
    """The seat's taxi."""
    at = screen.by_seat[seat].at
    return [at] if at else []


def reach_of(prompts: Any, turn: int) -> list[str] | None:
    """The squares that the seat on turn may move to, from prompts of the bank (by seat) or of one seat; None when
    nobody is to move.
    """
    if isinstance(prompts, dict):
        prompts = next((found for seat, found in prompts.items() if int(seat) == turn), [])
    for prompt in prompts or ():
        if prompt["do"] == "move":
            return list(prompt["to"])
    return None


def last_drive(screen: Screen, rows: Sequence[LogRow]) -> tuple[int, list[str]] | None:
    """The seat whose taxi moved last by a throw and still stands there, with a way that it can have driven; `rows` are
    the newest of the log. None as soon as something was taken back: what lies on the table then did not drive there.
    """
    for row in rows:
        if row.kind == "undo":
            return None
        events = [event for event in row.events if event and not row.undone]
        drive = next((event for event in events if event["event"] == "TaxiMoved" and event.get("squares")), None)
        if drive is None:
            continue
        who = screen.by_seat.get(drive["seat"])
        if who is None or who.at != drive["to"]:
            return None
        here = london(screen.places.board, screen.places.layout)
        way = find_way(here, drive["from"], drive["to"], int(drive["squares"]))
        return (who.seat, way) if way else None
    return None
