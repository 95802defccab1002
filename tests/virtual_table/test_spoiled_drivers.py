"""The chip models notice a spoiled driver: the firmware's own, with one thing made wrong, must not read tags well.

Were a model lenient, each of these would pass for a driver that works on the bench and fails on a board. The drivers
are the firmware's real ones and reach the chips through the select lines and SPI bytes of the table's hardware.
"""

import sys
from pathlib import Path

import pytest

from firmware.drivers import iso14443a, mfrc522

sys.path.insert(0, str(Path(__file__).parent.parent / "firmware"))
from reader_table import Table

CLEAR = 0
SOCKET = 28
CROWD = sorted(["04a1b2c3", "04a1b2d3", "84a1b2d3", "04a0b2c3", "1ca1b2c3", "04a1b2c3d4e5f6"])


def heard() -> tuple[object, list[str], list[str]]:
    """What two polls of six tags say: the last result, its UIDs, and all complaints."""
    table = Table()
    table.place(SOCKET, *CROWD)
    reader = table.probe(SOCKET)
    if reader is None:
        return None, [], table.complaints()
    table.poll(reader)
    table.wait(50_000)
    result, uids = table.poll(reader)
    return result, uids, table.complaints()


def test_the_driver_as_it_is_reads_all():
    assert heard() == (CLEAR, CROWD, [])


def _set(module, name, value):
    return lambda monkeypatch: monkeypatch.setattr(module, name, value)


def _set_up(**changes):
    """Registers of the driver's set-up with other values; None leaves the register as the reset made it."""

    def spoil(monkeypatch):
        wanted = {getattr(mfrc522, name): value for name, value in changes.items()}
        kept = tuple((r, v) for r, v in mfrc522._SET_UP if r not in wanted)
        monkeypatch.setattr(mfrc522, "_SET_UP", kept + tuple((r, v) for r, v in wanted.items() if v is not None))

    return spoil


def _frames(change):
    """Every exchange goes out as `change(frame, last_bits, align)` says."""

    def spoil(monkeypatch):
        right = mfrc522.Mfrc522._exchange

        async def wrong(self, frame, last_bits, align=0):
            return await right(self, *change(frame, last_bits, align))

        monkeypatch.setattr(mfrc522.Mfrc522, "_exchange", wrong)

    return spoil


def _one_bit_off(frame, last, align):
    announced = last and len(frame) > 1
    return (bytes((frame[0], frame[1] + 1)) + bytes(frame[2:]) if announced else frame), last, align


SPOILT = {
    "halt with a wrong sum": _set(iso14443a, "HLTA", b"\x50\x00\xcd\x57"),
    "halt left out": _set(iso14443a, "HLTA", b"\x26"),
    "select with a wrong sum": _set(iso14443a, "crc_a", lambda data, length: 0x1234),
    "no hundred percent modulation": _set_up(TX_ASK=None),
    "other pulses": _set_up(MOD_WIDTH=0x13),
    "a field that is too short": _set(mfrc522, "FIELD_MS", 1),
    "no time to start": _set(mfrc522, "RESET_MS", 0),
    "sums added by the chip": _set_up(TX_MODE=0x80),
    "sums taken off by the chip": _set_up(RX_MODE=0x80),
    "twice the speed": _set_up(TX_MODE=0x10, RX_MODE=0x10),
    "a timer that is never started": _set_up(T_MODE=0x00),
    "alignment one bit off": _frames(lambda frame, last, align: (frame, last, align ^ 1 if last else align)),
    "requests of eight bits": _frames(lambda frame, last, align: (frame, 0 if len(frame) == 1 else last, align)),
    "alignment forgotten": _frames(lambda frame, last, align: (frame, last, 0)),
    "last bits forgotten": _frames(lambda frame, last, align: (frame, last if len(frame) == 1 else 0, align)),
    "announcement one bit off": _frames(_one_bit_off),
    "only the first cascade level": _set(iso14443a, "SELECT_LEVELS", b"\x93"),
    "the field stays on": _set(mfrc522, "FIELD_OFF", 0x83),
    "only tags that were not halted": _set(iso14443a, "REQA", b"\x52"),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_driver_does_not(monkeypatch, fault):
    SPOILT[fault](monkeypatch)
    assert heard() != (CLEAR, CROWD, [])
