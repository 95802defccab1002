"""A lithium-polymer cell under load, and the converter of an ESP32-C3 that looks at it through a divider.

The curve is a typical one of such cells at room temperature; the converter's faults are those that Espressif names for
the calibrated ESP32-C3 at its widest range: tens of millivolts without calibration, about ten with it, and nothing
above 2.5 V.
"""

from __future__ import annotations

import random

_CURVE = (  # part of the charge that is left, millivolts without load
    (0.00, 3000),
    (0.02, 3300),
    (0.05, 3450),
    (0.10, 3600),
    (0.20, 3690),
    (0.40, 3780),
    (0.60, 3880),
    (0.80, 4020),
    (1.00, 4200),
)
RANGES_MV = (750, 1050, 1300, 2500)
"""What the converter can tell apart at attenuations of 0, 2.5, 6 and 11 dB."""


class Cell:
    """A cell of `mah`; `load_ma` is drawn now, `charging` whether the charger feeds it."""

    INTERNAL_OHM = 0.35
    CHARGER_MA = 50.0

    def __init__(self, mah: float = 100.0, part: float = 0.9) -> None:
        self.mah = mah
        self.part = part
        self.charging = False
        self.load_ma = 0.0
        self._at_us = 0

    @property
    def open_mv(self) -> float:
        """Without load."""
        for (low, low_mv), (high, high_mv) in zip(_CURVE, _CURVE[1:], strict=False):
            if self.part <= high:
                return low_mv + (high_mv - low_mv) * max(0.0, self.part - low) / (high - low)
        return float(_CURVE[-1][1])

    @property
    def millivolts(self) -> float:
        """At its ends now."""
        current = self.load_ma - (self.CHARGER_MA if self.charging else 0.0)
        return min(4250.0, self.open_mv - current * self.INTERNAL_OHM)

    def set_millivolts(self, millivolts: float) -> None:
        """Charges or drains it until it has that voltage without load."""
        if not _CURVE[0][1] <= millivolts <= _CURVE[-1][1]:
            raise ValueError(f"a cell has from {_CURVE[0][1]} to {_CURVE[-1][1]} mV, not {millivolts}")
        for (low, low_mv), (high, high_mv) in zip(_CURVE, _CURVE[1:], strict=False):
            if millivolts <= high_mv:
                self.part = low + (high - low) * (millivolts - low_mv) / (high_mv - low_mv)
                return

    def advance(self, now_us: int, load_ma: float) -> None:
        """Until now it has given what it gave before; from now on it gives `load_ma`."""
        hours = max(0, now_us - self._at_us) / 3.6e9
        flow = self.load_ma - (self.CHARGER_MA if self.charging else 0.0)
        self.part = max(0.0, min(1.0, self.part - flow * hours / self.mah))
        self._at_us = now_us
        self.load_ma = load_ma


class Converter:
    """The chip's analog-to-digital converter: `sample` gives the raw count and what the calibration makes of it."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._gain = 1 + self._random.gauss(0, 0.015)
        self._offset_mv = self._random.gauss(0, 12)
        self._bow_mv = self._random.gauss(0, 10)
        self._rest_mv = self._random.gauss(0, 4)

    def sample(self, millivolts: float, attenuation: int) -> tuple[int, int]:
        """(count of 12 bits, microvolts) of what is at the pin; both stay at their end above the range."""
        full = RANGES_MV[attenuation & 3]
        noisy = millivolts + self._random.gauss(0, 2)
        x = max(0.0, min(1.0, noisy / full))
        crooked = noisy * self._gain + self._offset_mv + self._bow_mv * 4 * x * (1 - x)
        raw = max(0, min(4095, round(crooked / full * 4095 / 1.12)))
        told = max(0.0, min(float(full) * 1.12, noisy + self._rest_mv + self._bow_mv * 0.3 * (x - 0.5)))
        return raw, round(told) * 1000
