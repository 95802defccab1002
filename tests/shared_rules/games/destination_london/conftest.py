"""Lets the tests of this folder share their helpers, and what is handed over beside the repository."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

ROOT = Path(__file__).parents[4]
CASES = ROOT.parent / "shared" / "cases"


@pytest.fixture(scope="session")
def micropython(interpreter):
    """The MicroPython interpreter."""
    return interpreter


@pytest.fixture(scope="session")
def cases():
    """The worked cases."""
    path = CASES / "destination_london.json"
    if not path.exists():
        pytest.skip(f"the case files are not there: {path}")
    return json.loads(path.read_text("utf-8"))


@pytest.fixture(scope="session")
def judge():
    """The judge of the case files' own runner."""
    if not CASES.exists():
        pytest.skip(f"the case files are not there: {CASES}")
    sys.path.insert(0, str(CASES))
    return import_module("run_cases").judge
