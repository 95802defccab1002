"""London's small drawings: the fuel can, the driving licence in its four sections, cards, taxis, the emblems of the
attractions."""

from __future__ import annotations

from companion.titles.destination_london.map import emblems

INK = 'stroke="var(--ink)" stroke-width="2" stroke-linejoin="round"'
FUEL = (
    f'<svg viewBox="0 0 26 26" aria-hidden="true"><path d="M5 24V4q0-2 2-2h9q2 0 2 2v20z" fill="var(--red)" {INK}/>'
    '<rect x="7.5" y="5" width="8" height="6" rx="1" fill="#fffaf0"/>'
    f'<path d="M18 9l4 3v8q0 2-2 2t-2-2v-4" fill="none" {INK}/></svg>'
)
HAND = (
    f'<svg viewBox="0 0 30 26" aria-hidden="true"><rect x="3" y="5" width="14" height="19" rx="2" fill="#bcd7e6" {INK} '
    f'transform="rotate(-14 10 24)"/><rect x="10" y="3" width="15" height="20" rx="2" fill="#fffaf0" {INK}/>'
    '<path d="M14 17l3.5-8 3.5 8z" fill="var(--ink)"/></svg>'
)
TAXI = (
    f'<svg viewBox="0 0 40 26" aria-hidden="true"><path d="M3 19v-6l6-2 4-7h14l4 7 5 2v6z" fill="#20242c" {INK}/>'
    '<rect x="15" y="1" width="10" height="4" rx="1" fill="#f2b81b"/><path d="M12 11l3-5h5v5zM22 11V6h4l3 5z" '
    'fill="#fffaf0"/><circle cx="11" cy="20" r="4" fill="#fffaf0" stroke="#20242c" stroke-width="2"/>'
    '<circle cx="29" cy="20" r="4" fill="#fffaf0" stroke="#20242c" stroke-width="2"/>{}</svg>'
)
TURBO = '<path d="M1 8h8M0 12h6M1 16h4" stroke="var(--red)" stroke-width="2.4" fill="none"/>'
LIGHT = (
    '<svg viewBox="-9 -14 18 28" aria-hidden="true"><rect x="-7.5" y="-13" width="15" height="26" rx="4" '
    'fill="#20242c"/><circle cy="-7.5" r="3.4" fill="#d8433b"/><circle r="3.4" fill="#f2b81b"/>'
    '<circle cy="7.5" r="3.4" fill="#4fae5b"/></svg>'
)
BOOK = (
    f'<svg viewBox="0 0 26 26" aria-hidden="true"><path d="M4 4h15q3 0 3 3v16H7q-3 0-3-3z" fill="#c9dcc0" {INK}/>'
    '<path d="M9 10h9M9 14h9" stroke="#20242c" stroke-width="2"/></svg>'
)
MONEY = (
    f'<svg viewBox="0 0 40 26" aria-hidden="true"><rect x="1.5" y="3" width="37" height="20" rx="2" fill="#e7c3b4" '
    f'{INK}/><text x="20" y="18" text-anchor="middle" class="dollar">£</text></svg>'
)
ICONS = {
    "fuel": FUEL,
    "hand": HAND,
    "taxi": TAXI.format(""),
    "turbo": TAXI.format(TURBO),
    "light": LIGHT,
    "held": LIGHT,
    "book": BOOK,
    "money": MONEY,
}
BASE = (
    '<circle cx="24" cy="24" r="20" fill="#20242c"/><circle cx="24" cy="24" r="17" fill="#fffaf0"/>'
    '<circle cx="24" cy="24" r="13.5" fill="#f2b81b" stroke="#20242c" stroke-width="2"/>'
    '<text x="24" y="28" text-anchor="middle" font-size="11" font-weight="700" fill="#20242c">BASE</text>'
)
PLAIN = (
    '<path d="M0 24h48M24 0v48" stroke="#8f9a9e" stroke-width="15"/>'
    '<path d="M0 24h48M24 0v48" stroke="#f2b81b" stroke-width="11"/>'
    '<circle cx="24" cy="24" r="9" fill="#fffaf0" stroke="#20242c" stroke-width="2.4"/>'
)
SQUARES = {
    "base": BASE,
    "garage": FUEL.replace("<svg ", '<svg x="9" y="8" width="32" height="32" '),
    "lights": LIGHT.replace("<svg ", '<svg x="10" y="5" width="28" height="38" '),
    "square": PLAIN,
}
SECTIONS = ("DEST", "INA", "TI", "ON")
"""The four parts of a driving licence together spell the game's name (L-002)."""


def icon(name: str) -> str:
    """A whole small SVG; the licence with so many of its sections turned; an attraction's emblem by its id."""
    if name.startswith("licence") and name[7:].isdigit():
        return licence(int(name[7:]))
    if name in ICONS:
        return ICONS[name]
    drawn = picture(name)
    return f'<svg viewBox="0 0 48 48" class="hd" aria-hidden="true">{drawn}</svg>' if drawn else ""


def licence(turned: int) -> str:
    """The licence, two sections above two: clean ones are pink with their letters, turned ones show three points."""
    parts = []
    for index, letters in enumerate(SECTIONS):
        x, y = 1.5 + 18.5 * (index % 2), 1.5 + 11.5 * (index // 2)
        spoilt = index < turned
        fill, ink, words = ("#c62b22", "#fffaf0", "3") if spoilt else ("#f3c3cd", "#20242c", letters)
        parts.append(
            f'<rect x="{x}" y="{y}" width="18.5" height="11.5" fill="{fill}" stroke="#20242c" stroke-width="1.8"/>'
            f'<text x="{x + 9.25}" y="{y + 8.5}" text-anchor="middle" font-size="{10 if spoilt else 7.5}" '
            f'font-weight="700" fill="{ink}">{words}</text>'
        )
    return f'<svg viewBox="0 0 40 26" aria-hidden="true">{"".join(parts)}</svg>'


def picture(name: str) -> str:
    """An attraction's emblem in a box of 48 by 48, or what else a square is; "" for what is none."""
    return SQUARES.get(name) or emblems.emblem(name)


def face(die: str, face: object) -> str:
    """Pips, as everywhere."""
    return ""
