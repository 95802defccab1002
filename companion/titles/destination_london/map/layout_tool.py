"""Finds where signs and words stand on a London map, and writes them into the layout's file.

    python -m companion.titles.destination_london.map.layout_tool BOARD.json [--seed 7] [--rounds 300000] [--keep-signs]

The layout (`<board>.layout.json` beside the board) is there already with all that is drawn by hand: wiring, names of
squares, roads, river, parks, quarters, asides. This tool adds where each attraction's sign stands, where roads are
named, and the middles of all other words; it may be run as often as one likes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from random import Random

from companion.titles.destination_london.map import attractions, names
from companion.titles.destination_london.map.london import Json, London
from companion.titles.destination_london.map.placing import Ground, Taken, inside, json_spot, put_up
from companion.web.map.geometry import Box, Line, Point, around, grow, overlap
from companion.web.map.lettering import Label

OFF_ROAD = {"minor": 15.0, "major": 20.5, "tunnel": 15.0}
"""How far beside its road's middle a name stands."""
QUARTERS_APART = 80.0
ROUNDS = 300_000
LINE_KEYS = ("sockets", "leds", "places", "attractions")
LIST_KEYS = ("streets", "parks", "quarters", "asides")


def arrange(board: Json, layout: Json, seed: int = 7, rounds: int = ROUNDS, keep_signs: bool = False) -> Json:
    """Return the layout with a place for every sign and every word for which there is room.

    ``keep_signs`` leaves the attractions' signs where they are. ValueError when there is no room for a sign.
    """
    made: Json = json.loads(json.dumps(layout))
    for street in made["streets"]:
        street.pop("label", None)
    for key in ("parks", "quarters", "asides"):
        for thing in made[key]:
            thing.pop("at", None)
            thing.pop("trees", None)
            if "fixed" in thing:
                thing["at"] = thing["fixed"]
    made["river"].pop("labels", None)
    here = London(board, made)
    ground = Ground(here)
    fixed = _fixed(here)
    if not keep_signs:
        _, made["attractions"] = put_up(ground, fixed, seed, rounds)
    taken = Taken(here, [*fixed, *_signs(here)])
    _roads(here, ground, taken)
    _river(here, ground, taken)
    _blocks(here, ground, taken)
    _trees(here, ground, taken, Random(seed))
    return made


def _fixed(here: London) -> list[Box]:
    """Return what stands there whatever the tool does: the title's frame, compass, boats, words with a fixed place."""
    found: list[Box] = []
    if data := here.layout.get("cartouche"):
        x, y = data["at"]
        found.append((x - 108, y - 44, x + 108, y + 44))
    if data := here.layout.get("compass"):
        x, y = data
        found.append((x - 34, y - 48, x + 34, y + 36))
    found += [(x - 22, y - 12, x + 22, y + 13) for x, y in here.layout.get("boats", ())]
    for key, style in (("parks", "nm-park"), ("quarters", "nm-area"), ("asides", "nm-it")):
        for thing in here.layout[key]:
            if thing.get("at"):
                found += [grow(box, 2) for box in names.block_label(style, thing).boxes]
    return found


def _signs(here: London) -> list[Box]:
    found: list[Box] = []
    for name in sorted(here.attractions):
        parts = attractions.boxes(here.layout["attractions"][name], here.fares.get(name, 0))
        found += parts.values()
        if (ends := attractions.leader_ends(here, name, parts)) is not None:
            found.append(grow(around(ends), 1.0))
    return found


def _roads(here: London, ground: Ground, taken: Taken) -> None:
    """Name the roads, those with the least choice first: on the road where the name fits, else beside it."""
    choices: list[tuple[int, str, Json, list[tuple[float, Json, list[Box]]]]] = []
    for street in here.streets:
        found = list(_road_choices(here, ground, taken, street))
        choices.append((len(found), street["name"], street, found))
    written = Taken(here)
    for _, _, street, found in sorted(choices, key=lambda one: one[:2]):
        free = [one for one in found if written.clear(one[2], 3.0)]
        if free:
            best = min(free, key=lambda one: one[0])
            street["label"] = best[1]
            written.add(best[2])
    taken.add(written.boxes)


