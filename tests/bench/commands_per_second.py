"""Commands a second on one core for every title, early and late in a long game, and the replay of a long game."""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from shared_rules import games, replay
from shared_rules.engine import game, titles
from tests.bench.figures import Figure
from tests.bench.long_games import LONG, Json, endless_game, recorded, whole_game

RUNS = 7
GAMES = {"taxi": 8, "taxi_over": 60, "destination_london": 8}
"""Enough for a few tens of milliseconds a run."""
GOALS = {"taxi": 20_000, "taxi_over": 50_000, "destination_london": 20_000}


def played(start: Json, commands: list[Json]) -> list[float]:
    """Seconds of each command through decide, evolve and follow."""
    state = game.load_position(start)
    play = game.play
    clock = time.process_time
    out = []
    for command in commands:
        before = clock()
        play(state, command)
        out.append(clock() - before)
    return out


def run(runs: int = RUNS, most_games: int = 1000, long: int = LONG) -> list[Figure]:
    """The figures of this bench, from at most so many games of each title and from a long one of so many commands."""
    figures: list[Figure] = []
    for title in games.names():
        figures += figures_of(title, str(titles.title(title).meta.TITLE), runs, most_games, long)
    start = whole_game("taxi")
    commands = recorded(start, 0)
    line = json.dumps({"position": start, "commands": commands}).encode()
    replays = []
    for _ in range(runs):
        before = time.process_time()
        replay.answer([line], lambda text: None)
        replays.append(time.process_time() - before)
    figures.append(
        Figure(
            "Replay of a long game of TAXI!", statistics.median(replays) * 1000, "ms", "",
            f"the replay program's answer to one line of {len(commands):,} commands ({len(line) // 1000} kB), "
            f"reading and writing of JSON included; median of {runs} runs",
        )
    )  # fmt: skip
    return figures


def figures_of(title: str, name: str, runs: int, most_games: int, long: int) -> list[Figure]:
    """The figures of one title."""
    start = whole_game(title)
    count = min(GAMES.get(title, 8), most_games)
    plays = [(start, recorded(start, seed)) for seed in range(count)]
    whole = []
    events = 0
    for _ in range(runs):
        seconds, events = _once(plays)
        whole.append(sum(len(commands) for _, commands in plays) / seconds)
    per_command = events / sum(len(commands) for _, commands in plays)
    with_bots = []
    for run_number in range(3):
        before = time.process_time()
        chosen = sum(len(recorded(start, 100 + run_number * count + seed)) for seed in range(count // 2))
        with_bots.append(chosen / (time.process_time() - before))
    endless = endless_game(title)
    long_game = recorded(endless, 1, long)
    early, late = [], []
    part = long // 10
    for _ in range(runs):
        times = played(endless, long_game)
        early.append(sum(times[:part]))
        late.append(sum(times[long - part :]))
    slower = (statistics.median(late) / statistics.median(early) - 1) * 100
    goal = f"at least {GOALS[title]:,}" if title in GOALS else ""
    players = len(start["players"])
    return [
        Figure(
            f"{name}: commands", statistics.median(whole), "commands/s", goal,
            f"decide, evolve, follow, events and receipts built ({per_command:.1f} events a command), processor time; "
            f"commands of {count} games by {players} random-lawful players, played again; median of {runs} runs",
        ),
        Figure(
            f"{name}: commands with the bots' choices", statistics.median(with_bots), "commands/s", "",
            f"as above, and the players look for what is lawful and choose; {count // 2} games a run, median of 3 runs",
        ),
        Figure(
            f"{name}: commands {long - part + 1:,}–{long:,} against 1–{part:,}", slower, "% slower", "at most 10",
            f"one game of {len(long_game):,} commands, medians of {runs} runs of each {part:,}",
        ),
    ]  # fmt: skip


def _once(plays: list[tuple[Json, list[Json]]]) -> tuple[float, int]:
    """(seconds, events) of playing all games again."""
    seconds = 0.0
    made: list[list[Any]] = []
    play = game.play
    for start, commands in plays:
        state = game.load_position(start)
        before = time.process_time()
        for command in commands:
            made.append(play(state, command))
        seconds += time.process_time() - before
    return seconds, sum(len(events) for events in made)
