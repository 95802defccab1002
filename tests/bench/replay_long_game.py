"""How long it takes to bring a long game back from its stored events, and the opening of one on MicroPython."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from shared_rules import library
from shared_rules.engine import driver, game
from shared_rules.games.taxi.bots import RandomLawful
from tests.bench.figures import Figure, MissingPartError, median_seconds

ROOT = Path(__file__).parents[2]
SEED = 7
TRIPS = 30
OPENING = 100


def long_game(trips: int) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]], str]:
    """So many trips of six random-lawful players: the first position, all commands, all events, the hash at the end."""
    board: Any = library.board("fumbling")
    start = {"game": "taxi", "board": "fumbling", "players": [{"guide": guide[:trips]} for guide in board["guides"]]}
    stream = random.Random(SEED)
    state = game.load_position(start)
    commands: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []

    def keep(_state: Any, command: dict[str, Any], made: list[dict[str, Any]]) -> None:
        commands.append(command)
        events.extend(made)

    bots = {seat: RandomLawful(stream.random) for seat in range(1, 7)}
    driver.play_out(state, bots, driver.SeededChance(stream), keep)
    return start, commands, events, game.state_hash(state)


def run(trips: int = TRIPS) -> list[Figure]:
    """The game is played once; each way back is a median of five."""
    start, commands, events, end = long_game(trips)
    stored = [json.dumps(event) for event in events]

    def from_events() -> None:
        state = game.load_position(start)
        for text in stored:
            game.evolve(state, json.loads(text))
        if game.state_hash(state) != end:
            raise RuntimeError("the events lead to another end")

    def replayed() -> None:
        line = json.dumps({"position": start, "commands": commands[:OPENING]}) + "\n"
        program = [micropython, "-X", "heapsize=64m", "-m", "shared_rules.replay"]
        done = subprocess.run(program, input=line, capture_output=True, text=True, cwd=ROOT, check=True)
        if '"refused": []' not in done.stdout:
            raise RuntimeError(f"the replay refused commands: {done.stdout[:200]}")

    micropython = Path(sys.executable).with_name("micropython")
    if not micropython.exists():
        raise MissingPartError("the extra `virtual` is not installed: make setup")
    played = f"{len(commands):,} commands, {len(events):,} events"
    what = f"{trips} trips of six random-lawful players, seed {SEED}: {played}"
    again = median_seconds(from_events)
    begun = median_seconds(replayed, 3)
    return [
        Figure("long game from its events", 1000 * again, "ms", method=f"median of 5; {what}, parsed, applied, hashed"),
        Figure("events applied", len(events) / again, "a second", method="the same"),
        Figure(
            f"replay program, MicroPython, {OPENING} commands",
            1000 * begun,
            "ms",
            method="median of 3; the opening of that game, start of the interpreter included; no street tables there",
        ),
    ]
