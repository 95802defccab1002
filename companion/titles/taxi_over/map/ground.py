"""What is printed of the ring and never changes: land, parks, lanes, the road with its spaces and intersections, the
two sinkholes, START, the houses, words and margin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from companion.titles.taxi_over.map.ring import START, Ring
from companion.titles.taxi_over.map.signs import tent
from companion.web.map import sheet
from companion.web.map.geometry import number, pair

LANE = 46
TILE = 84.0
PIT = 56.0
HOUSE = (146.0, 176.0)


def printed(here: Ring) -> str:
    """The whole ground, bottom to top."""
    return "".join(
        (
            _land(here), _lanes(here), _road(here), _crosses(here), _pits(here), _start(here), _centre(here),
            _houses(here), _words(here), _cartouche(here), sheet.margin(here.layout),
        )
    )  # fmt: skip


def _land(here: Ring) -> str:
    layout = here.layout
    page = layout["page"]
    left, top, right, bottom = sheet.frame(layout)
    box = f'x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" height="{bottom - top:.0f}"'
    parts = [f'<rect class="margin" width="{page["width"]}" height="{page["height"]}"/><rect class="land" {box}/>']
    for quarter in layout.get("quarters", ()):
        parts.append(f'<path class="built{quarter["tint"]}" d="{_lawn(quarter["area"])}"/>')
    for park in layout.get("parks", ()):
        parts.append(f'<path class="park" d="{_lawn(park["area"])}"/>')
        if pond := park.get("pond"):
            x, y, wide, high = pond
            parts.append(f'<ellipse class="pond" cx="{x}" cy="{y}" rx="{wide}" ry="{high}"/>{_ducks(x, y)}')
        if spot := park.get("tent"):
            parts.append(f'<g transform="translate({pair(spot)})">{tent()}</g>')
    parts.append(sheet.grid(layout))
    for park in layout.get("parks", ()):
        parts += [f'<use href="#tree" class="tree" x="{x}" y="{y}"/>' for x, y in park.get("trees", ())]
    return "".join(parts)


def _lawn(area: Iterable[Iterable[float]]) -> str:
    """An area with its corners cut by small curves, as lawns have."""
    corners = [(float(x), float(y)) for x, y in area]
    data = ""
    for index, here in enumerate(corners):
        start, end = (_short_of(here, corners[other % len(corners)]) for other in (index - 1, index + 1))
        data += f"{'L' if data else 'M'}{pair(start)}Q{pair(here)} {pair(end)}"
    return data + "z"


def _short_of(corner: tuple[float, float], other: tuple[float, float], by: float = 16.0) -> tuple[float, float]:
    gap = math.dist(corner, other)
    share = min(by, gap / 2) / gap
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


def _ducks(x: float, y: float) -> str:
    spots = [(-70, -4), (-44, 6), (-18, -2), (8, 8)]
    return "".join(
        f'<path class="duck" d="M{x + dx:.0f} {y + dy:.0f}q8 7 18-1l-4-1q-1-7-6-5-1 5-8 7z"/>' for dx, dy in spots
    )


def _lanes(here: Ring) -> str:
    """The side roads through the intersections, and the yard at START: casings first."""
    cased, filled = [], []
    for street in here.layout.get("streets", ()):
        data = "M" + "L".join(pair(point) for point in street["through"])
        cased.append(f'<path class="lane-c" d="{data}"/>')
        filled.append(f'<path class="lane" d="{data}"/>')
    return "".join(cased + filled)


def _road(here: Ring) -> str:
    """The ring itself. Broken roads go straight on at the bends, open to it: that is where a pushed taxi ends."""
    data = here.road()
    stubs, open_stubs = [], []
    for bend, name in here.bends.items():
        x, y, _ = here.at(bend)
        px, py = here.pit(name)
        side = 1 if px > x else -1
        stubs.append(f'<path class="stub-c" d="M{number(x + side * 20)} {number(y)}H{number(px)}"/>')
        open_stubs.append(f'<path class="stub" d="M{number(x + side * 20)} {number(y)}H{number(px)}"/>')
    y = here.layout["start"]["at"][1]
    edge, ring_edge = here.layout["start"]["area"][2], here.layout["road"]["box"][0]
    mouth = f'M{edge - 8} {y}H{ring_edge}"/>'
    parts = [
        "".join(stubs), f'<path class="yard-m" d="{mouth}', f'<path class="rg-c" d="{data}"/>', "".join(open_stubs),
        f'<path class="yard-n" d="{mouth}', f'<path class="rg" d="{data}"/>',
    ]  # fmt: skip
    for before, after in zip(here.loop, [*here.loop[1:], here.loop[0]], strict=True):
        x, y, turn = here.between(before, after, 0.5)
        parts.append(
            f'<g transform="translate({pair((x, y))}) rotate({turn:.0f})"><path class="sep" d="M0-36V36"/>'
            '<path class="rg-v" d="M-5-9L5 0-5 9"/></g>'
        )
    for index, name in enumerate(here.loop, 1):
        x, y = here.beside(name, -61)
        parts.append(f'<text class="rg-n" x="{number(x)}" y="{number(y + 9)}">{index}</text>')
    return "".join(parts)


def _crosses(here: Ring) -> str:
    """A box junction on each intersection: the place where the box pays."""
    half = TILE / 2
    hatch = "".join(
        f"M{number(-half + step)} {-half:.0f}L{half:.0f} {number(half - step)}"
        f"M{number(half - step)} {-half:.0f}L{-half:.0f} {number(half - step)}"
        for step in (0.0, 28.0, 56.0)
    ) + "".join(
        f"M{-half:.0f} {number(-half + step)}L{number(half - step)} {half:.0f}"
        f"M{half:.0f} {number(-half + step)}L{number(-half + step)} {half:.0f}"
        for step in (28.0, 56.0)
    )
    parts = []
    for name in here.crosses:
        x, y, turn = here.at(name)
        parts.append(
            f'<g class="cross" transform="translate({pair((x, y))}) rotate({turn:.0f})">'
            f'<rect x="{-half:.0f}" y="{-half + 3:.0f}" width="{TILE:.0f}" height="{TILE - 6:.0f}" rx="3"/>'
            f'<g clip-path="url(#tile)"><path class="hatch" d="{hatch}"/></g></g>'
        )
    clip = f'<rect x="{-half:.0f}" y="{-half + 3:.0f}" width="{TILE:.0f}" height="{TILE - 6:.0f}"/>'
    return f'<defs><clipPath id="tile">{clip}</clipPath></defs>{"".join(parts)}'


def _pits(here: Ring) -> str:
    """The sinkholes: a ragged edge, a dark hole, boards on both sides, and an arrow that leads straight in."""
    parts = []
    for bend, name in here.bends.items():
        x, y, _ = here.at(bend)
        px, py = here.pit(name)
        side = 1 if px > x else -1
        edge = _ragged(PIT + 9, 22, 7.0)
        hole = _ragged(PIT, 22, 5.0)
        parts.append(
            f'<g transform="translate({pair((px, py))})"><path class="pit-e" d="{edge}"/><path class="pit" d="{hole}"/>'
            '<ellipse class="pit1" cy="5" rx="41" ry="38"/><ellipse class="pit1" cy="10" rx="27" ry="24"/>'
            '<ellipse class="pit1" cy="14" rx="13" ry="11"/></g>'
        )
        near = x + side * 108
        tip, back = px - side * 62, px - side * 75
        parts.append(
            f'<path class="into" d="M{number(x + side * 52)} {number(y)}H{number(tip)}"/>'
            f'<path class="into-h" d="M{number(back)} {number(y - 11)}L{number(tip)} {number(y)}L{number(back)} '
            f'{number(y + 11)}"/>'
        )
        for rise in (-1, 1):
            if rise * side == 1:
                continue  # there the ring goes on
            parts.append(f'<use href="#fence" transform="translate({number(near)} {number(y + rise * 52)})"/>')
        parts.append(_pit_name(here, name, px, py))
    fence = (
        '<g id="fence"><path class="fence0" d="M-22-2v14M22-2v14"/><rect class="brd" x="-34" y="-10" width="68" '
        'height="14" rx="2"/><path class="brdx" d="M-26 4l7-14M-9 4l7-14M8 4l7-14M25 4l7-14"/></g>'
    )
    return f"<defs>{fence}</defs>{''.join(parts)}"


def _pit_name(here: Ring, name: str, x: float, y: float) -> str:
    words = escape(str(here.layout["names"].get(name, name)))
    down = y - PIT - 20 if y < 500 else y + PIT + 30
    return f'<text class="nm-pit" x="{number(x)}" y="{number(down)}">{words}</text>'


def _ragged(radius: float, corners: int, by: float) -> str:
    points = []
    for index in range(corners):
        angle = math.tau * index / corners
        reach = radius + by * math.sin(index * 2.4) * math.cos(index * 1.1)
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return "M" + "L".join(pair(point) for point in points) + "z"


def _start(here: Ring) -> str:
    left, top, right, bottom = here.layout["start"]["area"]
    x, y = here.layout["start"]["at"]
    parts = [
        f'<rect class="yard" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="10"/>',
        f'<path class="yard-n" d="M{right - 8} {y}H{right + 12}"/>',
    ]
    for index in range(len(here.layout["readers"][START])):
        bx, by, _ = here.bay(index)
        parts.append(f'<rect class="bay" x="{number(bx - 56)}" y="{number(by - 30)}" width="112" height="60" rx="5"/>')
    parts.append(f'<path class="rg-v yard-a" d="M{right - 6} {y - 10}l10 10-10 10"/>')
    parts.append(f'<text class="nm-start" x="{number(x)}" y="{top - 12}">{START}</text>')
    return "".join(parts)


def _centre(here: Ring) -> str:
    """The square in the middle with the box's tray, and three places for dice."""
    x, y = here.layout["box"]["at"]
    dx, dy = here.layout["dice"]["at"]
    dice = "".join(
        f'<rect class="dieplace" x="{dx - 138 + 96 * i:.0f}" y="{dy - 42:.0f}" width="84" height="84" rx="14"/>'
        for i in range(3)
    )
    return (
        f'<g transform="translate({pair((x, y))})"><rect class="square" x="-268" y="-136" width="536" height="262" '
        'rx="18"/>'
        '<rect class="tray-o" x="-248" y="-118" width="496" height="234" rx="10"/>'
        f'<rect class="tray" x="-236" y="-106" width="472" height="210" rx="6"/></g>{dice}'
        f'<g class="limit" transform="translate({dx + 190:.0f} {dy:.0f})"><circle class="limit0" r="56"/>'
        '<circle class="limit1" r="47"/><text y="24">4</text></g>'
    )


