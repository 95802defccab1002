"""How long a position takes to load and how much room a game takes, for every title."""

from __future__ import annotations

import gc
import json
import statistics
import time
import tracemalloc
from typing import Any

from shared_rules import games, library
from shared_rules.engine import game, titles
from tests.bench.figures import Figure
from tests.bench.long_games import Json, recorded, whole_game

EVERY = 20
RUNS = 5
GOAL_MS = 2
GOAL_KB = 200


def run(runs: int = RUNS, every: int = EVERY) -> list[Figure]:
    """The figures of this bench, from the position after every so many commands of a game."""
    figures = []
    for title in games.names():
        name = str(titles.title(title).meta.TITLE)
        shipped = positions(title, every)
        own = [dict(position, board=json.loads(json.dumps(library.board(position["board"])))) for position in shipped]
        many = f"{len(shipped)} positions of a long game of {len(shipped[0]['players'])} random-lawful players"
        kept = f"tracemalloc of `load_position`, the largest of {many}; what nothing else holds"
        figures += [
            Figure(
                f"{name}: a position loads", load_ms(shipped, runs), "ms", f"at most {GOAL_MS}",
                f"{many}, the shipped board by its id, {runs} times each, median processor time",
            ),
            Figure(
                f"{name}: a position with a board of its own loads", load_ms(own, runs), "ms", f"at most {GOAL_MS}",
                "the same positions with the whole board inside, read, checked and made ready each time",
            ),
            Figure(
                f"{name}: a game in memory, the board shared", memory_kb(shipped), "kB", f"at most {GOAL_KB}",
                f"{kept} (the board is shared by all games on it)",
            ),
            Figure(
                f"{name}: a game in memory with its board", memory_kb(own), "kB", "", f"{kept}, with a board inside"
            ),
        ]  # fmt: skip
    return figures


def positions(title: str, every: int) -> list[Json]:
    """Every so many commands of a long game, as JSON gives them."""
    start = whole_game(title)
    state = game.load_position(start)
    found: list[Json] = []
    for number, command in enumerate(recorded(start, 1)):
        game.play(state, command)
        if number % every == 0:
            found.append(json.loads(json.dumps(game.dump_position(state))))
    return found


def load_ms(asked: list[Json], runs: int) -> float:
    """The median of loading each of them."""
    game.load_position(asked[0])
    took = []
    for _ in range(runs):
        for position in asked:
            before = time.process_time()
            game.load_position(position)
            took.append(time.process_time() - before)
    return 1000 * statistics.median(took)


def memory_kb(asked: list[Json]) -> float:
    """The largest room that one of them takes."""
    game.load_position(asked[0])
    most = 0
    for position in asked[:: max(1, len(asked) // 12)]:
        gc.collect()
        tracemalloc.start()
        state: Any = game.load_position(position)
        gc.collect()
        most = max(most, tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del state
    return most / 1000
