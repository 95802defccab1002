"""How a lost device is found again: the waits between attempts, and errors in words that say what to do."""

from __future__ import annotations

import asyncio

from bleak.exc import BleakBluetoothNotAvailableError, BleakDBusError, BleakDeviceNotFoundError, BleakError

FIRST_WAIT = 0.25
LONGEST_WAIT = 5.0


class Backoff:
    """Waits that double from 0.25 s to 5 s, and start again once a device has answered. No chance in it: there is
    one companion."""

    def __init__(self) -> None:
        self._next = FIRST_WAIT

    def wait(self) -> float:
        """Seconds until the next attempt."""
        seconds = self._next
        self._next = min(self._next * 2, LONGEST_WAIT)
        return seconds

    def reset(self) -> None:
        """A device has answered."""
        self._next = FIRST_WAIT


class WrongTableError(Exception):
    """A device that answers, but not as this companion needs it; the text says what to do."""


class NotOursError(WrongTableError):
    """A device that does not prove itself, or belongs to another companion; the text says what to do."""


class NotWantedError(Exception):
    """This way to a device is not wanted now: it was forgotten, or its cable is used."""


class LinkLostError(Exception):
    """The device went away or fell silent; the text says which."""


class BusyError(WrongTableError):
    """The device is in the middle of a talk with another companion."""

    def __init__(self, retry_after: float) -> None:
        super().__init__("It is talking to another companion. Close that one, or wait a moment.")
        self.retry_after = retry_after


def explain(error: BaseException) -> str:
    """One sentence for an error of the radio or of a link, with what to do; whose it is stands before it."""
    if isinstance(error, (WrongTableError, LinkLostError)):
        return str(error)
    if isinstance(error, BleakBluetoothNotAvailableError):
        return (
            "Bluetooth is off, or this machine has none. Switch it on in the system's settings, or with "
            "“rfkill unblock bluetooth”; the game goes on by hand meanwhile."
        )
    if isinstance(error, FileNotFoundError) or (isinstance(error, BleakDBusError) and "ServiceUnknown" in str(error)):
        return (
            "The system's Bluetooth service does not run. Start it, on most Linux systems with "
            "“sudo systemctl start bluetooth”; the game goes on by hand meanwhile."
        )
    if isinstance(error, ConnectionError):
        return "The link broke. It is tried again by itself; the game goes on by hand meanwhile."
    if isinstance(error, BleakDeviceNotFoundError) or "not found" in str(error):
        return "It is not in sight any more. Is it switched on and near?"
    if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
        return "It does not answer. It is tried again by itself."
    if isinstance(error, BleakError) and "InProgress" in str(error):
        return "Another program is using the radio for a search. It is tried again by itself."
    return "The link broke. It is tried again by itself."


def first_of(error: BaseException) -> BaseException:
    """The error inside a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def if_cancelled() -> None:
    """Radio stacks are known to swallow a cancellation; it counts all the same."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
