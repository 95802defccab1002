"""WS2812B light strips: the bytes that a pin sends, decoded to frames with the time at which they went out.

Timing per bit as `machine.bitstream` takes it: (high of a 0, low of a 0, high of a 1, low of a 1) in nanoseconds. The
data sheet of the WS2812B asks for 400, 850, 800, 450, each within 150, and for 50 microseconds of low between frames.

A strip does what it is told, but a frame that stops before its last light leaves two pictures on the board, half the
new and half the old one: that is complained about. What disturbs the pulses themselves on a board (an interrupt of the
radio while the line is driven by hand) is not modelled here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Colour = tuple[int, int, int]

_TIMING = (400, 850, 800, 450)
_TOLERANCE_NS = 150
_RESET_US = 50
_MA_PER_CHANNEL = 20.0
_MA_QUIESCENT = 1.0


@dataclass(frozen=True)
class LedFrame:
    """What a strip shows from `at_us` on: one (red, green, blue) a light."""

    at_us: int
    lights: tuple[Colour, ...]

    @property
    def milliamps(self) -> float:
        """Current of the strip: 20 mA a full channel, 1 mA a light for its chip."""
        return sum(sum(light) for light in self.lights) / 255 * _MA_PER_CHANNEL + len(self.lights) * _MA_QUIESCENT


class Ws2812Strip:
    """A strip of `count` lights that keeps its newest frame and hands each new one to `on_frame`."""

    def __init__(
        self,
        count: int,
        complain: Callable[[str], None] = lambda text: None,
        on_frame: Callable[[LedFrame], None] = lambda frame: None,
    ) -> None:
        self.count = count
        self._complain = complain
        self._on_frame = on_frame
        self.frame = LedFrame(0, ((0, 0, 0),) * count)
        self._passed = 0
        self._low_from = -_RESET_US

    def power_off(self, now: int) -> None:
        self.frame = LedFrame(now, ((0, 0, 0),) * self.count)

    def receive(self, data: bytes, timing: tuple[int, int, int, int], now: int) -> None:
        """A burst of bytes, green, red, blue for each light in turn; each light keeps the first three and passes on."""
        if any(abs(a - b) > _TOLERANCE_NS for a, b in zip(timing, _TIMING, strict=True)):
            self._complain(f"light timing {timing} is outside what a WS2812B reads")
            return
        if now - self._low_from >= _RESET_US:
            self._passed = 0
        else:
            self._complain("a frame follows without 50 us of low: the lights take it for the end of the last one")
        lights = list(self.frame.lights)
        for i in range(0, len(data) - 2, 3):
            if self._passed < self.count:
                lights[self._passed] = (data[i + 1], data[i], data[i + 2])
            self._passed += 1
        if self._passed > self.count:
            self._complain(f"{self._passed} lights were sent to a strip of {self.count}")
        elif self._passed < self.count:
            self._complain(f"a frame of {self._passed} lights on a strip of {self.count}: the rest shows the old one")
        if len(data) % 3:
            self._complain(f"{len(data)} bytes are not whole lights of three")
        self._low_from = now + len(data) * 8 * (timing[0] + timing[1]) // 1000
        self.frame = LedFrame(now, tuple(lights))
        self._on_frame(self.frame)
