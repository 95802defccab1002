"""`python -m tests.firmware_coverage [--write] [-- PYTEST ARGUMENTS]`: runs the tests of devices on an instrumented
copy, and says what they ran; `--write` puts it into docs/proofs/firmware_coverage.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from instrument import ROOT, hits_of, make_copy  # noqa: E402
from report import count, page  # noqa: E402

REPORT = ROOT / "docs" / "proofs" / "firmware_coverage.md"
TESTS = (
    "tests/firmware",
    "tests/virtual_table",
    "tests/companion/devices",
    "tests/fault_scripts/test_scripts.py",
)
NOT_FOR_COPIES = (
    "not heap and not process and not hour and not long_run and not half_an_hour and not compiled and not tools"
)
"""Measures of memory are no measures there; what runs in another process of Python runs no copy."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_coverage", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.relative_to(ROOT)}")
    parser.add_argument("tests", nargs="*", default=list(TESTS))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cabstand-coverage-") as name:
        folder = Path(name)
        points = make_copy(folder)
        places = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "CABSTAND_FIRMWARE_COPY": name, "PYTHONPATH": places}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "plugin", "-k", NOT_FOR_COPIES, "-n", "2"]
        begun = time.monotonic()
        done = subprocess.run([*command, *arguments.tests], cwd=ROOT, env=environment, check=False, text=True,
                              stdout=subprocess.PIPE)  # fmt: skip
        hits = hits_of(folder)
    print(done.stdout[-6000:])
    said = done.stdout.strip().splitlines()[-1].strip("= ")
    modules, left_out = count(points, hits)
    words = [f"{len(points)} points; the tests on the copy: {said} ({time.monotonic() - begun:.0f} s)."]
    text = page(modules, left_out, words)
    if arguments.write:
        REPORT.write_text(text, encoding="utf-8")
    print(text)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
