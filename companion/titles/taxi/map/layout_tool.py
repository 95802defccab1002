"""Makes the layout of a board:
`python -m companion.titles.taxi.map.layout_tool shared_rules/games/taxi/boards/fumbling.json`.

Writes `<id>.layout.json` beside the board: sockets and LEDs for the table, warp, names and the place of every label for
the map. The same board gives the same file, byte for byte. Needs no browser; takes some ten seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from itertools import permutations
from pathlib import Path
from random import Random

from companion.titles.taxi.map import town_names as names
from companion.titles.taxi.map.destinations import boxes
from companion.titles.taxi.map.placing import (
    Ground,
    fixed_boxes,
    free_spans,
    place_destinations,
    slide_label,
    type_height,
)
from companion.titles.taxi.map.roads import frame
from companion.titles.taxi.map.scenery import scenery, shields
from companion.titles.taxi.map.town import CASING, Json, Town
from companion.web.map.geometry import Box, Line, around, grow, overlap
from companion.web.map.lettering import Label, along

FRAME = (44, 44, 1322, 992)  # the neat line, in page units: 16 of seat band and 28 of paper round it
PAGE: Json = {"width": 1366, "height": 1036, "frame": list(FRAME), "joins": list(names.JOINS)}
EDGE = 33.0  # page units from the neat line to the middle of the ring road
OUTSIDE = 0.62  # blocks outside the town are drawn that much shorter
BLOCK_MM = 40.0
DIE_LEDS = 12
WAVES: tuple[tuple[str, float, float, float, float], ...] = (
    ("y", 8.0, math.tau / 11.5, 0.14, 0.6),
    ("y", 3.6, math.tau / 6.1, 0.55, 2.1),
    ("x", 7.5, 0.16, math.tau / 9.5, 1.9),
    ("x", 3.2, 0.62, math.tau / 5.4, 0.3),
)


def make_layout(board: Json) -> Json:
    """Return the layout of a board as a dict that :func:`companion.titles.taxi.map.layout.check_layout` accepts.

    Raises ValueError, saying which destination, when the faces cannot stand without covering something.
    """
    layout: Json = {
        "board": board["id"],
        "version": 1,
        "block_mm": BLOCK_MM,
        "physical": _physical(board),
        **_wiring(board),
        "page": PAGE,
        "warp": _warp(board),
        "streets": [],
        "destinations": {},
    }
    town = Town(board, layout)
    ground = Ground(town)
    fixed = fixed_boxes(town)
    layout["destinations"] = place_destinations(town, ground, fixed)
    taken = [grow(box, 1.5) for box in fixed]
    for name, spot in layout["destinations"].items():
        title = str(board["destinations"][name].get("name", name))
        taken += list(boxes(title, spot, True).values())
    freeway = [road.line for road in town.roads if road.kind == "freeway" and len(road.via) > 2]
    layout["streets"] = _streets(town, taken, freeway)
    if freeway:
        layout["shields"] = shields(freeway[0])
        taken += [(x - 13, y - 13, x + 13, y + 13) for x, y in layout["shields"]["at"]]
    scenery(town, ground, layout, taken)
    return layout


def _extent(board: Json, kinds: tuple[str, ...]) -> Box:
    inner = {name for road in board["roads"] if road["kind"] in kinds for name in road["via"]}
    return around((board["points"][name][0], board["points"][name][1]) for name in inner)


def _warp(board: Json) -> Json:
    core = _extent(board, ("minor", "major"))
    whole = around((xy[0], xy[1]) for xy in board["points"].values())
    left, top, right, bottom = FRAME
    across = core[2] - core[0] + OUTSIDE * (core[0] - whole[0] + whole[2] - core[2])
    up = core[3] - core[1] + OUTSIDE * (core[1] - whole[1] + whole[3] - core[3])
    block = [round((right - left - 2 * EDGE) / max(across, 1), 2), round((bottom - top - 2 * EDGE) / max(up, 1), 2)]
    origin = [
        round(left + EDGE + (OUTSIDE * (core[0] - whole[0]) - core[0]) * block[0], 1),
        round(bottom - EDGE - (OUTSIDE * (core[1] - whole[1]) - core[1]) * block[1], 1),
    ]
    waves = [{"axis": a, "size": s, "by": [round(x, 4), round(y, 4)], "shift": p} for a, s, x, y, p in WAVES]
    return {"block": block, "origin": origin, "core": list(core), "outside": OUTSIDE, "waves": waves}


def _physical(board: Json) -> Json:
    """Return the size of the ring road on the built table, and the board position of its north-west corner."""
    west, south, east, north = around((xy[0], xy[1]) for xy in board["points"].values())
    return {
        "ring_mm": [(east - west) * BLOCK_MM, (north - south) * BLOCK_MM],
        "north_west": [west, north],
    }


def _wiring(board: Json) -> Json:
    ends = [data["at"] for _, data in sorted(board.get("destinations", {}).items())]
    sockets = {point: number for number, point in enumerate(ends)}
    if board.get("base"):
        sockets[board["base"]] = len(ends)
    lamps = [*sorted(board.get("lights", ())), *sorted(board.get("gates", ()))]
    return {
        "sockets": sockets,
        "leds": {name: number for number, name in enumerate(lamps)},
        "die_leds": list(range(DIE_LEDS)),
    }


# --- streets --------------------------------------------------------------------------------------------------------


def _crossings(town: Town, run: list[str], kinds: tuple[str, ...] = tuple(CASING)) -> list[Box]:
    """Return the boxes where other roads (of some kinds) meet a street; a name across them is harder to read."""
    found = []
    own = {frozenset(two) for two in zip(run, run[1:], strict=False)}
    for point in run:
        others = [
            name
            for name in town.neighbours[point]
            if frozenset((point, name)) not in own and town.kind(point, name) in kinds
        ]
        if others:
            half = max(CASING[town.kind(point, name)] for name in others) / 2
            x, y = town.xy(point)
            found.append((x - half, y - half, x + half, y + half))
    return found


def _streets(town: Town, taken: list[Box], freeway: list[Line]) -> list[Json]:
    """Name all streets and put each name where it reads best; adds the names' boxes to ``taken``."""
    page = frame(town)
    guard = [
        (x - 16, y - 16, x + 16, y + 16)
        for line in freeway
        for x, y, _ in (line.at(step * 10.0) for step in range(int(line.length / 10) + 1))
    ]
    runs = [(run, town.run_kind(run), town.run_line(run)) for run in town.runs()]
    rows = sorted((r for r in runs if r[1] == "major" and _lies(town, r[0])), key=lambda r: -town.points[r[0][0]][1])
    columns = sorted((r for r in runs if r[1] == "major" and not _lies(town, r[0])), key=lambda r: town.points[r[0][0]])
    streets: list[Json] = []
    for group, titles in ((rows, names.MAJOR_ROWS), (columns, names.MAJOR_COLUMNS)):
        for (run, kind, line), title in zip(group, _dealt(town, group, titles, [*taken, *guard]), strict=False):
            streets.append(_named(run, kind, title, line, [*taken, *guard], _crossings(town, run), page, taken))
    minor = [r for r in runs if r[1] != "major" or r not in [*rows[:5], *columns[:5]]]
    rooms = []
    for run, kind, line in minor:
        tall = type_height("nm-minor")
        walls = [*taken, *guard, *_crossings(town, run)]
        beside = grow(around(line.points), tall)
        walls = [wall for wall in walls if overlap(wall, beside)]
        spans = free_spans(line, tall, lambda box, walls=walls: any(overlap(box, wall) for wall in walls))  # type: ignore[misc]
        rooms.append((max((end - start for start, end in spans), default=0.0), run, kind, line))
    rooms.sort(key=lambda one: (one[0], one[1]))
    left: list[str] = list(names.MINOR)
    random = Random(7)
    for room, run, kind, line in rooms:
        fits = [title for title in left if _width(title) <= room - 4]
        if not fits:
            fits = [title for title in left if _width(names.shortened(title)) <= room - 4]
        pool = sorted(fits, key=_width)[-12:] if fits else sorted(left, key=_width)[:1]
        title = random.choice(pool)
        left.remove(title)
        walls = [*taken, *guard, *_crossings(town, run, ("major",))]
        streets.append(_named(run, kind, title, line, walls, _crossings(town, run), page, taken))
    return sorted(streets, key=lambda one: (one["kind"] != "major", one["name"]))


