"""The die through presses, bounces and a radio that goes off; also 24,000 faces for a look at their shares."""

import asyncio
import os
import time

import machine
import neopixel
from answer import answer

from firmware.die import table_die as die_module
from firmware.die.table_die import Die, NoEntropyError, draw_face
from firmware.drivers.led_strip import LedStrip

time.drive_asyncio()
D6 = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]
TABLETS = [1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 2]
results = {}


class Chance:
    """Stands in for `os` with bytes to order."""

    def __init__(self, data):
        self.data = list(data)
        self.asked = 0

    def urandom(self, count):
        self.asked += count
        return bytes([self.data.pop(0)])


class Table:
    def __init__(self):
        self.events = []
        self.radio = True
        self.pixels = neopixel.NeoPixel(12)
        self.pin = machine.Pin()
        self.die = Die(self.pin, LedStrip(self.pixels, 150), lambda: self.radio, self.report)
        self.commands = {}
        self.calm = lambda: None
        self.die.attach(self)
        self.tasks = [asyncio.create_task(self.die.run()), asyncio.create_task(self.die.shine())]

    def report(self, name, fields, ref):
        self.events.append([name, fields.get("roll"), fields.get("map_id"), fields.get("reason"), ref])
        self.last = fields

    async def press(self, held=120, bounces=0):
        for _ in range(bounces):
            self.die.press(self.pin)
        self.pin.level = 0
        self.die.press(self.pin)
        await asyncio.sleep_ms(held)
        self.pin.level = 1
        for _ in range(bounces):
            self.die.press(self.pin)

    def do(self, name, number, **fields):
        return self.commands[name](fields, number)

    def take(self):
        out, self.events = self.events, []
        return out

    def lit(self):
        frame = self.pixels.frames[-1]
        return sum([1 for at in range(0, len(frame), 3) if frame[at] or frame[at + 1] or frame[at + 2]])

    def end(self):
        for task in self.tasks:
            task.cancel()


async def main():
    table = Table()
    die = table.die
    await table.press()
    await asyncio.sleep_ms(3000)
    results["no map"] = table.take()
    results["arm an unknown map"] = [die.arm(7, 0, 3), die.arm(1, 15, 3)]

    die.set_face_map(1, 0, D6)
    results["taught"] = table.do("SET_FACE_MAP", 40, map_id=2, style=1, faces=TABLETS)
    results["armed"] = [table.do("ARM_DIE", 41, map_id=1, seat=0)[0], die.state]
    results["calm at rest"] = table.calm()
    await asyncio.sleep_ms(2000)
    frames = table.pixels.frames
    results["invitation moves"] = len(set(frames[-4:])) > 2
    die_module.os = Chance([255, 253, 252, 4, 254, 16])  # 4 gives 5: ten tumbles; 16 gives face 5
    await table.press(bounces=5)
    await table.press(bounces=5)  # while it tumbles
    results["arm while it tumbles"] = table.do("ARM_DIE", 42, map_id=2, seat=0)
    results["disarm while it tumbles"] = table.do("DISARM_DIE", 43)
    results["calm while it tumbles"] = table.calm()
    before = len(table.pixels.frames)
    await asyncio.sleep_ms(3000)
    results["rolled"] = table.take()
    results["settled"] = table.last
    results["tumbling frames"] = len(set(table.pixels.frames[before:])) > 4
    results["pips lit"] = table.lit()
    die_module.os = os
    results["asked for"] = [die.state, die.face, die.roll]

    lit = []
    for face in (2, 1, 6):
        die.arm(2, 0, 50)
        die_module.os = Chance([0, face - 1])
        await table.press()
        await asyncio.sleep_ms(3000)
        lit.append([table.last["value"], table.lit()])
    results["tablets lit"] = lit
    table.take()

    die_module.os = os
    table.die.press(table.pin)  # a glitch: the pin is high again when it is looked at
    await asyncio.sleep_ms(3000)
    results["glitch"] = table.take()

    await table.press()
    await asyncio.sleep_ms(3000)
    results["not armed"] = [event[0] + " " + str(event[4]) for event in table.take()]

    table.radio = False
    die.arm(1, 0, 60)
    await table.press()
    await asyncio.sleep_ms(3000)
    results["radio off"] = [table.take(), die.state]
    table.radio = True
    await table.press()
    table.radio = False
    await asyncio.sleep_ms(3000)
    results["radio goes off"] = [table.take(), die.state]
    table.end()

    for n in range(3, 8):
        die.set_face_map(n, 0, D6)
    results["forgotten maps"] = [die.arm(n, 0, 1)[0] for n in (1, 2, 3, 4, 7)]

    results["refuses"] = False
    try:
        draw_face(lambda: False)
    except NoEntropyError:
        results["refuses"] = True
    faces = [0] * 13
    for byte in range(252):
        die_module.os = Chance([byte])
        faces[draw_face(lambda: True)] += 1
    results["each byte"] = faces
    die_module.os = os
    counts = [0] * 13
    for _ in range(24000):
        counts[draw_face(lambda: True)] += 1
    results["shares"] = counts


asyncio.run(main())
answer(results)
