"""Runs pieces of the firmware in the MicroPython interpreter, with the small fakes of tests/firmware/device."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # helpers beside the tests

DEVICE = Path(__file__).resolve().parent / "device"


@pytest.fixture(scope="session")
def micropython(run_script):
    """A function that runs `tests/firmware/device/NAME.py` with `question` as JSON, and returns its JSON answer."""

    def run(name: str, question: object = None, heap: str | None = None) -> object:
        return run_script(DEVICE / f"{name}.py", question, heap=heap, beside=DEVICE)

    return run


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A function of a device's kind: the folder with its firmware, compiled once; nobody changes it."""
    from firmware.tools.build import build

    made = {}

    def folder_of(device: str) -> Path:
        if device not in made:
            folder = tmp_path_factory.mktemp(device)
            build(folder, device)
            made[device] = folder
        return made[device]

    return folder_of


@pytest.fixture(scope="session")
def code(compiled):
    """The table's firmware, compiled."""
    return compiled("table")


@pytest.fixture(scope="session")
def handheld_code(compiled):
    """The handheld die's firmware, compiled."""
    return compiled("handheld_die")


@pytest.fixture
def flash(tmp_path):
    folder = tmp_path / "flash"
    folder.mkdir()
    return folder


@pytest.fixture(params=["lis2dw12", "lis3dh"])
def chip(request):
    return request.param
