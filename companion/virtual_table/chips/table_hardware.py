"""Everything that hangs on the controller's pins: 32 readers behind one-hot select logic, two light strips, a button.

The wiring is that of `hardware/pinmap.toml`, as `firmware/pins.py` gives it. A 74HC138 decodes the upper two select
lines to a bank while the enable line is low, one 74HC138 a bank decodes the lower three to a socket; 74HC251s bring
MISO and BUSY of the same socket back, so exactly one reader hears and speaks. Both lines have a pull-down: nobody
there, or no socket enabled, reads as 0.

What a careful electronics engineer would see on the bench and the firmware would not notice is kept in `model_errors`.
Times are whole microseconds of the controller's clock, as it stamps what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType

from companion.virtual_table.chips.reader_chip import ReaderChip
from companion.virtual_table.chips.reader_sockets import READER_KINDS, ReaderSockets
from companion.virtual_table.chips.ws2812 import LedFrame, Ws2812Strip

__all__ = ["READER_KINDS", "Counters", "TableHardware", "Wiring"]


@dataclass(frozen=True)
class Wiring:
    """GPIO numbers and sizes; see `hardware/pinmap.toml`."""

    sck: int
    mosi: int
    miso: int
    select: tuple[int, ...]
    enable_n: int
    reset_n: int
    busy: int
    board_strip: int
    die_strip: int
    die_button: int
    sockets: int
    board_leds: int
    die_leds: int

    @classmethod
    def of_pins(cls, pins: ModuleType) -> Wiring:
        """The wiring that a module with the constants of `firmware/pins.py` describes."""
        return cls(
            sck=pins.READER_SCK,
            mosi=pins.READER_MOSI,
            miso=pins.READER_MISO,
            select=tuple(getattr(pins, f"READER_SELECT_{i}") for i in range(5)),
            enable_n=pins.READER_ENABLE_N,
            reset_n=pins.READER_RESET_N,
            busy=pins.READER_BUSY,
            board_strip=pins.LED_STRIP,
            die_strip=pins.DIE_LED_STRIP,
            die_button=pins.DIE_BUTTON,
            sockets=pins.SOCKETS,
            board_leds=pins.BOARD_LEDS,
            die_leds=pins.DIE_LEDS,
        )


@dataclass
class Counters:
    """What the controller did since the table was built."""

    spi_transfers: int = 0
    spi_bytes: int = 0
    fields_switched_on: int = 0
    most_fields_on: int = 0
    sweeps: int = 0
    led_frames: int = 0
    transfers_of_last_sweep: int = 0
    _sweep_began_at: int = field(default=0, repr=False)


class TableHardware(ReaderSockets):
    """The table around one controller; pins are driven and read by GPIO number. `seed`: see `ReaderSockets`."""

    def __init__(
        self,
        wiring: Wiring,
        on_frame: Callable[[str, LedFrame], None] = lambda strip, frame: None,
        *,
        seed: int = 0,
    ) -> None:
        super().__init__(wiring.sockets, seed)
        self.wiring = wiring
        self.counters = Counters()
        self.live_pins = frozenset((wiring.busy,))
        """Inputs that change without an event that tells of it, so they have to be looked at each time."""
        self.shared_miso = False
        """Whether MISO of all readers is one line, as on tables without the 74HC251s."""
        self.strips = {
            wiring.board_strip: Ws2812Strip(
                wiring.board_leds,
                self._complaint_of("board lights"),
                lambda f: self._frame("board", f, on_frame),
            ),
            wiring.die_strip: Ws2812Strip(
                wiring.die_leds, self._complaint_of("die lights"), lambda f: self._frame("die", f, on_frame)
            ),
        }
        self._levels: dict[int, int] = {}
        self._selected: int | None = None
        self._stuck: set[int] = set()
        self._holding: set[int] = set()
        self._spi_ready = False
        self._last_field = -1
        self.button_pressed = False
        self.power_on(0)

    # -- what the controller does -------------------------------------------------------------------------------------

    def power_on(self, now: int) -> None:
        """The supply comes: pins float to what their resistors say, lights are dark, readers are held in reset."""
        w = self.wiring
        self.now = now
        self._levels = dict.fromkeys(w.select, 0)
        self._levels[w.enable_n] = 1
        self._levels[w.reset_n] = 0
        self._selected = None
        self._spi_ready = False
        for strip in self.strips.values():
            strip.power_off(now)
        for reader in self.readers:
            reader.select_pin(False, now)
            reader.reset_pin(False, now)

    def controller_reset(self, now: int) -> None:
        """Only the controller starts again: its pins float, so the readers are deselected and reset, lights stay."""
        w = self.wiring
        self.set_pin(w.enable_n, 1, now)
        self.set_pin(w.reset_n, 0, now)
        for pin in w.select:
            self.set_pin(pin, 0, now)
        self._spi_ready = False

    def set_pin(self, gpio: int, level: int, now: int) -> None:
        self.now = now
        if self._levels.get(gpio) == level:
            return
        w = self.wiring
        if gpio in w.select and self._levels[w.enable_n] == 0:
            self.complain("a select line changes while a socket is enabled: other sockets are selected in between")
        self._levels[gpio] = level
        if gpio in w.select or gpio == w.enable_n:
            self._select()
        elif gpio == w.reset_n:
            for reader in self.readers:
                reader.reset_pin(bool(level), now)

    def pin(self, gpio: int) -> int:
        """The level that an input of the controller sees now (`self.now`)."""
        if gpio == self.wiring.die_button:
            return 0 if self.button_pressed else 1
        if gpio == self.wiring.busy:
            return int(self._selected is not None and self.readers[self._selected].busy(self.now))
        return self._levels.get(gpio, 0)

    def spi_setup(self, baud: int, polarity: int, phase: int, first: int, sck: int, mosi: int, miso: int) -> None:
        w = self.wiring
        fits = (polarity, phase, first, sck, mosi, miso) == (0, 0, 0, w.sck, w.mosi, w.miso)
        mode = f"pins {sck}, {mosi}, {miso}, polarity {polarity}, phase {phase}"
        self._spi_ready = self.spi_reaches(fits, baud, mode, "reader")

    def spi(self, mosi: bytes, now: int) -> bytes:
        """A transfer of whole bytes; what comes back on MISO meanwhile."""
        self.now = now
        counters = self.counters
        counters.spi_transfers += 1
        counters.spi_bytes += len(mosi)
        if not self._spi_ready:
            return bytes(len(mosi))
        if self._selected is not None and not self._stuck and not self.shared_miso:
            return self.readers[self._selected].transfer(mosi, now)
        speaking = [self._selected] if self._selected is not None else []
        speaking += [i for i in sorted(self._stuck) if i != self._selected]
        if not speaking:
            self.complain("bytes are sent while no reader is selected")
            return bytes(len(mosi))
        answers = [self.readers[i].transfer(mosi, now) for i in speaking]
        if len(answers) > 1:
            self.complain(f"readers {speaking} are selected at once and fight over MISO")
            return bytes(a & b for a, b in zip(answers[0], answers[1], strict=True))
        holding = [i for i in sorted(self._holding) if i not in speaking] if self.shared_miso else []
        if holding:
            self.complain(f"readers {holding} hold MISO low while reader {speaking[0]} speaks")
            return bytes(len(mosi))
        return answers[0]

    def bitstream(self, gpio: int, data: bytes, timing: tuple[int, int, int, int], now: int) -> None:
        self.now = now
        strip = self.strips.get(gpio)
        if strip is None:
            self.complain(f"light bytes on pin {gpio}, where no strip is")
            return
        strip.receive(data, timing, now)

    # -- faults of the wiring -----------------------------------------------------------------------------------------

    def hold_miso(self, socket: int, holds: bool = True) -> None:
        """A clone that drives MISO while it is not selected. With a multiplexer on each line nobody notices."""
        self._check_socket(socket)
        if holds:
            self._holding.add(socket)
        else:
            self._holding.discard(socket)

    def share_miso(self, shared: bool = True) -> None:
        """A table without multiplexers: MISO of all readers is one line."""
        self.shared_miso = shared

    def stick_select(self, socket: int, stuck: bool = True) -> None:
        """A solder bridge: this reader is selected whatever the logic says."""
        self._check_socket(socket)
        if stuck:
            self._stuck.add(socket)
        else:
            self._stuck.discard(socket)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _plugged(self, socket: int, reader: ReaderChip) -> None:
        reader.reset_pin(False, self.now)
        if self._levels[self.wiring.reset_n]:
            reader.reset_pin(True, self.now)
        if socket == self._selected:
            reader.select_pin(True, self.now)

    def _select(self) -> None:
        w = self.wiring
        levels = self._levels
        if levels[w.enable_n]:
            if self._selected is None:
                return
            number = None
        else:
            a, b, c, d, e = w.select
            number = levels[a] | levels[b] << 1 | levels[c] << 2 | levels[d] << 3 | levels[e] << 4
            if number == self._selected:
                return
        if self._selected is not None:
            self.readers[self._selected].select_pin(False, self.now)
            self._count_field(self._selected)
        self._selected = number
        if number is not None:
            self.readers[number].select_pin(True, self.now)

    def _count_field(self, socket: int) -> None:
        """A sweep begins when the field of a socket not after the last one goes on."""
        if not self.fields[socket].on or socket == self._last_field:
            return
        for reader in self._late:
            reader.catch_up(self.now)
        c = self.counters
        on = sum(f.on for f in self.fields)
        c.most_fields_on = max(on, c.most_fields_on)
        if on > 1:
            self.complain(f"{on} fields are on at once")
        c.fields_switched_on += 1
        if socket < self._last_field:
            c.sweeps += 1
            c.transfers_of_last_sweep = c.spi_transfers - c._sweep_began_at
            c._sweep_began_at = c.spi_transfers
        self._last_field = socket

    def _frame(self, strip: str, frame: LedFrame, on_frame: Callable[[str, LedFrame], None]) -> None:
        self.counters.led_frames += 1
        on_frame(strip, frame)
