"""What ends a controller's deep sleep: a time, or pins at a level."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

TIMER_WAKE = 4
_REASONS = {"ext0": 2, "ext1": 3, "gpio": 7}
"""Numbers of ESP-IDF, which `machine.wake_reason` hands on; there is no name for 7 in MicroPython."""


class DeepSleep:
    """One sleep: `conditions` as `shims/_sleep.py` sends them, (name, pins, level) each; `ms` 0 sleeps for ever.

    `wake(reason)` is called once, when `look` finds a condition true or the time is over; never before `begin`.
    """

    def __init__(
        self, conditions: list[Any], ms: int, level_of: Callable[[int], int], wake: Callable[[int], None]
    ) -> None:
        self._conditions = [(str(kind), [int(gpio) for gpio in pins], int(level)) for kind, pins, level in conditions]
        self._level_of = level_of
        self._wake = wake
        self._ms = ms
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        if self._ms:
            self._timer = asyncio.get_running_loop().call_later(self._ms / 1000, self._wake, TIMER_WAKE)
        self.look()

    def look(self) -> None:
        """Levels may have changed."""
        reason = self._woken_by()
        if reason:
            self.stop()
            self._wake(reason)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _woken_by(self) -> int:
        """The wake reason that holds now, or 0."""
        for kind, pins, level in self._conditions:
            levels = [self._level_of(gpio) for gpio in pins]
            if kind == "ext1" and level == 0:  # ESP32: all of them low
                if levels and not any(levels):
                    return _REASONS[kind]
            elif level in levels:
                return _REASONS[kind]
        return 0