def _road_choices(here: London, ground: Ground, taken: Taken, street: Json) -> list[tuple[float, Json, list[Box]]]:
    line = here.way_line(street["via"])
    alone = any((start, end) in here.one_way for start, end in zip(street["via"], street["via"][1:], strict=False))
    own = OFF_ROAD[street["kind"]]
    found: list[tuple[float, Json, list[Box]]] = []
    for shorter, text in enumerate([street["name"], *street.get("short", ())]):
        for off, small in ((0.0, False), (0.0, True), (-own, True), (own, True), (-own - 4, True), (own + 4, True)):
            if off == 0 and (alone or street["kind"] == "tunnel" or (small and street["kind"] != "major")):
                continue  # arrows and dashes stand there; minor roads have one size
            at = 12.0
            while at < line.length - 12:
                entry: Json = {"text": text, "at": round(at, 1)}
                if off:
                    entry["off"] = off
                elif small and street["kind"] == "major":
                    entry["small"] = True
                label = names.road_label(here, street, entry)
                if label.width / 2 + 2 < at < line.length - label.width / 2 - 2:
                    cost = _road_cost(ground, taken, line, label, at, off)
                    if cost is not None:
                        dear = 30 * (off != 0) + 12 * (abs(off) > own) + 16 * ("small" in entry)
                        found.append((cost + 45 * shorter + dear, entry, label.boxes))
                at += 4.0
    return found


def _road_cost(ground: Ground, taken: Taken, line: Line, label: Label, at: float, off: float) -> float | None:
    boxes = label.boxes
    if not all(ground.on_page(box, 6.0) for box in boxes):
        return None
    if any(ground.on_square(grow(box, 0.0 if off else 2.0)) for box in boxes) or not taken.clear(boxes, 1.0):
        return None
    cost = abs(at - line.length / 2) * 0.08
    if off:
        road = sum(ground.roads.covered(box) + ground.tunnels.covered(box) for box in boxes)
        wet = sum(ground.water.covered(box) for box in boxes)
        area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)
        if road > area * 0.06:
            return None
        cost += road * 0.5 + wet * 0.05
    if label.path:
        (x0, y0), (cx, cy), (x1, y1) = label.path
        bow = math.dist((cx, cy), ((x0 + x1) / 2, (y0 + y1) / 2))
        if bow > label.width * 0.35:
            return None
        cost += bow
    return cost


def _river(here: London, ground: Ground, taken: Taken) -> None:
    """Write the river's name where it is not bridged, twice where the reaches lie far apart."""
    river = here.river()
    if river is None:
        return
    spots: list[tuple[float, Json, list[Box], Point]] = []
    at = 80.0
    while at < river.length - 80:
        label = names.river_label(here, {"at": at})
        boxes = label.boxes
        bow = 0.0
        if label.path:
            (x0, y0), (cx, cy), (x1, y1) = label.path
            bow = math.dist((cx, cy), ((x0 + x1) / 2, (y0 + y1) / 2))
        bridged = any(ground.roads.covered(grow(box, 10)) or ground.on_square(grow(box, 4)) for box in boxes)
        if taken.clear(boxes, 2.0) and not bridged and bow < 30:
            spots.append((bow, {"at": round(at, 1)}, boxes, river.at(at)[:2]))
        at += 6.0
    chosen: list[tuple[float, Json, list[Box], Point]] = []
    for spot in sorted(spots, key=lambda one: one[0]):
        if all(math.dist(spot[3], other[3]) > 420 for other in chosen) and len(chosen) < 3:
            chosen.append(spot)
    here.layout["river"]["labels"] = sorted((one[1] for one in chosen), key=lambda one: float(one["at"]))
    for spot in chosen:
        taken.add(spot[2])


def _blocks(here: London, ground: Ground, taken: Taken) -> None:
    """Find room for parks, quarters and asides, in this order, each as near as can be to where it belongs."""
    for key, style in (("parks", "nm-park"), ("quarters", "nm-area"), ("asides", "nm-it")):
        for thing in here.layout[key]:
            if thing.get("at"):
                continue
            if "area" in thing:
                left, top, right, bottom = around((x, y) for x, y in thing["area"])
                middle = ((left + right) / 2, (top + bottom) / 2)
                reach = max(right - left, bottom - top) / 2 + (6 if style == "nm-park" else 26)
            else:
                middle, reach = (thing["near"][0], thing["near"][1]), 74.0
            spot = _settle(here, ground, taken, style, thing, middle, reach)
            if spot is not None:
                thing["at"] = json_spot(spot)
                taken.add(names.block_label(style, thing).boxes)


