"""Taxi Over's small drawings: a token, the For Hire box, a cab, a driver, the die."""

from __future__ import annotations

from companion.titles.taxi_over.map.signs import die_face

TOKEN = (
    '<svg viewBox="-24 -24 48 48" aria-hidden="true"><circle r="22" fill="#f2b81b" stroke="#6b4a06" '
    'stroke-width="2.6"/>'
    '<circle r="17" fill="none" stroke="#6b4a06" stroke-width="1.6"/><path d="M-9 4v-5l3-1 3-5h7l4 5 3 1v5z" '
    'fill="none" '
    'stroke="#6b4a06" stroke-width="2.6"/><circle cx="-4.5" cy="5" r="2.6" fill="#6b4a06"/>'
    '<circle cx="5.5" cy="5" r="2.6" fill="#6b4a06"/></svg>'
)
BOX = (
    '<svg viewBox="0 0 44 30" aria-hidden="true"><path d="M8 11l3-8q.5-1 2-1h18q1.5 0 2 1l3 8z" fill="#ffd95a" '
    'stroke="#20242c" stroke-width="2"/><rect x="2" y="11" width="40" height="17" rx="2" fill="#1b1e24" '
    'stroke="#20242c" '
    'stroke-width="2"/><g fill="#f2b81b"><circle cx="12" cy="20" r="5"/><circle cx="22" cy="20" r="5"/></g></svg>'
)
CAB = (
    '<svg viewBox="-26 -15 52 30" aria-hidden="true"><rect x="-24" y="-13" width="48" height="26" rx="8" '
    'fill="#24272e" '
    'stroke="#14161a" stroke-width="2"/><rect x="-9" y="-7" width="17" height="14" rx="3" fill="#ffd95a" '
    'stroke="#14161a" '
    'stroke-width="1.6"/><path d="M10-10q6 10 0 20M-16-9q-4 9 0 18" fill="none" stroke="#a9bcc0" '
    'stroke-width="3"/></svg>'
)
STOP = (
    '<svg viewBox="-15 -15 30 30" aria-hidden="true"><rect x="-13" y="-13" width="26" height="26" rx="4" '
    'fill="#c93525" '
    'stroke="#20242c" stroke-width="2"/><rect x="-6" y="-6" width="12" height="12" fill="#fffaf0"/></svg>'
)
ICONS = {
    "token": TOKEN,
    "box": BOX,
    "cab": CAB,
    "stop": STOP,
    "taxi": (
        '<svg class="die" viewBox="-24 -24 48 48" aria-hidden="true"><rect x="-21" y="-21" width="42" height="42" '
        'rx="8" '
        'fill="#fffaf0" stroke="#20242c" stroke-width="2.5"/><g fill="#20242c"><circle r="4.6"/><circle cx="-11" '
        'cy="-11" '
        'r="4.6"/><circle cx="11" cy="11" r="4.6"/></g></svg>'
    ),
}


def icon(name: str) -> str:
    """A whole small SVG."""
    return ICONS.get(name, "")


def picture(name: str) -> str:
    """There are no goals to draw."""
    return ""


def face(die: str, face: object) -> str:
    """Pips, the generic ones; a figure on a face that has too many."""
    return die_face(face) if die == "taxi" and isinstance(face, int) and face > 6 else ""
