"""The chip models notice a spoiled driver: the firmware's own, with one thing made wrong, must not read tags well.

Were a model lenient, each of these would pass for a driver that works on the bench and fails on a board.
"""

import asyncio
from pathlib import Path

import pytest
from small_board import in_virtual_time
from table_partner import Partner

from companion.virtual_table.board import SOURCES, BoardSetup
from companion.virtual_table.table import VirtualTable

CROWD = ["04a1b2c3", "04a1b2d3", "84a1b2d3", "04a0b2c3", "1ca1b2c3"]

SPOILT = {
    "halt with a wrong sum": "driver.HLTA = b'\\x50\\x00\\xcd\\x57'",
    "halt left out": "driver.HLTA = b'\\x26'",
    "select with a wrong sum": "driver.crc_a = lambda data, length: 0x1234",
    "no hundred percent modulation": "driver._SET_UP = tuple(e for e in driver._SET_UP if e[0] != driver.TX_ASK)",
    "a field that is too short": "driver.FIELD_MS = 1",
    "sums added by the chip": "driver._SET_UP += ((driver.TX_MODE, 0x80),)",
    "twice the speed": "driver._SET_UP += ((driver.TX_MODE, 0x10), (driver.RX_MODE, 0x10))",
    "requests of eight bits": "wrap(lambda frame, last, align: (frame, 0 if len(frame) == 1 else last, align))",
    "alignment forgotten": "wrap(lambda frame, last, align: (frame, last, 0))",
    "last bits forgotten": "wrap(lambda frame, last, align: (frame, last if len(frame) == 1 else 0, align))",
    "announcement one bit off": "wrap(lambda frame, last, align: "
    "(bytes((frame[0], frame[1] + 1)) + bytes(frame[2:]) if last and len(frame) > 1 else frame, last, align))",
}

ENTRY = """
from firmware.drivers import mfrc522 as driver

def wrap(change):
    right = driver.Mfrc522._exchange

    async def wrong(self, frame, last_bits, align=0):
        frame, last_bits, align = change(frame, last_bits, align)
        return await right(self, frame, last_bits, align)

    driver.Mfrc522._exchange = wrong

{spoil}

from firmware.table.main import main
"""


def heard(folder: Path, spoil: str) -> list[str]:
    """What the table says about five tags on one point within twenty seconds."""
    code = folder / "code"
    (code / "spoilt").mkdir(parents=True)
    for package in ("firmware", "shared_rules"):
        (code / package).symlink_to(SOURCES / package)
    (code / "spoilt" / "__init__.py").touch()
    (code / "spoilt" / "entry.py").write_text(ENTRY.format(spoil=spoil))

    async def work():
        setup = BoardSetup(folder / "flash", code=code, entry="spoilt.entry", seed=5)
        async with VirtualTable(setup=setup) as table, Partner(table.backend()) as partner:
            for uid in CROWD:
                table.place_tag(uid, 28)
            await asyncio.sleep(20)
            assert partner.connections == 1, list(table.log)
            return partner.names()

    return in_virtual_time(work())


def test_the_driver_as_it_is_reads_all(tmp_path):
    assert heard(tmp_path, "") == ["TAG_APPEARED"] * len(CROWD)


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_driver_does_not(tmp_path, fault):
    assert heard(tmp_path, SPOILT[fault]) != ["TAG_APPEARED"] * len(CROWD)
