"""Lets the tests of the virtual table share their helpers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
