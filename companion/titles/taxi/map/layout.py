"""Reads a board's layout file and says clearly what is wrong with it: line, field, what to do.

A layout belongs to one board. It holds what the rules do not need: reader sockets, LEDs, and the drawing.

- ``board`` the board's id; ``version`` counts changes of the built table; ``block_mm`` millimetres of one block there;
  ``physical`` the size of the ring road in millimetres and the board position of its north-west corner.
- ``sockets`` point of an X, or the base → reader socket; ``leds`` light or gate → place on the table's strip;
  ``die_leds`` the numbers of the die's own ring, in the order of its faces.
- ``page`` size of the drawing and its neat line in page units; ``warp`` how blocks become page units
  (:class:`companion.titles.taxi.map.town.Warp`).
- ``streets`` name, kind, the points it runs through, and where its label's middle lies along it (null: no label).
- ``destinations`` middle of the face's box, middle of the name's plate, lines of the name.
- ``shields``, ``river``, ``parks``, ``quarters``, ``asides`` scenery: ``at`` is the middle of the words in page units,
  ``area`` and ``through`` are in blocks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
MOST_SOCKETS = 32  # sockets that one table controller has
MOST_LEDS = 64  # lights on the table's strip
MOST_DIE_LEDS = 12  # the die has a strip of its own
FIELDS = (
    "board", "version", "block_mm", "physical", "page", "warp", "sockets", "leds", "die_leds", "streets",
    "destinations", "shields", "river", "parks", "quarters", "asides",
)  # fmt: skip
NEEDED = ("board", "version", "page", "warp", "sockets", "leds", "streets", "destinations")
REMAKE = "make the file again with `python -m companion.titles.taxi.map.layout_tool` on the board's file"


class LayoutError(ValueError):
    """A layout that cannot be used. ``field`` says where (``sockets.X01``), ``line`` in which line, 0 when unknown."""

    def __init__(self, field: str, problem: str, todo: str, line: int = 0) -> None:
        where = f"line {line}, {field}" if line else field
        super().__init__(f"{where}: {problem}; {todo}")
        self.field = field
        self.problem = problem
        self.todo = todo
        self.line = line


def load_layout(path: Path | str, board: Json) -> Json:
    """Read, check and return the layout of ``board`` from a file.

    Raises :class:`LayoutError` with line, field and what to do; nothing else for whatever the file holds.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise LayoutError("file", f"cannot be read ({problem.strerror})", REMAKE) from None
    except UnicodeDecodeError:
        raise LayoutError("file", "is no UTF-8 text", REMAKE) from None
    return parse_layout(text, board)


def parse_layout(text: str, board: Json) -> Json:
    """Check and return a layout from its text; see :func:`load_layout`."""
    try:
        layout = json.loads(text, object_pairs_hook=_no_doubles)
    except json.JSONDecodeError as problem:
        raise LayoutError("file", f"is no JSON: {problem.msg}", "put that right there", problem.lineno) from None
    except RecursionError:
        raise LayoutError("file", "is nested too deeply", REMAKE) from None
    except _DoubleKeyError as problem:
        key = problem.args[0]
        lines = [number for number, row in enumerate(text.split("\n"), 1) if f'"{key}"' in row]
        raise LayoutError(key, "stands twice", "keep one of them", lines[-1] if lines else 0) from None
    try:
        check_layout(layout, board)
    except LayoutError as problem:
        line = problem.line or _line_of(text, problem.field)
        raise LayoutError(problem.field, problem.problem, problem.todo, line) from None
    checked: Json = layout
    return checked


class _DoubleKeyError(Exception):
    pass


