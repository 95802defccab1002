"""The cable between a device's UART and a host: bytes at the device's baud rate, noise, a plug that can be pulled.

The host's end is a byte pair in this process, which keeps virtual time, or in real time a pseudo-terminal that any
program opens like a serial port.
"""

from __future__ import annotations

import asyncio
import os
import random
import termios
import tty
from collections.abc import Callable

from companion.virtual_table.clock import VirtualTimeLoop

BITS_A_BYTE = 10
_CHUNK = 120  # bytes in the hardware's buffer at which an ESP32's driver is interrupted
_NOISY = 0.05  # how likely a byte is hit while flips are left
_HOST_BUFFER = 65_536

_SPEEDS = {
    getattr(termios, f"B{baud}"): baud
    for baud in (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
    if hasattr(termios, f"B{baud}")
}


class SerialEnd:
    """The host's end in this process, as asyncio's streams are used: `await end.read(n)`, `end.write(data)`."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable
        self._came = bytearray()
        self._more = asyncio.Event()
        self.closed = False

    def feed(self, data: bytes) -> None:
        self._came += data[: max(0, _HOST_BUFFER - len(self._came))]
        self._more.set()

    async def read(self, count: int = _HOST_BUFFER) -> bytes:
        """What has come, at least a byte; empty when the end was closed."""
        while not self._came and not self.closed:
            self._more.clear()
            await self._more.wait()
        data = bytes(self._came[:count])
        del self._came[:count]
        return data

    def write(self, data: bytes) -> None:
        self._cable.from_host(data)

    async def drain(self) -> None:
        """Waits until everything that was written has gone over the line."""
        await self._cable.idle()

    def close(self) -> None:
        self.closed = True
        self._more.set()
        self._cable.let_go(self)


class Cable:
    """One cable. `to_device(gpio, data, baud)` gets bytes as they arrive, with the rate that they were sent at."""

    def __init__(
        self,
        to_device: Callable[[int, bytes, int], None],
        loop_time: Callable[[int], float],
        seed: int,
    ) -> None:
        self._to_device = to_device
        self._loop_time = loop_time
        self._loop = asyncio.get_running_loop()
        self._random = random.Random(seed)
        self.device_baud = 115_200
        self._rx: int | None = None
        self.plugged = True
        self.flips_left = 0
        self.bytes_to_host = 0
        self.bytes_to_device = 0
        self._end: SerialEnd | None = None
        self._master = self._slave = -1
        self._port = ""
        self._out_free = 0.0
        self._in_free = 0.0
        self._timers: set[asyncio.TimerHandle] = set()

    # -- the host's end -----------------------------------------------------------------------------------------------

    def open_pair(self) -> SerialEnd:
        """The host's end in this process; whoever had it before does not hear any more."""
        if self._end is not None:
            self._end.close()
        self._end = SerialEnd(self)
        return self._end

    def let_go(self, end: SerialEnd) -> None:
        if self._end is end:
            self._end = None

    def open_port(self) -> str:
        """The path of a pseudo-terminal that leads to the device. Real time only: raises ValueError otherwise."""
        if isinstance(self._loop, VirtualTimeLoop):
            raise ValueError("a serial port needs real time; in virtual time take the serial pair")
        if self._master < 0:
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self._port = os.ttyname(self._slave)  # kept open here too: else the last program's leaving ends it
            self._loop.add_reader(self._master, self._port_readable)
        return self._port

    @property
    def host_baud(self) -> int:
        """What the program at the pseudo-terminal has set; a pair sends at the device's rate."""
        if self._slave < 0 or self._end is not None:
            return self.device_baud
        speed: int = termios.tcgetattr(self._slave)[5]
        return _SPEEDS.get(speed, 9600)

    def close(self) -> None:
        self.forget()
        if self._end is not None:
            self._end.close()
        if self._master >= 0:
            self._loop.remove_reader(self._master)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def attach(self, rx: int, baud: int) -> None:
        """The device has set up its UART with this pin for what comes in."""
        self._rx = rx
        self.device_baud = baud

    # -- bytes --------------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """The device is reset or dark: what was on the line is lost."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._in_free = self._out_free = 0.0
        self._rx = None

    def from_device(self, data: bytes, now_us: int) -> None:
        """Bytes that the device begins to send at `now_us` of its clock."""
        began = max(self._loop_time(now_us), self._out_free)
        self._out_free = began + len(data) * BITS_A_BYTE / self.device_baud
        self._at(self._out_free, lambda: self._reach_host(data))

    def from_host(self, data: bytes) -> None:
        baud = self.host_baud
        at = max(self._loop.time(), self._in_free)
        for i in range(0, len(data), _CHUNK):
            part = data[i : i + _CHUNK]
            at += len(part) * BITS_A_BYTE / baud
            self._at(at, lambda part=part: self._reach_device(part, baud))  # type: ignore[misc]
        self._in_free = at

    async def idle(self) -> None:
        await asyncio.sleep(max(0.0, self._in_free - self._loop.time()))

    def _at(self, when: float, work: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.discard(timer)
            work()

        timer = self._loop.call_at(when, run)
        self._timers.add(timer)

    def _reach_device(self, data: bytes, baud: int) -> None:
        if self.plugged and self._rx is not None:
            self.bytes_to_device += len(data)
            self._to_device(self._rx, self._noisy(data), baud)

    def _reach_host(self, data: bytes) -> None:
        if not self.plugged:
            return
        self.bytes_to_host += len(data)
        data = self._noisy(data)
        if self._end is not None:
            self._end.feed(data)
        elif self._master >= 0:
            if abs(self.host_baud - self.device_baud) * 20 > self.device_baud:
                data = bytes(byte ^ 0xFF for byte in data)
            try:
                os.write(self._master, data)
            except BlockingIOError:
                pass  # nobody reads: a host's buffer overflows, too

    def _noisy(self, data: bytes) -> bytes:
        if not self.flips_left:
            return data
        spoiled = bytearray(data)
        for i in range(len(spoiled)):
            if self.flips_left and self._random.random() < _NOISY:
                spoiled[i] ^= 1 << self._random.randrange(8)
                self.flips_left -= 1
        return bytes(spoiled)

    def _port_readable(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except (BlockingIOError, OSError):
            return
        self.from_host(data)
