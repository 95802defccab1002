"""Who is stronger: a round robin of bots, every pair with the same dice and cards, and a table of strengths.

Strengths are Bradley and Terry's: the chance that one beats another is the logistic function of their difference. They
are fitted by Hunter's minorisation ("MM algorithms for generalized Bradley–Terry models", Annals of Statistics 32,
2004) and given in Elo's points (400 points: ten to one), the mean of all being 1500; their errors come from the
information matrix of the fit. Half a game is added to each side of a pair, so that a bot that never lost has a
strength too.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from rich import box
from rich.console import Console
from rich.table import Table

from companion.simulation import figures
from companion.simulation.intervals import Z
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.report import about, percent, short

MEAN = 1500.0
POINTS = 400 / math.log(10)
ROUNDS = 10_000
ENOUGH = 1e-10
PRIOR = 0.5


@dataclass(frozen=True)
class Strength:
    """One bot's place in the table; `error` is half the 95 % interval, in points."""

    bot: str
    points: float
    error: float
    games: int
    won: float


def pairings(plan: Plan) -> list[Plan]:
    """One plan for each pair of the plan's bots; `plan.games` games each."""
    bots = sorted(set(plan.bots))
    return [dataclasses.replace(plan, bots=pair) for pair in combinations(bots, 2)]


def strengths(plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]]) -> list[Strength]:
    """The table, the strongest first."""
    bots = sorted({bot for plan in plans for bot in plan.bots})
    won = {(a, b): 0.0 for a in bots for b in bots if a != b}
    for plan, games in zip(plans, played, strict=True):
        first, second = plan.bots
        for row in figures.wins_by_bot(games):
            won[(row.name, second if row.name == first else first)] += row.won
    met = [(a, b) for a, b in combinations(bots, 2) if won[(a, b)] + won[(b, a)] > 0]
    fit = _fit(bots, {pair: won[pair] + PRIOR for a, b in met for pair in ((a, b), (b, a))})
    errors = _errors(bots, fit, {(a, b): won[(a, b)] + won[(b, a)] + 2 * PRIOR for a, b in met})
    out = []
    for bot in bots:
        wins = sum(count for (a, _), count in won.items() if a == bot)
        met_in = wins + sum(count for (_, b), count in won.items() if b == bot)
        out.append(Strength(bot, MEAN + POINTS * fit[bot], POINTS * Z * errors[bot], round(met_in), wins))
    return sorted(out, key=lambda strength: -strength.points)


def _fit(bots: Sequence[str], won: dict[tuple[str, str], float]) -> dict[str, float]:
    """Logarithms of the strengths, their mean 0."""
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        after = {}
        for bot in bots:
            wins = sum(count for (a, _), count in won.items() if a == bot)
            weight = sum(
                (count + won[(b, a)]) / (strength[a] + strength[b]) for (a, b), count in won.items() if a == bot
            )
            after[bot] = wins / weight if weight else 1.0
        mean = math.exp(sum(math.log(value) for value in after.values()) / len(bots))
        after = {bot: value / mean for bot, value in after.items()}
        change = max(abs(math.log(after[bot] / strength[bot])) for bot in bots)
        strength = after
        if change < ENOUGH:
            break
    return {bot: math.log(value) for bot, value in strength.items()}


def _errors(bots: Sequence[str], fit: dict[str, float], games: dict[tuple[str, str], float]) -> dict[str, float]:
    """One standard error of each logarithm; its deviations are from the mean of all, so the matrix is pinned by it."""
    size = len(bots)
    matrix = [[1.0 / size] * size for _ in bots]
    for (a, b), count in games.items():
        chance = 1 / (1 + math.exp(fit[b] - fit[a]))
        information = count * chance * (1 - chance)
        i, j = bots.index(a), bots.index(b)
        matrix[i][i] += information
        matrix[j][j] += information
        matrix[i][j] -= information
        matrix[j][i] -= information
    inverse = _inverse(matrix)
    # The pin adds the same to every entry: one over the size, that of the mean itself.
    return {bot: math.sqrt(max(0.0, inverse[i][i] - 1 / size)) for i, bot in enumerate(bots)}


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """By Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *[1.0 if i == j else 0.0 for j in range(size)]] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]


def print_tournament(console: Console, plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]]) -> None:
    """The pairs, and the table of strengths."""
    whole = dataclasses.replace(plans[0], bots=tuple(sorted({bot for plan in plans for bot in plan.bots})))
    console.print(f"Round robin, {len(plans)} pairs. Each pair: {about(whole, played[0])[0]}", highlight=False)
    for line in about(whole, played[0])[1:]:
        console.print(line, highlight=False)
    console.print(_pairs(plans, played))
    console.print(_strengths(strengths(plans, played)))
    console.print("Shares: Wilson intervals. Strengths: Bradley–Terry in Elo's points, mean 1500.", style="dim")


def _pairs(plans: Sequence[Plan], played: Sequence[Sequence[PlayedGame]]) -> Table:
    table = Table(title="Pairs", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("bot", "against", "games", "won", "share", "95 % interval", "even share"):
        table.add_column(name, justify="left" if name in ("bot", "against") else "right", no_wrap=True)
    for plan, games in zip(plans, played, strict=True):
        for row in figures.wins_by_bot(games):
            other = plan.bots[1] if row.name == plan.bots[0] else plan.bots[0]
            interval = f"{percent(row.low)} – {percent(row.high)}"
            table.add_row(
                row.name, other, str(row.games), short(row.won), percent(row.share), interval, percent(row.even)
            )
    return table


def _strengths(rows: Sequence[Strength]) -> Table:
    table = Table(title="Strengths", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("bot", "points", "95 %", "games", "won"):
        table.add_column(name, justify="left" if name == "bot" else "right", no_wrap=True)
    for row in rows:
        table.add_row(row.bot, f"{row.points:.0f}", f"± {row.error:.0f}", str(row.games), short(row.won))
    return table
