"""The figures of many games as tables for a terminal: wins, lengths, money by reason, each with its 95 % interval.

The text depends on the games alone: not on time, machine or number of processes, so that two runs can be compared.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from companion.simulation.intervals import mean_interval, wilson
from companion.simulation.records import Plan, PlayedGame

SeatsOf = Callable[[PlayedGame], list[int]]
"""Which seats of a game belong to a group."""


def print_report(console: Console, plan: Plan, title: str, games: Sequence[PlayedGame]) -> None:
    """Everything that is known about these games; `title` is the board's."""
    length = f"{'long' if plan.long else 'short'} game{'s' if len(games) != 1 else ''} of {plan.trips} trips"
    players = f"{plan.players} players ({', '.join(plan.bots)})"
    console.print(f"{len(games)} {length} on {title}: {players}, seed {plan.seed}.")
    if plan.first != 1:
        console.print(f"Games {plan.first} to {plan.first + plan.games - 1} of that seed.")
    seats = [(str(seat), _by_seat(seat)) for seat in range(1, plan.players + 1)]
    guides = [(str(guide), _by_guide(guide)) for guide in sorted({guide for game in games for guide in game.guides})]
    bots = [(bot, _by_bot(bot)) for bot in sorted(set(plan.bots))]
    console.print(_wins("Wins by seat", "seat", seats, games))
    console.print(_wins("Wins by guide", "guide", guides, games))
    if len(bots) > 1:
        console.print(_wins("Wins by bot", "bot", bots, games))
    console.print(_lengths(games))
    console.print(_money(plan, games))
    console.print(_notes(games), style="dim")


def _by_seat(seat: int) -> SeatsOf:
    return lambda game: [seat]


def _by_guide(guide: int) -> SeatsOf:
    return lambda game: [seat for seat, driven in enumerate(game.guides, 1) if driven == guide]


def _by_bot(bot: str) -> SeatsOf:
    return lambda game: [seat for seat, name in enumerate(game.bots, 1) if name == bot]


def _wins(title: str, column: str, groups: Sequence[tuple[str, SeatsOf]], games: Sequence[PlayedGame]) -> Table:
    table = _table(title, column, "games", "won", "share", "95 % interval", "even share")
    for name, seats_of in groups:
        played, won, even = 0, 0.0, 0.0
        for game in games:
            seats = seats_of(game)
            played += bool(seats)
            won += sum(game.won_by(seat) for seat in seats)
            even += len(seats) / len(game.guides)
        if played:
            low, high = wilson(won, played)
            share, interval = _percent(won / played), f"{_percent(low)} – {_percent(high)}"
            table.add_row(name, str(played), _short(won), share, interval, _percent(even / played))
    return table


def _lengths(games: Sequence[PlayedGame]) -> Table:
    table = _table("Length of a game", "", "mean", "95 % interval", "shortest", "median", "longest")
    by_trip = [rounds for game in games for rounds in game.rounds_by_trip]
    rows: list[tuple[str, Sequence[float]]] = [
        ("rounds a trip", by_trip),
        ("rounds a game", [sum(game.rounds_by_trip) for game in games]),
        ("turns a game", [game.turns for game in games]),
        ("commands a game", [game.commands for game in games]),
    ]
    for name, values in rows:
        # The trips of one game depend on one another; their interval comes from the games' means.
        means = [statistics.fmean(game.rounds_by_trip) for game in games] if values is by_trip else values
        found = mean_interval(means)
        table.add_row(
            name, _decimal(statistics.fmean(values)), f"{_decimal(found[1])} – {_decimal(found[2])}" if found else "–",
            f"{min(values):,.0f}", f"{statistics.median(values):,.1f}", f"{max(values):,.0f}",
        )  # fmt: skip
    return table


def _money(plan: Plan, games: Sequence[PlayedGame]) -> Table:
    table = _table(
        "Money by reason, dollars a player and game", "reason", "mean", "95 % interval", "smallest", "largest"
    )
    reasons = sorted({reason for game in games for reason in game.money})
    rows = [(reason, [game.money.get(reason, 0) / plan.players for game in games]) for reason in reasons]
    rows.sort(key=lambda row: -statistics.fmean(row[1]))
    rows.append(("wealth at the end", [statistics.fmean(game.wealth) for game in games]))
    for index, (reason, values) in enumerate(rows):
        found = mean_interval(values)
        interval = f"{_dollars(found[1])} – {_dollars(found[2])}" if found else "–"
        extremes = _dollars(min(values)), _dollars(max(values))
        last = index == len(rows) - 2
        table.add_row(reason, _dollars(statistics.fmean(values)), interval, *extremes, end_section=last)
    return table


def _notes(games: Sequence[PlayedGame]) -> str:
    shared = sum(len(game.winners) > 1 for game in games)
    early = sum(game.reason != "trips_done" for game in games)
    notes = ["Shares: Wilson intervals. Means: Student's t over games."]
    notes.append(f"A shared win counts in parts: {shared} of them.")
    if early:
        notes.append(f"Ended before the last trip: {early}.")
    return " ".join(notes)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _decimal(value: float) -> str:
    return f"{value:,.2f}" if value < 100 else f"{value:,.1f}"


def _dollars(amount: float) -> str:
    return f"{round(amount):,}"  # whole first, so that a loss of cents is no -0


def _short(count: float) -> str:
    return f"{count:.0f}" if count == int(count) else f"{count:.1f}"
