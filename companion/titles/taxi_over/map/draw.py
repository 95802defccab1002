"""The map of a ring as inline SVG: a printed part made once, and live groups that a page's stream swaps one by one.

One map a page: ids are unique within one SVG only. Styles come from `static/tokens.css`, `static/look.css` and this
title's `static/style.css`, day and night from the `data-theme` of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.tables.receipts import Json
from companion.titles.contract import Piece
from companion.titles.taxi_over.map import cabs, ground, homes, square, ways
from companion.titles.taxi_over.map.moments import NOTHING, Moment
from companion.titles.taxi_over.map.ring import START, Ring, ring
from companion.titles.taxi_over.map.shown import extra, focus
from companion.titles.taxi_over.map.signs import DRIVER_FEET, cab, driver, symbols
from companion.titles.taxi_over.outlook import Outlook
from companion.web.map import sheet
from companion.web.map.geometry import around, number

__all__ = [
    "LIVE_GROUPS", "MODES", "crop_round", "draw_live", "draw_map", "draw_static", "extra", "focus", "grid_reference",
    "hold", "place_name", "place_points",
]  # fmt: skip

LIVE_GROUPS = (
    "band", "start-glow", "route", "box", "dice", "signs", "homes", "ahead", "fallen", "alarm", "taxis",
)  # fmt: skip
"""Ids of the live groups, bottom to top."""

ATTRIBUTES = {
    "band": ' aria-hidden="true"',
    "start-glow": ' aria-hidden="true"',
    "route": ' aria-hidden="true"',
    "ahead": ' aria-hidden="true"',
    "taxis": ' data-keep=""',
}
"""Of live groups: those that say nothing in words, and the one whose children stay the same elements and move."""

MODES = ("wall", "tablet", "phone", "bench")
CROP_ROOM = 110.0


def draw_static(board: Json, layout: Json) -> str:
    """The printed part: symbols, land, road, sinkholes, START, houses, margin. Made once, then kept."""
    here = ring(board, layout)
    if "static" not in here.memo:
        here.memo["static"] = f'<defs>{symbols()}</defs><g id="printed" aria-hidden="true">{ground.printed(here)}</g>'
    return here.memo["static"]


def draw_live(
    board: Json,
    layout: Json,
    view: Mapping[str, Any] | None = None,
    *,
    outlook: Outlook | None = None,
    moment: Moment = NOTHING,
    alarms: Sequence[Mapping[str, Any]] = (),
    mode: str = "wall",
) -> dict[str, str]:
    """Each live group as ``{id: '<g id="…">…</g>'}``, all of :data:`LIVE_GROUPS`, empty ones too.

    - ``view``: a position or a view of it; None draws the empty town.
    - ``outlook``: what lies before the seat on turn (:mod:`companion.titles.taxi_over.outlook`).
    - ``moment``: what the last command was about (:mod:`…map.moments`).
    - ``alarms``: pieces that the table saw and the rules cannot explain.

    ValueError for an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"map mode {mode!r}: use one of {', '.join(MODES)}")
    here = ring(board, layout)
    colour = _colour_on_turn(view)
    inner = {
        "band": sheet.band(layout, colour),
        "start-glow": _start_glow(here, outlook),
        "route": ways.route(here, outlook, colour or "white"),
        "box": square.box(here, view, moment),
        "dice": square.dice(here, view, moment),
        "signs": square.signs(here, view),
        "homes": homes.homes(here, view, moment),
        "ahead": ways.marks(here, outlook, _taken(view)),
        "fallen": _fallen(here, moment),
        "alarm": cabs.alarm(here, alarms),
        "taxis": cabs.traffic(here, view, moment),
    }
    return {name: f'<g id="{name}"{ATTRIBUTES.get(name, "")}>{inner[name]}</g>' for name in LIVE_GROUPS}


