"""What is asked of a simulation and what is kept of each game, for the runner, the reports and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Plan:
    """Which games to play. Game number n of a plan is the same game for every number of jobs and every other count."""

    game: str
    players: int
    games: int
    seed: int
    board: str
    bots: tuple[str, ...]
    """Dealt to the seats in turn, one seat further from game to game."""
    long: bool = False
    first: int = 1
    """Number of the first game: game 17 alone is `first=17, games=1`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """House rules that differ from the default."""

    @property
    def numbers(self) -> range:
        """Numbers of the games."""
        return range(self.first, self.first + self.games)


@dataclass(frozen=True)
class PlayedGame:
    """One finished game. Tuples by seat start with seat 1; amounts are in the title's unit."""

    number: int
    bots: tuple[str, ...]
    sides: tuple[str, ...]
    """What was dealt to each seat beside its place at the table: a guide, a colour."""
    winners: tuple[int, ...]
    """Seats; several share a win."""
    reason: str
    lengths: dict[str, float]
    """Turns, commands, and what else the title counts."""
    totals: tuple[int, ...]
    """What decides at the end, by seat; 0 for a seat that is out."""
    money: dict[str, int]
    """By reason: what the players together got less what they paid; between players: what changed hands."""
    half: dict[str, tuple[float, ...]]
    """What each seat had when half of the turns were played, by name."""

    def won_by(self, seat: int) -> float:
        """1 for the winner, a part of it for a shared win, else 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
