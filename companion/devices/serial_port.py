"""A serial port for packets, on the loop's own terms: nothing in it ever blocks.

It leaves DTR and RTS alone, since on common boards they reset the processor: pyserial sets both when it opens a port,
and closing one lets them fall unless HUPCL is off. It is opened exclusively, so that no console reads half the frames.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress

import serial
from serial.tools import list_ports

from shared_rules.wire.serial_frames import FrameReader, encode_frame

logger = logging.getLogger(__name__)

BAUD = 115_200
WRITE_SECONDS = 2.0
READ_SIZE = 4096
ANY = "any"
"""In place of a port: every USB port that answers as a device of ours."""


class PortError(Exception):
    """A port that cannot be used; the text says what to do."""


class QuietSerial(serial.Serial):  # type: ignore[misc]
    """pyserial's port without its hands on DTR and RTS."""

    def _update_dtr_state(self) -> None:
        """Left as it is."""

    def _update_rts_state(self) -> None:
        """Left as it is."""

    def _reconfigure_port(self, force_update: bool = False) -> None:
        super()._reconfigure_port(force_update)  # pyright: ignore[reportAttributeAccessIssue]
        row = termios.tcgetattr(self.fd)  # pyright: ignore[reportArgumentType]
        row[2] &= ~termios.HUPCL
        termios.tcsetattr(self.fd, termios.TCSANOW, row)  # pyright: ignore[reportArgumentType]


class SerialPort:
    """An open port. `way` and `gone` as every channel has them: `gone` is set when the port vanishes."""

    way = "cable"

    def __init__(self, path: str) -> None:
        """`PortError` when it cannot be opened."""
        self.path = path
        self.gone = asyncio.Event()
        self._feed: Callable[[bytes], None] = lambda packet: None
        self._reader = FrameReader()
        self._writing = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        try:
            self._port = QuietSerial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            raise PortError(_why(path, error)) from error
        self._fd = int(self._port.fileno())
        os.set_blocking(self._fd, False)
        self._loop.add_reader(self._fd, self._readable)

    async def listen(self, feed: Callable[[bytes], None]) -> None:
        """From now on packets go to `feed`."""
        self._feed = feed

    async def send(self, packet: bytes) -> None:
        """One packet. `ConnectionError`: the port is gone, or takes nothing."""
        frame = memoryview(encode_frame(packet))
        async with self._writing:
            while frame:
                if self.gone.is_set():
                    raise ConnectionResetError("the port is gone")
                try:
                    frame = frame[os.write(self._fd, frame) :]
                except BlockingIOError:
                    await self._writable()
                except OSError as error:
                    self._lost()
                    raise ConnectionResetError("the port is gone") from error

    def end(self) -> None:
        """The talk over it is over, as if the cable were pulled."""
        self.gone.set()

    def close(self) -> None:
        """Lets the port go; DTR and RTS stay as they are."""
        self._unwatch()
        with suppress(OSError, termios.error):
            self._port.close()

    async def _writable(self) -> None:
        ready = asyncio.Event()
        self._loop.add_writer(self._fd, ready.set)
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await ready.wait()
        except TimeoutError as error:
            raise ConnectionAbortedError("the port takes nothing") from error
        finally:
            self._loop.remove_writer(self._fd)

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        for packet in self._reader.feed(data):
            self._feed(bytes(packet))

    def _lost(self) -> None:
        self._unwatch()
        self.gone.set()

    def _unwatch(self) -> None:
        with suppress(OSError, ValueError):
            self._loop.remove_reader(self._fd)


def path_of(wanted: str) -> str | None:
    """The path of a port that is named by its path or by the serial number of its USB device, which stays the same
    wherever it is plugged in; None while it is not there."""
    if wanted.startswith("/"):
        return wanted if os.path.exists(wanted) else None
    return next((str(port.device) for port in list_ports.comports() if port.serial_number == wanted), None)


def usb_ports() -> list[str]:
    """The paths of all USB serial ports."""
    return sorted(str(port.device) for port in list_ports.comports() if port.vid is not None)


def no_port(wanted: str) -> str:
    """The sentence for a port that is not there."""
    return f"No {'USB port' if wanted == ANY else f'port {wanted}'} is there. Plug the cable in."


def missing_port(wanted: Sequence[str]) -> str:
    """The sentence for the first of these ports that is not there; empty when all are."""
    return next((no_port(one) for one in wanted if not (usb_ports() if one == ANY else path_of(one))), "")


def _why(path: str, error: BaseException) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"{path} is not there. Plug the cable in; it is tried again by itself."
    if number == errno.EACCES:
        return (
            f"{path} may not be opened. Add yourself to the group that owns it, on most systems with “sudo usermod -aG "
            "dialout $USER”, and log in again."
        )
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return f"{path} is used by another program. Close that one; it is tried again by itself."
    return f"{path} is no serial port that can be used. Choose another one with --table serial:PORT."
