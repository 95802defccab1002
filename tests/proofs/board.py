"""`make board-proof`: whether the reference board's guides are fair when they are played (GD-10), not only computed.

Whole games through the rules engine, guides dealt at random to the seats, one policy for all. *Race*: nobody draws a
card, keeps or spends a tablet, everybody drives the shortest way and debts are carried, so that only the d6 and the
guides decide. *Strong* and *greedy*: these bots of `cabstand simulate` in every seat, with everything in play. A shared
win counts as its part. Game n of a seed is always the same game, so a row depends on the arguments and the revision
alone. Writes docs/proofs/board.md; `--series` plays some of the rows anew and leaves the others as they are.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import platform
import random
import subprocess
import sys
from datetime import UTC, datetime
from multiprocessing.pool import Pool
from pathlib import Path

from shared_rules import library
from shared_rules.engine import driver, game
from shared_rules.games.taxi.board_checks import check_board
from shared_rules.games.taxi.bots import Greedy
from shared_rules.games.taxi.bots.strong import Strong
from shared_rules.games.taxi.state import State
from shared_rules.games.taxi.streets import street_map

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "board.md"
BOARD = "fumbling"
GUIDES = 6
ALLOWED = {6: 0.02}
ALLOWED_FEWER = 0.04
CHUNK = 20
BOTS = {"greedy": Greedy, "strong": Strong}
POLICIES = ("race", "strong", "greedy")
COLUMNS = 14

Series = tuple[str, int, int, int]
"""Policy, players, trips, games."""


class Racer:
    """Throws, drives the shortest way without tablets, and ends its turn. Stops exactly so many streets nearer."""

    def __init__(self, known: dict[tuple[str, str, int], str]) -> None:
        self._known = known

    def choose(self, state: State, seat: int) -> dict[str, object] | None:
        phase = state.phase
        if phase == "move":
            return {"do": "move", "seat": seat, "to": self._way(state, seat), "green": 0, "white": 0}
        if phase == "debt":
            return {"do": "declare_insolvent", "seat": seat}
        if phase == "tablet_die":
            return {"do": "end_turn", "seat": seat}
        return {"do": "roll", "seat": seat, "die": "d6"}

    def _way(self, state: State, seat: int) -> str:
        start, goal, streets = state.at[seat], state.goal(seat), state.d6
        key = (start, goal, streets)
        if key not in self._known:
            ways = state.streets
            places = [str(entry[0]) for entry in ways.reach(start, streets, 0, 0)]
            self._known[key] = min(places, key=lambda place: (ways.streets_needed(place, goal, 0, 0), place))
        return self._known[key]


def play_chunk(task: tuple[Series, int, int, int]) -> list[tuple[list[int], list[float]]]:
    """Some games of a series: for each the guides that played and their parts of the win."""
    (policy, players, trips, _), first, count, seed = task
    guides = library.parsed_board(BOARD).guides
    assert guides is not None
    out = []
    known: dict[tuple[str, str, int], str] = {}
    for number in range(first, first + count):
        draw = random.Random(f"{seed} {policy} {players} {trips} {number}")
        dealt = draw.sample(range(GUIDES), players)
        seats = [{"guide": guides[p][:trips]} for p in dealt]
        options = {"insolvency": "carry_debt"} if policy == "race" else {}
        state = game.load_position({"game": "taxi", "board": BOARD, "players": seats, "options": options})
        bots = {s: Racer(known) if policy == "race" else BOTS[policy](draw.random) for s in range(1, players + 1)}
        result = driver.play_out(state, bots, driver.SeededChance(draw))
        winners = result["winners"]
        parts = [1 / len(winners) if s in winners else 0.0 for s in range(1, players + 1)]
        out.append((dealt, parts))
    return out


def shares_of(games: list[tuple[list[int], list[float]]]) -> list[tuple[float, int]]:
    """By guide, its share of wins in the games it played in, and how many these were."""
    won, played = [0.0] * GUIDES, [0] * GUIDES
    for dealt, parts in games:
        for p, part in zip(dealt, parts, strict=True):
            won[p] += part
            played[p] += 1
    return [(w / n if n else 0.0, n) for w, n in zip(won, played, strict=True)]


def run_series(pool: Pool, series: Series, seed: int) -> list[tuple[float, int]]:
    """Play a series on all processes, with a line of progress on standard error."""
    count = series[3]
    tasks = [(series, first, min(CHUNK, count - first), seed) for first in range(0, count, CHUNK)]
    games: list[tuple[list[int], list[float]]] = []
    for done in pool.imap(play_chunk, tasks):
        games += done
        print(f"\r{_named(series)}: {len(games):,} of {count:,} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return shares_of(games)


def _named(series: Series) -> str:
    policy, players, trips, _ = series
    return f"{policy}, {players} players, {trips} trips"


def row_of(series: Series, shares: list[tuple[float, int]], made: str = "") -> tuple[str, bool]:
    """The report's line for a series, and whether every guide's share is within what GD-10 allows; `made` says by which
    revision and seed."""
    players = series[1]
    fair = 1 / players
    allowed = ALLOWED.get(players, ALLOWED_FEWER)
    worst = max(abs(share - fair) for share, _ in shares)
    error = max(math.sqrt(fair * (1 - fair) / n) if n else 1.0 for _, n in shares)
    cells = " | ".join(f"{share:.3f}" for share, _ in shares)
    good = worst <= allowed
    figures = f"{fair:.3f} | {worst:.3f} | {error:.3f} | {allowed} | {'yes' if good else 'NO'} | {made}"
    return f"| {_named(series)} | {series[3]:,} | {cells} | {figures} |", good


def revision() -> str:
    """The commit that is played; says so if files differ from it."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return asked.stdout.strip() or "unknown"


