"""The signs of the map as one sprite: lamps, gates, X's, trees, taxis, pawns, seat shapes and the characters' faces.

Inside `<use>` an ancestor selector does not match, so a symbol takes its theme and its seat through custom properties
only (`--c`, `--c-on`, … of the classes `s-red` … `s-black` in `look.css`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from companion.web.map.pieces import LAMP_SIZE, RANK_RADIUS, symbols

LIGHT_SIZE = LAMP_SIZE
GATE_RADIUS = 10.0
X_HALF = 6.0
BASE_RADIUS = RANK_RADIUS
PAWN_SIZE = (18.0, 25.0)

_SIGNS = {
    "gate": '<circle class="g1" r="10"/><circle class="g2" r="7.2"/><path class="g3" d="M-2.5-4.2v8.4M2.5-4.2v8.4"/>',
    "xmark": '<path class="xh" d="M-6-6L6 6M6-6L-6 6"/><path class="xx" d="M-6-6L6 6M6-6L-6 6"/>',
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
    parts = [symbols()]
    parts += [f'<g id="{name}">{drawing}</g>' for name, drawing in _SIGNS.items()]
    for name in destinations:
        drawing = head(name)
        if drawing:
            parts.append(f'<symbol id="hd-{name}" class="hd" viewBox="0 0 48 48">{drawing}</symbol>')
    return f"<defs>{''.join(parts)}</defs>"