def _dealt(
    town: Town, group: list[tuple[list[str], str, Line]], titles: tuple[str, ...], walls: list[Box]
) -> tuple[str, ...]:
    """Return the names of the main roads in the order in which most of them find room on their road."""
    page = frame(town)
    cost: dict[tuple[int, str], float] = {}
    for index, (run, _, line) in enumerate(group[: len(titles)]):
        corners = _crossings(town, run)
        for title in titles[: len(group)]:
            full = slide_label(line, title.upper(), "nm-major", walls, corners, page)
            short = slide_label(line, names.shortened(title).upper(), "nm-major", walls, corners, page)
            cost[index, title] = full[0] if full else short[0] + 300 if short else 5000
    orders = permutations(titles[: len(group)])
    return min(orders, key=lambda order: sum(cost[index, title] for index, title in enumerate(order)))


def _lies(town: Town, run: list[str]) -> bool:
    (x0, y0), (x1, y1) = town.points[run[0]], town.points[run[-1]]
    return abs(x1 - x0) >= abs(y1 - y0)


def _width(title: str) -> float:
    return Label("nm-minor", (title.upper(),), (0.0, 0.0)).width


def _named(
    run: list[str], kind: str, title: str, line: Line, walls: list[Box], corners: list[Box], page: Box, taken: list[Box]
) -> Json:
    style = "nm-major" if kind == "major" else "nm-minor"
    street: Json = {"name": title, "kind": kind, "via": run, "label": None}
    best = None
    for text in dict.fromkeys((title, names.shortened(title))):
        found = slide_label(line, text.upper(), style, walls, corners, page)
        if found and (best is None or found[0] + 8 < best[0]):
            best = (found[0], found[1], text, found[2])
    if best:
        street["label"] = {"text": best[2], "at": round(best[1], 1)}
        exact = along(line, street["label"]["at"], best[2].upper(), style)
        taken += exact.boxes
    return street


