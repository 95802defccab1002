"""MicroPython for the tests of every folder: the interpreter beside this Python, and a script under it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Whoever starts the tests in the background of a script has Ctrl-C ignored, here and in all that is started here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def interpreter():
    """The path of the MicroPython interpreter; without it a test fails under CI and is skipped elsewhere."""
    path = Path(sys.executable).with_name("micropython")
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{path} is missing: pip install -e '.[virtual,dev]'")
        pytest.skip("there is no MicroPython interpreter for this machine")
    return path


@pytest.fixture(scope="session")
def run_script(interpreter):
    """A function that runs a script with `question` as JSON, and returns its JSON answer, the last line that it says.

    The script imports from this repository, and first from `beside` when that is given. `heap` as in `-X heapsize=`.
    """

    def run(script: Path, question: object = None, *, heap: str | None = None, beside: Path | None = None) -> object:
        places = [*([str(beside)] if beside else []), ".frozen", str(ROOT)]
        done = subprocess.run(
            [str(interpreter), *(["-X", f"heapsize={heap}"] if heap else []), str(script)],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "MICROPYPATH": ":".join(places)},
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run
