"""What TAXI!'s map shows besides the position: the way to the own character, and the drive just made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.titles.taxi.map.way import find_way
from companion.titles.taxi.reach import Reach, reach_of, ways_to
from companion.titles.taxi.seats import destination_at
from companion.web.screens.seats import Screen

FREE_LIGHTS = 3
"""As many as a turn's cards are likely to open; beyond that a taxi glides straight."""


def extra(screen: Screen, rows: Sequence[LogRow], alarms: Sequence[Json]) -> dict[str, Any]:
    """The arguments of `draw_live` besides the view."""
    reach = reach_of(screen.view["prompts"], screen.turn)
    return {
        "reach": reach,
        "route": route_to_goal(screen, reach),
        "unexplained": [one for one in alarms if one.get("colour")],
        "drove": last_drive(screen, rows),
    }


def focus(screen: Screen, seat: int) -> list[str]:
    """A taxi and its destination."""
    me = screen.by_seat[seat]
    destination = me.player.get("destination") if not me.out else None
    return [place for place in (me.at, destination_at(screen.places, destination)) if place]


def route_to_goal(screen: Screen, reach: Reach | None) -> Json | None:
    """The way to the own destination of the seat on turn, while it can be reached with what was thrown: for showing
    it.
    """
    who = screen.on_turn
    if reach is None or who is None or who.at is None or who.goal is None or who.goal.place is None:
        return None
    ways = [way for way in ways_to(who.goal.place, reach) if way[1]]
    if not ways:
        return None
    against = [b["on"] for b in screen.view.get("placed_barriers", [])]
    board, layout = screen.places.board, screen.places.layout
    return find_way(board, layout, who.at, who.goal.place, green=ways[0][2], white=ways[0][3], against=against)


def last_drive(screen: Screen, rows: Sequence[LogRow]) -> tuple[int, Json] | None:
    """The seat whose taxi moved last by a throw and still stands there, with a way that it can have driven; `rows` are
    the newest of the log. None as soon as something was taken back: what lies on the table then did not drive there.
    """
    for row in rows:
        if row.kind == "undo":
            return None
        events = [event for event in row.events if event and not row.undone]
        drive = next((e for e in events if e["event"] == "TaxiMoved" and e.get("by") == "throw"), None)
        if drive is None:
            continue
        who = screen.by_seat.get(drive["seat"])
        if who is None or who.at != drive["to"]:
            return None
        spent = {"green": 0, "white": 0}
        for event in events:
            if event["event"] == "TabletMoved" and event.get("to") == 0 and event.get("unit") in spent:
                spent[event["unit"]] += event["amount"]
        way = _way_driven(screen, drive, spent["green"], spent["white"])
        return (who.seat, way) if way else None
    return None


def _way_driven(screen: Screen, drive: Json, green: int, white: int) -> Json | None:
    against = [b["on"] for b in screen.view.get("placed_barriers", [])]
    board, layout = screen.places.board, screen.places.layout
    for gift in range(FREE_LIGHTS + 1):  # lights that a card opened for nothing are in no receipt
        way = find_way(board, layout, drive["from"], drive["to"], green=green + gift, white=white, against=against)
        if way is not None and len(way["legs"]) <= drive["streets"]:
            return way
    return None
