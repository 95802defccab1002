"""Words of a London map: names of roads on and beside them, the river, parks, quarters and asides, from the layout."""

from __future__ import annotations

from companion.titles.destination_london.map.london import Json, London, beside
from companion.web.map.geometry import Line
from companion.web.map.lettering import Label, along

STYLE = {"major": "nm-major", "minor": "nm-minor", "tunnel": "nm-minor"}


def road_label(here: London, street: Json, label: Json) -> Label:
    """Return the label of a road: ``at`` is its middle along the road, ``off`` how far beside it, ``small`` in the size
    of minor roads."""
    line = here.way_line(street["via"])
    off = float(label.get("off", 0))
    style = "nm-minor" if off or label.get("small") else STYLE[street["kind"]]
    if off:
        share = float(label["at"]) / line.length
        line = beside(line, off)
        return along(line, line.length * share, label["text"].upper(), style)
    return along(line, float(label["at"]), label["text"].upper(), style)


def river_label(here: London, label: Json) -> Label:
    """Return the river's name on its water."""
    river = here.river()
    assert isinstance(river, Line)
    return along(river, float(label["at"]), str(here.layout["river"]["name"]), "nm-water")


def block_label(style: str, thing: Json) -> Label:
    """Return a park's, a quarter's or an aside's label."""
    lines = tuple(line.upper() if style == "nm-area" else line for line in thing["lines"])
    return Label(style, lines, (thing["at"][0], thing["at"][1]))


def all_labels(here: London) -> list[Label]:
    """Return every printed label of the layout but those of the attractions, in the order in which they are drawn."""
    found = [road_label(here, street, street["label"]) for street in here.streets if street.get("label")]
    river = here.layout.get("river") or {}
    found += [river_label(here, label) for label in river.get("labels", ())]
    for key, style in (("parks", "nm-park"), ("quarters", "nm-area"), ("asides", "nm-it")):
        found += [block_label(style, thing) for thing in here.layout.get(key, ()) if thing.get("at")]
    return found
