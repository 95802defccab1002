"""The die's rules that need no chip, through good and bad cases; runs on both Pythons, which must say the same.

Calibrations by hand and what they refuse, faces and tilts, digests, a cell that runs down and is charged again.
"""

import asyncio
import binascii

from firmware.die.calibration import BadCalibrationError, Calibration, SphereFit, from_bytes
from firmware.die.calibration_run import PATIENCE_MS, CalibrationRun
from firmware.die.die_light import DieLight
from firmware.die.face_normals import FACES, margin, normal, tilt_from, top_face
from firmware.die.handheld_die import HandheldDie
from firmware.die.motion_trace import MotionTrace, digest_of
from firmware.drivers.battery import Battery, percent_of
from firmware.drivers.led_strip import LedStrip
from shared_rules.wire.messages import BATTERY_GOOD, BATTERY_LOW

OFFSETS = (25, -18, 40)


def refusal(work, *given):
    try:
        return work(*given)
    except BadCalibrationError as error:
        return str(error)


def reading(face, crooked=0, more=0):
    x, y, z = normal(face)
    return x + OFFSETS[0] + crooked * (face % 3) + more, y + OFFSETS[1], z + OFFSETS[2]


def solved(faces, crooked=0, more=0):
    """The offsets that twelve or fewer faces give, or why they give none."""
    fit = SphereFit()
    for face in faces:
        fit.add(*reading(face, crooked, more))
    return refusal(lambda: list(fit.solve().offsets))


