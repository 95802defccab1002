"""The map of a board as inline SVG: a printed part made once, and live groups that a page's stream swaps one by one.

    svg = draw_map(board, layout, view, reach=answer["reachable"], mode="tablet")
    changed = draw_live(board, layout, view)          # {"taxis": '<g id="taxis">…</g>', "lights": …}

One map a page: ids are unique within one SVG only. Styles come from `static/tokens.css` and `static/look.css`, day and
night from the `data-theme` of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.titles.contract import Piece
from companion.titles.taxi.map import tokens, ways
from companion.titles.taxi.map.destinations import boxes, destination
from companion.titles.taxi.map.glide import glide
from companion.titles.taxi.map.labels import draw_labels
from companion.titles.taxi.map.places import grid_reference, place_marks, place_name, place_points
from companion.titles.taxi.map.roads import land, margin, roads
from companion.titles.taxi.map.shown import extra, focus
from companion.titles.taxi.map.signs import sprite
from companion.titles.taxi.map.town import Json, town
from companion.web.map import sheet
from companion.web.map.geometry import grow

__all__ = [
    "LIVE_GROUPS", "MODES", "crop_round", "draw_live", "draw_map", "draw_static", "extra", "focus", "grid_reference",
    "hold", "place_name", "place_points",
]  # fmt: skip

LIVE_GROUPS = (
    "band", "rank", "route", "lights", "destinations", "passengers", "barriers", "reach", "legs", "alarm", "taxis",
)  # fmt: skip
"""Ids of the live groups, bottom to top."""

ATTRIBUTES = {
    "band": ' aria-hidden="true"',
    "rank": ' aria-hidden="true" data-home=""',
    "route": ' aria-hidden="true"',
    "legs": ' aria-hidden="true"',
    "taxis": ' data-keep=""',
}
"""Of live groups: those that say nothing in words, the one to follow when nobody is under way, the one whose children
stay the same elements and move."""

MODES = ("wall", "tablet", "phone", "bench")


def draw_static(board: Json, layout: Json) -> str:
    """Return the printed part: symbols, land, roads, names, margin. Made once for each pair of objects, then kept."""
    here = town(board, layout)
    if "static" not in here.memo:
        printed = f"{land(here)}{roads(here)}{draw_labels(here)}{margin(here)}"
        here.memo["static"] = f'{sprite(sorted(here.destinations))}<g id="printed" aria-hidden="true">{printed}</g>'
    drawn: str = here.memo["static"]
    return drawn


def draw_live(
    board: Json,
    layout: Json,
    view: Mapping[str, Any] | None = None,
    *,
    reach: Iterable[Sequence[Any]] | None = None,
    route: Mapping[str, Any] | None = None,
    mode: str = "wall",
    passed: Iterable[str] = (),
    unexplained: Iterable[Mapping[str, Any]] = (),
    drove: tuple[int, Mapping[str, Any]] | None = None,
) -> dict[str, str]:
    """Return each live group as ``{id: '<g id="…">…</g>'}``, all of :data:`LIVE_GROUPS`, empty ones too.

    - ``view``: a position or a view of it (`view_for`): players with ``seat``, ``colour``, ``name``, ``at``,
      ``destination``; ``turn``; ``placed_barriers``. None draws the empty town.
    - ``reach``: the answer of `ask reachable`, ``[[place, streets, green, white], …]``, for the seat on turn.
    - ``route``: a way from ``way.find_way``; its lights get a ring.
    - ``passed``: lights and gates just driven through: green (the page takes them away after 900 ms).
    - ``unexplained``: what the table saw and the rules cannot explain, see ``tokens.alarm``.
    - ``drove``: the seat that moved last, and its way from ``find_way``: its taxi glides along it.

    In every mode but ``wall`` the places of ``reach`` can be pressed: elements with ``data-place`` and a name in words.
    Raises KeyError for a place that the board does not have, ValueError for an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"map mode {mode!r}: use one of {', '.join(MODES)}")
    here = town(board, layout)
    moved = {drove[0]: glide(here, drove[1])} if drove else {}
    seats = {str(one.get("destination")): str(one["colour"]) for one in reversed(tokens.players_in(view))}
    drawn, numbers = ways.way(here, route, view) if route else ("", "")
    opening = [*route.get("lights", ()), *route.get("gates", ())] if route else []
    quiet = [name for name in sorted(here.destinations) if name not in seats]
    aimed = [name for name in sorted(here.destinations) if name in seats]
    inner = {
        "band": tokens.band(here, view),
        "rank": tokens.rank(here, view),
        "route": drawn,
        "lights": tokens.lamps(here, opening, passed),
        "destinations": "".join(destination(here, name, seats.get(name)) for name in [*quiet, *aimed]),
        "passengers": tokens.passengers(here, view),
        "barriers": tokens.barriers(here, view),
        "legs": numbers,
        "reach": ways.reach_marks(here, view, reach, mode != "wall") if reach else "",
        "alarm": tokens.alarm(here, unexplained),
        "taxis": tokens.taxis(here, view, moved),
    }
    return {name: f'<g id="{name}"{ATTRIBUTES.get(name, "")}>{inner[name]}</g>' for name in LIVE_GROUPS}


def hold(piece: Piece) -> str:
    """Return a taxi as the bench draws it in a hand, at the origin."""
    return tokens.cab(piece.colour)


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
    """Return the whole map as one inline SVG; ``live`` is what :func:`draw_live` takes besides.

    ``mode``: ``wall`` is a picture (``role="img"``) of the whole page; ``tablet`` and ``bench`` can be pressed. All
    three have an addressable ``data-place`` mark for every stop of the board; ``phone`` has targets for what can be
    reached only. ``crop``: a viewBox, as :func:`crop_round` gives; without it the whole page. ``label``: the map in
    words.
    """
    here = town(board, layout)
    groups = draw_live(board, layout, view, mode=mode, **live)
    marks = "" if mode == "phone" else place_marks(here)
    inner = draw_static(board, layout) + marks + "".join(groups.values())
    words = label or f"Map of {board.get('title') or 'the town'}"
    return sheet.picture(layout, inner, mode=mode, label=words, crop=crop)


def crop_round(
    board: Json, layout: Json, places: Iterable[str], width: float, height: float, scale: float = 1.5
) -> str:
    """Return the viewBox that shows the given places, an X with its face and name, in a window of that many pixels.

    ``scale`` is the greatest enlargement (1.5 makes every corner as large as a thumb); it shrinks until all places
    fit, with half a block round them, and the window stays inside the neat line.
    """
    here = town(board, layout)
    places = list(places)
    room = 46.0
    shown = [grow((*here.xy(here.canonical(place)), *here.xy(here.canonical(place))), room) for place in places]
    for name, data in here.destinations.items():
        if data["at"] in places:
            parts = boxes(str(data.get("name", name)), layout["destinations"][name], True)
            shown += [grow(part, 8.0) for part in parts.values()]
    return sheet.window(layout, shown, width, height, scale)
