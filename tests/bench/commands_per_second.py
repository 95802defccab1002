"""TAXI! commands a second on one core, and the replay of a long game."""

from __future__ import annotations

import json
import random
import statistics
import time
from typing import Any

from shared_rules import library, replay
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, play_out
from shared_rules.games.taxi.bots import RandomLawful
from tests.bench.figures import Figure

RUNS = 7
LONG = 10_000
SEATS = 6


class _Chance:
    """The standard library's random numbers in the form that `SeededChance` takes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.random = self._random.random

    def choice(self, entries: list[Any]) -> Any:
        return entries[int(self._random.random() * len(entries))]


def position(trips: int, times: int = 1) -> dict[str, Any]:
    """A game of six on the shipped board, its guides repeated so many times for a game of many commands."""
    guides = library.board("fumbling")["guides"]
    return {"game": "taxi", "board": "fumbling", "players": [
        {"guide": (guides[i] * times)[:trips]} for i in range(SEATS)]}


def recorded(start: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The commands of a whole game by random-lawful players; none of them is refused."""
    chance = _Chance(seed)
    commands: list[dict[str, Any]] = []
    state = game.load_position(start)
    bot = RandomLawful(chance.random)
    play_out(state, [bot] * (SEATS + 1), SeededChance(chance), lambda s, command, events: commands.append(command),
        10**6)
    return commands


def played(start: dict[str, Any], commands: list[dict[str, Any]]) -> list[float]:
    """Seconds of each command through decide, evolve and follow."""
    state = game.load_position(start)
    play = game.play
    clock = time.perf_counter
    out = []
    for command in commands:
        before = clock()
        play(state, command)
        out.append(clock() - before)
    return out


def run() -> list[Figure]:
    """The figures of this bench."""
    start = position(30)
    games = [(start, recorded(start, seed)) for seed in range(8)]
    whole = []
    for _ in range(RUNS):
        count = 0
        seconds = 0.0
        for begin, commands in games:
            state = game.load_position(begin)
            before = time.perf_counter()
            for command in commands:
                game.play(state, command)
            seconds += time.perf_counter() - before
            count += len(commands)
        whole.append(count / seconds)
    events = 0
    state = game.load_position(games[0][0])
    for command in games[0][1]:
        events += len(game.play(state, command))
    with_bots = []
    for run_number in range(3):
        before = time.perf_counter()
        count = sum(len(recorded(start, 100 + run_number * 4 + seed)) for seed in range(4))
        with_bots.append(count / (time.perf_counter() - before))
    # Nobody goes out for want of money, so that the game is long enough.
    endless = dict(position(900, 30), options={"insolvency": "forgive"})
    long_game = recorded(endless, 1)[:LONG]
    early, late = [], []
    for _ in range(RUNS):
        times = played(endless, long_game)
        early.append(sum(times[:1000]))
        late.append(sum(times[LONG - 1000 :]))
    slower = (statistics.median(late) / statistics.median(early) - 1) * 100
    line = json.dumps({"position": start, "commands": games[0][1]}).encode()
    replays = []
    for _ in range(RUNS):
        before = time.perf_counter()
        replay.answer([line], lambda text: None)
        replays.append(time.perf_counter() - before)
    per_command = events / len(games[0][1])
    return [
        Figure(
            "TAXI! commands", statistics.median(whole), "commands/s", "at least 20,000",
            f"decide, evolve and follow with events and receipts built ({per_command:.1f} events a command), one core; "
            f"commands of 8 games of 30 trips by six random-lawful players, played again; median of {RUNS} runs",
        ),
        Figure(
            "TAXI! commands with the bots' choices", statistics.median(with_bots), "commands/s", "",
            "as above, and the players look for what is lawful and choose; 4 games a run, median of 3 runs",
        ),
        Figure(
            "Commands 9,001–10,000 against 1–1,000", slower, "% slower", "at most 10",
            f"one game of 10,000 commands, medians of {RUNS} runs of each thousand",
        ),
        Figure(
            "Replay of a long game", statistics.median(replays) * 1000, "ms", "",
            f"the replay program's answer to one line of {len(games[0][1]):,} commands ({len(line) // 1000} kB), "
            f"reading and writing of JSON included; median of {RUNS} runs",
        ),
    ]  # fmt: skip
