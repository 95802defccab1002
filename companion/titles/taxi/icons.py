"""TAXI!'s small drawings: lamps, gates, plates, barriers, the faces of the twelve-sider, the characters' heads."""

from __future__ import annotations

from companion.titles.taxi.map.signs import head

LAMP = (
    '<svg viewBox="-9 -14 18 28" aria-hidden="true"><rect class="house" x="-7.5" y="-13" width="15" height="26" '
    'rx="5"/><circle class="off" cy="-6" r="3.8"/><circle class="lg" cy="5.8" r="4.9"/></svg>'
)
GATE = (
    '<svg viewBox="-13 -13 26 26" aria-hidden="true"><circle class="g1" r="12"/><circle class="g2" r="8.5"/>'
    '<path class="g3" d="M-3-5v10M3-5v10"/></svg>'
)
PLATE = (
    '<svg viewBox="0 0 40 26" aria-hidden="true"><rect x="1.5" y="2.5" width="37" height="21" rx="3" class="plate"/>'
    '<rect x="4" y="5" width="32" height="16" rx="2" fill="none" stroke="#fff" stroke-width="1.5"/>'
    '<text x="20" y="18.5" text-anchor="middle" class="plate-t">TAXI</text></svg>'
)
BARRIER = (
    '<svg viewBox="0 0 40 26" aria-hidden="true"><path d="M8 10v14M32 10v14" stroke="var(--ink)" stroke-width="3"/>'
    '<rect x="2" y="4" width="36" height="12" rx="2" fill="#f2b81b" stroke="#20242c" stroke-width="2"/>'
    '<path d="M9 16l6-12M19 16l6-12M29 16l6-12" stroke="#20242c" stroke-width="4"/></svg>'
)
MONEY = (
    '<svg viewBox="0 0 40 26" aria-hidden="true"><rect x="1.5" y="3" width="37" height="20" rx="2" fill="#c9dcc0" '
    'stroke="#20242c" stroke-width="2"/><circle cx="20" cy="13" r="6.5" fill="none" stroke="#20242c" '
    'stroke-width="1.5"/><text x="20" y="17" text-anchor="middle" class="dollar">$</text></svg>'
)
TWELVE_SIDER = (
    '<path d="M0-22L21-7 13 18H-13L-21-7z" fill="#fffaf0" stroke="#20242c" stroke-width="2.5" stroke-linejoin="round"/>'
)
ON_FACE = {
    "green": '<circle cy="-1" r="8" class="lg"/>',
    "white": '<circle cy="-1" r="8.5" class="g1"/><circle cy="-1" r="5" class="g2"/>',
}
ICONS = {
    "green": LAMP,
    "white": GATE,
    "freeway": GATE,
    "plates": PLATE,
    "taxi": PLATE,
    "barriers": BARRIER,
    "money": MONEY,
    "d12": f'<svg class="die" viewBox="-24 -24 48 48" aria-hidden="true">{TWELVE_SIDER}{ON_FACE["green"]}</svg>',
}


def icon(name: str) -> str:
    """A whole small SVG."""
    return ICONS.get(name, "")


def picture(name: str) -> str:
    """A character's head, in a box of 48 by 48."""
    return head(name)


def face(die: str, face: object) -> str:
    """A face of the twelve-sider."""
    return TWELVE_SIDER + ON_FACE.get(str(face), "") if die == "d12" else ""
