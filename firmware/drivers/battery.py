"""The lithium cell of a handheld die, behind a divider on an analog pin: millivolts, percent, level.

Percent come from the cell's voltage at rest (a common curve of lithium polymer cells at 20 degrees C; single cells
differ by some percent). The few milliamperes of a die pull the voltage down by about 10 mV, which is left out.
"""

from shared_rules.wire.battery_level import level_after
from shared_rules.wire.messages import BATTERY_GOOD

MYPY = False
if MYPY:  # only type checkers come here
    import machine

_CONVERSIONS = 8  # a conversion: some millivolts of noise
_KEPT = 4  # a new reading counts for a quarter
# From 0 % in steps of 5 %, in units of 10 mV above 3 V
_CURVE = b"\x1b\x3d\x45\x47\x49\x4b\x4d\x4f\x50\x52\x54\x55\x57\x5b\x5f\x62\x66\x6c\x6f\x73\x78"
_STEP = 5


def percent_of(millivolts: int) -> int:
    """What a resting cell of this voltage still holds, 0 to 100."""
    above = millivolts - 3000
    if above <= _CURVE[0] * 10:
        return 0
    for n in range(1, len(_CURVE)):
        low, high = _CURVE[n - 1] * 10, _CURVE[n] * 10
        if above < high:
            return (n - 1) * _STEP + (above - low) * _STEP // (high - low)
    return 100


class Battery:
    """`adc` is a machine.ADC on the divider's middle, `divider` what it divides by, `charging` a pin that is low while
    the cell is charged.

    `millivolts`, `percent` and `level` (BATTERY_GOOD, BATTERY_LOW, BATTERY_CRITICAL) are as of the last `measure`.
    """

    def __init__(self, adc: "machine.ADC", divider: int, charging: "machine.Pin") -> None:
        self._adc = adc
        self._divider = divider
        self._charging = charging
        self.millivolts = 0
        self.percent = 100
        self.level = BATTERY_GOOD

    def measure(self) -> bool:
        """Looks at the cell; whether its level has changed. Call it every ten seconds or so."""
        microvolts = 0
        for _ in range(_CONVERSIONS):
            microvolts += self._adc.read_uv()
        millivolts = microvolts * self._divider // (_CONVERSIONS * 1000)
        if self.millivolts:
            millivolts = (self.millivolts * (_KEPT - 1) + millivolts + _KEPT // 2) // _KEPT
        self.millivolts = millivolts
        self.percent = percent_of(millivolts)
        before = self.level
        self.level = level_after(self.percent, before)
        return self.level != before

    def is_charging(self) -> bool:
        return self._charging.value() == 0

    def state(self) -> tuple[int, int]:
        """(percent, millivolts), for telemetry."""
        return self.percent, self.millivolts
