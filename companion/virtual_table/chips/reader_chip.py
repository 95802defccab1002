"""What every reader chip in a socket has, for the table's wiring; and the socket with nothing in it.

Pins are driven with `True` for high; `now` is microseconds of the table's clock, fractions kept.
"""

from __future__ import annotations

from typing import Protocol

TROUBLES = {
    "dead": "nothing works until it is repaired",
    "hung": "no register answers until it is reset",
    "deaf": "registers work, but no tag is powered or heard until it is reset",
    "empty": "every exchange ends well and brings an empty frame, until it is reset",
}


class ReaderChip(Protocol):
    """A reader as the wiring sees it."""

    trouble: str
    deaf_at: float | None
    """When the chip goes deaf, as some do after hours; a reset heals it for good."""

    def reset_pin(self, high: bool, now: float) -> None:
        """Low holds the chip in reset."""
        ...

    def select_pin(self, selected: bool, now: float) -> None:
        """Its line of the select logic, `True` for selected (the pin itself is active low)."""
        ...

    def transfer(self, mosi: bytes, now: float) -> bytes:
        """Whole bytes while selected; what MISO says meanwhile."""
        ...

    def busy(self, now: float) -> bool:
        """The level of BUSY; a chip without such a pin leaves it low."""
        ...

    def catch_up(self, now: float) -> None:
        """Does what the chip would have done by itself until now."""
        ...

    def fail(self, trouble: str, now: float) -> None:
        """Something breaks: one of TROUBLES."""
        ...

    def repair(self, now: float) -> None:
        """The chip is replaced or power-cycled."""
        ...


def check_trouble(trouble: str) -> None:
    """Raises ValueError for what no reader has."""
    if trouble not in TROUBLES:
        raise ValueError(f"a reader's trouble is one of {', '.join(TROUBLES)}, not {trouble!r}")


class EmptySocket:
    """A socket without a reader: MISO and BUSY are held low by their resistors."""

    trouble = ""
    deaf_at: float | None = None

    def reset_pin(self, high: bool, now: float) -> None:
        pass

    def select_pin(self, selected: bool, now: float) -> None:
        pass

    def transfer(self, mosi: bytes, now: float) -> bytes:
        return bytes(len(mosi))

    def busy(self, now: float) -> bool:
        return False

    def catch_up(self, now: float) -> None:
        pass

    def fail(self, trouble: str, now: float) -> None:
        raise ValueError("there is no reader in this socket that could fail: put one in with set_reader first")

    def repair(self, now: float) -> None:
        pass