def _houses(here: Ring) -> str:
    """A terrace of houses, one for each player who can be: door, step and shelf for the tokens."""
    wide, high = HOUSE
    parts = []
    for x, y in here.layout["homes"]:
        parts.append(
            f'<g transform="translate({x} {y})"><rect class="hs" width="{wide:.0f}" height="{high:.0f}" rx="4"/>'
            f'<path class="hs-d" d="M14 110V64a22 22 0 0144 0v46z"/><path class="hs-s" d="M6 110h60v7H6z"/></g>'
        )
    return "".join(parts)


def _words(here: Ring) -> str:
    layout = here.layout
    groups: dict[str, list[str]] = {"nm-area": [], "nm-park": [], "nm-it": [], "nm-lane": [], "nm-ring": []}
    for quarter in layout.get("quarters", ()):
        groups["nm-area"] += _lines(quarter["name"], quarter["at"], 17)
    for park in layout.get("parks", ()):
        groups["nm-park"] += _lines(park["name"], park["at"], 15)
    for aside in layout.get("asides", ()):
        groups["nm-it"] += _lines(aside["words"], aside["at"], 15)
    for street in layout.get("streets", ()):
        (x, y0), (_, y1) = street["through"][:2]
        middle = y0 + (street["label"] if y1 > y0 else -street["label"])
        groups["nm-lane"].append(
            f'<text transform="translate({number(x)} {number(middle)}) rotate(90)" '
            f'y="4">{escape(street["name"])}</text>'
        )
    return "".join(f'<g class="{style}">{"".join(parts)}</g>' for style, parts in groups.items() if parts)


def _lines(words: list[str], at: list[float], height: float) -> list[str]:
    x, y = at
    return [f'<text x="{x}" y="{number(y + index * height)}">{escape(line)}</text>' for index, line in enumerate(words)]


def _cartouche(here: Ring) -> str:
    x, y = here.layout["cartouche"]
    title = escape(str(here.board.get("title", "")).split(" (")[0])
    return (
        f'<g class="cartouche" transform="translate({x} {y})"><rect width="150" height="72"/>'
        f'<rect class="inner" x="4" y="4" width="142" height="64"/><text class="t1" x="75" y="35">{title}</text>'
        '<text class="t2" x="75" y="56">drive with care</text></g>'
    )
