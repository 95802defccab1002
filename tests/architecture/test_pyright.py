"""pyright agrees with what talks with devices, and with the firmware where MicroPython's stubs are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYRIGHT = Path(sys.executable).with_name("pyright")


def run(*arguments):
    if not PYRIGHT.exists() or shutil.which("node") is None:
        if os.environ.get("CI"):
            pytest.fail("pyright is missing, or node, on which it runs: pip install -e '.[dev]', apt install nodejs")
        pytest.skip("pyright, or node, on which it runs, is not installed")
    done = subprocess.run([PYRIGHT, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_what_talks_with_devices():
    run()


def test_the_firmware():
    if not (ROOT / "typings" / "stdlib").exists():
        pytest.skip("MicroPython's stubs are not here: `make lint` fetches them, and runs this check, too")
    run("-p", "firmware/pyrightconfig.json")
