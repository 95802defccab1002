"""The map of a screen: drawn whole with the page, afterwards only the groups that changed."""

from __future__ import annotations

from typing import Any, Literal

from companion.tables.receipts import Json
from companion.web.map.draw import crop_round, draw_live, draw_map
from companion.web.map.way import find_way
from companion.web.screens.seats import Screen

Mode = Literal["wall", "tablet", "phone", "bench"]
PHONE_MAP = (328.0, 236.0)
WIDEST = 480.0
"""Map units across a phone: wider than that, street names are dust."""
BENCH_PAGE = "0 0 1366 1116"
"""The page with a strip below it for taxis that are in the air."""
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