def draw_map(
    board: Json,
    layout: Json,
    view: Mapping[str, Any] | None = None,
    *,
    mode: str = "wall",
    crop: str | None = None,
    label: str | None = None,
    **live: Any,
) -> str:
    """The whole map as one inline SVG; ``live`` is what :func:`draw_live` takes besides.

    ``mode``: ``wall`` is a picture (``role="img"``). ``crop``: a viewBox, as :func:`crop_round` gives; without it the
    whole page. ``label``: the map in words.
    """
    groups = draw_live(board, layout, view, mode=mode, **live)
    inner = draw_static(board, layout) + "".join(groups.values())
    words = label or f"Map of {board.get('title') or 'the ring'}"
    fit = "meet" if mode == "phone" else "slice"
    return sheet.picture(layout, inner, mode=mode, label=words, crop=crop, look="ring", fit=fit)


def crop_round(
    board: Json, layout: Json, places: Sequence[str], width: float, height: float, scale: float = 1.5
) -> str:
    """The viewBox that shows these places in a window of that many pixels; all of the town for none."""
    here = ring(board, layout)
    left, top, right, bottom = sheet.frame(layout)
    spots = [here.at(place)[:2] for place in places] or [(left, top), (right, bottom)]
    x0, y0, x1, y1 = around(spots)
    room = CROP_ROOM if places else 4.0
    wide, high = x1 - x0 + 2 * room, y1 - y0 + 2 * room
    scale = min(scale, width / wide, height / high)
    box_w, box_h = width / scale, height / scale
    return f"{(x0 + x1 - box_w) / 2:.0f} {(y0 + y1 - box_h) / 2:.0f} {box_w:.0f} {box_h:.0f}"


def place_points(board: Json, layout: Json) -> dict[str, tuple[float, float]]:
    """Where START and every space lie on the page."""
    here = ring(board, layout)
    return {name: here.at(name)[:2] for name in [START, *here.loop]}


def place_name(board: Json, layout: Json, place: str) -> str:
    """A place as people call it: "START", "Space 12", "Space 5, Tuppenny Cross"; a sinkhole by its name. KeyError."""
    names = layout.get("names", {})
    if place in board.get("sinkholes", {}):
        return str(names.get(place, place))
    if place == START:
        return START
    if place not in board["loop"]:
        raise KeyError(place)
    number_of = board["loop"].index(place) + 1
    return f"Space {number_of}, {names[place]}" if place in names else f"Space {number_of}"


def grid_reference(board: Json, layout: Json, place: str) -> str:
    """The square of the printed grid in which a place lies, as "M 1". KeyError."""
    return sheet.reference(layout, ring(board, layout).at(place)[:2])


def hold(piece: Piece) -> str:
    """A taxi or a driver as the bench draws it in a hand, at the origin."""
    if piece.kind == "driver":
        return f'<g transform="translate(0 {DRIVER_FEET:.0f})">{driver(piece.colour)}</g>'
    return cab(piece.label, piece.seat == 0)


def _colour_on_turn(view: Mapping[str, Any] | None) -> str | None:
    if not view or view["phase"] == "over":
        return None
    return next((str(one["colour"]) for one in view["players"] if one["seat"] == view["turn"]), None)


def _taken(view: Mapping[str, Any] | None) -> set[str]:
    return {str(entry["at"]) for entry in view["taxis"].values()} if view else set()


def _start_glow(here: Ring, outlook: Outlook | None) -> str:
    """START shines when a driver may get in there."""
    if outlook is None or not outlook.boardable:
        return ""
    left, top, right, bottom = here.layout["start"]["area"]
    wide, high = right - left + 10, bottom - top + 10
    return f'<rect class="glow" x="{left - 5}" y="{top - 5}" width="{wide}" height="{high}" rx="14"/>'


def _fallen(here: Ring, moment: Moment) -> str:
    """A ring at each sinkhole that has just swallowed somebody."""
    parts = []
    for pit in sorted({pit for _, pit in moment.fell}):
        x, y = here.pit(pit)
        parts.append(
            f'<g class="plop" transform="translate({number(x)} {number(y)})"><circle r="66"/><circle r="66"/>'
            '<text y="8">gone</text></g>'
        )
    return "".join(parts)
