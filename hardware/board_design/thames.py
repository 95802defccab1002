"""Draws up `thames`, the London of DESTINATION LONDON: python -m hardware.board_design.thames [--write].

London is not annealed but drawn by hand, in `thames_map`; this module turns its units into the board's millimetres
(x east, y north), deals the fares out and writes `boards/thames.json`, with the part of its layout that `thames_sheet`
holds. Without `--write` it says whether the files are as designed.
"""

import argparse
import json
import sys
from pathlib import Path
from textwrap import wrap

from hardware.board_design import thames_sheet
from hardware.board_design.thames_map import (
    ATTRACTIONS,
    BASE,
    BOTTOM,
    FARES,
    GARAGE,
    LEFT,
    LIGHTS,
    ONE_WAY,
    ROADS,
    SQUARES,
    UNITS_PER_MM,
)

BOARD_FILE = Path(__file__).parents[2] / "shared_rules/games/destination_london/boards/thames.json"
LAYOUT_FILE = BOARD_FILE.with_name("thames.layout.json")


def design() -> dict[str, object]:
    """The board object of `thames`, as `spec` of the game has it."""
    band = len(ATTRACTIONS) // len(FARES)
    return {
        "id": "thames",
        "title": "London by the Meter (stand-in)",
        "squares": {
            name: [round((x - LEFT) / UNITS_PER_MM), round((BOTTOM - y) / UNITS_PER_MM)]
            for name, (x, y) in SQUARES.items()
        },
        "base": BASE,
        "garages": [GARAGE],
        "lights": sorted(" ".join(LIGHTS).split()),
        "roads": [{"via": via.split(), "one_way": kind == ONE_WAY} for _, kind, via in ROADS],
        "attractions": {key: {"name": name, "square": square} for key, name, square in ATTRACTIONS},
        "cards": {
            f"D{number + 1:02d}": {"attraction": key, "fare": FARES[number // band]}
            for number, (key, _, _) in enumerate(ATTRACTIONS)
        },
    }


def as_text(board: dict[str, object]) -> str:
    """The board as the file holds it: one road, attraction and card a line, squares as many as fit."""
    parts = []
    for key, value in board.items():
        name = json.dumps(key)
        if key == "squares" and isinstance(value, dict):
            words = [f"{json.dumps(square)}:_[{x},_{y}]" for square, (x, y) in value.items()]
            rows = [row.replace("_", " ") for row in wrap(", ".join(words), 110, break_on_hyphens=False)]
            parts.append(f" {name}: {{\n  " + "\n  ".join(rows) + "\n }")
        elif isinstance(value, dict):
            rows = [f"{json.dumps(one)}: {json.dumps(what, ensure_ascii=False)}" for one, what in value.items()]
            parts.append(f" {name}: {{\n  " + ",\n  ".join(rows) + "\n }")
        elif key == "roads" and isinstance(value, list):
            parts.append(f" {name}: [\n  " + ",\n  ".join(json.dumps(road) for road in value) + "\n ]")
        else:
            parts.append(f" {name}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the board and its layout, or say whether those that are there are these; 0 when they are."""
    first_line = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m hardware.board_design.thames", description=first_line)
    parser.add_argument("--write", action="store_true", help="write both files; words must then be placed anew")
    if parser.parse_args(arguments).write:
        BOARD_FILE.write_text(as_text(design()), encoding="utf-8")
        LAYOUT_FILE.write_text(json.dumps(thames_sheet.sheet(), ensure_ascii=False, indent=1), encoding="utf-8")
        print(f"{BOARD_FILE.name} and the hand-made part of {LAYOUT_FILE.name} are written. Now place its words:")
        print(f"python -m companion.titles.destination_london.map.layout_tool {BOARD_FILE}")
        return 0
    differ = []
    if BOARD_FILE.read_text(encoding="utf-8") != as_text(design()):
        differ.append(BOARD_FILE.name)
    if thames_sheet.hand_made(json.loads(LAYOUT_FILE.read_text(encoding="utf-8"))) != thames_sheet.hand_made():
        differ.append(LAYOUT_FILE.name)
    print(f"{' and '.join(differ)}: not as designed; write anew with --write." if differ else "Both are as designed.")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
