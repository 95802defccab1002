"""`make bots-proof`: how much better the strong bots are than the greedy ones, in many games; docs/proofs/bots.md.

For every title: games of the least number of players, one strong against one greedy, and fewer games of every larger
table, where the two kinds sit alternately. Seats and guides go round, a shared win counts in parts. The page depends on
the arguments and the revision alone. `--game` plays one title anew and leaves the other rows as they are.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from companion.simulation import figures
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.runner import cores, play_all
from companion.simulation.titles import part
from shared_rules import games, library
from shared_rules.engine import titles

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "bots.md"
COLUMNS = 9
BETTER, WORSE = "strong", "greedy"
SHARE, BOUND = 0.60, 0.55
"""What is asked of two players: the share of wins, and the lower end of its 95 % interval."""


def plans(count: int, larger: int, seed: int) -> list[Plan]:
    """Every title with a strong bot, every number of players."""
    out = []
    for title in games.names():
        rules = titles.title(title)
        if BETTER not in rules.bots():
            continue
        least, most = rules.meta.PLAYERS
        for players in range(least, most + 1):
            out.append(
                Plan(
                    game=title, players=players, games=count if players == least else larger, seed=seed,
                    board=library.board_ids(title)[0], bots=(BETTER, WORSE),
                )
            )  # fmt: skip
    return out


def row(plan: Plan, played: list[PlayedGame]) -> tuple[str, bool]:
    """A line of the page, and whether it holds what is asked."""
    strong = next(wins for wins in figures.wins_by_bot(played) if wins.name == BETTER)
    asked = plan.players == min(titles.title(plan.game).meta.PLAYERS)
    good = not asked or (strong.share >= SHARE and strong.low > BOUND)
    verdict = ("yes" if good else "NO") if asked else "–"
    turns = figures.spread("", [game.lengths["turns a game"] for game in played])
    title = titles.title(plan.game).meta.TITLE
    kind = part(plan.game).about(plan)[0]
    interval = f"{100 * strong.low:.1f} – {100 * strong.high:.1f} %"
    shares = f"{100 * strong.share:.1f} % | {interval} | {100 * strong.even:.0f} %"
    end = f"{turns.mean:.1f} | {verdict} | {revision()} |"
    return f"| {title}, {kind} | {plan.players} | {len(played):,} | {shares} | {end}", good


def revision() -> str:
    """The commit that is played; says so if files differ from it."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return asked.stdout.strip() or "unknown"


def name_of(line: str) -> str:
    """What a row is about: the game and the number of players."""
    return "|".join(line.split("|")[1:3])


def rows_before() -> list[str]:
    """The rows that the page holds already."""
    text = REPORT.read_text("utf-8") if REPORT.exists() else ""
    rows = [line for line in text.splitlines() if line.startswith("| ") and line.count("|") == COLUMNS + 1]
    return [row for row in rows if not row.startswith(("| game |", "| ---"))]


def report(rows: list[str], options: argparse.Namespace) -> str:
    """The page."""
    lines = [
        "# How strong the bots are",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, seed {options.seed}, {platform.python_implementation()} "
        f"{platform.python_version()}. Made by `make bots-proof`; each row names the revision that played it.",
        "",
        "Share of wins of the seats that the strong bot plays against greedy ones, on the shipped boards with the",
        "default house rules. Strong and greedy sit alternately, one seat further from game to game, and guides or",
        "colours are dealt at random. *Even* is what the strong seats would win if they played as the others do.",
        "Wilson intervals at 95 %. With two players at least "
        f"{100 * SHARE:.0f} % are asked, and a lower bound above {100 * BOUND:.0f} %.",
        "",
        "| game | players | games | strong wins | 95 % interval | even | turns a game | holds | revision |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
        *rows,
        "",
        "The same again: `cabstand simulate --game taxi --players 2 --games 1200 --bots strong,greedy --seed "
        f"{options.seed}`.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Play and write the page; 1 if what is asked does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.bots", description="Are the strong bots strong?")
    parser.add_argument("--games", type=int, default=1200, help="games of two (default 1200)")
    parser.add_argument("--larger", type=int, default=400, help="games of each larger table (default 400)")
    parser.add_argument("--game", choices=games.names(), help="this title only (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--no-report", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    rows, good = {name_of(line): line for line in rows_before()}, True
    for plan in plans(options.games, options.larger, options.seed):
        if options.game not in (None, plan.game):
            continue
        [played] = play_all([plan], options.jobs, Console(stderr=True))
        line, holds = row(plan, played)
        print(line, flush=True)
        rows[name_of(line)] = line
        good = good and holds
    if not options.no_report:
        REPORT.write_text(report(list(rows.values()), options), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
