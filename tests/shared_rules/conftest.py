"""Lets the tests of this folder share `taxi_tables` and `random_games`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
