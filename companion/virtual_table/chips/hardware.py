"""What a board expects of everything that hangs on its pins. Times are whole microseconds of the device's clock."""

from __future__ import annotations

from typing import Protocol

MOST_ERRORS_KEPT = 200
SPI_MOST_HZ = 10_000_000


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

    def spi_reaches(self, mode_fits: bool, baud: int, mode: str, listener: str) -> bool:
        """Whether a `listener` follows SPI that was set up so; it is complained of when it does not.

        `mode_fits`: pins, polarity and phase are those of the listener; `mode` names them.
        """
        if not mode_fits:
            self.complain(f"SPI on {mode}: no {listener} understands that")
        elif baud > SPI_MOST_HZ:
            self.complain(f"SPI at {baud} Hz: the {listener} follows up to {SPI_MOST_HZ // 1_000_000} MHz")
        return mode_fits and baud <= SPI_MOST_HZ
