"""What a board expects of everything that hangs on its pins. Times are whole microseconds of the device's clock."""

from __future__ import annotations

from typing import Protocol

MOST_ERRORS_KEPT = 200


class Hardware(Protocol):
    """The surroundings of one controller."""

    now: int
    button_pressed: bool
    model_errors: list[tuple[int, str]]
    model_errors_total: int

    def power_on(self, now: int) -> None:
        """The supply comes: everything is as it is without a controller's doing."""

    def controller_reset(self, now: int) -> None:
        """Only the controller starts again or sleeps: its pins float, all else keeps its supply."""

    def set_pin(self, gpio: int, level: int, now: int) -> None: ...

    def pin(self, gpio: int) -> int: ...

    def spi_setup(self, baud: int, polarity: int, phase: int, first: int, sck: int, mosi: int, miso: int) -> None: ...

    def spi(self, mosi: bytes, now: int) -> bytes: ...

    def bitstream(self, gpio: int, data: bytes, timing: tuple[int, int, int, int], now: int) -> None: ...

    def complain(self, text: str) -> None: ...


class Complaints:
    """Keeps what a careful electronics engineer would see on the bench and a firmware would not notice."""

    def __init__(self) -> None:
        self.now = 0
        self.model_errors: list[tuple[int, str]] = []
        self.model_errors_total = 0

    def complain(self, text: str) -> None:
        self.model_errors_total += 1
        if len(self.model_errors) < MOST_ERRORS_KEPT:
            self.model_errors.append((self.now, text))
