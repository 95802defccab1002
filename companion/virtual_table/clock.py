"""Virtual time: an asyncio loop whose clock jumps to the next thing that happens, in lock step with boards.

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(an_evening())

The loop runs everything that is ready, then lets each board that has something to do work until it rests, and only then
moves the clock: to its own next timer or to the time for which a board waits, whichever comes first. A board works
while the loop stands still, so the same program gives the same order of events in every run. Real sockets, threads and
subprocesses are invisible to this clock: whoever waits for one with a timeout sees the timeout first.
"""

from __future__ import annotations

import asyncio
import selectors
from math import inf
from typing import Any, Protocol


class Stepping(Protocol):
    """A board as the clock sees it."""

    def waits_until(self) -> float:
        """Loop time at which it wants to go on: `inf` when only an event can wake it, -inf when one is waiting."""
        ...

    def step(self) -> None:
        """Let it work until it rests again."""
        ...


class _VirtualSelector(selectors.BaseSelector):
    def __init__(self, loop: VirtualTimeLoop) -> None:
        self._real = selectors.DefaultSelector()
        self._loop = loop

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    def get_map(self) -> Any:
        return self._real.get_map()

    def close(self) -> None:
        self._real.close()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._real.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        loop = self._loop
        ours = inf if timeout is None else loop.now + timeout
        while True:
            board = min(loop.boards, key=lambda b: b.waits_until(), default=None)
            theirs = inf if board is None else board.waits_until()
            if board is None or theirs > ours or theirs == inf:
                break
            loop.now = max(loop.now, theirs)
            board.step()
            if loop.has_work():
                return []
            ours = min(ours, loop.next_timer())
        if ours == inf:
            return self._real.select(None)
        loop.now = max(loop.now, ours)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """See the module. `now` is its time in seconds, from 0; `boards` are those that keep step with it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.boards: list[Stepping] = []
        super().__init__(_VirtualSelector(self))
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self.now

    def has_work(self) -> bool:
        """Whether something is ready to run now."""
        ready: Any = getattr(self, "_ready")  # noqa: B009 (asyncio keeps it to itself)
        return bool(ready)

    def next_timer(self) -> float:
        """When the next timer is due, `inf` for none; a cancelled one may be named."""
        scheduled: Any = getattr(self, "_scheduled")  # noqa: B009
        return float(scheduled[0].when()) if scheduled else inf