def _no_doubles(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
    for key, value in pairs:
        if key in found:
            raise _DoubleKeyError(key)
        found[key] = value
    return found


def _line_of(text: str, field: str) -> int:
    """Return the line where a field's last part stands, searching its parts one after another; 0 when not found."""
    at = 0
    for part in re.split(r"[.\[\]]+", field):
        if not part or part.isdigit():
            continue
        found = text.find(f'"{part}"', at)
        if found < 0:
            break
        at = found
    return text.count("\n", 0, at) + 1 if at else 0


def check_layout(layout: Any, board: Json) -> None:
    """Check a layout against its board. Raises :class:`LayoutError` for the first thing that is wrong."""
    if not isinstance(layout, dict):
        raise LayoutError("file", "holds no object", REMAKE)
    for key in layout:
        if key not in FIELDS:
            raise LayoutError(key, "is no field of a layout", f"take it out; fields are {', '.join(FIELDS)}")
    for key in NEEDED:
        if key not in layout:
            raise LayoutError(key, "is missing", REMAKE)
    if layout["board"] != board["id"]:
        raise LayoutError("board", f"is {layout['board']!r}, the board is {board['id']!r}", "use its own layout")
    if type(layout["version"]) is not int or layout["version"] < 1:
        raise LayoutError("version", "is no whole number from 1", "count it up with each change of the built table")
    if not _is_number(layout.get("block_mm", 40)) or layout.get("block_mm", 40) <= 0:
        raise LayoutError("block_mm", "is no number above 0", "give the millimetres of a block on the built table")
    _check_page(layout)
    _check_wiring(layout, board)
    _check_streets(layout, board)
    _check_destinations(layout, board)
    _check_scenery(layout)


# --- parts ----------------------------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e6


def _numbers(value: Any, count: int, field: str) -> None:
    if not isinstance(value, list) or len(value) != count or not all(_is_number(one) for one in value):
        raise LayoutError(field, f"is no list of {count} numbers", "write it like [1, 2.5]")


def _is_object(value: Any, keys: tuple[str, ...], field: str) -> None:
    if not isinstance(value, dict):
        raise LayoutError(field, "is no object", REMAKE)
    for key in keys:
        if key not in value:
            raise LayoutError(f"{field}.{key}", "is missing", REMAKE)


def _check_page(layout: Json) -> None:
    page, warp = layout["page"], layout["warp"]
    _is_object(page, ("width", "height", "frame"), "page")
    if not all(_is_number(page[key]) and page[key] > 100 for key in ("width", "height")):
        raise LayoutError("page.width", "or height is no number above 100", "give the size of the page in pixels")
    _numbers(page["frame"], 4, "page.frame")
    left, top, right, bottom = page["frame"]
    if not (0 <= left < right <= page["width"] and 0 <= top < bottom <= page["height"]):
        raise LayoutError("page.frame", "does not lie on the page", "give left, top, right, bottom on the page")
    _is_object(warp, ("block", "origin", "core", "outside", "waves"), "warp")
    for key, count in (("block", 2), ("origin", 2), ("core", 4)):
        _numbers(warp[key], count, f"warp.{key}")
    if min(warp["block"]) <= 0 or not _is_number(warp["outside"]) or not 0 < warp["outside"] <= 1:
        raise LayoutError("warp.block", "or outside cannot be drawn", "blocks are above 0, outside is at most 1")
    if not isinstance(warp["waves"], list):
        raise LayoutError("warp.waves", "is no list", REMAKE)
    steep = {"x": 0.0, "y": 0.0}
    for index, wave in enumerate(warp["waves"]):
        field = f"warp.waves[{index}]"
        _is_object(wave, ("axis", "size", "by", "shift"), field)
        _numbers(wave["by"], 2, f"{field}.by")
        if wave["axis"] not in ("x", "y") or not _is_number(wave["size"]) or not _is_number(wave["shift"]):
            raise LayoutError(field, "is no wave", 'write {"axis": "x" or "y", "size", "by": [x, y], "shift"}')
        across = 0 if wave["axis"] == "y" else 1
        steep[wave["axis"]] += abs(wave["size"] * wave["by"][across]) / warp["block"][across]
    for axis, slope in steep.items():
        if slope > 0.176:
            raise LayoutError("warp.waves", f"slope too much along {axis} (over 10 degrees)", "make it smaller")


def _check_wiring(layout: Json, board: Json) -> None:
    points = board["points"]
    wanted = {str(data["at"]): name for name, data in board.get("destinations", {}).items()}
    if board.get("base"):
        wanted[board["base"]] = "the base"
    lamps = [*board.get("lights", ()), *board.get("gates", ())]
    for key, allowed, most in (("sockets", set(points), MOST_SOCKETS), ("leds", set(lamps), MOST_LEDS)):
        table = layout[key]
        if not isinstance(table, dict):
            raise LayoutError(key, "is no object", f'write {{"{next(iter(wanted), "X01")}": 0, …}}')
        owner: dict[int, str] = {}
        for name, number in table.items():
            if name not in points:
                raise LayoutError(f"{key}.{name}", "is no point of the board", "name a point, or take the entry out")
            if name not in allowed:
                raise LayoutError(f"{key}.{name}", "is no light and no gate", "LEDs stand at lights and gates only")
            if type(number) is not int or not 0 <= number < most:
                raise LayoutError(f"{key}.{name}", f"is {number!r}", f"give a whole number from 0 to {most - 1}")
            if number in owner:
                what = "socket" if key == "sockets" else "LED"
                raise LayoutError(f"{key}.{name}", f"has {what} {number}, so has {owner[number]}", "give each its own")
            owner[number] = name
    for point, name in sorted(wanted.items()):
        if point not in layout["sockets"]:
            raise LayoutError("sockets", f"{point} ({name}) is missing", "give it a socket number that is free")
    for lamp in lamps:
        if lamp not in layout["leds"]:
            raise LayoutError("leds", f"{lamp} is missing", "give it an LED number that is free")
    die = layout.get("die_leds", [])
    if not isinstance(die, list) or len(die) > MOST_DIE_LEDS:
        raise LayoutError("die_leds", f"is no list of up to {MOST_DIE_LEDS}", "list the numbers on the die's strip")
    for index, number in enumerate(die):
        if type(number) is not int or not 0 <= number < MOST_DIE_LEDS:
            raise LayoutError("die_leds", f"entry {index + 1} is {number!r}", f"numbers are 0 to {MOST_DIE_LEDS - 1}")
        if number in die[:index]:
            raise LayoutError("die_leds", f"LED {number} stands twice", "give each face its own")


def _check_streets(layout: Json, board: Json) -> None:
    links = set()
    for road in board["roads"]:
        links |= {frozenset(two) for two in zip(road["via"], road["via"][1:], strict=False)}
    if not isinstance(layout["streets"], list):
        raise LayoutError("streets", "is no list", REMAKE)
    seen: set[str] = set()
    for index, street in enumerate(layout["streets"]):
        field = f"streets[{index}]"
        _is_object(street, ("name", "kind", "via"), field)
        name = street["name"]
        if not isinstance(name, str) or not name or street["kind"] not in ("minor", "major", "lead_on"):
            raise LayoutError(field, "has no name or no kind", 'give a name, and kind "minor", "major" or "lead_on"')
        if name in seen:
            raise LayoutError(f"streets.{name}", "is the name of two streets", "call one of them something else")
        seen.add(name)
        via = street["via"]
        if not isinstance(via, list) or len(via) < 2 or not all(isinstance(one, str) for one in via):
            raise LayoutError(f"streets.{name}", "has no two points", REMAKE)
        for start, end in zip(via, via[1:], strict=False):
            if frozenset((start, end)) not in links:
                raise LayoutError(f"streets.{name}", f"goes from {start} to {end}, which no road joins", REMAKE)
        label = street.get("label")
        if label is not None and not (
            isinstance(label, dict) and isinstance(label.get("text"), str) and _is_number(label.get("at"))
        ):
            raise LayoutError(f"streets.{name}", "has a label without text or at", "write null for no label")


def _check_destinations(layout: Json, board: Json) -> None:
    spots = layout["destinations"]
    if not isinstance(spots, dict):
        raise LayoutError("destinations", "is no object", REMAKE)
    known = board.get("destinations", {})
    for name in spots:
        if name not in known:
            raise LayoutError(f"destinations.{name}", "is no destination of the board", "take it out")
    for name in sorted(known):
        if name not in spots:
            raise LayoutError("destinations", f"{name} is missing", "say where its face stands, or " + REMAKE)
        field = f"destinations.{name}"
        _is_object(spots[name], ("head", "plate", "lines"), field)
        _numbers(spots[name]["head"], 2, f"{field}.head")
        _numbers(spots[name]["plate"], 2, f"{field}.plate")
        if spots[name]["lines"] not in (1, 2):
            raise LayoutError(f"{field}.lines", f"is {spots[name]['lines']!r}", "a name has 1 or 2 lines")


def _texts(layout: Json) -> Iterator[tuple[str, Any]]:
    for key in ("parks", "quarters", "asides"):
        things = layout.get(key, [])
        if not isinstance(things, list):
            raise LayoutError(key, "is no list", REMAKE)
        for index, thing in enumerate(things):
            yield f"{key}[{index}]", thing


def _check_scenery(layout: Json) -> None:
    for field, thing in _texts(layout):
        _is_object(thing, ("lines", "at"), field)
        _numbers(thing["at"], 2, f"{field}.at")
        if not isinstance(thing["lines"], list) or not all(isinstance(line, str) for line in thing["lines"]):
            raise LayoutError(f"{field}.lines", "is no list of texts", 'write it like ["Mild", "Peril"]')
        if not field.startswith("asides"):
            _corners(thing.get("area"), f"{field}.area", 3)
        if field.startswith("parks"):
            for number, spot in enumerate(thing.get("trees", [])):
                _numbers(spot, 2, f"{field}.trees[{number}]")
    if (shields := layout.get("shields")) is not None:
        _is_object(shields, ("name", "at"), "shields")
        _corners(shields["at"], "shields.at", 0)
    if (river := layout.get("river")) is not None:
        _is_object(river, ("name", "through"), "river")
        _corners(river["through"], "river.through", 2)
        label = river.get("label")
        if label is not None and not (isinstance(label, dict) and _is_number(label.get("at"))):
            raise LayoutError("river.label", "has no at", "write null for a river without its name")


def _corners(value: Any, field: str, least: int) -> None:
    if not isinstance(value, list) or len(value) < least:
        raise LayoutError(field, f"has no {least} points", "give [[x, y], …]")
    for number, corner in enumerate(value):
        _numbers(corner, 2, f"{field}[{number}]")
