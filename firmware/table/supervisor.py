"""What happens when a task of the table fails, for the application: note it, save the events, start anew.

A failure is written to `fault.txt` with its trace, unacknowledged events to `outbox.bin`, then the device resets. The
next start takes the events over under the same boot id, so nothing is lost and nothing comes twice, and reports "fault"
as its reset cause. A watchdog resets a device whose sweeps have stopped; then the events are lost, and the new boot id
says so.
"""

import asyncio
import os
import sys

import machine

from shared_rules.wire.messages import RESET_CAUSES

FAULT_FILE = "fault.txt"
OLD_FAULT_FILE = "fault_last.txt"
OUTBOX_FILE = "outbox.bin"
WATCHDOG_MS = 10000
FEED_MS = 1000

_FAULT = RESET_CAUSES.index("fault")


def reset_cause():
    """Index into `RESET_CAUSES`: why the device started. Call once; a noted fault is put aside."""
    try:
        os.rename(FAULT_FILE, OLD_FAULT_FILE)
        return _FAULT
    except OSError:
        pass  # no fault was noted
    causes = (
        machine.PWRON_RESET,
        machine.HARD_RESET,
        machine.WDT_RESET,
        machine.DEEPSLEEP_RESET,
        machine.SOFT_RESET,
    )
    cause = machine.reset_cause()
    return causes.index(cause) + 1 if cause in causes else 0


def boot_number(outbox):
    """The boot id: the saved one when saved events were taken over, else a new random one that is not 0."""
    try:
        with open(OUTBOX_FILE, "rb") as file:
            saved = file.read()
        os.remove(OUTBOX_FILE)
    except OSError:
        saved = b""
    boot_id = outbox.restore(saved)
    while boot_id == 0:
        boot_id = int.from_bytes(os.urandom(4), "little")
    return boot_id


class Supervisor:
    """Runs the tasks; `outbox` and `boot_id` are saved when one fails, `is_alive()` keeps the watchdog fed."""

    def __init__(self, outbox, boot_id, is_alive):
        self._outbox = outbox
        self._boot_id = boot_id
        self._is_alive = is_alive

    async def run(self, tasks):
        """Runs coroutines together for ever; the first one that fails ends in a reset."""
        running = [asyncio.create_task(self._guard(number, task)) for number, task in enumerate(tasks)]
        running.append(asyncio.create_task(self._guard(len(tasks), self._watch())))
        for task in running:
            await task

    async def _guard(self, number, task):
        try:
            await task
        except Exception as error:
            self.fail(number, error)

    def fail(self, number, error):
        """Notes the failure of task `number` and resets."""
        sys.print_exception(error)
        try:
            self._outbox.append("FAULT", 0, {"task": number, "error": type(error).__name__[:10]})
            with open(FAULT_FILE, "w") as file:
                file.write("task %d\n" % number)
                sys.print_exception(error, file)
            with open(OUTBOX_FILE, "wb") as file:
                file.write(self._outbox.save(self._boot_id))
        except (OSError, MemoryError):
            pass  # a full or broken file system must not keep the table from starting anew
        machine.reset()

    async def _watch(self):
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        while True:
            if self._is_alive():
                watchdog.feed()
            await asyncio.sleep_ms(FEED_MS)