def _settle(
    here: London, ground: Ground, taken: Taken, style: str, thing: Json, middle: Point, reach: float
) -> Point | None:
    best: tuple[float, Point] | None = None
    named = [(one["at"][0], one["at"][1]) for one in here.layout["quarters"] if one.get("at")]
    words = thing["lines"]
    ways = [words, [" ".join(words)]] if len(words) > 1 else [words]
    if style != "nm-area" and len(words) == 1 and " " in words[0]:
        ways.append(words[0].split(" ", 1))
    for less, lines in enumerate(ways):
        for dx in range(-int(reach), int(reach) + 1, 4):
            for dy in range(-int(reach), int(reach) + 1, 4):
                away = math.hypot(dx, dy)
                if away > reach:
                    continue
                at = (middle[0] + dx, middle[1] + dy)
                if style == "nm-park" and not inside(thing["area"], at):
                    continue
                box = names.block_label(style, {**thing, "lines": lines, "at": at}).boxes[0]
                if not ground.on_page(box, 8.0) or ground.on_square(grow(box, 3)) or not taken.clear([box], 4.0):
                    continue
                if ground.roads.covered(grow(box, 4)) or ground.water.covered(grow(box, 3)):
                    continue
                if ground.tunnels.covered(grow(box, 3)) or _on_lake(here, box):
                    continue
                if style == "nm-area" and any(math.dist(at, other) < QUARTERS_APART for other in named):
                    continue
                cost = away + 8 * less
                if best is None or cost < best[0]:
                    best = (cost, at)
                    thing["written"] = lines
    if best is None:
        thing.pop("written", None)
        return None
    thing["lines"] = thing.pop("written")
    return best[1]


def _on_lake(here: London, box: Box) -> bool:
    for park in here.layout["parks"]:
        if water := park.get("water"):
            line = Line([(x, y) for x, y in water["through"]])
            half = water["width"] / 2 + 3
            for step in range(int(line.length / 5) + 1):
                x, y, _ = line.at(step * 5.0)
                if overlap(box, (x - half, y - half, x + half, y + half)) > 0:
                    return True
    return False


def _trees(here: London, ground: Ground, taken: Taken, random: Random) -> None:
    """Plant trees in the parks where nothing else stands."""
    for park in here.layout["parks"]:
        left, top, right, bottom = around((x, y) for x, y in park["area"])
        wanted = max(3, min(10, round((right - left) * (bottom - top) / 3200)))
        park["trees"] = []
        for _ in range(300):
            spot = (random.uniform(left, right), random.uniform(top, bottom))
            box = (spot[0] - 8, spot[1] - 8, spot[0] + 8, spot[1] + 10)
            corners = [(box[0], box[1]), (box[2], box[1]), (box[0], box[3]), (box[2], box[3])]
            if len(park["trees"]) >= wanted:
                break
            if not all(inside(park["area"], corner) for corner in corners) or ground.on_square(box):
                continue
            if ground.roads.covered(box) or ground.water.covered(box) or _on_lake(here, box):
                continue
            if taken.clear([box], 2.0):
                park["trees"].append(json_spot(spot))
                taken.add([box])


def write_text(layout: Json) -> str:
    """Return the layout as its file holds it: one square's name, road or sign a line."""
    lines = []
    for key, value in layout.items():
        if key in LIST_KEYS and value:
            rows = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            lines.append(f" {json.dumps(key)}: [\n  {rows}]")
        elif key == "attractions":
            rows = ",\n  ".join(
                f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in value.items()
            )
            lines.append(f" {json.dumps(key)}: {{\n  {rows}}}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str] | None = None) -> int:
    """Arrange the layout beside a board's file and write it there; 0 when that is done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("board", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="longer finds better places")
    parser.add_argument("--keep-signs", action="store_true", help="place the words only")
    chosen = parser.parse_args(arguments)
    path = chosen.board.with_name(f"{chosen.board.stem}.layout.json")
    try:
        board = json.loads(chosen.board.read_text(encoding="utf-8"))
        layout = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        print(f"{chosen.board} or {path.name} cannot be read: {problem}", file=sys.stderr)
        return 2
    made = arrange(board, layout, chosen.seed, chosen.rounds, chosen.keep_signs)
    path.write_text(write_text(made), encoding="utf-8")
    bare = [street["name"] for street in made["streets"] if not street.get("label")]
    print(f"{path.name} written; without a name: {', '.join(bare) or 'no road'}.")
    for key in ("parks", "quarters", "asides"):
        lost = [" ".join(thing["lines"]) for thing in made[key] if not thing.get("at")]
        if lost:
            print(f"no room for {key}: {', '.join(lost)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
