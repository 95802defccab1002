"""Squares as drawn: the steps along the roads, posts at attractions, lamps, the pump of the Garage, and tap targets."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from companion.titles.destination_london.map.london import London
from companion.web.map.geometry import Box, Point, clip_cell, pair
from companion.web.map.pieces import LAMP_SIZE, RANK_RADIUS

STEP = 7.2
POST = 10.4
LIT = 14.0
PUMP = 16.0
TARGET = 40.0

SYMBOLS = {
    "sq": f'<circle class="sq" r="{STEP}"/>',
    "sq-post": f'<circle class="post" r="{POST}"/><circle class="post0" r="4"/>',
    "sq-lit": f'<circle class="sq" r="{LIT}"/>',
    "sq-postlit": f'<circle class="post" r="{LIT}"/>',
    "sq-pump": (
        f'<circle class="pump" r="{PUMP}"/><path class="pump1" d="M-6.5 9V-6.5a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2V9z"/>'
        '<path class="pump0" d="M-4-5.8h5v4.6h-5z"/><path class="pump2" d="M3.8-3.5l4 3v6.2a1.8 1.8 0 0 1-3.6 0V2.5"/>'
    ),
}  # fmt: skip


def radius(here: London, square: str) -> float:
    """Return how large a square is drawn."""
    if square == here.base:
        return RANK_RADIUS
    if square in here.garages:
        return PUMP
    if square in here.lights:
        return LIT
    return POST if square in here.attractions_at else STEP


def box(here: London, square: str, room: float = 1.0) -> Box:
    """Return the box round a square as drawn."""
    x, y = here.xy(square)
    size = radius(here, square) + room
    return x - size, y - size, x + size, y + size


def steps(here: London) -> str:
    """Return all printed squares but the Base, which is live."""
    parts = []
    for square in here.squares():
        if square == here.base:
            continue
        lit, post = square in here.lights, square in here.attractions_at
        name = "sq-pump" if square in here.garages else f"sq{'-' if lit or post else ''}{'post' * post}{'lit' * lit}"
        parts.append(f'<use href="#{name}" transform="translate({pair(here.xy(square))})"/>')
    return "".join(parts)


def lamps(here: London, opening: Iterable[str] = (), passed: Iterable[str] = ()) -> str:
    """Return all lights: red, ringed when the chosen way ends there, green when a taxi has just landed."""
    soon, done = set(opening), set(passed)
    parts = []
    for name in here.lights:
        sign = "lamp-passed" if name in done else "lamp-next" if name in soon else "lamp-red"
        parts.append(f'<use id="light-{name}" href="#{sign}" transform="translate({pair(here.xy(name))})"/>')
    return "".join(parts)


def lamp_box(spot: Point) -> Box:
    """Return the box of a lamp at a square."""
    return (
        spot[0] - LAMP_SIZE[0] / 2, spot[1] - LAMP_SIZE[1] / 2, spot[0] + LAMP_SIZE[0] / 2, spot[1] + LAMP_SIZE[1] / 2,
    )  # fmt: skip


def targets(here: London, squares: list[str], words: dict[str, str]) -> str:
    """Return one pressable shape for each square, cut so that a press always goes to the nearest of them."""
    parts = []
    for square in squares:
        spot = here.xy(square)
        cell = clip_cell(spot, ((here.xy(other), 0.0) for other in squares if other != square), TARGET)
        outline = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in cell) + "z"
        label = escape(words.get(square) or here.layout["places"][square])
        parts.append(
            f'<path class="target" data-place="{escape(square)}" role="button" tabindex="0" aria-label="{label}" '
            f'd="{outline}"/>'
        )
    return "".join(parts)


def marks(here: London) -> str:
    """Return a small invisible dot for every square, so that each place of the board can be addressed on the page."""
    dots = []
    for square in here.squares():
        x, y = pair(here.xy(square)).split(" ")
        dots.append(f'<circle data-place="{escape(square)}" cx="{x}" cy="{y}" r="1"/>')
    return f'<g id="places" aria-hidden="true">{"".join(dots)}</g>'
