"""Makes the layout of a board: `python -m companion.web.map.layout_tool shared_rules/games/taxi/boards/fumbling.json`.

Writes `<id>.layout.json` beside the board: sockets and LEDs for the table, warp, names and the place of every label for
the map. The same board gives the same file, byte for byte. Needs no browser; takes some ten seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from random import Random
from typing import Any

from companion.web.map import town_names as names
from companion.web.map.destinations import boxes
from companion.web.map.geometry import Box, Line, Point, around, grow, overlap
from companion.web.map.labels import Label, street_label
from companion.web.map.placing import (
    Ground,
    fixed_boxes,
    free_spans,
    inside,
    place_destinations,
    settle_text,
    slide_label,
    type_height,
)
from companion.web.map.roads import frame
from companion.web.map.town import CASING, Json, Town

PAGE = {"width": 1366, "height": 1036, "frame": [44, 44, 1322, 992], "joins": list(names.JOINS)}
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
RIVER = (
    (9.35, 12.9), (9.5, 11.2), (9.5, 9.5), (10.5, 8.5), (10.55, 7.45), (11.5, 6.5), (12.5, 6.45), (13.5, 6.55),
    (14.9, 6.3), (16.9, 6.6),
)  # fmt: skip


def make_layout(board: Json) -> Json:
    """Return the layout of a board as a dict that :func:`companion.web.map.layout.check_layout` accepts.

    Raises ValueError, saying which destination, when the faces cannot stand without covering something.
    """
    layout: Json = {
        "board": board["id"],
        "version": 1,
        "page": PAGE,
        "warp": _warp(board),
        "physical": _physical(board),
        **_wiring(board),
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
        layout["shields"] = _shields(freeway[0])
        taken += [(x - 13, y - 13, x + 13, y + 13) for x, y in layout["shields"]["at"]]
    _scenery(town, ground, layout, taken)
    return layout


def _extent(board: Json, kinds: tuple[str, ...]) -> Box:
    inner = {name for road in board["roads"] if road["kind"] in kinds for name in road["via"]}
    return around((board["points"][name][0], board["points"][name][1]) for name in inner)


def _warp(board: Json) -> Json:
    core = _extent(board, ("minor", "major"))
    whole = around((xy[0], xy[1]) for xy in board["points"].values())
    left, top, right, bottom = PAGE["frame"]  # type: ignore[misc]
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
    west, south, east, north = around((xy[0], xy[1]) for xy in board["points"].values())
    return {
        "unit": "mm",
        "block": BLOCK_MM,
        "ring": [(east - west) * BLOCK_MM, (north - south) * BLOCK_MM],
        "corner": [west, north],
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
        "die_leds": list(range(len(lamps), len(lamps) + DIE_LEDS)),
    }


# --- streets --------------------------------------------------------------------------------------------------------


def _crossings(town: Town, run: list[str]) -> list[Box]:
    """Return the boxes where other roads meet a street; a name across them is harder to read."""
    found = []
    own = {frozenset(two) for two in zip(run, run[1:], strict=False)}
    for point in run:
        others = [name for name in town.neighbours[point] if frozenset((point, name)) not in own]
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
        for (run, kind, line), title in zip(group, titles, strict=False):
            streets.append(_named(run, kind, title, line, [*taken, *guard], _crossings(town, run), page, taken))
    minor = [r for r in runs if r[1] != "major" or r not in [*rows[:5], *columns[:5]]]
    rooms = []
    for run, kind, line in minor:
        tall = type_height("nm-minor")
        walls = [*taken, *guard, *_crossings(town, run)]
        spans = free_spans(line, tall, lambda box, walls=walls: any(overlap(box, wall) for wall in walls))  # type: ignore[misc]
        rooms.append((max((end - start for start, end in spans), default=0.0), run, kind, line))
    rooms.sort(key=lambda one: (one[0], one[1]))
    left = list(names.MINOR)
    random = Random(7)
    for room, run, kind, line in rooms:
        fits = [title for title in left if _width(title) <= room - 4]
        if not fits:
            fits = [title for title in left if _width(names.shortened(title)) <= room - 4]
        pool = sorted(fits, key=_width)[-12:] if fits else sorted(left, key=_width)[:1]
        title = random.choice(pool)
        left.remove(title)
        streets.append(_named(run, kind, title, line, [*taken, *guard], _crossings(town, run), page, taken))
    return sorted(streets, key=lambda one: (one["kind"] != "major", one["name"]))


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
        exact = street_label(line, street["label"]["at"], best[2].upper(), style)
        taken += exact.boxes
    return street


# --- scenery --------------------------------------------------------------------------------------------------------


def _shields(line: Line) -> Json:
    spots = []
    for share in (0.11, 0.36, 0.61, 0.86):
        x, y, _ = line.at(line.length * share)
        spots.append([round(x, 1), round(y, 1)])
    return {"name": names.FREEWAY, "at": spots}


def _faces(town: Town) -> list[list[tuple[int, int]]]:
    """Return the blocks of a lattice town, each as its unit squares (by south-west corner); [] for other towns."""
    west, south, east, north = (round(value) for value in town.layout["warp"]["core"])
    open_edge: set[tuple[int, int, str]] = set()
    for start, end in town.kinds:
        (x0, y0), (x1, y1) = town.points[start], town.points[end]
        if y0 == y1:
            open_edge |= {(x, round(y0), "h") for x in range(math.floor(min(x0, x1)), math.ceil(max(x0, x1)))}
        elif x0 == x1:
            open_edge |= {(round(x0), y, "v") for y in range(math.floor(min(y0, y1)), math.ceil(max(y0, y1)))}
        elif town.kind(start, end) in ("minor", "major"):
            return []
    seen: set[tuple[int, int]] = set()
    faces = []
    for cell in [(x, y) for x in range(west, east) for y in range(south, north)]:
        if cell in seen:
            continue
        face, queue = [], [cell]
        seen.add(cell)
        while queue:
            x, y = queue.pop()
            face.append((x, y))
            steps = (((x + 1, y), (x + 1, y, "v")), ((x - 1, y), (x, y, "v")))
            steps += (((x, y + 1), (x, y + 1, "h")), ((x, y - 1), (x, y, "h")))
            for other, edge in steps:
                if edge in open_edge or other in seen or not (west <= other[0] < east and south <= other[1] < north):
                    continue
                seen.add(other)
                queue.append(other)
        faces.append(sorted(face))
    return faces


def _face_box(town: Town, face: list[tuple[int, int]]) -> Box:
    return around(town.warp((x + dx, y + dy)) for x, y in face for dx in (0, 1) for dy in (0, 1))


def _is_rectangle(face: list[tuple[int, int]]) -> bool:
    xs, ys = {x for x, _ in face}, {y for _, y in face}
    return len(face) == len(xs) * len(ys)


def _scenery(town: Town, ground: Ground, layout: Json, taken: list[Box]) -> None:
    """Lay the river, parks, quarters and asides into what room is left."""
    page = frame(town)
    faces = _faces(town)
    if faces:
        layout["river"] = {"name": names.RIVER, "through": [list(point) for point in RIVER], "label": None}
        line = Line(_smooth([town.warp(point) for point in RIVER]))
        flat = Line([town.warp(point) for point in RIVER])
        best = _river_name(flat, ground, taken, page)
        if best is not None:
            layout["river"]["label"] = {"at": best}
            taken += street_label(flat, best, names.RIVER, "nm-water").boxes
        water = [line.at(step * 8.0)[:2] for step in range(int(line.length / 8))]
    else:
        water = []
    dry = [face for face in faces if not any(_holds(town, face, point) for point in water)]
    _parks(town, ground, layout, taken, dry)
    _quarters(town, ground, layout, taken, faces)
    wet = [(x - 16, y - 16, x + 16, y + 16) for x, y in water]
    parks = [around(town.warp(corner) for corner in park["area"]) for park in layout["parks"]]
    layout["asides"] = []
    left = list(names.ASIDES)
    spots: list[Point] = []
    for face in sorted(faces, key=lambda one: (-len(one), one)):
        area = _face_box(town, face)
        if any(overlap(area, park) > 400 for park in parks):
            continue
        for lines in left:
            at = settle_text("nm-it", lines, area, [*taken, *wet], ground, page)
            if at is None or any(math.dist(at, spot) < 105 for spot in spots):
                continue
            left.remove(lines)
            spots.append(at)
            layout["asides"].append({"lines": list(lines), "at": list(at)})
            taken += Label("nm-it", tuple(lines), at).boxes
            break
        if len(spots) >= 15:
            break


def _smooth(points: list[Point]) -> list[Point]:
    return points


def _holds(town: Town, face: list[tuple[int, int]], point: Point) -> bool:
    return any(
        box[0] - 14 < point[0] < box[2] + 14 and box[1] - 14 < point[1] < box[3] + 14
        for box in (_face_box(town, [cell]) for cell in face)
    )


def _river_name(line: Line, ground: Ground, taken: list[Box], page: Box) -> float | None:
    best: tuple[float, float] | None = None
    half = Label("nm-water", (names.RIVER,), (0.0, 0.0)).width / 2
    middle = half + 60
    while middle < line.length - half - 60:
        label = street_label(line, middle, names.RIVER, "nm-water")
        if all(inside(box, page) for box in label.boxes) and not any(
            overlap(grow(a, 1), b) for a in label.boxes for b in taken
        ):
            bow = 0.0
            if label.path:
                (x0, y0), (cx, cy), (x1, y1) = label.path
                bow = math.dist((cx, cy), ((x0 + x1) / 2, (y0 + y1) / 2))
            cost = sum(ground.covered(box) for box in label.boxes) + bow * 6
            if best is None or cost < best[0]:
                best = (cost, middle)
        middle += 4
    return round(best[1], 1) if best else None


def _parks(town: Town, ground: Ground, layout: Json, taken: list[Box], faces: list[list[tuple[int, int]]]) -> None:
    layout["parks"] = []
    page = frame(town)
    left = list(names.PARKS)
    random = Random(3)
    whole = [face for face in faces if 2 <= len(face) <= 4 and _is_rectangle(face)]
    centres: list[Point] = []
    for face in sorted(whole, key=lambda one: (abs(len(one) - 3), one[0][0] * 7 % 5, one)):
        area = _face_box(town, face)
        middle = ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
        if any(math.dist(middle, other) < 300 for other in centres):
            continue
        for lines in left:
            written = lines
            at = settle_text("nm-park", written, area, taken, ground, page)
            if at is None:
                continue
            left.remove(lines)
            centres.append(middle)
            taken += Label("nm-park", tuple(written), at).boxes
            xs, ys = [x for x, _ in face], [y for _, y in face]
            west, south, east, north = min(xs), min(ys), max(xs) + 1, max(ys) + 1
            park: dict[str, Any] = {
                "lines": list(written),
                "at": list(at),
                "area": [[west, south], [east, south], [east, north], [west, north]],
                "trees": [],
            }
            for _ in range(120):
                spot = (random.uniform(area[0], area[2]), random.uniform(area[1], area[3]))
                box = (spot[0] - 8, spot[1] - 9, spot[0] + 8, spot[1] + 10)
                if len(park["trees"]) < 7 and not ground.covered(box) and not any(overlap(box, b) for b in taken):
                    park["trees"].append([round(spot[0], 1), round(spot[1], 1)])
                    taken.append(box)
            layout["parks"].append(park)
            break
        if len(layout["parks"]) >= 4:
            break


def _quarters(town: Town, ground: Ground, layout: Json, taken: list[Box], faces: list[list[tuple[int, int]]]) -> None:
    layout["quarters"] = []
    if not faces:
        return
    page = frame(town)
    west, south, east, north = (round(value) for value in town.layout["warp"]["core"])
    third = (east - west) / 3
    middle_y = (south + north) / 2
    regions = [
        ((west, south, west + third, middle_y), None),
        ((east - third, south, east, middle_y), 2),
        ((west, middle_y, west + third, north), 2),
        ((east - third, middle_y, east, north), None),
        ((west + third, south, east - third, middle_y), 3),
    ]
    for (x0, y0, x1, y1), tint in regions:
        for lines in names.QUARTERS:
            if any(one["lines"] == list(lines) for one in layout["quarters"]):
                continue
            inner = [
                face for face in faces if all(x0 - 0.5 <= x and x + 1 <= x1 + 0.5 and y0 <= y and y + 1 <= y1 for x, y in face)
            ]
            for face in sorted(inner, key=lambda one: (-len(one), one)):
                at = settle_text("nm-area", lines, _face_box(town, face), taken, ground, page, room=2.0)
                if at is None:
                    continue
                corners = [[round(x0), round(y0)], [round(x1), round(y0)], [round(x1), round(y1)], [round(x0), round(y1)]]
                layout["quarters"].append({"lines": list(lines), "at": list(at), "area": corners, "tint": tint})
                upper = tuple(line.upper() for line in lines)
                taken += Label("nm-area", upper, at).boxes
                break
            else:
                continue
            break


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
        f"{out}: {len(layout['destinations'])} characters, {written} of {len(layout['streets'])} street names on the map, "
        f"{len(layout['parks'])} parks, {len(layout['quarters'])} quarters, {len(layout['asides'])} asides"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
