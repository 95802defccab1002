"""Devices in sight that this companion has never talked with. Anybody can shout identities without end, so they are
tried one at a time, in the order in which they came, each for a few seconds and then again behind all others: a real
one has its turn after at most as many attempts as there are others in sight. Whoever is known comes first at any
time.

A device on a cable waits for nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bleak.backends.device import BLEDevice

from companion.devices.known_device import KnownDevice

FIRST_LIMIT = 4.0
LONGEST_LIMIT = 12.0
"""How long one attempt may take until the device has resumed: the first, and at most, since it doubles each time."""
FIRST_WAIT = 0.25
LONGEST_WAIT = 5.0
"""How long it is left alone at least after a failed attempt."""
TURN = 0.5
"""The search between two attempts, in which known devices are seen."""
FRESH = 3.0
"""Who was not seen for so long is not tried."""
FORGET = 30.0
MOST = 256


@dataclass
class _Waiting:
    seen: BLEDevice
    seen_at: float
    wait: float = FIRST_WAIT
    limit: float = FIRST_LIMIT
    not_before: float = 0.0


class Strangers:
    """`start(device_id, seen)` begins an attempt with a link of its own; `is_free()` says whether nobody who is known
    needs the radio."""

    def __init__(self, start: Callable[[str, BLEDevice], KnownDevice], is_free: Callable[[], bool]) -> None:
        self.trying: KnownDevice | None = None
        self._start = start
        self._is_free = is_free
        self._row: dict[str, _Waiting] = {}
        self._ended = float("-inf")
        self._limit: asyncio.TimerHandle | None = None
        self._too_late = False

    @property
    def waiting(self) -> bool:
        """Whether somebody in sight was never tried."""
        now = _now()
        return any(one.not_before == 0.0 and now - one.seen_at <= FRESH for one in self._row.values())

    def seen(self, device_id: str, seen: BLEDevice) -> None:
        """Somebody is in sight; again and again."""
        now = _now()
        one = self._row.get(device_id)
        if one is None:
            if len(self._row) >= MOST:
                self._row = {key: other for key, other in self._row.items() if now - other.seen_at <= FORGET}
            if len(self._row) >= MOST:
                return
            one = self._row[device_id] = _Waiting(seen, now)
        one.seen, one.seen_at = seen, now
        if self.trying is None and now - self._ended >= TURN and self._is_free():
            self._try_next(now)

    def joined(self, device: KnownDevice) -> None:
        """It is no stranger any more."""
        self._row.pop(device.id, None)
        if self.trying is device:
            self._end()

    def tried(self, device: KnownDevice, wait: float | None) -> None:
        """Its attempt is over without that; `wait`: how long it is to be left alone, None for the usual time."""
        if self.trying is not device:
            return
        gave_way = wait is None and device.air is not None and device.air.cancelled() and not self._too_late
        self._end()
        one = self._row.get(device.id)
        if one is not None and not gave_way:
            del self._row[device.id]
            self._row[device.id] = one  # behind all others
            one.not_before = self._ended + (one.wait if wait is None else wait)
            one.wait = min(2 * one.wait, LONGEST_WAIT)
            one.limit = min(2 * one.limit, LONGEST_LIMIT)

    def give_way(self) -> None:
        """Somebody who is known needs the radio. Said again and again, it ends an attempt once: a second cancellation
        would break off the disconnecting that the first one began."""
        air = self.trying.air if self.trying is not None else None
        if air is not None and not air.cancelling():
            air.cancel()

    def forget(self, device: KnownDevice) -> None:
        """It is not to be tried."""
        self._row.pop(device.id, None)

    def _try_next(self, now: float) -> None:
        for device_id, one in self._row.items():
            if one.seen_at >= self._ended and now - one.seen_at <= FRESH and one.not_before <= now:
                self.trying = self._start(device_id, one.seen)
                self._too_late = False
                self._limit = asyncio.get_running_loop().call_later(one.limit, self._is_too_late)
                return

    def _is_too_late(self) -> None:
        self._too_late = True
        self.give_way()

    def _end(self) -> None:
        self.trying = None
        self._ended = _now()
        if self._limit is not None:
            self._limit.cancel()


def _now() -> float:
    return asyncio.get_running_loop().time()
