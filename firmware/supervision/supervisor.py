"""Runs the tasks of a device, for ever: the first one that fails ends in a clean restart, a watchdog ends a hang.

The watchdog runs from before the device is built (see `firmware.device_link.device.start`), so that a hang on the way
ends, too: it resets the chip, which tells it as its reset cause, and three of them in a row lead to safe mode. Nothing
stops it any more: who takes the programme's place at the console is reset after `WATCHDOG_MS`. The two seconds before
the start (`firmware/device_main.py`) are not watched, and belong to people.
"""

import asyncio

WATCHDOG_MS = 10000
FEED_MS = 1000
NO_TASK = 255  # the number of whatever fails outside the tasks that were given


class Supervisor:
    """`fail(number, error)` is told of a failure and does not return; tasks are numbered in their order. `watchdog` is
    a machine.WDT."""

    def __init__(self, fail, watchdog) -> None:
        self._fail = fail
        self._watchdog = watchdog

    async def run(self, tasks, is_alive):
        """Runs coroutines together for ever; `is_alive()` keeps the watchdog fed."""
        asyncio.get_event_loop().set_exception_handler(self._uncaught)
        running = [asyncio.create_task(self._guard(number, task)) for number, task in enumerate(tasks)]
        running.append(asyncio.create_task(self._guard(NO_TASK, self._watch(is_alive))))
        for task in running:
            await task

    async def _guard(self, number, task):
        try:
            await task
        except Exception as error:
            self._fail(number, error)

    def _uncaught(self, loop, context):
        """A task that somebody made and nobody waits for has failed."""
        self._fail(NO_TASK, context["exception"])

    async def _watch(self, is_alive):
        while True:
            if is_alive():
                self._watchdog.feed()
            await asyncio.sleep_ms(FEED_MS)
