"""The map of London as inline SVG: a printed part made once, and live groups that a page's stream swaps one by one.

    svg = draw_map(board, layout, view, reach=prompt["to"], mode="tablet")
    changed = draw_live(board, layout, view)          # {"taxis": '<g id="taxis">…</g>', "lights": …}

One map a page: ids are unique within one SVG only. Styles come from `static/tokens.css`, `static/look.css` and this
title's `static/style.css`, day and night from the `data-theme` of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.titles.contract import Piece
from companion.titles.destination_london.map import attractions, emblems, ground, names, squares, ways
from companion.titles.destination_london.map.london import Json, london, shown_list
from companion.titles.destination_london.map.shown import extra, focus
from companion.web.map import pieces, sheet
from companion.web.map.geometry import grow
from companion.web.map.lettering import write

__all__ = [
    "LIVE_GROUPS", "MODES", "crop_round", "draw_live", "draw_map", "draw_static", "extra", "focus", "grid_reference",
    "hold", "place_name", "place_points",
]  # fmt: skip

LIVE_GROUPS = ("band", "rank", "route", "lights", "gone", "reach", "alarm", "taxis")
"""Ids of the live groups, bottom to top."""

ATTRIBUTES = {
    "band": ' aria-hidden="true"',
    "rank": ' aria-hidden="true" data-home=""',
    "route": ' aria-hidden="true"',
    "taxis": ' data-keep=""',
}
"""Of live groups: those that say nothing in words, the one to follow when nobody is under way, the one whose children
stay the same elements and move."""

MODES = ("wall", "tablet", "phone", "bench")
BASE_WORD = "BASE"


def draw_static(board: Json, layout: Json) -> str:
    """Return the printed part: symbols, land, roads, names, squares, signs, margin. Made once, then kept."""
    here = london(board, layout)
    if "static" not in here.memo:
        own = {**squares.SYMBOLS, **ground.SYMBOLS}
        signs = "".join(f'<g id="{name}">{drawing}</g>' for name, drawing in own.items())
        defs = f"<defs>{pieces.symbols()}{signs}{emblems.sprite(sorted(here.attractions))}</defs>"
        printed = "".join(
            (
                ground.land(here), ground.roads(here), write(names.all_labels(here)), squares.steps(here),
                attractions.signs(here), ground.compass(here), ground.cartouche(here), sheet.margin(layout),
            )
        )  # fmt: skip
        here.memo["static"] = f'{defs}<g id="printed" aria-hidden="true">{printed}</g>'
    drawn: str = here.memo["static"]
    return drawn


def draw_live(
    board: Json,
    layout: Json,
    view: Mapping[str, Any] | None = None,
    *,
    reach: Iterable[str] | None = None,
    route: Mapping[str, Any] | None = None,
    mode: str = "wall",
    passed: Iterable[str] = (),
    unexplained: Iterable[Mapping[str, Any]] = (),
    drove: tuple[int, Sequence[str]] | None = None,
) -> dict[str, str]:
    """Return each live group as ``{id: '<g id="…">…</g>'}``, all of :data:`LIVE_GROUPS`, empty ones too.

    - ``view``: a position or a view of it: players with ``seat``, ``colour``, ``name``, ``at``; ``turn``; ``gone``
      (cards out of the game: an attraction without any card left is ticked off). None draws the empty city.
    - ``reach``: squares that the seat on turn can move to, as the ``move`` prompt has them in ``to``.
    - ``route``: ``{"squares": […], "colour": …}``, a way to show; its last light gets a ring.
    - ``passed``: lights on which a taxi has just landed: green (the page takes them away after 900 ms).
    - ``unexplained``: what the table saw and the rules cannot explain, see ``pieces.alarm``.
    - ``drove``: the seat that moved last, and the squares of its way (``ways.find_way``): its taxi glides along it.

    In every mode but ``wall`` the squares of ``reach`` can be pressed: elements with ``data-place`` and a name.
    Raises KeyError for a square that the board does not have, ValueError for an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"map mode {mode!r}: use one of {', '.join(MODES)}")
    here = london(board, layout)
    spots = pieces.taxi_spots(view, here.at, here.base)
    home = None if view is None else [colour for colour, spot in spots.items() if spot[3]]
    moved = {}
    if drove and len(drove[1]) > 1:
        milliseconds = min(ways.SQUARE_MS * (len(drove[1]) - 1), ways.LONGEST_MS)
        moved[drove[0]] = pieces.glide(here.way_line(list(drove[1])), milliseconds)
    opening = [square for square in (route or {}).get("squares", ())[-1:] if square in here.lights]
    inner = {
        "band": sheet.band(layout, pieces.colour_on_turn(view)),
        "rank": pieces.rank(here.xy(here.base), home, BASE_WORD),
        "route": ways.route(here, route, view),
        "lights": squares.lamps(here, opening, passed),
        "gone": attractions.gone(here, shown_list(view, "gone")),
        "reach": ways.reach_marks(here, reach, mode != "wall") if reach else "",
        "alarm": pieces.alarm(unexplained, here.at),
        "taxis": pieces.taxis(view, spots, moved),
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
    """Return the whole map as one inline SVG; ``live`` is what :func:`draw_live` takes besides.

    ``mode``: ``wall`` is a picture (``role="img"``) of the whole page; ``tablet`` and ``bench`` can be pressed. All
    three have an addressable ``data-place`` mark for every square of the board; ``phone`` has targets for what can be
    reached only. ``crop``: a viewBox, as :func:`crop_round` gives; without it the whole page. ``label``: the map in
    words.
    """
    here = london(board, layout)
    groups = draw_live(board, layout, view, mode=mode, **live)
    marks = "" if mode == "phone" else squares.marks(here)
    inner = draw_static(board, layout) + marks + "".join(groups.values())
    words = label or f"Map of {board.get('title') or 'London'}"
    return sheet.picture(layout, inner, mode=mode, label=words, crop=crop, look="london")


def crop_round(
    board: Json, layout: Json, places: Iterable[str], width: float, height: float, scale: float = 1.5
) -> str:
    """Return the viewBox that shows the given squares with their signs in a window of that many pixels.

    ``scale`` is the greatest enlargement; it shrinks until all of them fit, and the window stays inside the neat line.
    """
    here = london(board, layout)
    shown = []
    for place in places:
        shown.append(grow(squares.box(here, place), 40.0))
        for name in here.attractions_at.get(place, ()):
            parts = attractions.boxes(layout["attractions"][name], here.fares.get(name, 0))
            shown += [grow(part, 6.0) for part in parts.values()]
    return sheet.window(layout, shown, width, height, scale)


def place_points(board: Json, layout: Json) -> dict[str, tuple[float, float]]:
    """Return where every square lies on the page, in page units."""
    here = london(board, layout)
    return {name: (round(here.xy(name)[0], 1), round(here.xy(name)[1], 1)) for name in here.squares()}


def place_name(board: Json, layout: Json, place: str) -> str:
    """Return a square as people call it, different for each: ``"Oxford Circus"``, ``"the Garage"``. KeyError."""
    london(board, layout).xy(place)
    return str(layout["places"][place])


def grid_reference(board: Json, layout: Json, place: str) -> str:
    """Return the square of the printed grid that holds a square of the board, as ``"M 1"``. KeyError."""
    return sheet.reference(layout, london(board, layout).xy(place))


def hold(piece: Piece) -> str:
    """Return a taxi as the bench draws it in a hand, at the origin."""
    return pieces.cab(piece.colour)
