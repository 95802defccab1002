"""Lets the tests of this folder share their helpers, and what is handed over beside the repository."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

HANDED_OVER = Path(__file__).parents[5] / "shared"


@pytest.fixture(scope="session")
def micropython(interpreter):
    """The MicroPython interpreter."""
    return interpreter


def handed_over(name):
    path = HANDED_OVER / name
    if not path.exists():
        pytest.skip(f"no {path}: it is no part of the repository")
    return json.loads(path.read_text("utf-8"))


@pytest.fixture(scope="session")
def taxi_cases():
    """The worked TAXI! cases."""
    return handed_over("cases/taxi.json")


@pytest.fixture(scope="session")
def proof_board():
    """A board of which the figures are known from elsewhere."""
    return handed_over("design/taxi_board_witness.json")
