"""`cabstand simulate`: many games by bots, on all cores, for whoever wants to know how the game plays on a board.

Game n of a seed is always the same game, whatever the number of processes, so standard output depends on the arguments
alone but for `--jobs`; progress and complaints go to standard error.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.simulation.games import BOTS, GameFailedError, board_title, play_game
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.report import print_report
from shared_rules import library

WIDTH = 100
"""Columns of the report when it goes into a file or a pipe."""


def run(argv: list[str]) -> int:
    """Plays what `argv` (without the command's name) asks for. 0: done, 1: a game failed; bad arguments exit with 2."""
    asked = _parser().parse_args(argv)
    plan = Plan(
        players=asked.players,
        games=asked.games,
        long=asked.long,
        seed=asked.seed,
        board=asked.board,
        bots=tuple(asked.bots),
        first=asked.first,
    )
    errors = Console(stderr=True)
    try:
        games = _play_all(plan, asked.jobs, errors)
    except KeyboardInterrupt:
        errors.print("Stopped. Nothing was counted.")
        return 130
    except GameFailedError as failed:
        errors.print(f"{failed}\nTo see it again: {_again(plan, failed.number)}", highlight=False, soft_wrap=True)
        return 1
    except BrokenProcessPool:
        errors.print("A process that played was ended from outside; nothing was counted. Try fewer --jobs.")
        return 1
    output = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    print_report(output, plan, board_title(plan.board), games)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cabstand simulate",
        description="Let bots play many games of TAXI!; see who wins, how long it takes and where the money goes.",
    )
    parser.add_argument("--players", type=_whole(2, 6), default=6, metavar="N", help="players in a game, 2 to 6 (6)")
    parser.add_argument("--games", type=_whole(1, 1_000_000), default=100, metavar="N", help="how many games (100)")
    parser.add_argument("--long", action="store_true", help="30 trips instead of 15")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other games (1)")
    parser.add_argument("--first", type=_whole(1, 10**9), default=1, metavar="N", help="first game of that seed (1)")
    parser.add_argument("--board", type=_board, default="fumbling", metavar="ID", help="a shipped board (fumbling)")
    parser.add_argument(
        "--bots", type=_bots, default=["random"], metavar="NAME,…",
        help=f"who plays, dealt to the seats in turn: {', '.join(sorted(BOTS))} (random)",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=_whole(1, 256), default=_cores(), metavar="N", help="processes (one for each core)"
    )
    return parser


def _play_all(plan: Plan, jobs: int, errors: Console) -> list[PlayedGame]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("Playing", total=plan.games)
        games = []
        for game in _one_by_one(plan, min(jobs, plan.games)):
            games.append(game)
            progress.advance(task)
        return games


def _one_by_one(plan: Plan, jobs: int) -> Iterator[PlayedGame]:
    """The games in the order of their numbers, as they become ready."""
    if jobs == 1:
        yield from map(play_game, [plan] * plan.games, plan.numbers)
        return
    # A fresh interpreter for each process: nothing of this one (locks, loops, terminals) is copied into it.
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        jobs, mp_context=spawn, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        yield from pool.map(play_game, [plan] * plan.games, plan.numbers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _again(plan: Plan, number: int) -> str:
    words = ["cabstand simulate", f"--players {plan.players}", "--long" if plan.long else "", f"--seed {plan.seed}"]
    words += [f"--board {plan.board}", f"--bots {','.join(plan.bots)}", f"--first {number} --games 1"]
    return " ".join(word for word in words if word)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"must be {low:,} to {high:,}, not {number:,}")
        return number

    return whole


def _board(text: str) -> str:
    if text not in library.board_ids():
        raise argparse.ArgumentTypeError(f"no board {text!r}; there are: {', '.join(library.board_ids())}")
    return text


def _bots(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise argparse.ArgumentTypeError(f"no bot {name!r}; there are: {', '.join(sorted(BOTS))}")
    return names


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
