"""Traces of simulated throws for the roll detector, and its answers under MicroPython."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from companion.virtual_table import motion
from companion.virtual_table.motion.scenes import THROWS
from companion.virtual_table.motion.sensor import ordinary

LEANS = ("in a fold", "on a slope", "wedged")
PLAYER = Path(__file__).resolve().parent / "roll_detector_player.py"


@pytest.fixture(scope="session")
def some_throws():
    """Four of each kind of throw, from seeds of which none was used in tuning."""
    return list(zip(range(20_000, 20_028), motion.throws(range(20_000, 20_028), THROWS), strict=True))


@pytest.fixture(scope="session")
def some_leaning():
    """Of the kinds that mostly end leaning and are simulated together."""
    return list(zip(range(20_000, 20_016), motion.throws(range(20_000, 20_016), LEANS), strict=True))


@pytest.fixture(scope="session")
def as_trace():
    """A function that makes a trace for the player out of a motion and a seed."""

    def make(one, seed):
        sensor = ordinary(seed)
        return {"faces": sensor.face_readings(seed), "samples": sensor.readings(one, seed)}

    return make


@pytest.fixture(scope="session")
def on_micropython(run_script):
    """A function that asks the player under MicroPython: "play" or "allocated", and traces."""

    def ask(what, traces):
        return run_script(PLAYER, {"what": what, "traces": traces}, heap="8M")

    return ask
