"""The signs of the ring as symbols: the cab with its roof lamp, the driver, a token, a tree, the carousel's tent, dice.

Inside `<use>` an ancestor selector does not match, so a symbol takes its theme and its seat through custom properties
only (`--c`, `--c-on` of the classes `s-red` … in `look.css`).
"""

from __future__ import annotations

import math

from companion.web.seat_shapes import SHAPES

CAB_SIZE = (98.0, 52.0)
DRIVER_FEET = 23.0
"""How far below a taxi's middle its driver's feet stand."""
TOKEN_RADIUS = 22.0

SYMBOLS = {
    "cab": (
        '<rect class="cab-h" x="-50" y="-27" width="100" height="54" rx="17"/>'
        '<path class="cab-w" d="M-34-28h18M14-28h18M-34 28h18M14 28h18"/>'
        '<rect class="cab-b" x="-49" y="-26" width="98" height="52" rx="16"/>'
        '<path class="cab-g" d="M19-20q12 20 0 40l-8-4.5q6-15.5 0-31zM-33-18q-7 18 0 36l6-4q-4-14 0-28zM-20-22h27l-3.5 '
        '4h-19zM-20 22h27l-3.5-4h-19z"/>'
        '<path class="cab-l" d="M43-20h5q1 4 1 9h-6zM43 20h5q1-4 1-9h-6z"/><path class="cab-r" d="M-48-17h4v10h-4zM-48 '
        '17h4V7h-4z"/>'
    ),
    "driver": (
        '<path class="drv-h" d="M-9 0C-9-12-5-16-4-18a6.5 6.5 0 118 0c1 2 5 6 5 18z"/>'
        '<path class="drv" d="M-9 0C-9-12-5-16-4-18a6.5 6.5 0 118 0c1 2 5 6 5 18z"/>'
    ),
    "token": (
        '<circle class="tk" r="22"/><circle class="tk1" r="17"/><path class="tk2" d="M-9 4v-5l3-1 3-5h7l4 5 3 1v5z"/>'
        '<path class="tk2" d="M-3.5-9.500h7"/><circle class="tk3" cx="-4.5" cy="5" r="2.6"/>'
        '<circle class="tk3" cx="5.5" cy="5" r="2.6"/>'
    ),
    "slot": '<circle class="slot" r="19"/>',
    "tree": '<path d="M-7 5q-5-8 1.5-11 5.5-8 11.5 0 6.5 3 1.5 11z"/><path d="M0 5v8"/>',
}


def symbols() -> str:
    """The inside of `<defs>`: shapes of seats as `shp-<colour>`, and :data:`SYMBOLS` under their names."""
    parts = [f'<g id="shp-{seat}">{shape}</g>' for seat, shape in SHAPES.items()]
    parts += [f'<g id="{name}">{drawing}</g>' for name, drawing in SYMBOLS.items()]
    return "".join(parts)


def cab(label: str, lit: bool) -> str:
    """A taxi at the origin, nose to the right, its number on the roof lamp; lit when it is for hire."""
    lamp = "on" if lit else "off"
    return (
        f'<use href="#cab"/><g class="rooflamp {lamp}"><rect x="-19" y="-13" width="34" height="26" rx="6"/>'
        f'<text x="-2" y="8">{label}</text></g>'
    )


def driver(colour: str, size: float = 1.95) -> str:
    """A driver standing on the origin, with the seat's shape on the belly."""
    return (
        f'<g transform="scale({size})"><use href="#driver"/>'
        f'<use href="#shp-{colour}" class="drv-m" transform="translate(0 -7.6) scale(.7)"/></g>'
    )


def pips(face: int) -> list[tuple[int, int]]:
    """Where the pips of a face lie, in a box from −24 to 24; none for a face above six."""
    return {
        1: [(0, 0)],
        2: [(-11, -11), (11, 11)],
        3: [(-11, -11), (0, 0), (11, 11)],
        4: [(-11, -11), (11, -11), (-11, 11), (11, 11)],
        5: [(-11, -11), (11, -11), (0, 0), (-11, 11), (11, 11)],
        6: [(-11, -12), (11, -12), (-11, 0), (11, 0), (-11, 12), (11, 12)],
    }.get(face, [])


def die_face(face: int) -> str:
    """The inside of a die's face, −24 to 24: pips up to six, above that a figure."""
    drawn = '<rect class="die0" x="-21" y="-21" width="42" height="42" rx="8"/>'
    dots = pips(face)
    if not dots:
        return f'{drawn}<text class="die2" y="9">{face}</text>'
    return drawn + "".join(f'<circle class="die1" cx="{x}" cy="{y}" r="4.6"/>' for x, y in dots)


def tent(stripes: int = 9, radius: float = 56.0) -> str:
    """A carousel from above, at the origin: striped roof, flag in the middle."""
    parts = [f'<circle class="tent0" r="{radius + 5:.0f}"/>']
    for index in range(stripes * 2):
        a, b = (math.tau * (index + side) / (stripes * 2) for side in (0, 1))
        corners = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in (a, b)]
        (x0, y0), (x1, y1) = corners
        kind = "tent1" if index % 2 else "tent2"
        parts.append(
            f'<path class="{kind}" d="M0 0L{x0:.1f} {y0:.1f}A{radius:.0f} {radius:.0f} 0 0 1 {x1:.1f} {y1:.1f}z"/>'
        )
    return "".join(parts) + '<circle class="tent2" r="9"/><path class="tent3" d="M0 0V-26M0-26l17 6-17 6"/>'
