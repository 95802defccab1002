"""The proof of devices, small: every part of it runs, and holds its limits."""

import os

import pytest

from companion.virtual_table import missing

if (reason := missing()) is not None:
    if os.environ.get("CI"):
        raise RuntimeError(reason)
    pytest.skip(reason, allow_module_level=True)

from tests.proofs import devices


@pytest.mark.parametrize(
    ("part", "size"),
    [
        ("drops", 12),
        ("silences", 2),
        ("rate", 20),
        ("bursts", 1),
        ("moves", 12),
        ("flips", 4000),
        ("hour", 20),
    ],
)
def test_a_small_proof(part, size):
    rows = getattr(devices, part)(size)
    assert rows
    assert all(len(row) == 3 for row in rows)


def test_the_page():
    arguments = devices.parse(["--drops", "3"])
    text = devices.page([("a", "b", "c")], arguments)
    assert "| a | b | c |" in text
    assert "drops 3, silences 100," in text
    assert "write" not in text
