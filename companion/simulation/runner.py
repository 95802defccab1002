"""Plays the games of plans on all cores, in the order of their numbers whatever finishes first."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.simulation.games import play_game
from companion.simulation.records import Plan, PlayedGame

CHUNK = 4
"""Games that a process takes at a time."""


def play_all(plans: Sequence[Plan], jobs: int, console: Console) -> list[list[PlayedGame]]:
    """The games of each plan, with a progress bar on the console. `GameFailedError` for the first that fails."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    out: list[list[PlayedGame]] = [[] for _ in plans]
    total = sum(plan.games for plan in plans)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Playing", total=total)
        for index, played in _one_by_one(plans, min(jobs, total)):
            out[index].append(played)
            progress.advance(task)
    return out


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _one_by_one(plans: Sequence[Plan], jobs: int) -> Iterator[tuple[int, PlayedGame]]:
    """(index of the plan, game), as they become ready in their order."""
    work = [(index, plan, number) for index, plan in enumerate(plans) for number in plan.numbers]
    if jobs <= 1:
        for index, plan, number in work:
            yield index, play_game(plan, number)
        return
    # A fresh interpreter for each process: nothing of this one (locks, loops, terminals) is copied into it.
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        jobs, mp_context=spawn, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        played = pool.map(play_game, [plan for _, plan, _ in work], [number for _, _, number in work], chunksize=CHUNK)
        for (index, _, _), game in zip(work, played, strict=True):
            yield index, game
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
