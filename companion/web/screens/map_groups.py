"""The map of a screen: drawn whole with the page, afterwards only the groups that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from companion.tables.receipts import Json, LogRow
from companion.web.map.draw import crop_round, draw_live, draw_map
from companion.web.map.way import find_way
from companion.web.screens.seats import Screen

Mode = Literal["wall", "tablet", "phone", "bench"]
PHONE_MAP = (328.0, 236.0)
WIDEST = 480.0
"""Map units across a phone: wider than that, street names are dust."""
BENCH_PAGE = "0 0 1366 1116"
"""The page with a strip below it for taxis that are in the air."""
FREE_LIGHTS = 3
"""As many as a turn's cards are likely to open; beyond that a taxi glides straight."""
Reach = list[list[Any]]


def whole_map(screen: Screen, mode: Mode, groups: dict[str, str], *, label: str, seat: int = 0) -> str:
    """The whole map as inline SVG with the given live groups; a phone's shows its seat's surroundings first."""
    crop = _crop(screen, seat) if mode == "phone" else (BENCH_PAGE if mode == "bench" else None)
    town = screen.town
    drawn = draw_map(town.board, town.layout, None, mode="phone" if mode == "tablet" else mode, crop=crop, label=label)
    empty = draw_live(town.board, town.layout, None)
    for name, group in groups.items():
        drawn = drawn.replace(empty[name], group, 1)
    # Where one acts on the map, all of it must be there; the wall's frame has its shape already.
    return drawn.replace("xMidYMid slice", "xMidYMid meet", 1) if mode in ("tablet", "bench") else drawn


def live_groups(screen: Screen, reach: Reach | None, extra: Json) -> dict[str, str]:
    """Each group that may change, by its id. A press on the map is matched with the nearest place by the page's
    script, so that several hundred places need no shapes of their own.
    """
    return draw_live(screen.town.board, screen.town.layout, screen.view, reach=reach, mode="wall", **extra)


def route_to_goal(screen: Screen, reach: Reach | None) -> Json | None:
    """The way to the own destination of the seat on turn, while it can be reached with what was thrown: for showing
    it.
    """
    who = screen.on_turn
    if reach is None or who is None or who.at is None:
        return None
    goal = screen.town.destination_at(who.destination)
    ways = sorted((w for w in reach if w[0] == goal and w[1]), key=lambda w: (w[3], w[2], w[1]))
    if not ways or goal is None:
        return None
    against = [b["on"] for b in screen.view.get("placed_barriers", [])]
    board, layout = screen.town.board, screen.town.layout
    return find_way(board, layout, who.at, goal, green=ways[0][2], white=ways[0][3], against=against)


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
    board, layout = screen.town.board, screen.town.layout
    for gift in range(FREE_LIGHTS + 1):  # lights that a card opened for nothing are in no receipt
        way = find_way(board, layout, drive["from"], drive["to"], green=green + gift, white=white, against=against)
        if way is not None and len(way["legs"]) <= drive["streets"]:
            return way
    return None


def reach_of(prompts: Any, turn: int) -> Reach | None:
    """The reachable places of the seat on turn, from prompts of the bank (by seat) or of one seat; None when nobody
    is to move.
    """
    found = prompts if isinstance(prompts, list) else next((p for s, p in prompts.items() if int(s) == turn), [])
    for prompt in found:
        if prompt["do"] == "move":
            to: Reach = prompt["to"]
            return to
    return None


def _crop(screen: Screen, seat: int) -> str:
    """A phone's window: its taxi and destination when both fit at a legible size, else the taxi's surroundings."""
    me, town = screen.by_seat[seat], screen.town
    both = [p for p in (me.at, town.destination_at(me.destination)) if p]
    crop = crop_round(town.board, town.layout, both, *PHONE_MAP)
    if float(crop.split()[2]) > WIDEST and me.at:
        return crop_round(town.board, town.layout, [me.at], *PHONE_MAP, scale=PHONE_MAP[0] / WIDEST)
    return crop
