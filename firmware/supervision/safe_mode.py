"""How this device starts, from one small record in flash: why, whether in safe mode, whether its lights stay dim.

A device whose programme fails three times within a minute after its start begins in safe mode: link and telemetry only,
so that somebody can read its log and put another firmware on it. RESTART, or switching it off and on, leaves safe mode.
A device that is powered on three times within a minute each may be one whose lights pull its supply down: they are
dimmed then.
"""

import machine

from firmware.supervision.two_slot_file import TwoSlotFile
from shared_rules.wire.messages import MODE_NORMAL, MODE_SAFE, RESET_CAUSES

RECORD = "start"
YOUNG_MS = 60000
MOST_FAILURES = 3
MOST_POWER_ONS = 3

_POWER_ON = RESET_CAUSES.index("power on")
_WATCHDOG = RESET_CAUSES.index("watchdog")
_DEEP_SLEEP = RESET_CAUSES.index("deep sleep")
_FAULT = RESET_CAUSES.index("fault")

# The record: whether its life is younger than a minute, failures and power-ons of young lives in a row, what ended the
# life, faults ever noted (255 at most)
_SIZE = 5
_ENDED_BY_FAULT = 1
_ENDED_AS_PLANNED = 2
_ENDED_FOR_SAFE_MODE = 3


def machine_cause() -> int:
    """Index into `RESET_CAUSES` of what the chip says; 0 for what it cannot say. A brown-out looks like power on."""
    causes = (
        machine.PWRON_RESET,
        machine.HARD_RESET,
        machine.WDT_RESET,
        machine.DEEPSLEEP_RESET,
        machine.SOFT_RESET,
    )
    cause = machine.reset_cause()
    return causes.index(cause) + 1 if cause in causes else 0


class StartRecord:
    """Make one at the start. `cause` is an index into `RESET_CAUSES`, `mode` MODE_NORMAL or MODE_SAFE, `dim` whether
    the lights must stay dim, `faults` how many faults were ever noted, `hung` a line for the log when the watchdog
    ended the last life, else empty."""

    def __init__(self) -> None:
        self._file = TwoSlotFile(RECORD)
        record = self._file.read()
        if record is None or len(record) != _SIZE:
            record = bytes(_SIZE)
        young, failures, power_ons, ended, self.faults = record
        cause = machine_cause()
        self.hung = ""
        if ended == _ENDED_BY_FAULT:
            cause = _FAULT  # it has counted itself
        else:
            if cause == _WATCHDOG:
                self.faults = min(self.faults + 1, 255)
                self.hung = "watchdog, %s its first minute\n" % ("in" if young else "after")
            failures = failures + 1 if self.hung and young else 0
        power_ons = (power_ons if young else 0) + 1 if cause == _POWER_ON else 0
        self.cause = cause
        self.mode = MODE_SAFE if failures >= MOST_FAILURES or ended == _ENDED_FOR_SAFE_MODE else MODE_NORMAL
        self.dim = power_ons >= MOST_POWER_ONS
        self._young = 1
        self._failures = min(failures, 255)
        self._power_ons = min(power_ons, 255)
        if cause != _DEEP_SLEEP or any(record[:4]):  # a die that wakes often must not wear its flash
            self._write(0)

    def settled(self) -> None:
        """A minute has passed."""
        written = self._young and (self.cause != _DEEP_SLEEP or self._failures)
        self._young = self._failures = self._power_ons = 0
        if written:
            self._write(0)

    def failed(self) -> None:
        """The programme has failed; the next start is told."""
        self.faults = min(self.faults + 1, 255)
        self._failures = min(self._failures + 1, 255) if self._young else 0
        self._write(_ENDED_BY_FAULT)

    def planned(self, mode: int) -> None:
        """A planned reset follows, into this mode."""
        self._young = self._failures = self._power_ons = 0
        self._write(_ENDED_FOR_SAFE_MODE if mode == MODE_SAFE else _ENDED_AS_PLANNED)

    def sleeps(self) -> None:
        """Deep sleep follows."""
        self.settled()

    def _write(self, ended: int) -> None:
        record = bytes((self._young, self._failures, self._power_ons, ended, self.faults))
        try:
            self._file.write(record)
        except OSError:
            pass  # a broken flash must not keep a device from working