# --- the file -------------------------------------------------------------------------------------------------------


def write_text(layout: Json) -> str:
    """Return a layout as JSON with one street, one character, one label a line, so that differences can be read."""
    lines = []
    for key, value in layout.items():
        if key in ("streets", "asides", "parks", "quarters"):
            rows = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            lines.append(f" {json.dumps(key)}: [\n  {rows}]" if value else f" {json.dumps(key)}: []")
        elif key == "destinations":
            rows = ",\n  ".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in value.items())
            lines.append(f' "destinations": {{\n  {rows}}}')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str] | None = None) -> int:
    """Make and write the layout of one board file; print what was placed. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Make the layout file of a board.")
    parser.add_argument("board", type=Path, help="the board, <id>.json")
    parser.add_argument("--out", type=Path, help="where to write; default: <id>.layout.json beside the board")
    options = parser.parse_args(arguments)
    try:
        board = json.loads(options.board.read_text(encoding="utf-8"))
        layout = make_layout(board)
    except (OSError, ValueError, KeyError) as problem:
        print(f"layout_tool: {options.board}: {problem}", file=sys.stderr)
        return 1
    out = options.out or options.board.with_name(f"{options.board.stem}.layout.json")
    out.write_text(write_text(layout), encoding="utf-8")
    written = sum(street["label"] is not None for street in layout["streets"])
    print(
        f"{out}: {len(layout['destinations'])} characters, {written} of {len(layout['streets'])} street names, "
        f"{len(layout['parks'])} parks, {len(layout['quarters'])} quarters, {len(layout['asides'])} asides"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
