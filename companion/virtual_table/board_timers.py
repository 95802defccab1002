"""What a board does by the clock beside its firmware: the watchdog, work for later, pins that move by themselves."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from math import inf

from companion.virtual_table.chips.die_hardware import DieHardware


class Watchdog:
    """Calls `bite` when it was set and then not fed for its time."""

    def __init__(self, bite: Callable[[], None]) -> None:
        self._bite = bite
        self._loop = asyncio.get_running_loop()
        self._seconds: float | None = None
        self._fed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        return self._seconds is not None

    def set(self, seconds: float) -> None:
        self._seconds = seconds
        self.feed()
        self._look()

    def feed(self) -> None:
        self._fed_at = self._loop.time()

    def stop(self) -> None:
        self._seconds = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._seconds is None:
            return
        left = self._fed_at + self._seconds - self._loop.time()
        if left <= 0:
            self._bite()
        else:
            self._timer = self._loop.call_later(left, self._look)


class Later:
    """Work that is done in its order when the device's clock says; in virtual time the loop may be a little behind."""

    def __init__(self, virtual: bool) -> None:
        self._virtual = virtual
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def do(self, due: float, work: Callable[[], None]) -> None:
        """At `due` on the loop's clock; at once in real time."""
        if not self._virtual or (due <= self._loop.time() and not self._waiting):
            work()
            return
        self._waiting.append((due, work))
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._run)

    def stop(self) -> None:
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _run(self) -> None:
        self._timer = None
        while self._waiting and self._waiting[0][0] <= self._loop.time() + 1e-9:
            self._waiting.popleft()[1]()
        if self._waiting:
            self._timer = self._loop.call_at(self._waiting[0][0], self._run)


class PinWatch:
    """Calls `changed` with each input of a die that has moved by itself, and looks again when the next one may."""

    def __init__(
        self,
        hardware: DieHardware,
        now_us: Callable[[], int],
        loop_time: Callable[[float], float],
        changed: Callable[[int], None],
    ) -> None:
        self._hardware = hardware
        self._now_us = now_us
        self._loop_time = loop_time
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._due = inf
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        for gpio in self._hardware.changed_pins(self._now_us()):
            self._changed(gpio)
        due = self._hardware.next_change_us()
        if due != self._due:
            self.stop()
            self._due = due
            if due != inf:
                self._timer = self._loop.call_at(self._loop_time(due), self._now)

    def stop(self) -> None:
        self._due = inf
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> None:
        self._timer = None
        self._due = inf
        self.look()