class Rig:
    """A detector, a file, and what is reported."""

    def __init__(self, full=False):
        self.calibration = Calibration()
        self.lies = None
        self.full = full
        self.kept = []
        self.told = []
        self.now = 0
        self.run = CalibrationRun(self, self, self.report, lambda later, earlier: later - earlier)

    def rest(self):
        return self.lies

    def write(self, data):
        if self.full:
            raise OSError(28)
        self.kept.append(binascii.hexlify(data).decode())

    def report(self, name, fields, ref):
        if name == "DIE_CALIBRATED":  # single faces are test_calibration_run's
            self.told.append([name, fields["result"], fields["faces"], ref])

    def lay(self, face, ms=900, crooked=0):
        self.lies = None
        self.run.look(self.now)
        self.lies = reading(face, crooked)
        for _ in range(ms // 30):
            self.now += 30
            self.run.look(self.now)

    def said(self):
        return [self.told, self.kept, list(self.calibration.offsets), self.run.progress]


def by_hand(faces, full=False, crooked=0):
    rig = Rig(full)
    rig.run.begin(0, 12)
    for face in faces:
        rig.lay(face, crooked=crooked)
    return rig


def calibrations():
    """What people get for laying a die down."""
    said = {}
    said["all faces"] = by_hand(range(1, 13)).said()
    for count in (5, 8):
        rig = by_hand(range(1, count + 1))
        rig.run.end()
        said[f"ended after {count}"] = rig.said()
    rig = by_hand((3, 3))
    rig.lay(4, ms=300)
    said["one face twice, one too short"] = rig.said()
    rig.lies = None
    rig.now += PATIENCE_MS
    rig.run.look(rig.now)
    said["nobody there"] = rig.said()
    said["crooked"] = by_hand(range(1, 13), crooked=90).said()
    full = by_hand(range(1, 13), full=True)
    said["full flash"] = [full.run.forget(), full.said()]
    rig = Rig()
    rig.lay(1)
    rig.run.end()
    rig.calibration = Calibration((9, 9, 9))
    said["forgotten"] = [rig.run.forget(), rig.said()]
    return said


def fits():
    """What readings give, and what is refused."""
    six = (1, 3, 5, 12, 10, 8)
    good = SphereFit()
    for face in six:
        good.add(*reading(face))
    kept = good.solve().to_bytes()
    return {
        "six": solved(six),
        "five": solved(six[:5]),
        "too close": solved((1, 2, 11, 12, 3, 10)),
        "moved": solved(range(1, 13), crooked=60),
        "no such sensor": solved(range(1, 13), more=300),
        "kept": list(from_bytes(kept).offsets),
        "spoilt": [refusal(from_bytes, data) for data in (b"", kept[:-1], b"\xff\x7f" * 6)],
        "put right": list(Calibration((10, -20, 0), (4096, 4096, 2048)).apply(1010, 480, 500)),
    }


def faces():
    """Each face's own direction: [top, tilt from itself, lead over the next], rounded."""
    said = []
    for face in range(1, FACES + 1):
        up = normal(face)
        said.append([top_face(*up), round(tilt_from(face, *up)), round(margin(face, *up), 1)])
    return [said, tilt_from(1, 0, 0, 0)]


def digests():
    """Of no sample, few, many, and one beyond what a sample can hold."""
    many = [(7 * n, n, -n, 1000 - n) for n in range(40)]
    trace = MotionTrace()
    trace.add(70000, 40000, -40000, 0)
    said = [digest_of([]), digest_of(many[:3]), digest_of(many), trace.digest()]
    trace.begin()
    return said + [trace.digest()]


class Cell:
    """An analog pin and the charger's line."""

    microvolts = 2100000

    def read_uv(self):
        return self.microvolts

    def value(self):
        return 0


def cells():
    """Percent by voltage, and the levels of a cell that runs down and is charged."""
    cell = Cell()
    battery = Battery(cell, 2, cell)
    levels = []
    for step in list(range(0, 500, 2)) + list(range(500, 0, -2)):
        cell.microvolts = 2100000 - 1000 * step
        if battery.measure():
            levels.append([battery.level, battery.percent])
    return [[percent_of(mv) for mv in range(2500, 4500, 10)], levels, battery.is_charging(), list(battery.state())]


class Die(HandheldDie):
    """One that has learned two maps, the second of tablets, and keeps what it reports."""

    def __init__(self):
        self.told = []
        super().__init__(self.report)
        self.set_face_map(1, 0, [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
        self.set_face_map(2, 1, [1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 2])
        self.hear(("placed", 1))

    def report(self, name, fields, ref):
        self.told.append([name, ref])
        return len(self.told)

    def throw(self, face):
        self.hear(("started",))
        self.hear(("settled", face, 5, 500, 1))


def commands():
    """[status, detail] of commands that come at the wrong time or ask for what there is not; what was told."""
    die = Die()
    said = [list(die.arm(7, 0, 1)), list(die.arm(1, 99, 2)), list(die.arm(1, 17, 3)), die.disarm()]
    die.hear(("handled",))
    die.hear(("started",))
    said += [list(die.arm(1, 0, 4)), die.disarm()]
    die.hear(("settled", 3, 5, 500, 1))
    die.quiet = True
    die.throw(4)
    said.append(list(die.arm(1, 0, 5)))
    die.quiet = False
    return [said, die.told]


class Pixel:
    """A strip of one, and the switch of its supply."""

    def __init__(self):
        self.buf = bytearray(3)
        self.level = 0

    def __len__(self):
        return 1

    def fill(self, colour):
        self.buf[0], self.buf[1], self.buf[2] = colour[1], colour[0], colour[2]

    def write(self):
        pass

    def value(self, level=None):
        if level is not None:
            self.level = level
        return self.level


async def watched(light, pixel, *situation):
    shown = ""
    for _ in range(16):
        await light.draw(*situation)
        shown += "x" if pixel.level else "."
    return shown


def looks():
    """What the light shows in two seconds of each situation: a mark for each eighth in which it is lit."""
    said = {}
    situations = {
        "dark": lambda die: None,
        "invited": lambda die: die.arm(1, 0, 1),
        "a seat": lambda die: die.arm(1, 18, 1),
        "tumbles": lambda die: die.hear(("started",)),
        "cocked": lambda die: (die.hear(("started",)), die.hear(("cocked", 3, 33))),
        "three": lambda die: die.throw(3),
        "an empty tablet": lambda die: (die.arm(2, 0, 1), die.throw(2)),
    }
    for name in situations:
        for heard, battery, calibrated in ((True, BATTERY_GOOD, -1), (False, BATTERY_LOW, -1), (True, BATTERY_GOOD, 4)):
            pixel, die = Pixel(), Die()
            light = DieLight(LedStrip(pixel, 20), pixel)
            situations[name](die)
            shown = asyncio.run(watched(light, pixel, die, heard, battery, calibrated))
            light.off()
            light.off()
            assert not pixel.level
            said[f"{name} {heard} {battery} {calibrated}"] = shown
    light.identify(2)
    said["to be found"] = asyncio.run(watched(light, pixel, Die(), True, BATTERY_GOOD, -1))
    return said


def all_of():
    return {
        "commands": commands(),
        "looks": looks(),
        "calibrations": calibrations(),
        "fits": fits(),
        "faces": faces(),
        "digests": digests(),
        "cells": cells(),
    }


if __name__ == "__main__":
    import time

    from answer import answer

    time.drive_asyncio()
    answer(all_of())
