"""The signs of the map as one sprite: lamps, gates, X's, trees, taxis, pawns, seat shapes and the characters' faces.

Inside `<use>` an ancestor selector does not match, so a symbol takes its theme and its seat through custom properties
only (`--c`, `--c-on`, … of the classes `s-red` … `s-black` in `look.css`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from companion.web.seat_shapes import SHAPES

SEATS = ("red", "yellow", "blue", "green", "white", "black")

_HOUSE = '<rect class="house" x="-6.5" y="-11" width="13" height="22" rx="4.5"/>'
LIGHT_SIZE = (13.0, 22.0)
GATE_RADIUS = 10.0
X_HALF = 6.0
BASE_RADIUS = 34.0
CAB_SIZE = (42.0, 22.0)
PAWN_SIZE = (18.0, 25.0)

_SIGNS = {
    "lamp-red": f'{_HOUSE}<circle class="lr" cy="-4.9" r="4.2"/><circle class="off" cy="5" r="3.2"/>',
    "lamp-green": f'{_HOUSE}<circle class="off" cy="-5" r="3.2"/><circle class="lg" cy="4.9" r="4.2"/>',
    "lamp-next": '<circle class="lnr" r="16.5"/><use href="#lamp-red"/>',
    "lamp-passed": '<use href="#lamp-green"/><circle class="lgr" cy="4.9" r="11"/>',
    "gate": '<circle class="g1" r="10"/><circle class="g2" r="7.2"/><path class="g3" d="M-2.5-4.2v8.4M2.5-4.2v8.4"/>',
    "xmark": '<path class="xh" d="M-6-6L6 6M6-6L-6 6"/><path class="xx" d="M-6-6L6 6M6-6L-6 6"/>',
    "tree": '<path d="M-4.5 3.5q-3.5-5 1-7 3.5-5 7 0 4.5 2 1 7z"/><path d="M0 3.5v4.5"/>',
    "cab": (
        '<rect class="halo" x="-22" y="-12" width="44" height="24" rx="8.5"/>'
        '<rect class="tok" x="-21" y="-11" width="42" height="22" rx="7.5"/>'
        '<path class="glass" d="M7.5-8.5q5 8.5 0 17l-3.4-1.7q2.5-6.8 0-13.6zM-13.5-7.7q-3.4 7.7 0 15.4l2.5-1.7'
        'q-1.7-6 0-12z"/><path class="lamp" d="M18.5-8.5h2.5v4.2h-2.5zM18.5 4.3h2.5v4.2h-2.5z"/>'
        '<rect class="roof" x="-11" y="-8" width="16" height="16" rx="2.5"/>'
    ),
    "pawn": (
        '<path class="halo" d="M-9 0C-9-12-5-16-4-18a6.5 6.5 0 118 0c1 2 5 6 5 18z"/>'
        '<path class="tok" d="M-9 0C-9-12-5-16-4-18a6.5 6.5 0 118 0c1 2 5 6 5 18z"/>'
    ),
    "board": (
        '<rect class="brd" x="-15" y="-6.5" width="30" height="13" rx="2"/>'
        '<path class="brdx" d="M-9.5-5l-3.5 10M-2-5l-4 10M5.5-5l-4 10M13-5l-4 10"/>'
    ),
}

HEADS_FOLDER = Path(__file__).resolve().parent.parent / "heads"
_DRAWING = re.compile(r'<g class="hd">(.*?)</g>', re.DOTALL)


@lru_cache(maxsize=256)
def head(destination: str) -> str:
    """Return the inner drawing of a character's face (48 by 48); '' when the board's character has no drawing."""
    if not re.fullmatch(r"[a-z0-9_]+", destination):
        return ""
    try:
        text = (HEADS_FOLDER / f"{destination}.svg").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = _DRAWING.search(text)
    return found.group(1).replace("\n", "") if found else ""


def sprite(destinations: list[str]) -> str:
    """Return the map's `<defs>`: every sign once, and the faces of the given characters as `hd-<id>`."""
    parts = [f'<g id="shp-{seat}">{shape}</g>' for seat, shape in SHAPES.items() if seat in SEATS]
    parts += [f'<g id="{name}">{drawing}</g>' for name, drawing in _SIGNS.items()]
    for name in destinations:
        drawing = head(name)
        if drawing:
            parts.append(f'<symbol id="hd-{name}" class="hd" viewBox="0 0 48 48">{drawing}</symbol>')
    return f"<defs>{''.join(parts)}</defs>"
