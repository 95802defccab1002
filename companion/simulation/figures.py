"""What many games tell: shares of wins with their intervals, lengths, money, and what at half time tells the winner.

Everything here depends on the games alone, so that two reports can be compared.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.simulation.intervals import Z, mean_interval, wilson
from companion.simulation.records import PlayedGame

SeatsOf = Callable[[PlayedGame], list[int]]
"""Which seats of a game belong to a group."""


@dataclass(frozen=True)
class Wins:
    """How often a group won in the games in which it took part; `even` is what it would win if all were alike."""

    name: str
    games: int
    won: float
    share: float
    low: float
    high: float
    even: float


@dataclass(frozen=True)
class Spread:
    """Some values of one kind; the interval is of their mean, None where there are too few."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class Tells:
    """How far a feature at half time goes with winning: the correlation, from −1 to 1, and its interval.

    Point-biserial: of what a seat has beyond its table's mean with its part of the win. `ahead` is how often the seat
    that led in it at half time won (leads that are shared count in parts), None where nobody led.
    """

    name: str
    correlation: float
    low: float
    high: float
    ahead: float | None


def wins(groups: Sequence[tuple[str, SeatsOf]], games: Sequence[PlayedGame]) -> list[Wins]:
    """The wins of each group that took part in a game at all."""
    out = []
    for name, seats_of in groups:
        played, won, even = 0, 0.0, 0.0
        for game in games:
            seats = seats_of(game)
            played += bool(seats)
            won += sum(game.won_by(seat) for seat in seats)
            even += len(seats) / len(game.bots)
        if played:
            low, high = wilson(won, played)
            out.append(Wins(name, played, won, won / played, low, high, even / played))
    return out


def wins_by_seat(games: Sequence[PlayedGame]) -> list[Wins]:
    """By place at the table."""
    seats = range(1, max(len(game.bots) for game in games) + 1)
    return wins([(str(seat), _these([seat])) for seat in seats], games)


def wins_by_side(games: Sequence[PlayedGame]) -> list[Wins]:
    """By what was dealt."""
    sides = sorted({side for game in games for side in game.sides})
    return wins([(side, _with_side(side)) for side in sides], games)


def wins_by_bot(games: Sequence[PlayedGame]) -> list[Wins]:
    """By who played."""
    bots = sorted({bot for game in games for bot in game.bots})
    return wins([(bot, _with_bot(bot)) for bot in bots], games)


def _these(seats: list[int]) -> SeatsOf:
    return lambda game: seats


def _with_side(side: str) -> SeatsOf:
    return lambda game: [seat for seat, dealt in enumerate(game.sides, 1) if dealt == side]


def _with_bot(bot: str) -> SeatsOf:
    return lambda game: [seat for seat, name in enumerate(game.bots, 1) if name == bot]


def spread(name: str, values: Sequence[float]) -> Spread:
    """The figures of some values."""
    found = mean_interval(values)
    interval = (found[1], found[2]) if found else None
    return Spread(name, statistics.fmean(values), interval, min(values), statistics.median(values), max(values))


def lengths(games: Sequence[PlayedGame]) -> list[Spread]:
    """Each measure of a game's length."""
    return [spread(name, [game.lengths[name] for game in games]) for name in games[0].lengths]


def money(games: Sequence[PlayedGame]) -> list[Spread]:
    """By reason, a player and game, largest first."""
    reasons = sorted({reason for game in games for reason in game.money})
    rows = [spread(reason, [game.money.get(reason, 0) / len(game.bots) for game in games]) for reason in reasons]
    return sorted(rows, key=lambda row: -row.mean)


def totals(games: Sequence[PlayedGame]) -> Spread:
    """What decides at the end, the mean of a game's seats."""
    return spread("total at the end", [statistics.fmean(game.totals) for game in games])


def totals_by_bot(games: Sequence[PlayedGame]) -> list[tuple[str, list[int]]]:
    """Every seat's total, by who played."""
    out: dict[str, list[int]] = {}
    for game in games:
        for bot, total in zip(game.bots, game.totals, strict=True):
            out.setdefault(bot, []).append(total)
    return sorted(out.items())


def what_tells(games: Sequence[PlayedGame]) -> list[Tells]:
    """Every feature at half time that varies, the most telling first."""
    out = []
    for name in games[0].half:
        beyond: list[float] = []
        parts: list[float] = []
        leads, led_and_won = 0, 0.0
        for game in games:
            values = game.half[name]
            mean = statistics.fmean(values)
            beyond += [value - mean for value in values]
            parts += [game.won_by(seat) for seat in range(1, len(values) + 1)]
            leaders = [seat for seat, value in enumerate(values, 1) if value == max(values)]
            if len(leaders) < len(values):
                leads += 1
                led_and_won += sum(game.won_by(seat) for seat in leaders) / len(leaders)
        found = correlation(beyond, parts)
        if found is not None:
            # The seats of one game depend on one another: one free seat less counts for each game.
            low, high = correlation_interval(found, len(beyond) - len(games))
            out.append(Tells(name, found, low, high, led_and_won / leads if leads else None))
    return sorted(out, key=lambda tells: -abs(tells.correlation))


def correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's; None where one of them does not vary."""
    if len(first) < 2 or min(first) == max(first) or min(second) == max(second):
        return None
    return statistics.correlation(first, second)


def correlation_interval(found: float, cases: int) -> tuple[float, float]:
    """95 %, by Fisher's transformation; (−1, 1) for fewer than four cases."""
    if cases < 4:
        return -1.0, 1.0
    if abs(found) >= 1:
        return found, found
    centre, half = math.atanh(found), Z / math.sqrt(cases - 3)
    return math.tanh(centre - half), math.tanh(centre + half)
