"""Lets the tests of this folder use the tables' kit and the recorded games."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
sys.path[:0] = [
    str(TESTS / "companion" / "tables"), str(TESTS / "shared_rules"), str(TESTS / "shared_rules" / "records"),
]  # fmt: skip
