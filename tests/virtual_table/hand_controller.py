"""A controller that is moved by hand: its pins and its SPI, with the table's hardware on them."""

from companion.virtual_table.chips.table_hardware import TableHardware, Wiring
from companion.virtual_table.chips.ws2812 import LedFrame
from firmware import pins

ENABLE_N, RESET_N = pins.READER_ENABLE_N, pins.READER_RESET_N
SELECT = [getattr(pins, f"READER_SELECT_{i}") for i in range(5)]


class Controller:
    """Pins and SPI of a controller that is moved by hand."""

    def __init__(self, seed: int = 0) -> None:
        self.frames: list[tuple[str, LedFrame]] = []
        self.table = TableHardware(
            Wiring.of_pins(pins), lambda strip, frame: self.frames.append((strip, frame)), seed=seed
        )
        self.now = 0
        self.table.spi_setup(1_000_000, 0, 0, 0, pins.READER_SCK, pins.READER_MOSI, pins.READER_MISO)
        self.pin(RESET_N, 1)
        self.now += 1_000

    def pin(self, gpio: int, level: int) -> None:
        self.now += 1
        self.table.set_pin(gpio, level, self.now)

    def spi(self, mosi: bytes) -> bytes:
        self.now += 20
        return self.table.spi(mosi, self.now)

    def at(self, socket: int, mosi: bytes) -> bytes:
        for i, gpio in enumerate(SELECT):
            self.pin(gpio, socket >> i & 1)
        self.pin(ENABLE_N, 0)
        miso = self.spi(mosi)
        self.pin(ENABLE_N, 1)
        return miso

    def errors(self) -> list[str]:
        return [text for _, text in self.table.model_errors]

    def busy(self) -> int:
        self.now += 4
        self.table.now = self.now
        return self.table.pin(pins.READER_BUSY)

    def select(self, socket: int) -> None:
        """The number on the lines, then open."""
        for i, gpio in enumerate(SELECT):
            self.pin(gpio, socket >> i & 1)
        self.pin(ENABLE_N, 0)

    def frame(self, socket: int, mosi: bytes) -> bytes:
        """One frame to a reader with BUSY, which is waited for while it is selected."""
        self.select(socket)
        for _ in range(20_000):
            if not self.busy():
                break
        miso = self.spi(mosi)
        self.now += 8 * len(mosi)
        self.pin(ENABLE_N, 1)
        return miso
