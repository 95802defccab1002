"""Scripts are played where MicroPython is installed; elsewhere that is said, and under CI it is a failure."""

import os

import pytest

from companion.virtual_table import missing

if (reason := missing()) is not None and os.environ.get("CI"):
    raise RuntimeError(reason)


@pytest.fixture
def virtual_table():
    if reason is not None:
        pytest.skip(reason)
