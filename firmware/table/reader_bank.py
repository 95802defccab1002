"""Polls all readers one after the other for ever, and looks after those that fall silent, for the table.

A sweep visits every socket once. A reader that does not behave is set up again at once; while it stays mute it is tried
every `RETRY_SWEEPS`th sweep only, so that empty sockets cost nothing. Each reader that works is set up anew every
`REFRESH_SWEEPS`th sweep, one a sweep: a chip may go deaf while its registers look well.
"""

import asyncio
import time

from firmware.drivers.mfrc522 import MUTE

PERIOD_MS = 500  # from one sweep's begin to the next while nothing moves
PAUSE_MS = 20  # between sweeps while something does
RETRY_SWEEPS = 16
REFRESH_SWEEPS = 512


class ReaderBank:
    """`readers` are `Mfrc522` objects, one a socket, in order; `presence` a `TagPresence` that is told of every poll.

    `sweep_ms` is how long the last sweep took, `sweeps` how many there were.
    """

    def __init__(self, readers, presence):
        self._readers = readers
        self._presence = presence
        self._works = bytearray(len(readers))
        self._seen = []
        self.sweeps = 0
        self.sweep_ms = 0

    async def sweep(self):
        """Visits every socket once."""
        self._presence.begin_sweep()
        for socket, reader in enumerate(self._readers):
            if self._works[socket] and self.sweeps % REFRESH_SWEEPS == socket + 1:
                self._works[socket] = await reader.start()
            if not self._works[socket]:
                if self.sweeps % RETRY_SWEEPS and self._presence.trouble(socket):
                    continue
                self._works[socket] = await reader.start()
            result = MUTE
            if self._works[socket]:
                result = await reader.poll(self._seen)
                if result == MUTE:
                    self._works[socket] = False
            self._presence.polled(socket, result, self._seen, reader.version)
        self.sweeps += 1

    async def run(self):
        """Sweeps for ever."""
        while True:
            begun = time.ticks_ms()
            await self.sweep()
            self.sweep_ms = time.ticks_diff(time.ticks_ms(), begun)
            pause = PAUSE_MS if self._presence.restless else PERIOD_MS - self.sweep_ms
            await asyncio.sleep_ms(max(PAUSE_MS, pause))
