"""The figures of many games as tables for a terminal: wins, lengths, money by reason, each with its 95 % interval.

The text depends on the games alone: not on time, machine or number of processes, so that two runs can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from companion.simulation import figures
from companion.simulation.figures import Spread, Tells, Wins
from companion.simulation.games import board_title
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.titles import part


def print_report(console: Console, plan: Plan, games: Sequence[PlayedGame]) -> None:
    """Everything that is known about these games."""
    for line in about(plan, games):
        console.print(line, highlight=False)
    known = part(plan.game)
    console.print(wins_table("Wins by seat", "seat", figures.wins_by_seat(games)))
    console.print(wins_table(f"Wins by {known.SIDE}", known.SIDE, figures.wins_by_side(games)))
    if len(set(plan.bots)) > 1:
        console.print(wins_table("Wins by bot", "bot", figures.wins_by_bot(games)))
    console.print(_lengths(figures.lengths(games)))
    console.print(_money(known.UNIT, figures.money(games), figures.totals(games)))
    if len(games) > 3 and (tells := figures.what_tells(games)):
        console.print(_tells(tells))
    console.print(notes(games), style="dim")


def about(plan: Plan, games: Sequence[PlayedGame]) -> list[str]:
    """What was played, in words."""
    one, many = part(plan.game).about(plan)
    kind = many if len(games) != 1 else one
    players = f"{plan.players} players ({', '.join(plan.bots)})"
    lines = [f"{len(games)} {kind} on {board_title(plan.board)}: {players}, seed {plan.seed}."]
    if plan.options:
        lines.append("House rules: " + ", ".join(f"{name} {value}" for name, value in sorted(plan.options.items())))
    if plan.first != 1:
        lines.append(f"Games {plan.first} to {plan.first + plan.games - 1} of that seed.")
    return lines


def wins_table(title: str, column: str, rows: Sequence[Wins]) -> Table:
    """Shares of wins, with what an even share would be."""
    table = _table(title, column, "games", "won", "share", "95 % interval", "even share")
    for row in rows:
        interval = f"{percent(row.low)} – {percent(row.high)}"
        table.add_row(row.name, str(row.games), short(row.won), percent(row.share), interval, percent(row.even))
    return table


def notes(games: Sequence[PlayedGame]) -> str:
    """How the figures were made, and what stands out."""
    shared = sum(len(game.winners) > 1 for game in games)
    said = [f"Shares: Wilson intervals. Means: Student's t over games. A shared win counts in parts: {shared} of them."]
    reasons = sorted({game.reason for game in games})
    if len(reasons) > 1:
        ends = [f"{reason} {sum(game.reason == reason for game in games)}" for reason in reasons]
        said.append(f"Ended by: {', '.join(ends)}.")
    return " ".join(said)


def _lengths(rows: Sequence[Spread]) -> Table:
    table = _table("Length of a game", "", "mean", "95 % interval", "shortest", "median", "longest")
    for row in rows:
        interval = f"{decimal(row.interval[0])} – {decimal(row.interval[1])}" if row.interval else "–"
        table.add_row(row.name, decimal(row.mean), interval, decimal(row.least), decimal(row.median), decimal(row.most))
    return table


def _money(unit: str, rows: Sequence[Spread], totals: Spread) -> Table:
    table = _table(
        f"Where it comes from, {unit} a player and game", "reason", "mean", "95 % interval", "smallest", "largest"
    )
    for index, row in enumerate([*rows, totals]):
        interval = f"{amount(row.interval[0])} – {amount(row.interval[1])}" if row.interval else "–"
        last = index == len(rows) - 1
        table.add_row(row.name, amount(row.mean), interval, amount(row.least), amount(row.most), end_section=last)
    return table


def _tells(rows: Sequence[Tells]) -> Table:
    table = _table("What tells the winner at half time", "", "correlation", "95 % interval", "who led in it won")
    for row in rows:
        interval = f"{row.low:+.2f} – {row.high:+.2f}"
        table.add_row(row.name, f"{row.correlation:+.2f}", interval, "–" if row.ahead is None else percent(row.ahead))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    return table


def percent(share: float) -> str:
    """0.5 is 50.0 %."""
    return f"{100 * share:.1f} %"


def decimal(value: float) -> str:
    """As many digits as a length is worth."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if value < 100 else f"{value:,.1f}"


def amount(value: float) -> str:
    """Whole where amounts are large, else one decimal place where there is one; no -0."""
    places = 0 if abs(value) >= 100 or value == int(value) else 1
    return f"{round(value, places) + 0.0:,.{places}f}".replace("-", "−")


def short(count: float) -> str:
    """3 or 3.5."""
    return f"{count:.0f}" if count == int(count) else f"{count:.1f}"
