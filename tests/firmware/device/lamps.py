"""Light scenes in time, and what a strip does when a frame asks for too much current."""

import time

import neopixel
from answer import answer

from firmware.drivers.led_strip import LedStrip
from firmware.table.light_scenes import LightScenes
from shared_rules.wire import messages as wire

results = {}


def current(frame):
    return sum(frame) * 20 / 255 + len(frame) // 3


pixels = neopixel.NeoPixel(64)
strip = LedStrip(pixels, 850)
scenes = LightScenes(strip)


def second(count=1):
    """Draws for some seconds; what each light of interest showed in each eighth, as a string of on and off."""
    shown = []
    for _ in range(8 * count):
        scenes.draw()
        frame = bytes(pixels.buf)
        shown.append(frame)
        time.sleep_ms(125)
    return shown


def rhythm(shown, led):
    return "".join(["1" if f[3 * led : 3 * led + 3] != b"\x00\x00\x00" else "0" for f in shown])


LOOKS = list(range(wire.LOOK_COUNT)) + [wire.LOOK_SEAT + n for n in range(len(wire.SEAT_COLOURS))]

second()
results["begins dark"] = [sum(pixels.frames[0]), len(pixels.frames)]
for led, look in enumerate(LOOKS):
    assert scenes.set(look, 0, [led]) == 0
scenes.identify(1)
results["dark until released"] = max([max(frame) for frame in second(4)])
scenes.release(50)
half = max([max(frame) for frame in second(2)])
scenes.release()
shown = second(4)
results["half and whole"] = [half, max([max(frame) for frame in shown])]
results["rhythms"] = [rhythm(shown[:16], led) for led in range(len(LOOKS))]
results["seats' colours"] = [
    max([list(f[3 * led : 3 * led + 3]) for f in shown]) for led in range(wire.LOOK_COUNT, len(LOOKS))
]
results["repeats"] = all(shown[i] == shown[i + 16] for i in range(16))

scenes.clear(255)
scenes.set(wire.LOOK_RED, 0, [1, 2, 3])
scenes.set(wire.LOOK_GREEN, 2, [2])
shown = second(4)
results["green for a moment"] = [shown[0][6], shown[0][7], shown[20][6], shown[20][7]]
scenes.set(wire.LOOK_GREEN, 100, [2])
scenes.clear(wire.LOOK_GREEN)
shown = second()
results["cleared"] = [shown[0][6], shown[0][7]]
scenes.clear(wire.LOOK_RED)
results["all dark"] = sum(second()[-1])

before = len(pixels.frames)
second(10)
results["refreshes in 10 s"] = len(pixels.frames) - before

results["bad"] = [scenes.set(99, 0, [1]), scenes.set(1, 0, [64]), scenes.clear(99), scenes.set(1, 0, [63])]
results["no such looks"] = [scenes.set(look, 0, [1]) for look in (wire.LOOK_COUNT, 15, 16 + len(wire.SEAT_COLOURS))]

scenes.clear(255)
scenes.identify(3)
shown = second(5)
half = [rhythm(shown, led)[:16] for led in (0, 1)]
results["identify"] = [half[0], half[1], sum(shown[-1])]

most = 0
for look in LOOKS:
    scenes.set(look, 0, list(range(64)))
    second(2)
    most = max(most, max([current(frame) for frame in pixels.frames[-12:]]))
results["most mA of any look on all lights"] = most

strip.fill((255, 255, 255))
strip.show()
results["all white mA"] = current(pixels.frames[-1])
strip.fill((0, 0, 0))
strip.put(5, (255, 255, 255))
strip.show()
results["one white"] = max(pixels.frames[-1])
answer(results)
