"""Plays traces to the roll detector, on either Python: a JSON question on stdin, its answers as JSON on stdout."""

import gc
import json
import sys

from firmware.die import roll_detector
from firmware.die.calibration import Calibration, SphereFit, from_bytes
from firmware.die.roll_detector import RollDetector

STATES = ("UNKNOWN", "ON_FACE", "HANDLING", "ROLLING", "COCKED", "ROLLED")
NAMES = {getattr(roll_detector, name): name.lower() for name in STATES}


def play(trace):
    """All answers to one trace of (t_ms, x, y, z) with a calibration of twelve readings, and the state at its end."""
    fit = SphereFit()
    for reading in trace["faces"]:
        fit.add(*reading)
    calibration = from_bytes(fit.solve().to_bytes()) if trace["faces"] else Calibration()
    detector = RollDetector(calibration)
    said = []
    for t_ms, x, y, z in trace["samples"]:
        answer = detector.feed(t_ms, x, y, z)
        if answer:
            said.append([t_ms, list(answer)])
    return {"said": said, "state": NAMES[detector.state], "offsets": list(calibration.offsets)}


def allocated(trace):
    """Bytes a sample that feeding allocates, on MicroPython."""
    detector = RollDetector(Calibration())
    samples = [tuple(sample) for sample in trace["samples"]]
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for t_ms, x, y, z in samples:
        detector.feed(t_ms, x, y, z)
    used = gc.mem_alloc() - before
    gc.enable()
    return used / len(samples)


if __name__ == "__main__":
    question = json.loads(sys.stdin.read())
    if question["what"] == "play":
        print(json.dumps([play(trace) for trace in question["traces"]]))
    else:
        print(json.dumps([allocated(trace) for trace in question["traces"]]))
