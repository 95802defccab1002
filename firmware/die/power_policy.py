"""How much of its cell a handheld die spends: when it measures fast, when it only watches for motion, when it sleeps.

    PLAY   a hundred samples a second: it is moved, or has been a moment ago
    CALM   the accelerometer watches for motion by itself and keeps the last 640 ms; the radio stays on, so companions
           reach it as before. Light sleep would break the radio's links (micropython/micropython#6396): it is not used
    SLEEP  announced, then deep sleep, until the accelerometer's interrupt line wakes it

The current of each and what an evening costs stand in docs/die_power.md.
"""

from shared_rules.wire.messages import BATTERY_CRITICAL, SLEEP_BATTERY, SLEEP_IDLE

PLAY = 0
CALM = 1

RANGE_G = 4
PLAY_HZ = 100
PLAY_POLL_MS = 30
WATCH_HZ = 50  # 32 samples: the last 640 ms before somebody asks
CALM_POLL_MS = 100  # the line is looked at that often: a first shake is noticed well within a second
CALM_AFTER_MS = 5000
SLEEP_AFTER_MS = 15 * 60 * 1000  # lies there, a companion listens
ALONE_AFTER_MS = 3 * 60 * 1000  # lies there, nobody listens
CARRIED_AFTER_MS = 10 * 60 * 1000  # is moved all the time, nobody has listened: in a bag, in a car
WAKE_MG = 100  # picking it up; a table that is leaned on stays below
WAKE_CARRIED_MG = 500  # a shake by hand


class PowerPolicy:
    """Give it the time (`time.ticks_ms`) and `since(later, earlier)`, the milliseconds between two such times."""

    def __init__(self, now, since) -> None:
        self._since = since
        self._moved_at = now
        self._asked_at = now
        self._heard_at = now

    def moved(self, now) -> None:
        """It moves, or has been moved."""
        self._moved_at = now

    def asked(self, now) -> None:
        """A companion wants something of it."""
        self._asked_at = now

    def pace(self, now) -> int:
        """PLAY or CALM."""
        return CALM if self._since(now, self._moved_at) >= CALM_AFTER_MS else PLAY

    def why_sleep(self, now, connected: bool, battery: int, charging: bool) -> int:
        """The reason to sleep now, or 0."""
        if connected:
            self._heard_at = now
        if charging:
            self._asked_at = now  # nothing to save; and once it is unplugged it stays awake for a while
            return 0
        if battery == BATTERY_CRITICAL:
            return SLEEP_BATTERY
        idle = min(self._since(now, self._moved_at), self._since(now, self._asked_at))
        if idle >= (SLEEP_AFTER_MS if connected else ALONE_AFTER_MS):
            return SLEEP_IDLE
        return SLEEP_IDLE if self._is_carried(now) else 0

    def wake_mg(self, now, battery: int) -> int:
        """How much motion is to wake it."""
        return WAKE_CARRIED_MG if battery == BATTERY_CRITICAL or self._is_carried(now) else WAKE_MG

    def _is_carried(self, now) -> bool:
        return min(self._since(now, self._heard_at), self._since(now, self._asked_at)) >= CARRIED_AFTER_MS
