"""`machine.ADC` of an ESP32: raw counts with the converter's faults, microvolts by the calibration in its fuses."""

import _table
from machine import Pin


class ADC:
    ATTN_0DB = 0
    ATTN_2_5DB = 1
    ATTN_6DB = 2
    ATTN_11DB = 3
    WIDTH_9BIT = 9
    WIDTH_10BIT = 10
    WIDTH_11BIT = 11
    WIDTH_12BIT = 12

    def __init__(self, pin, *, atten=3):
        self._gpio = pin.id if isinstance(pin, Pin) else pin
        chip = _table.chip
        if chip == "esp32c3":
            good = self._gpio <= 4
        elif chip == "esp32s3":
            good = 1 <= self._gpio <= 20
        else:
            good = 32 <= self._gpio <= 39 or self._gpio in (0, 2, 4, 12, 13, 14, 15, 25, 26, 27)
        if not good:
            raise ValueError("invalid pin")
        self._atten = atten

    def init(self, *, atten=3):
        self._atten = atten

    def atten(self, atten):
        self._atten = atten

    def width(self, bits):
        pass

    def _convert(self):
        _table.spend(50)
        return _table.call({"op": "adc", "p": self._gpio, "a": self._atten})

    def read(self):
        return self._convert()["raw"]

    def read_u16(self):
        raw = self.read()
        return raw << 4 | raw >> 8

    def read_uv(self):
        return self._convert()["uv"]
