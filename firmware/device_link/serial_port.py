"""The cable to a companion, for the session: frames (see `shared_rules.wire.serial_frames`) on a UART of their own.

It must never be the UART of the console, where a byte 0x03 would end the programme. A cable has no connections: one
begins with the first sound frame, and ends when none has come for `SILENCE_MS`.
"""

import asyncio
import time

from firmware.device_link import CONNECTED, GONE, WRITTEN
from firmware.device_link.links import CABLE
from shared_rules.wire.serial_frames import FrameReader, encode_frame

SILENCE_MS = 5000  # a companion says something each second
WATCH_MS = 1000
MOST_READ = 256
MOST_WAITING = 16


class SerialPort:
    """`uart` is a machine.UART that was set up with buffers for a few frames.

    `lost_writes` counts frames that were damaged, too long, or found no room.
    """

    def __init__(self, uart) -> None:
        self._uart = uart
        self._stream = asyncio.StreamReader(uart)
        self._reader = FrameReader()
        self._waiting: list = []
        self._came = asyncio.Event()
        self._connected = False
        self._heard = time.ticks_ms()
        self._torn = False
        self._no_room = 0

    @property
    def lost_writes(self) -> int:
        return self._reader.damaged + self._reader.oversized + self._no_room

    def notify(self, conn: int, packet: bytes):
        """Sends one packet: True when the UART took it, False when it must come again, None without a connection."""
        if not self._connected:
            return None
        frame = encode_frame(packet)
        if self._torn:
            frame = b"\x00" + frame
        try:
            self._torn = self._uart.write(frame) != len(frame)
        except OSError:
            self._torn = True
        return not self._torn

    def drop(self, conn: int) -> None:
        """Ends the connection; the next frame begins another one."""
        if self._connected:
            self._connected = False
            self._put((GONE, CABLE, b""))

    async def next(self):
        """The next thing that happened: (CONNECTED, conn, b""), (GONE, conn, b"") or (WRITTEN, conn, packet)."""
        while not self._waiting:
            self._came.clear()
            await self._came.wait()
        return self._waiting.pop(0)

    async def read(self):
        """Takes what the line brings, for ever."""
        while True:
            data = await self._stream.read(MOST_READ)
            if not data:
                await asyncio.sleep_ms(1)  # woken for nothing
                continue
            for packet in self._reader.feed(data):
                self._heard = time.ticks_ms()
                if not self._connected:
                    self._connected = True
                    self._put((CONNECTED, CABLE, b""))
                if len(self._waiting) < MOST_WAITING:
                    self._put((WRITTEN, CABLE, packet))
                else:
                    self._no_room += 1

    async def watch(self):
        """Ends a connection on which nothing comes any more, for ever."""
        while True:
            await asyncio.sleep_ms(WATCH_MS)
            if self._connected and time.ticks_diff(time.ticks_ms(), self._heard) > SILENCE_MS:
                self.drop(CABLE)

    def _put(self, entry) -> None:
        self._waiting.append(entry)
        self._came.set()
