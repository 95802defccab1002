"""What the next decision would do, drawn on the ring: the flag where stopping ends, outlines of those who would be
pushed, and a small card at each place where the next die may lead."""

from __future__ import annotations

from companion.titles.taxi_over.map.glide import bay_of
from companion.titles.taxi_over.map.ring import START, Ring
from companion.titles.taxi_over.map.signs import CAB_SIZE, die_face
from companion.titles.taxi_over.outlook import Outcome, Outlook
from companion.web.map.geometry import number, pair


def route(here: Ring, outlook: Outlook | None, colour: str) -> str:
    """The dashed way to where stopping now ends."""
    if outlook is None or outlook.stop is None or not outlook.stop.distance or outlook.taxi is None:
        return ""
    way = _way(here, outlook.at, outlook.stop.distance)
    data = here.arc(outlook.at if outlook.at != START else way[0], way)
    if outlook.at == START:
        x, y, _ = bay_of(here, outlook.taxi)
        data = f"M{pair((x, y))}L" + data[1:]
    return f'<g class="s-{colour}"><path class="rt-c wide" d="{data}"/><path class="rt wide" d="{data}"/></g>'


def marks(here: Ring, outlook: Outlook | None) -> str:
    """Flag, outlines and cards."""
    if outlook is None or outlook.taxi is None:
        return ""
    parts = []
    stop = outlook.stop
    if stop is not None and stop.distance:
        parts.append(_ghosts(here, outlook, stop))
        parts.append(_flag(here, stop.to, stop.distance))
    if outlook.dice:
        lies = stop.to if stop is not None else ""
        for chance in outlook.next:
            if not chance.outcome.violation and chance.outcome.to not in (lies, START):
                parts.append(_card(here, chance.face, chance.outcome, round(100 * chance.n / chance.d)))
    return "".join(parts)


def _way(here: Ring, at: str, steps: int) -> list[str]:
    first = here.loop.index(str(here.board["entry"])) if at == START else here.loop.index(at) + 1
    return [here.loop[(first + step) % len(here.loop)] for step in range(steps)]


def _ghosts(here: Ring, outlook: Outlook, stop: Outcome) -> str:
    wide, high = CAB_SIZE
    shell = f'<rect x="{-wide / 2:.0f}" y="{-high / 2:.0f}" width="{wide:.0f}" height="{high:.0f}" rx="16"/>'
    parts = []
    for taxi in stop.pushed:
        if taxi in stop.fell:
            continue
        x, y, turn = here.at(stop.taxis[taxi])
        parts.append(f'<g class="ghost" transform="translate({pair((x, y))}) rotate({turn:.0f})">{shell}</g>')
    if stop.fell:
        for bend, pit in here.bends.items():
            if bend in _way(here, outlook.at, stop.distance + 1):
                x, y = here.pit(pit)
                parts.append(f'<circle class="danger" cx="{number(x)}" cy="{number(y)}" r="70"/>')
    return "".join(parts)


def _flag(here: Ring, place: str, distance: int) -> str:
    x, y, _ = here.at(place)
    bx, by = here.beside(place, 66)
    return (
        f'<circle class="landing" cx="{number(x)}" cy="{number(y)}" r="58"/>'
        f'<g class="stopflag" transform="translate({pair((bx, by))})"><rect x="-34" y="-20" width="68" height="40" '
        'rx="4"/>'
        f'<text y="10">{distance}</text></g>'
    )


def _card(here: Ring, face: int, outcome: Outcome, percent: int) -> str:
    x, y, _ = here.at(outcome.to)
    bx, by = here.beside(outcome.to, 66)
    return (
        f'<circle class="maybe" cx="{number(x)}" cy="{number(y)}" r="58"/>'
        f'<g class="chance" transform="translate({pair((bx, by))})"><rect x="-42" y="-19" width="84" height="38" '
        'rx="4"/>'
        f'<g transform="translate(-24 0) scale(.6)">{die_face(face)}</g><text x="-6" y="8">{percent} %</text></g>'
    )
