"""A strip of WS2812B lights that cannot be driven beyond its share of the supply, for lights and die.

The current of a frame is computed before it goes out and the whole frame is dimmed when it would be too much. Figures:
Worldsemi, WS2812B data sheet: 20 mA a colour at full, about 1 mA a light at rest.
"""

MYPY = False
if MYPY:  # only type checkers come here
    import neopixel

FULL_COLOUR_MA = 20
REST_MA = 1


class LedStrip:
    """`pixels` is a neopixel.NeoPixel, `limit_ma` what the strip may take in all. Colours are (red, green, blue)."""

    def __init__(self, pixels: "neopixel.NeoPixel", limit_ma: int) -> None:
        self._pixels = pixels
        self._limit_ma = limit_ma
        self._sent = bytearray(len(pixels.buf))
        self.count = len(pixels)

    def put(self, index: int, colour: tuple[int, int, int]) -> None:
        """Sets one light of the next frame."""
        self._pixels[index] = colour

    def fill(self, colour: tuple[int, int, int]) -> None:
        """Sets all lights of the next frame."""
        self._pixels.fill(colour)

    def show(self, always: bool = False) -> None:
        """Sends the frame when it differs from the last one, or `always`, which heals lights that were disturbed."""
        frame = self._pixels.buf
        self._dim(frame)
        if always or frame != self._sent:
            self._sent[:] = frame
            self._pixels.write()

    def _dim(self, frame: bytearray) -> None:
        room = self._limit_ma - self.count * REST_MA
        wanted = sum(frame) * FULL_COLOUR_MA  # in 1/255 mA
        if wanted > room * 255:
            for i in range(len(frame)):
                frame[i] = frame[i] * room * 255 // wanted
