"""What ends a controller's deep sleep: a time, or pins at a level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TIMER_WAKE = 4
_REASONS = {"ext0": 2, "ext1": 3, "gpio": 7}
"""Numbers of ESP-IDF, which `machine.wake_reason` hands on; there is no name for 7 in MicroPython."""


class DeepSleep:
    """One sleep: `conditions` as `shims/_sleep.py` sends them, (name, pins, level) each; `ms` 0 sleeps for ever."""

    def __init__(self, conditions: list[Any], ms: int, level_of: Callable[[int], int]) -> None:
        self._conditions = [(str(kind), [int(gpio) for gpio in pins], int(level)) for kind, pins, level in conditions]
        self._level_of = level_of
        self.ms = ms

    @property
    def pins(self) -> list[int]:
        return [gpio for _, pins, _ in self._conditions for gpio in pins]

    def woken_by(self) -> int:
        """The wake reason that holds now, or 0."""
        for kind, pins, level in self._conditions:
            levels = [self._level_of(gpio) for gpio in pins]
            if kind == "ext1" and level == 0:  # ESP32: all of them low
                if levels and not any(levels):
                    return _REASONS[kind]
            elif level in levels:
                return _REASONS[kind]
        return 0
