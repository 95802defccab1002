"""Polls all readers one after the other for ever, and looks after those that fall silent, for the table.

A sweep visits every socket once. Sockets do not care which reader is in them: a socket without a working one is looked
into every `RETRY_SWEEPS`th sweep, not all in the same, so empty sockets cost next to nothing. A reader that does not
behave is set up again at once. A chip may go deaf while its registers look well: before a tag is believed to be gone
its reader is set up anew and asked once more, and each one that works is set up anew every `REFRESH_SWEEPS`th sweep.

The line that resets all readers is the last resort, for a chip that nothing else reaches: once for each time that a
reader which had worked stays mute, and never twice within `RESET_EVERY_MS`.
"""

import asyncio
import time

from firmware.drivers.reader import MUTE
from firmware.drivers.reader_probe import probe
from firmware.table.socket_health import SocketHealth

PERIOD_MS = 500  # from one sweep's begin to the next while nothing moves
PAUSE_MS = 20  # between sweeps while something does
RETRY_SWEEPS = 16
REFRESH_SWEEPS = 512
RESET_AFTER = 3  # looks in vain into a socket whose reader had worked
RESET_EVERY_MS = 600000
_RESET_TRIED = 0xFF


class ReaderBank:
    """`bus` is the `ReaderBus` of `sockets` sockets; `presence` a `TagPresence` that is told of every poll.

    `sweep_ms` is how long the last sweep took, `sweeps` how many there were.
    """

    def __init__(self, bus, sockets, presence):
        self._bus = bus
        self._presence = presence
        self._readers: list = [None] * sockets
        self._in_vain = bytearray(sockets)  # looks since the reader fell silent; only where one had worked
        self._reset_at = None
        self._seen = []
        self._health = SocketHealth(sockets)
        self.sweeps = 0
        self.sweep_ms = 0

    def socket_health(self, socket):
        """The fields of SOCKET_HEALTH."""
        return self._health.fields(socket, self._presence.trouble(socket), self._presence.crosstalk[socket])

    async def sweep(self):
        """Visits every socket once, and those again where a tag waits to be confirmed."""
        presence = self._presence
        presence.begin_sweep()
        for socket in range(len(self._readers)):
            await self._visit(socket)
            due = presence.due()
            if due >= 0:
                await self._visit(due)
        self.sweeps += 1

    async def _visit(self, socket):
        presence = self._presence
        health = self._health
        reader = self._readers[socket]
        deaf = False
        if reader is None:
            if (self.sweeps + socket) % RETRY_SWEEPS and presence.trouble(socket):
                return
            reader = await self._look_into(socket)
        elif presence.doubts(socket):
            deaf = True
            if not await reader.start():
                reader = None
        elif self.sweeps % REFRESH_SWEEPS == socket + 1 and not await reader.start():
            reader = None
        result = MUTE
        if reader is not None:
            result = await reader.poll(self._seen)
        if result == MUTE:
            if reader is not None or self._readers[socket] is not None:
                health.restarted(socket)
            reader = None
        elif deaf and self._seen:
            health.restarted(socket)  # it hears again: it had been deaf
        self._readers[socket] = reader
        health.polled(socket, result)
        presence.polled(socket, result, self._seen, health.versions[socket])

    async def _look_into(self, socket):
        """The reader that is in a socket, or None; resets all readers when nothing else has helped."""
        reader = await probe(self._bus, socket)
        if reader is not None:
            self._health.found(socket, reader.kind, reader.version)
            self._in_vain[socket] = 0
        elif self._health.kinds[socket] and self._in_vain[socket] != _RESET_TRIED:
            self._in_vain[socket] = min(self._in_vain[socket] + 1, RESET_AFTER)
            if self._in_vain[socket] == RESET_AFTER:
                await self._reset_all(socket)
        return reader

    async def _reset_all(self, socket):
        now = time.ticks_ms()
        if self._reset_at is not None and time.ticks_diff(now, self._reset_at) < RESET_EVERY_MS:
            return
        self._in_vain[socket] = _RESET_TRIED
        if await self._bus.reset():
            self._reset_at = now
            for i, reader in enumerate(self._readers):
                if reader is not None and not await reader.start():
                    self._readers[i] = None

    async def run(self):
        """Sweeps for ever."""
        while True:
            begun = time.ticks_ms()
            await self.sweep()
            self.sweep_ms = time.ticks_diff(time.ticks_ms(), begun)
            await asyncio.sleep_ms(self.pause_ms())

    def pause_ms(self):
        """How long to wait from the end of the last sweep to the next."""
        if self._presence.restless:
            return PAUSE_MS
        return max(PAUSE_MS, PERIOD_MS - self.sweep_ms)
