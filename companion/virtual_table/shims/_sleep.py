"""`machine.deepsleep`, `machine.lightsleep` and `machine.RTC` of an ESP32.

Deep sleep ends this life: the host ends the process, and begins the next one when the time is over or a wake pin has
its level. RTC memory (2,048 bytes) outlives every reset but not the loss of the supply.
"""

import binascii

import _table
import time

_MEMORY = 2048


def _wakes(deep):
    """Name, pins, level of everything that can end a sleep."""
    found = []
    for kind in ("ext0", "ext1", "gpio"):
        if kind in _table.wakes and not (deep and kind == "gpio" and _table.chip != "esp32c3"):
            pins, level = _table.wakes[kind]
            found.append((kind, pins, level))
    return found


def deepsleep(time_ms=0):
    _table.note({"op": "sleep", "ms": time_ms, "wake": _wakes(True)})
    while True:
        _table.wait(-1)


def lightsleep(time_ms=0):
    import machine

    _table.note({"op": "lightsleep"})
    end = _table.now() + time_ms * 1000
    while True:
        for kind, pins, level in _wakes(False):
            high = sum([machine.Pin(gpio).value() for gpio in pins])
            if high if level else high == 0 if kind == "ext1" else high < len(pins):
                return
        left = end - _table.now()
        if time_ms and left <= 0:
            return
        _table.wait(left if time_ms else -1)


class RTC:
    def memory(self, data=None):
        if data is None:
            return binascii.unhexlify(_table.call({"op": "rtc"})["v"])
        if len(data) > _MEMORY:
            raise ValueError("buffer too long")
        _table.call({"op": "rtc", "v": binascii.hexlify(bytes(data)).decode()})
        return None

    def datetime(self, value=None):
        if value is None:
            t = time.gmtime(time.time())
            return (t[0], t[1], t[2], t[6], t[3], t[4], t[5], 0)
        return None

    def init(self, value):
        pass
