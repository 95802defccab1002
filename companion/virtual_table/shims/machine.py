"""`machine` of an ESP32 whose pins lead to the virtual table."""

import sys

_path = sys.path
sys.path = ()
try:
    from machine import *
    import machine as _builtin
finally:
    sys.path = _path

import binascii

import _table

PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3
DEEPSLEEP_RESET = 4
SOFT_RESET = 5

_inputs = {}
_watchers = {}


def _on_pin(message):
    gpio, level = message["p"], message["v"]
    before = _inputs.get(gpio, 1 - level)
    _inputs[gpio] = level
    if level == before:
        return
    pin, handler, trigger = _watchers.get(gpio, (None, None, 0))
    if handler and trigger & (Pin.IRQ_RISING if level else Pin.IRQ_FALLING):
        handler(pin)


class Pin(_builtin.PinBase):
    IN = 1
    OUT = 3
    OPEN_DRAIN = 7
    PULL_DOWN = 1
    PULL_UP = 2
    IRQ_RISING = 1
    IRQ_FALLING = 2
    DRIVE_0 = 0
    DRIVE_1 = 1
    DRIVE_2 = 2
    DRIVE_3 = 3

    def __init__(self, id, mode=-1, pull=-1, value=None, drive=0, hold=None):
        if not isinstance(id, int) or not 0 <= id <= 39:
            raise ValueError("invalid pin")
        self.id = id
        self._out = None
        self._mode = -1
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None, drive=0, hold=None):
        if mode == self.OUT and self.id >= 34:
            raise ValueError("pin can only be input")
        if mode != -1:
            self._mode = mode
        if value is not None:
            self.value(value)
        elif mode == self.OUT and self._out is None:
            self.value(0)

    def value(self, v=None):
        if v is None:
            if self._mode == self.OUT and self._out is not None:
                return self._out
            if self.id not in _inputs:
                _inputs[self.id] = _table.call({"op": "pin", "p": self.id})["v"]
            return _inputs[self.id]
        self._out = 1 if v else 0
        _table.pin(self.id, self._out)
        return None

    def __call__(self, v=None):
        return self.value(v)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    def toggle(self):
        self.value(1 - self.value())

    def irq(self, handler=None, trigger=3, wake=None, hard=False):
        if self.id not in _inputs:
            _inputs[self.id] = _table.call({"op": "pin", "p": self.id})["v"]
        _watchers[self.id] = (self, handler, trigger)
        return self

    def __repr__(self):
        return "Pin(%d)" % self.id


class SPI:
    MSB = 0
    LSB = 1
    _DEFAULTS = {1: (14, 13, 12), 2: (18, 23, 19)}

    def __init__(
        self, id=-1, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None
    ):
        pins = self._DEFAULTS.get(id, (0, 0, 0))
        self._sck = sck.id if sck is not None else pins[0]
        self._mosi = mosi.id if mosi is not None else pins[1]
        self._miso = miso.id if miso is not None else pins[2]
        self.init(baudrate, polarity=polarity, phase=phase, bits=bits, firstbit=firstbit)

    def init(self, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=0):
        self._byte_us = max(1, 8000000 // baudrate)
        _table.spi_setup(baudrate, polarity, phase, firstbit, self._sck, self._mosi, self._miso)

    def deinit(self):
        pass

    def write(self, buf):
        _table.spi_write(buf, self._byte_us)

    def write_readinto(self, write_buf, read_buf):
        if len(write_buf) != len(read_buf):
            raise ValueError("buffers must be the same length")
        _table.spi_transfer(write_buf, read_buf, self._byte_us)

    def readinto(self, buf, write=0):
        for i in range(len(buf)):
            buf[i] = write
        _table.spi_transfer(buf, buf, self._byte_us)

    def read(self, nbytes, write=0):
        buf = bytearray(nbytes)
        self.readinto(buf, write)
        return bytes(buf)


SoftSPI = SPI


class Timer:
    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id=-1, **options):
        self.due = 0
        if options:
            self.init(**options)

    def init(self, *, mode=1, freq=-1, period=-1, callback=None, **other):
        self.deinit()
        self._mode = mode
        self._period = int(1000000 / freq) if freq > 0 else period * 1000
        self._callback = callback
        self.due = _table.now() + self._period
        _table.timers.append(self)

    def deinit(self):
        if self in _table.timers:
            _table.timers.remove(self)

    def fire(self):
        if self._mode == self.ONE_SHOT:
            self.deinit()
        else:
            self.due += self._period
        if self._callback:
            self._callback(self)


class WDT:
    def __init__(self, id=0, timeout=5000):
        _table.note({"op": "wdt", "timeout": timeout})

    def feed(self):
        _table.feed()


def bitstream(pin, encoding, timing, data):
    if encoding != 0:
        raise ValueError("encoding")
    _table.lights(pin.id, timing, data)


def reset():
    """Ends this life at once; the host starts the next one."""
    _table.note({"op": "reset", "cause": HARD_RESET})
    while True:
        _table.wait(-1)


def soft_reset():
    _table.note({"op": "reset", "cause": SOFT_RESET})
    while True:
        _table.wait(-1)


def reset_cause():
    return _table.call({"op": "reset_cause"})["v"]


def unique_id():
    return binascii.unhexlify(_table.call({"op": "unique_id"})["v"])


def freq(hz=None):
    return 240000000


def disable_irq():
    return 0


def enable_irq(state=0):
    pass


def idle():
    _table.wait(0)


_table.on("pin", _on_pin)
