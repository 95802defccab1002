"""How a device feels: the least heap, the slowest turn of its loop, its uptime; for HEARTBEAT and TELEMETRY."""

import asyncio
import gc
import time

TICK_MS = 100
COLLECT_BEATS = 10  # heartbeats from one garbage collection to the next


class Telemetry:
    """Make one at the start; `run` measures for ever."""

    def __init__(self) -> None:
        self._second = time.ticks_ms()
        self._uptime = 0
        self._beats = 0
        self._free = self._heap_low = gc.mem_free()
        self._worst = 0

    def uptime(self) -> int:
        """Seconds since the start. `run` asks often enough that the clock's ticks may wrap."""
        seconds = time.ticks_diff(time.ticks_ms(), self._second) // 1000
        self._second = time.ticks_add(self._second, seconds * 1000)
        self._uptime += seconds
        return self._uptime

    def heap_free(self) -> int:
        """Bytes that were free after the newest collection of garbage: what is free in between says little, since
        garbage is only collected when it is in the way. Ask once a heartbeat.
        """
        if self._beats % COLLECT_BEATS == 0:
            gc.collect()
            self._free = gc.mem_free()
            self._heap_low = min(self._heap_low, self._free)
        self._beats += 1
        return self._free

    def take(self) -> tuple:
        """(least free heap in bytes after a collection, slowest turn of the loop in ms) since the last call."""
        taken = self._heap_low, min(self._worst, 0xFFFF)
        self._heap_low = self._free
        self._worst = 0
        return taken

    async def run(self):
        """Measures how late the loop comes round, for ever."""
        before = time.ticks_ms()
        while True:
            await asyncio.sleep_ms(TICK_MS)
            now = time.ticks_ms()
            late = time.ticks_diff(now, before) - TICK_MS
            if late > self._worst:
                self._worst = late
            before = now
            self.uptime()
