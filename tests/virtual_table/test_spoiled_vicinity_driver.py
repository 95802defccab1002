"""The PN5180 model notices a spoiled driver: the firmware's own, with one thing made wrong, must not read tags well.

Were the model lenient, each of these would pass for a driver that works on the bench and fails on a board.
"""

import sys
from pathlib import Path

import pytest

from companion.virtual_table.chips.pn5180 import Pn5180 as Pn5180Model
from firmware import pins
from firmware.drivers import iso15693, pn5180, reader_bus

sys.path.insert(0, str(Path(__file__).parent.parent / "firmware"))
from reader_table import Table

CLEAR = 0
SOCKET = 28
CROWD = sorted(f"e0040100{number:08x}" for number in (0x12345678, 0x1234567A, 0x99345678, 0x00000008, 0x12345679))


def heard(table: Table) -> tuple[object, list[str], list[str]]:
    """What two polls of five tags say: the last result, its UIDs, and all complaints."""
    table.place(SOCKET, *CROWD)
    reader = table.probe(SOCKET)
    if not isinstance(reader, pn5180.Pn5180):
        return None, [], table.complaints()
    table.poll(reader)
    table.wait(50_000)
    result, uids = table.poll(reader)
    return result, uids, table.complaints()


def is_well(said: tuple[object, list[str], list[str]]) -> bool:
    return said == (CLEAR, CROWD, [])


def test_the_driver_as_it_is_reads_all():
    assert is_well(heard(Table({SOCKET: "pn5180"})))


def test_it_reads_all_where_the_buffer_ends_before_a_collision():
    table = Table({SOCKET: "pn5180"})
    chip = table.hardware.readers[SOCKET]
    assert isinstance(chip, Pn5180Model)
    chip.radio.cut_at_collision = True
    assert is_well(heard(table))


def _no_waiting(monkeypatch):
    async def frame(self, socket, out, answer):
        self._open(socket)
        self._spi.write(out) if answer is None else self._spi.readinto(answer, 0xFF)
        self._enable_n.value(1)
        return True

    monkeypatch.setattr(reader_bus.ReaderBus, "_frame", frame)


def _changed(name, old, new):
    """One of the driver's host commands with some bytes changed."""

    def spoil(monkeypatch):
        whole = getattr(pn5180, name)
        assert old in whole, f"{name} has changed: spoil it in another place"
        monkeypatch.setattr(pn5180, name, whole.replace(old, new))

    return spoil


def _set(module, name, value):
    return lambda monkeypatch: monkeypatch.setattr(module, name, value)


SPOILT = {
    "BUSY not waited for": _no_waiting,
    "answers read as commands": lambda m: m.setattr(
        reader_bus.ReaderBus, "receive", lambda self, socket, answer: self._frame(socket, b"\0" * len(answer), None)
    ),
    "another receiver": _changed("_LOAD_VICINITY", b"\x8d", b"\x80"),
    "another transmitter": _changed("_LOAD_VICINITY", b"\x0d", b"\x00"),
    "no Idle before Transceive": _changed("_BEGIN", b"\x00\x03\xf8\xff\xff\xff", b"\x01\x02\x00\x00\x00\x00"),
    "flags not cleared": _changed("_BEGIN", b"\x03\x01\xff\xff\x0f\x00", b"\x03\x01\x00\x00\x00\x00"),
    "Transceive left out": _changed("_BEGIN", b"\x00\x02\x03\x00\x00\x00", b"\x01\x02\x00\x00\x00\x00"),
    "the field stays on": _changed("_RF_OFF", b"\x17", b"\x16"),
    "the field stays off": _changed("_RF_ON", b"\x16", b"\x17"),
    "no millisecond for the tags": lambda m: (
        _set(pn5180.iso14443a, "FIELD_MS", 0)(m),
        _set(iso15693, "FIELD_MS", 0)(m),
    ),
    "the low data rate": _set(iso15693, "_ONE_SLOT", 0x24),
    "two subcarriers": _set(iso15693, "_ONE_SLOT", 0x27),
    "tags are not told to be quiet": _set(iso15693, "_STAY_QUIET", 0x26),
    "quiet without an address": _set(iso15693, "_ADDRESSED", 0x02),
    "collisions are not looked at": _set(pn5180, "_COLLISION_DETECTED", 0x00),
    "a firmware without BUSY": lambda m: m.setattr(pins, "READER_BUSY", 39),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_driver_does_not(monkeypatch, fault):
    table = Table({SOCKET: "pn5180"})
    SPOILT[fault](monkeypatch)
    if fault == "a firmware without BUSY":
        table.bus._busy = None
    assert not is_well(heard(table))
