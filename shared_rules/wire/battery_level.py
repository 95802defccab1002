"""When a die's cell is low or critical, for both ends: the die tells each change, TELEMETRY a percentage alone."""

from shared_rules.wire.messages import BATTERY_CRITICAL, BATTERY_GOOD, BATTERY_LOW

LOW_PERCENT = 15  # three quarters of an hour of play are left
CRITICAL_PERCENT = 3  # below about 3.45 V the regulator cannot carry the radio's peaks any more
BETTER_BY = 5  # percent above its bound at which a level is left again


def level_after(percent: int, before: int) -> int:
    """The level (BATTERY_…) at this charge, where it was `before`."""
    if percent <= CRITICAL_PERCENT + (BETTER_BY if before == BATTERY_CRITICAL else 0):
        return BATTERY_CRITICAL
    if percent <= LOW_PERCENT + (BETTER_BY if before != BATTERY_GOOD else 0):
        return BATTERY_LOW
    return BATTERY_GOOD
