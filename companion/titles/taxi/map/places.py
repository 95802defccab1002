"""Places in words, and as something one can press: names by streets and crossings, grid references, tap targets."""

from __future__ import annotations

import math
from html import escape

from companion.titles.taxi.map.town import Json, Town, town
from companion.web.map import sheet
from companion.web.map.geometry import Point, clip_cell, pair

COUNT = ("", "one block", "two blocks", "three blocks", "four blocks", "five blocks", "six blocks", "seven blocks")
NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
TARGET = 34.0  # page units round a place that belong to it, where no other place is nearer
LEAN = 6.5  # page units that a corner takes from the pieces of street beside it: corners are what one aims at


class Directory:
    """The names of all places of one town. Built once a board; see :func:`place_name`."""

    def __init__(self, here: Town) -> None:
        self.town = here
        self.streets_at: dict[str, list[str]] = {name: [] for name in here.points}
        self.street_of: dict[frozenset[str], str] = {}
        self.via: dict[str, list[str]] = {}
        order = {"major": 0, "minor": 1, "lead_on": 2}
        for street in sorted(here.layout.get("streets", ()), key=lambda one: (order.get(one["kind"], 3), one["name"])):
            via = street["via"]
            self.via[street["name"]] = via
            for point in via:
                self.streets_at[point].append(street["name"])
            for start, end in zip(via, via[1:], strict=False):
                self.street_of[frozenset((start, end))] = street["name"]
        self.characters = {data["at"]: str(data.get("name", name)) for name, data in here.destinations.items()}
        self.names: dict[str, str] = {}
        seen: dict[str, list[str]] = {}
        for place in [*sorted(here.points), *sorted(f"{a}~{b}" for a, b in here.kinds)]:
            seen.setdefault(self._words(place), []).append(place)
        for words, places in seen.items():
            for place in places:
                name = words if len(places) == 1 else f"{words} ({grid_reference(here.board, here.layout, place)})"
                if name in self.names.values():
                    name = f"{words} ({place})"
                self.names[place] = name

    # --- words ----------------------------------------------------------------------------------------------------

    def _words(self, place: str) -> str:
        if "~" in place:
            return self._link_words(*place.split("~", 1))
        return self._point_words(place)

    def _point_words(self, point: str) -> str:
        here = self.town
        if point == here.base:
            return "the Rank"
        streets = self.streets_at[point]
        if point in self.characters:
            return f"{self.characters[point]}, {streets[0]}" if streets else self.characters[point]
        if point in here.lights:
            return f"the light {self._between(point)}"
        if point in here.gates:
            return f"the gate {self._off(point)}"
        if len(streets) > 1:
            return f"{streets[0]}, at {' and '.join(streets[1:])}"
        if streets:
            return f"{streets[0]}, {self._counted(point, streets[0])}"
        return f"the freeway, near {grid_reference(here.board, here.layout, point)}"

    def _corner(self, point: str, street: str) -> str:
        """Return what lies at a point of a street, for sentences: a crossing street, a character, a light."""
        here = self.town
        if point == here.base:
            return "the Rank"
        if point in self.characters:
            return self.characters[point]
        if point in here.lights:
            return "the light"
        if point in here.gates:
            return "the gate"
        others = [name for name in self.streets_at[point] if name != street]
        return others[0] if others else ""

    def _is_landmark(self, point: str, street: str) -> bool:
        return point not in self.town.lights and bool(self._corner(point, street))

    def _from_landmark(self, point: str, street: str, step: int) -> tuple[int, str] | None:
        """Return the next point along a street at which something is, and how many blocks away: 0 for the point."""
        via = self.via[street]
        at, blocks = via.index(point), 0
        while 0 <= at < len(via):
            if self._is_landmark(via[at], street):
                return blocks, via[at]
            blocks += via[at] not in self.town.lights
            at += step
        return None

    def _counted(self, point: str, street: str) -> str:
        """Return ``two blocks east of Ferret Walk`` for a point without a crossing street or anything else there."""
        for step in (-1, 1):
            if (found := self._from_landmark(point, street, step)) is not None:
                blocks, mark = found
                return f"{COUNT[min(blocks, 7)]} {self._compass(mark, point)} of {self._corner(mark, street)}"
        return "half way"

    def _nth_block(self, street: str, start: str, end: str) -> str:
        """Return ``second block east of Ferret Walk`` for a link with a bare corner at an end; '' for other links."""
        via = self.via[street]
        first, last = sorted((start, end), key=via.index)
        bare = [name for name in (first, last) if not self._corner(name, street)]
        found = self._from_landmark(first, street, -1)
        if not bare or first in self.town.lights or last in self.town.lights or found is None:
            return ""
        blocks, mark = found
        return f"{NTH[min(blocks, 6)]} block {self._compass(mark, last)} of {self._corner(mark, street)}"

    def _compass(self, start: str, end: str) -> str:
        (x0, y0), (x1, y1) = self.town.points[start], self.town.points[end]
        if abs(x1 - x0) >= abs(y1 - y0):
            return "east" if x1 > x0 else "west"
        return "north" if y1 > y0 else "south"

    def _between(self, point: str) -> str:
        """Return ``on Hiccup Street between Ferret Walk and Snore Street`` for a point in the middle of a block."""
        street = self.streets_at[point][0] if self.streets_at[point] else ""
        if not street:
            return self._off(point)
        via = self.via[street]
        index = via.index(point)
        ends = [via[i] for i in (index - 1, index + 1) if 0 <= i < len(via)]
        return f"on {street} {self._ends(street, ends)}"

    def _ends(self, street: str, ends: list[str]) -> str:
        words = [self._corner(end, street) or f"the corner {self._counted(end, street)}" for end in ends]
        return f"between {words[0]} and {words[1]}" if len(words) == 2 else f"near {words[0]}"

    def _off(self, point: str) -> str:
        """Return ``off Marmalade Road, at Ferret Walk`` for a gate, from the junction behind it."""
        for other in sorted(self.town.neighbours[point]):
            if self.town.kind(point, other) == "lead_on":
                return f"off {self._junction(other, point)}"
        return f"near {grid_reference(self.town.board, self.town.layout, point)}"

    def _junction(self, point: str, coming_from: str) -> str:
        while point in self.town.lights or point in self.town.gates:
            ahead = self.town.onward(coming_from, point)
            if ahead is None:
                break
            coming_from, point = point, ahead
        return self._point_words(point)

    def _link_words(self, start: str, end: str) -> str:
        kind = self.town.kind(start, end)
        if kind == "off_ramp":
            return f"on the off-ramp to {self._junction(end, start)}"
        if kind == "freeway":
            reference = grid_reference(self.town.board, self.town.layout, f"{start}~{end}")
            return f"on the freeway, {reference}"
        street = self.street_of.get(frozenset((start, end)), "")
        if kind == "lead_on" and end in self.town.gates:
            return f"at the gate off {self._junction(start, end)}"
        if kind == "lead_on" and start in self.town.gates:
            return f"at the gate off {self._junction(end, start)}"
        if not street:
            return f"on the road from {self._junction(start, end)}"
        if nth := self._nth_block(street, start, end):
            return f"on {street}, {nth}"
        return f"on {street} {self._ends(street, [start, end])}"


