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
SLEEP = 2
DEEPSLEEP = 4
PIN_WAKE = 2
EXT0_WAKE = 2
EXT1_WAKE = 3
TIMER_WAKE = 4
TOUCHPAD_WAKE = 5
ULP_WAKE = 6

# What not every firmware needs lies in modules of its own and takes memory only where it is used.
_ELSEWHERE = {
    "SPI": "_spi",
    "SoftSPI": "_spi",
    "Timer": "_timer",
    "I2C": "_i2c",
    "SoftI2C": "_i2c",
    "UART": "_uart",
    "ADC": "_analog",
    "RTC": "_sleep",
    "deepsleep": "_sleep",
    "lightsleep": "_sleep",
}

_inputs = {}
_watchers = {}
_answer = bytearray(1)


def __getattr__(name):
    if name not in _ELSEWHERE:
        raise AttributeError("module 'machine' has no attribute %r" % name)
    return getattr(_table.load(_ELSEWHERE[name]), name)


def _exists(gpio):
    if _table.chip == "esp32c3":
        return 0 <= gpio <= 21
    if _table.chip == "esp32s3":
        return 0 <= gpio <= 48 and not 22 <= gpio <= 25
    return 0 <= gpio <= 39 and gpio != 20 and gpio != 24 and not 28 <= gpio <= 31


def _look(gpio):
    """The level now, and whether it may be remembered until an event tells of a change."""
    _table.ask(9, bytes((gpio,)), b"", _answer)
    level = _answer[0]
    if level < 2:
        _inputs[gpio] = level
    return level & 1


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
    WAKE_LOW = 4
    WAKE_HIGH = 5
    DRIVE_0 = 0
    DRIVE_1 = 1
    DRIVE_2 = 2
    DRIVE_3 = 3

    def __init__(self, id, mode=-1, pull=-1, value=None, drive=0, hold=None):
        if not isinstance(id, int) or not _exists(id):
            raise ValueError("invalid pin")
        self.id = id
        self._out = None
        self._mode = -1
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None, drive=0, hold=None):
        if mode == self.OUT and self.id >= 34 and _table.chip == "esp32":
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
            level = _inputs.get(self.id)
            return _look(self.id) if level is None else level
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
            _look(self.id)
        _watchers[self.id] = (self, handler, trigger)
        if wake is not None:
            if _table.chip != "esp32":
                raise ValueError("bad wake value")  # only the ESP32 has EXT0
            _table.wakes["ext0"] = ((self.id,), 1 if trigger & 5 else 0)
        return self

    def __repr__(self):
        return "Pin(%d)" % self.id


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


def wake_reason():
    return _table.call({"op": "wake_reason"})["v"]


def unique_id():
    return binascii.unhexlify(_table.call({"op": "unique_id"})["v"])


def freq(hz=None):
    return 160000000 if _table.chip == "esp32c3" else 240000000


def disable_irq():
    return 0


def enable_irq(state=0):
    pass


def idle():
    _table.wait(0)


_table.on("pin", _on_pin)
