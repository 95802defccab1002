"""The readers' firmware on modelled chips, in one Python: real `ReaderBus`, drivers and bank on a `TableHardware`.

Time is the table's own and moves with what the firmware does: bytes over SPI, looks at pins, sleeps.
"""

import asyncio
import contextlib
import types

from companion.virtual_table.chips.table_hardware import TableHardware, Wiring
from firmware import pins
from firmware.drivers import reader_bus
from firmware.drivers.reader_probe import probe
from firmware.table import reader_bank, tag_presence

BYTE_US = 8
PIN_US = 2
CALL_US = 25  # what MicroPython takes for a transfer beside its bytes


class Table:
    """`readers` maps sockets to what is in them; all others hold an MFRC522, or nothing when `rest` says so."""

    def __init__(self, readers=None, rest="mfrc522"):
        self.hardware = TableHardware(Wiring.of_pins(pins))
        self.now = 0.0
        for socket in range(pins.SOCKETS):
            kind = (readers or {}).get(socket, rest)
            if kind != "mfrc522":
                self.hardware.set_reader(socket, kind)
        self.hardware.spi_setup(pins.READER_BAUD, 0, 0, 0, pins.READER_SCK, pins.READER_MOSI, pins.READER_MISO)
        self.hardware.set_pin(pins.READER_RESET_N, 1, 0)
        self.wait(50_000)
        select = tuple(_Pin(self, getattr(pins, f"READER_SELECT_{i}")) for i in range(5))
        self.bus = reader_bus.ReaderBus(
            _Spi(self),
            select,
            _Pin(self, pins.READER_ENABLE_N),
            _Pin(self, pins.READER_BUSY),
            _Pin(self, pins.READER_RESET_N),
        )

    def wait(self, us):
        self.now += us
        self.hardware.now = int(self.now)

    def place(self, socket, *uids, flicker=""):
        for uid in uids:
            self.hardware.place_tag(bytes.fromhex(uid), socket, flicker)

    def lift(self, *uids):
        for uid in uids:
            assert self.hardware.lift_tag(bytes.fromhex(uid))

    def run(self, coroutine):
        """The result of a coroutine of the firmware, with this table's clock for `asyncio` and `time`."""
        with self._clock():
            try:
                while True:
                    coroutine.send(None)
            except StopIteration as stop:
                return stop.value

    def probe(self, socket):
        return self.run(probe(self.bus, socket))

    def poll(self, reader):
        """What a poll says, and the UIDs in hex, sorted; the field has been off long enough before."""
        self.wait(10_000)
        tags = []
        result = self.run(reader.poll(tags))
        return result, sorted(tag.hex() for tag in tags)

    def fields_on(self):
        for reader in self.hardware.readers:
            reader.catch_up(int(self.now))
        return [i for i, field in enumerate(self.hardware.fields) if field.on]

    def complaints(self):
        return [text for _, text in self.hardware.model_errors]

    @contextlib.contextmanager
    def _clock(self):
        clock = types.SimpleNamespace(
            ticks_ms=lambda: int(self.now) // 1000,
            ticks_diff=lambda a, b: a - b,
            sleep_us=self.wait,
            sleep_ms=self._sleep_ms,
        )
        modules = (reader_bus, reader_bank, tag_presence)
        kept = [module.time for module in modules]
        for module in modules:
            module.time = clock
        had = getattr(asyncio, "sleep_ms", None)
        asyncio.sleep_ms = self._sleep_ms
        try:
            yield
        finally:
            for module, old in zip(modules, kept, strict=True):
                module.time = old
            if had is None:
                del asyncio.sleep_ms

    async def _sleep_ms(self, ms):
        # As the device does: the ticks are what counts, so a sleep is up to a millisecond shorter than it says.
        until = (int(self.now) // 1000 + ms) * 1000
        self.wait(max(0, until - self.now))


class _Pin:
    def __init__(self, table, gpio):
        self._table = table
        self._gpio = gpio

    def value(self, level=None):
        table = self._table
        table.wait(PIN_US)
        if level is None:
            return table.hardware.pin(self._gpio)
        table.hardware.set_pin(self._gpio, level, int(table.now))
        return None


class _Spi:
    def __init__(self, table):
        self._table = table

    def _transfer(self, mosi):
        table = self._table
        miso = table.hardware.spi(bytes(mosi), int(table.now))
        table.wait(len(mosi) * BYTE_US + CALL_US)
        return miso

    def write(self, data):
        self._transfer(data)

    def write_readinto(self, data, into):
        into[:] = self._transfer(data)

    def readinto(self, into, write=0):
        into[:] = self._transfer(bytes([write]) * len(into))


class Bench(Table):
    """A table whose bank of readers runs; `events` are (milliseconds, name, fields)."""

    def __init__(self, readers=None, rest="mfrc522"):
        super().__init__(readers, rest)
        self.events = []
        self.presence = tag_presence.TagPresence(pins.SOCKETS, self._report)
        self.bank = reader_bank.ReaderBank(self.bus, pins.SOCKETS, self.presence)
        self._hands = []

    def _report(self, name, fields):
        said = {key: value.hex() if isinstance(value, bytes) else value for key, value in fields.items()}
        self.events.append((int(self.now) // 1000, name, said))

    def at(self, ms, action):
        """Hands act once the clock has reached `ms` from now, wherever the firmware is then."""
        self._hands.append((self.now + 1000 * ms, action))
        self._hands.sort(key=lambda hand: hand[0])

    def wait(self, us):
        until = self.now + us
        while getattr(self, "_hands", None) and self._hands[0][0] <= until:
            due, action = self._hands.pop(0)
            super().wait(max(0, due - self.now))
            action()
        super().wait(until - self.now)

    def live(self, ms):
        """Sweeps on until so much time has passed, and the sweep then running is over."""
        end = self.now + 1000 * ms
        while self.now < end:
            self.run(self._turn())

    async def _turn(self):
        begun = int(self.now) // 1000
        await self.bank.sweep()
        self.bank.sweep_ms = int(self.now) // 1000 - begun
        await asyncio.sleep_ms(self.bank.pause_ms())

    def told(self, *names):
        """What was reported since the last time, without times; only these names, or all."""
        said = [(name, *fields.values()) for _, name, fields in self.events if not names or name in names]
        self.events.clear()
        return said
