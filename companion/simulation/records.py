"""What is asked of a simulation and what is kept of each game, for the runner, the report and tests."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Plan:
    """Which games to play. Game number n of a plan is the same game for every number of jobs and every other count."""

    players: int
    games: int
    long: bool
    seed: int
    board: str
    bots: tuple[str, ...]
    first: int = 1
    """Number of the first game: game 17 alone is `first=17, games=1`."""

    @property
    def trips(self) -> int:
        """Trips of one game (T-023)."""
        return 30 if self.long else 15

    @property
    def numbers(self) -> range:
        """Numbers of the games."""
        return range(self.first, self.first + self.games)


@dataclass(frozen=True)
class PlayedGame:
    """One finished game. Tuples by seat start with seat 1; money is in whole dollars."""

    number: int
    bots: tuple[str, ...]
    guides: tuple[int, ...]
    """Which of the board's guides each seat drove by, from 1."""
    winners: tuple[int, ...]
    """Seats; several share a win."""
    reason: str
    rounds_by_trip: tuple[int, ...]
    turns: int
    commands: int
    wealth: tuple[int, ...]
    """Money and taxis at the end; 0 for a seat that is out."""
    money: dict[str, int] = field(default_factory=dict)
    """By reason: dollars that players got from the bank less those they paid; between players: what changed hands."""

    def won_by(self, seat: int) -> float:
        """1 for the winner, a part of it for a shared win, else 0."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
