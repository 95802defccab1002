"""Bots in seats of a live table: they act by themselves after a short pause, like anybody, and say why.

Which seat a bot plays stands beside the log (`seats.bot`), so it survives a restart; a bot itself remembers nothing.
It sees what its seat may see. After an undo bots hold still until somebody plays or says that they go on, or they
would do at once again what was taken back; that, too, is read from the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from companion.settings import Settings
from companion.tables.receipts import Json, Receipt
from companion.tables.table_now import TableNow
from shared_rules.engine import driver, game

logger = logging.getLogger(__name__)

TAKES, HANDS_BACK = "bot_takes_over", "bot_hands_back"
SHOWN = 3
"""The chosen command and its two best alternatives."""


@dataclass(frozen=True)
class Thought:
    """What a bot does: the command without what chance answers, and the ranking that it comes from (empty for a bot
    that does not explain itself)."""

    command: Json
    level: str
    unit: str
    ranked: list[Json]

    def noted(self) -> Json:
        """For the entry of the log."""
        return {"level": self.level, "unit": self.unit, "ranked": self.ranked}


def think(state: Any, seat: int, level: str, mood: Any) -> Thought | None:
    """What this bot does now; None for nothing. Slow: not for the loop's thread. `mood` gives numbers from 0 to 1."""
    kind = state.title.bots()[level]
    bot = kind(mood)
    ranked: list[Json] = list(bot.ranked(state, seat)) if hasattr(bot, "ranked") else []
    command = dict(ranked[0]["command"]) if ranked else bot.choose(state, seat)
    if command is None:
        return None
    return Thought(dict(command), level, str(getattr(kind, "UNIT", "")), ranked[:SHOWN])


class Bots:
    """Of one table. `wake` is called after each change of the game or of who plays a seat.

    `play(seat, thought, seen)` does what a bot has thought of a game whose newest change was the entry `seen`.
    """

    def __init__(
        self, table: TableNow, play: Callable[[int, Thought, int], Awaitable[Receipt]], settings: Settings
    ) -> None:
        self._table = table
        self._play = play
        self._settings = settings
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._idle: set[tuple[int, int]] = set()
        """(entry, seat): nothing that this bot wanted to do in that state."""
        self._closed = False

    def wake(self) -> None:
        """Looks whether a bot is waited for, after the pause."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._closed and self._next() is not None:
            self._timer = asyncio.get_running_loop().call_later(self._settings.bot_pause, self._start)

    def close(self) -> None:
        """Nobody acts any more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def waited_for(self) -> bool:
        """Whether the game waits for a bot now."""
        return self._waiting() is not None

    def acting(self) -> list[int]:
        """The seats that the game waits for and that a bot plays in a moment, by itself."""
        return [] if self._table.bots_hold else [seat for seat, _ in self._able()]

    def _able(self) -> list[tuple[int, str]]:
        table = self._table
        waiting = [(seat, table.bot_of(seat)) for seat in table.state.title.waiting_for(table.state) if seat]
        return [(seat, level) for seat, level in waiting if level and (table.last_change, seat) not in self._idle]

    def _waiting(self) -> tuple[int, str] | None:
        return next(iter(self._able()), None)

    def _next(self) -> tuple[int, str] | None:
        return None if self._table.bots_hold else self._waiting()

    def _start(self) -> None:
        self._timer = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._act(), name="bot")

    async def _act(self) -> None:
        table = self._table
        found = self._next()
        if found is None:
            return
        seat, level = found
        seen = table.last_change
        state, mood = game.copy_state(table.state), self._settings.chance.random
        try:
            if self._settings.database_on_loop:
                thought = think(state, seat, level, mood)
            else:
                thought = await asyncio.to_thread(think, state, seat, level, mood)
            done = thought is not None and await self._do(seat, thought, seen)
        except Exception:  # a bot that stumbles must not stop the table: people can act for its seat
            logger.exception("the bot of seat %d failed", seat)
            done = False
        if not done and table.last_change == seen:
            self._idle = {(seen, other) for entry, other in self._idle if entry == seen} | {(seen, seat)}
        if not self._closed:
            self._task = None
            self.wake()

    async def _do(self, seat: int, thought: Thought, seen: int) -> bool:
        table = self._table
        if table.last_change != seen or table.bot_of(seat) != thought.level:
            return True  # the game went on meanwhile: look again
        wanted = game.chance(table.state, thought.command)
        if wanted is not None and wanted["kind"] == "card" and table.setup["cards"] == "paper":
            return False  # somebody draws that card and types it
        receipt = await self._play(seat, thought, seen)
        if receipt.refusal is not None and receipt.refusal.code != "stale":
            logger.error("the bot of seat %d was refused: %s", seat, receipt.refusal.message)
            return False
        return True


def operators_step(state: Any) -> Json | None:
    """The command that goes by itself: where only the operator may go on, with nothing but chance to answer."""
    if list(state.title.waiting_for(state)) != [0]:
        return None
    return driver.operators_step(state)
