"""Everything on the pins of the two dice: the table die's button and ring, the handheld die's accelerometer and cell.

The wiring is that of `hardware/pinmaps/`, as the modules of the firmware with the same constants give it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import ModuleType

from companion.virtual_table.chips.accelerometer import Accelerometer, Motion, Resting
from companion.virtual_table.chips.battery import Cell, Converter
from companion.virtual_table.chips.hardware import Complaints
from companion.virtual_table.chips.lis2dw12 import Lis2dw12
from companion.virtual_table.chips.lis3dh import Lis3dh
from companion.virtual_table.chips.ws2812 import LedFrame, Ws2812Strip

OnFrame = Callable[[str, LedFrame], None]
ENODEV = 19
CHIPS: dict[str, type[Lis2dw12] | type[Lis3dh]] = {"lis2dw12": Lis2dw12, "lis3dh": Lis3dh}


class RingHardware(Complaints):
    """A table die that stands by itself: a button (low when pressed) and a ring of lights."""

    def __init__(self, strip_pin: int, button_pin: int, leds: int, on_frame: OnFrame) -> None:
        super().__init__()
        self.button_pin = button_pin
        self.button_pressed = False
        self._strip_pin = strip_pin
        self.led_frames = 0

        def frame(shown: LedFrame) -> None:
            self.led_frames += 1
            on_frame("die", shown)

        self.strip = Ws2812Strip(leds, lambda text: self.complain(f"die lights: {text}"), frame)

    @classmethod
    def of_pins(cls, pins: ModuleType, on_frame: OnFrame = lambda strip, frame: None) -> RingHardware:
        """The wiring that a module with the constants of `firmware/pins_table_die.py` describes."""
        return cls(pins.DIE_LED_STRIP, pins.DIE_BUTTON, pins.DIE_LEDS, on_frame)

    def power_on(self, now: int) -> None:
        self.now = now
        self.strip.power_off(now)

    def controller_reset(self, now: int) -> None:
        self.now = now

    def set_pin(self, gpio: int, level: int, now: int) -> None:
        self.now = now

    def pin(self, gpio: int) -> int:
        return int(not self.button_pressed) if gpio == self.button_pin else 0

    def spi_setup(self, baud: int, polarity: int, phase: int, first: int, sck: int, mosi: int, miso: int) -> None:
        self.complain("SPI is set up where no chip is")

    def spi(self, mosi: bytes, now: int) -> bytes:
        self.now = now
        return bytes(len(mosi))

    def bitstream(self, gpio: int, data: bytes, timing: tuple[int, int, int, int], now: int) -> None:
        self.now = now
        if gpio == self._strip_pin:
            self.strip.receive(data, timing, now)
        else:
            self.complain(f"light bytes on pin {gpio}, where no strip is")


@dataclass(frozen=True)
class DieWiring:
    """GPIO numbers and sizes of a handheld die; see `hardware/pinmaps/handheld_die.toml`.

    With `spi` (select, sck, mosi, miso) the accelerometer is on SPI instead of I2C.
    """

    sda: int
    scl: int
    interrupt: int
    battery: int
    charging: int
    led: int
    led_power: int
    bus_hz: int
    divider: float
    cell_mah: float
    spi: tuple[int, int, int, int] | None = None

    @classmethod
    def of_pins(cls, pins: ModuleType) -> DieWiring:
        """The wiring that a module with the constants of `firmware/pins_handheld.py` describes."""
        spi = None
        if hasattr(pins, "ACCEL_SELECT"):
            spi = (pins.ACCEL_SELECT, pins.ACCEL_SCK, pins.ACCEL_MOSI, pins.ACCEL_MISO)
        return cls(
            sda=getattr(pins, "ACCEL_SDA", -1),
            scl=getattr(pins, "ACCEL_SCL", -1),
            spi=spi,
            interrupt=pins.ACCEL_INT,
            battery=pins.BATTERY_ADC,
            charging=pins.CHARGING,
            led=pins.LED,
            led_power=pins.LED_POWER,
            bus_hz=pins.ACCEL_BUS_HZ,
            divider=pins.BATTERY_DIVIDER,
            cell_mah=pins.BATTERY_CELL_MAH,
        )


class DieHardware(Complaints):
    """A handheld die: accelerometer on I2C with its interrupt line, one light with a switched supply, a cell.

    `chip` is lis2dw12 or lis3dh. `controller_ma` is to say what the controller draws now; the rest is known here.
    """

    ACCELEROMETER_MA = 0.09
    LEAK_MA = 0.004  # divider, regulator, switched-off light

    def __init__(
        self,
        wiring: DieWiring,
        on_frame: OnFrame = lambda strip, frame: None,
        *,
        chip: str = "lis2dw12",
        seed: int = 0,
        motion: Motion | None = None,
    ) -> None:
        super().__init__()
        if chip not in CHIPS:
            raise ValueError(f"there are the accelerometers {' and '.join(CHIPS)}, not {chip!r}")
        self.wiring = wiring
        self.button_pressed = False
        self.controller_ma: Callable[[], float] = lambda: 0.0
        self.led_frames = 0
        self._on_frame = on_frame
        self.accelerometer: Accelerometer = CHIPS[chip](
            motion or Resting(), seed, lambda text: self.complain(f"accelerometer: {text}")
        )
        self.absent = False
        """Whether the accelerometer does not answer, as with a broken solder joint."""
        self.cell = Cell(wiring.cell_mah)
        self.converter = Converter(seed)
        self.strip = Ws2812Strip(1, lambda text: self.complain(f"light: {text}"), self._frame)
        self._lit_by = 0  # level of the light's supply switch
        self._selected = False
        self._command: int | None = None  # first byte of an SPI transfer
        self._spi_ready = False
        self._register = 0
        self._told: dict[int, int] = {}
        self.power_on(-300_000)  # a controller takes longer to boot than everything around it
        self.now = 0

    # -- the supply ---------------------------------------------------------------------------------------------------

    def power_on(self, now: int) -> None:
        self.controller_reset(now)
        self.accelerometer.power_on(now)
        self._told = {}

    def controller_reset(self, now: int) -> None:
        self.now = now
        self._selected = self._spi_ready = False
        self._switch_light(0, now)
        self.update_load(now)

    def update_load(self, now: int) -> None:
        """The cell learns what is drawn from now on."""
        light = self.strip.frame.milliamps if self._lit_by else 0.0
        self.cell.advance(now, self.controller_ma() + light + self.ACCELEROMETER_MA + self.LEAK_MA)

    def set_motion(self, motion: Motion, now: int) -> None:
        """From now on this is what moves it; what it felt until now has been felt."""
        self.accelerometer.advance(now)
        self.accelerometer.motion = motion

    # -- pins ---------------------------------------------------------------------------------------------------------

    def set_pin(self, gpio: int, level: int, now: int) -> None:
        self.now = now
        if gpio == self.wiring.led_power and level != self._lit_by:
            self._switch_light(level, now)
            self.update_load(now)
        elif self.wiring.spi is not None and gpio == self.wiring.spi[0]:
            self._selected = not level
            self._command = None

    def pin(self, gpio: int) -> int:
        if gpio == self.wiring.interrupt:
            return self.accelerometer.int1
        if gpio == self.wiring.charging:
            return int(not self.cell.charging)
        return int(gpio in (self.wiring.sda, self.wiring.scl))

    def next_change_us(self) -> float:
        """When a pin may change without the controller's doing, `inf` for never."""
        return inf if self.absent else self.accelerometer.next_change_us()

    def changed_pins(self, now: int) -> list[int]:
        """Inputs whose level is another than when this was asked last."""
        self.now = max(self.now, now)
        self.accelerometer.advance(now)
        changed = []
        for gpio in (self.wiring.interrupt, self.wiring.charging):
            level = self.pin(gpio)
            if self._told.get(gpio, 0 if gpio == self.wiring.interrupt else 1) != level:
                changed.append(gpio)
            self._told[gpio] = level
        return changed

    # -- buses --------------------------------------------------------------------------------------------------------

    def i2c(self, sda: int, scl: int, address: int, data: bytes, count: int, now: int) -> tuple[int, bytes]:
        """One transfer: bytes written, then bytes read. (0 or an errno, what was read)."""
        self.now = now
        chip = self.accelerometer
        if (sda, scl) != (self.wiring.sda, self.wiring.scl) or self.wiring.spi is not None:
            self.complain(f"I2C on pins {sda} and {scl}, where no chip is")
            return ENODEV, bytes(count)
        if address != chip.ADDRESS or self.absent:
            return ENODEV, bytes(count)
        chip.check_boot(now)
        chip.advance(now)
        if data:
            self._register = data[0]
        for value in data[1:]:
            chip.write(self._register & 0x7F, value, now)
            self._go_on()
        read = bytearray()
        for _ in range(count):
            read.append(chip.read(self._register & 0x7F, now))
            self._go_on()
        return 0, bytes(read)

    def _go_on(self) -> None:
        increment = self.accelerometer.INCREMENT
        if self._register & increment == increment:
            self._register = self.accelerometer.following(self._register & 0x7F) | increment

    def adc(self, gpio: int, attenuation: int, now: int) -> tuple[int, int]:
        """(raw count, microvolts) at a pin."""
        self.now = now
        if gpio != self.wiring.battery:
            self.complain(f"pin {gpio} is converted, where nothing is")
            return 0, 0
        self.update_load(now)
        return self.converter.sample(self.cell.millivolts / self.wiring.divider, attenuation)

    def spi_setup(self, baud: int, polarity: int, phase: int, first: int, sck: int, mosi: int, miso: int) -> None:
        wired = self.wiring.spi
        fits = wired is not None and (sck, mosi, miso) == wired[1:] and first == 0 and polarity == phase
        mode = f"pins {sck}, {mosi}, {miso}, polarity {polarity}, phase {phase}"
        self._spi_ready = self.spi_reaches(fits, baud, mode, "accelerometer")

    def spi(self, mosi: bytes, now: int) -> bytes:
        """Bytes to the selected accelerometer: bit 7 of the first reads; on a LIS3DH bit 6 goes on to the next."""
        self.now = now
        if not (self._selected and self._spi_ready) or self.absent:
            return bytes(len(mosi))
        chip = self.accelerometer
        chip.check_boot(now)
        chip.advance(now)
        miso = bytearray()
        for byte in mosi:
            if self._command is None:
                self._command = byte
                mask = 0x3F if chip.INCREMENT else 0x7F
                goes_on = not chip.INCREMENT or byte & 0x40
                self._register = byte & mask | (chip.INCREMENT if goes_on else 0)
                miso.append(0xFF)
                continue
            if self._command & 0x80:
                miso.append(chip.read(self._register & 0x7F, now))
            else:
                chip.write(self._register & 0x7F, byte, now)
                miso.append(0xFF)
            self._go_on()
        return bytes(miso)

    def bitstream(self, gpio: int, data: bytes, timing: tuple[int, int, int, int], now: int) -> None:
        self.now = now
        if gpio != self.wiring.led:
            self.complain(f"light bytes on pin {gpio}, where no strip is")
        elif not self._lit_by:
            self.complain("light bytes while the light has no supply")
        else:
            self.strip.receive(data, timing, now)
            self.update_load(now)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _switch_light(self, level: int, now: int) -> None:
        was = self._lit_by
        self._lit_by = level
        if not level:
            lit = any(any(light) for light in self.strip.frame.lights)
            self.strip.power_off(now)
            if was and lit:
                self._frame(self.strip.frame)

    def _frame(self, frame: LedFrame) -> None:
        self.led_frames += 1
        self._on_frame("die", frame)
