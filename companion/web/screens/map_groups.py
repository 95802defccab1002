"""The map of a screen: drawn whole with the page, afterwards only the groups that changed. What is drawn is its
title's business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.tables.receipts import Json, LogRow
from companion.web.screens.seats import Screen

Mode = Literal["wall", "tablet", "phone", "bench"]
PHONE_MAP = (328.0, 236.0)
WIDEST = 480.0
"""Map units across a phone: wider than that, street names are dust."""
HAND_STRIP = 80
"""Map units below the bench's page, for what is in the air."""


def page_size(screen: Screen) -> tuple[float, float]:
    """Width and height of the map's page."""
    page = screen.places.layout["page"]
    return page["width"], page["height"]


def whole_map(screen: Screen, mode: Mode, groups: dict[str, str], *, label: str, seat: int = 0) -> str:
    """The whole map as inline SVG with the given live groups; a phone's shows its seat's surroundings first."""
    wide, high = page_size(screen)
    crop = _crop(screen, seat) if mode == "phone" else f"0 0 {wide} {high + HAND_STRIP}" if mode == "bench" else None
    places = screen.places
    drawing = places.title.map
    as_drawn = "phone" if mode == "tablet" else mode
    drawn = drawing.draw_map(places.board, places.layout, None, mode=as_drawn, crop=crop, label=label)
    for name, group in drawing.draw_live(places.board, places.layout, None).items():
        drawn = drawn.replace(group, groups.get(name, group), 1)
    drawn = drawn.replace("<svg ", f'<svg data-page="0 0 {wide} {high}" ', 1)
    # Where one acts on the map, all of it must be there; the wall's frame has its shape already.
    return drawn.replace("xMidYMid slice", "xMidYMid meet", 1) if mode in ("tablet", "bench") else drawn


def live_groups(screen: Screen, rows: Sequence[LogRow], alarms: Sequence[Json]) -> dict[str, str]:
    """Each group that may change, by its id. A press on the map is matched with the nearest place by the page's
    script, so that several hundred places need no shapes of their own. `screen` is the banker's, `rows` are the
    newest of the log, `alarms` what lies wrongly.
    """
    places = screen.places
    extra = places.title.map.extra(screen, rows, alarms)
    return places.title.map.draw_live(places.board, places.layout, screen.view, **extra)


def _crop(screen: Screen, seat: int) -> str:
    """A phone's window: its taxi and goal when both fit at a legible size, else the taxi's surroundings."""
    places = screen.places
    shown = places.title.map.focus(screen, seat)
    crop = places.title.map.crop_round(places.board, places.layout, shown, *PHONE_MAP)
    if float(crop.split()[2]) > WIDEST and shown:
        scale = PHONE_MAP[0] / WIDEST
        return places.title.map.crop_round(places.board, places.layout, shown[:1], *PHONE_MAP, scale=scale)
    return crop