def directory(here: Town) -> Directory:
    """Return the :class:`Directory` of a town, made on first use."""
    if "directory" not in here.memo:
        here.memo["directory"] = Directory(here)
    made: Directory = here.memo["directory"]
    return made


def place_name(board: Json, layout: Json, place: str) -> str:
    """Return a place in words for pages and screen readers, different for each place of the board.

    ``"Marmalade Road, at Ferret Walk"`` for a corner, ``"on Hiccup Street between Snore Street and the light"`` for a
    link, ``"Captain Brine, Crumpet Close"``, ``"the Rank"``. Raises KeyError when the board has no such place.
    """
    here = town(board, layout)
    return directory(here).names[here.canonical(place)]


def grid_reference(board: Json, layout: Json, place: str) -> str:
    """Return the square of the printed grid that holds a place, as ``"M 1"``. KeyError when there is no such place."""
    here = town(board, layout)
    return sheet.reference(layout, here.xy(here.canonical(place)))


def place_points(board: Json, layout: Json) -> dict[str, tuple[float, float]]:
    """Return where every stop lies on the page, in page units: for pages that drag taxis and need the nearest place."""
    here = town(board, layout)
    return {place: (round(here.xy(place)[0], 1), round(here.xy(place)[1], 1)) for place in here.stops()}


def targets(here: Town, places: list[str], words: dict[str, str], attributes: str = "") -> str:
    """Return one pressable shape for each place, cut so that a press always goes to the nearest of them.

    ``words`` replaces a place's own name as its label (for what it costs to go there); ``attributes`` go on each shape.
    """
    spots = {place: here.xy(place) for place in places}
    names = directory(here).names
    parts = []
    for place, spot in spots.items():
        rivals = ((other, _lean(place, name, spot, other)) for name, other in spots.items() if name != place)
        cell = clip_cell(spot, rivals, TARGET)
        if len(cell) < 3:
            continue
        label = escape(words.get(place) or names[place])
        parts.append(
            f'<path class="target" data-place="{escape(place)}"{attributes} aria-label="{label}" d="{_outline(cell)}"/>'
        )
    return "".join(parts)


def _lean(place: str, rival: str, spot: Point, other: Point) -> float:
    share = min(LEAN, 0.35 * math.dist(spot, other))
    return share * (("~" in rival) - ("~" in place))


def _outline(cell: list[Point]) -> str:
    """Return path data of a polygon in whole page units, in steps: a page has hundreds of these."""
    corners = [(round(x), round(y)) for x, y in cell]
    steps = [(x - px, y - py) for (px, py), (x, y) in zip(corners, corners[1:], strict=False)]
    walk = " ".join(f"{x}{'' if y < 0 else ' '}{y}" for x, y in steps)
    return f"M{corners[0][0]} {corners[0][1]}l{walk}z"


def place_marks(here: Town) -> str:
    """Return a small invisible dot for every stop, so that each place of the board can be addressed on the page."""
    dots = []
    for place in here.stops():
        x, y = pair(here.xy(place)).split(" ")
        dots.append(f'<circle data-place="{escape(place)}" cx="{x}" cy="{y}" r="1"/>')
    return f'<g id="places" aria-hidden="true">{"".join(dots)}</g>'
