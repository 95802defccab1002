"""Words on TAXI!'s map: street names on their roads, quarters, parks, water, italic asides, and where all these stand.

What a label is and how it is written is `companion.web.map.lettering`'s business.
"""

from __future__ import annotations

from companion.titles.taxi.map.town import Town
from companion.web.map.geometry import Line
from companion.web.map.lettering import Label, along, write


def all_labels(town: Town) -> list[Label]:
    """Return every printed label of the layout but those of the destinations, in the order in which they are drawn."""
    found: list[Label] = []
    for street in town.layout["streets"]:
        if (place := street.get("label")) is not None:
            style = "nm-major" if street["kind"] == "major" else "nm-minor"
            line = town.run_line(street["via"])
            found.append(along(line, place["at"], place["text"].upper(), style))
    river = town.layout.get("river")
    if river and river.get("label") is not None:
        line = Line([town.warp(point) for point in river["through"]])
        found.append(along(line, river["label"]["at"], river["name"], "nm-water"))
    for key, style in (("parks", "nm-park"), ("quarters", "nm-area"), ("asides", "nm-it")):
        for thing in town.layout.get(key, ()):
            if thing.get("at"):
                lines = tuple(line.upper() if style == "nm-area" else line for line in thing["lines"])
                found.append(Label(style, lines, (thing["at"][0], thing["at"][1])))
    return found


def draw_labels(town: Town) -> str:
    """Return all printed words of the map but the destinations' as SVG, grouped by class."""
    return write(all_labels(town))
