"""The square in the middle as it is now: the For Hire box with its tokens, the dice on the table against the limit, and
the signs at the intersections that say how much the box pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.titles.taxi_over.map.moments import Moment
from companion.titles.taxi_over.map.ring import Ring
from companion.titles.taxi_over.map.signs import die_face
from companion.web.map.geometry import number

COLUMNS = 9
PITCH = 51.0
ROWS = 4
LIMIT = 4


def box(here: Ring, view: Any, moment: Moment) -> str:
    """The tray with a drawn token for each that lies in it, bottom row first, and the lit sign with their number."""
    tokens = int(view["box"]) if view else 0
    x, y = here.layout["box"]["at"]
    parts = [f'<g transform="translate({x} {y})">']
    for index in range(min(tokens, COLUMNS * ROWS)):
        row, column = divmod(index, COLUMNS)
        across = (column - (COLUMNS - 1) / 2) * PITCH
        down = 73 - row * PITCH
        fresh = " new" if moment.added and index >= tokens - moment.added else ""
        parts.append(
            f'<g transform="translate({number(across)} {number(down)})"><g class="coin{fresh}"><use '
            'href="#token"/></g></g>'
        )
    more = f'<text class="tray-t" x="0" y="-74">+ {tokens - COLUMNS * ROWS}</text>' if tokens > COLUMNS * ROWS else ""
    lit = "on" if tokens else "off"
    parts.append(
        f'{more}<g class="hire {lit}" transform="translate(0 -142)"><path d="M-150 26l16-50q2-6 9-6h250q7 0 9 6l16 '
        '50z"/>'
        f'<text x="-36" y="14">FOR HIRE</text><rect x="66" y="-22" width="60" height="42" rx="5"/>'
        f'<text class="n" x="96" y="13">{tokens}</text></g></g>'
    )
    words = "token" if tokens == 1 else "tokens"
    return f"<title>For Hire box: {tokens} {words}</title>{''.join(parts)}"


def dice(here: Ring, view: Any, moment: Moment) -> str:
    """The dice of the turn and their sum; a violation's stay until the game goes on."""
    faces: Sequence[int] = moment.bust or (view["dice"] if view else ())
    x, y = here.layout["dice"]["at"]
    parts = []
    for index, face in enumerate(faces):
        tilt = (-7, 5, -3)[index % 3]
        fresh = " new" if index == len(faces) - 1 else ""
        parts.append(
            f'<g transform="translate({x - 96 + 96 * index:.0f} {y:.0f}) rotate({tilt}) scale(1.9)"><g '
            f'class="die{fresh}">'
            f"{die_face(int(face))}</g></g>"
        )
    if faces:
        total = sum(faces)
        plus = " + ".join(str(face) for face in faces)
        over = " over" if moment.bust else ""
        first = f"{plus} = {total}" if len(faces) > 1 else f"{total}"
        spaces = total * len(faces)
        second = "" if moment.bust else f"{spaces} {'space' if spaces == 1 else 'spaces'}"
        parts.append(f'<text class="sum{over}" x="{x - 138}" y="{y + 84}">{first}</text>')
        parts.append(f'<text class="sum2" x="{x + 138}" y="{y + 84}">{second}</text>')
    if moment.bust:
        parts.append(
            f'<g class="fast" transform="translate({x + 118} {y + 76}) rotate(-5)"><g><rect x="-126" y="-33" '
            'width="252" '
            'height="62" rx="7"/><text y="15">TOO FAST!</text></g></g>'
        )
    return "".join(parts)


def signs(here: Ring, view: Any) -> str:
    """At each intersection what is to be taken there."""
    tokens = int(view["box"]) if view else 0
    parts = []
    for name, (x, y) in here.layout["signs"].items():
        words = str(here.layout["names"].get(name, name)).upper()
        parts.append(
            f'<g class="pays" transform="translate({x} {y})"><rect x="-78" y="-27" width="156" height="54" rx="5"/>'
            f'<text class="w" x="-68" y="-6">{words}</text><text class="w2" x="-68" y="17">pays</text>'
            '<use href="#token" transform="translate(8 11) scale(.52)"/><text class="k" x="26" '
            f'y="19">{tokens}</text></g>'
        )
    return "".join(parts)