def rows_before() -> dict[str, str]:
    """The rows that the page holds already, by name."""
    text = REPORT.read_text("utf-8") if REPORT.exists() else ""
    lines = [line for line in text.splitlines() if line.startswith("| ") and line.count("|") == COLUMNS + 1]
    return {line.split("|")[1].strip(): line for line in lines if "trips" in line.split("|")[1]}


def report(rows: list[str]) -> str:
    """The page."""
    checks = check_board(library.parsed_board(BOARD), designed=True)
    lines = [
        "# The reference board and its guides",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.python_implementation()} {platform.python_version()}. Made by "
        "`make board-proof`; each row names the revision that played it, and the seed.",
        "",
        "## Played (GD-10)",
        "",
        "Share of wins of each guide in the games in which it was dealt. Guides are dealt at random to the seats,",
        "every seat plays alike, a shared win counts as its part. *Race*: dice only, the shortest way, no cards, no",
        "tablets, debts are carried. *Strong*, *greedy*: these bots of `cabstand simulate` in every seat, everything",
        "in play. *Error* is one standard error of a share. Where a row does not hold, `docs/boards.md` says what is",
        "known about it.",
        "",
        "| games | played | guide 1 | 2 | 3 | 4 | 5 | 6 | fair | farthest | error | allowed | holds | revision, seed |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
        *rows,
        "",
        "## Computed (BD-01 to GD-09)",
        "",
        f"`cabstand board check {BOARD}` counts these again in about a second.",
        "",
        "| check | what | figure | asked | holds |",
        "| --- | --- | ---: | ---: | --- |",
    ]
    for check in checks:
        verdict = "yes" if check["ok"] else "NO"
        lines.append(f"| {check['check']} | {check['title']} | {check['figure']} | {check['limit']} | {verdict} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Play all series and write the report; 1 if some guide is not fair."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.board", description="Is the reference board fair?")
    parser.add_argument("--games", type=int, default=10_000, help="games a series (default 10000)")
    parser.add_argument(
        "--series", default=",".join(POLICIES), metavar="NAME,…", help=f"which to play: {', '.join(POLICIES)} (all)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-report", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    wanted = options.series.split(",")
    unknown = [name for name in wanted if name not in POLICIES]
    if unknown:
        parser.error(f"no series {', '.join(unknown)}; there are {', '.join(POLICIES)}")
    plan: list[Series] = [("race", 6, 15, options.games), ("race", 6, 30, options.games)]
    plan += [("race", players, 15, options.games) for players in (2, 3, 4, 5)]
    plan += [("strong", 6, 15, options.games), ("greedy", 6, 15, options.games)]
    made = f"{revision()}, {options.seed}"
    rows, good = rows_before(), True
    street_map(library.parsed_board(BOARD), {}).prepare()
    with multiprocessing.Pool(options.jobs) as pool:
        for series in plan:
            if series[0] in wanted:
                row, fair = row_of(series, run_series(pool, series, options.seed), made)
                rows[_named(series)] = row
                good = good and fair
                print(row, flush=True)
    if not options.no_report:
        page = report([rows[_named(series)] for series in plan if _named(series) in rows])
        REPORT.write_text(page, encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
