"""The table's firmware on sockets of every kind at once: both chips, clones, one that holds MISO, empty sockets."""

import asyncio

from small_board import in_virtual_time
from table_partner import Partner

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.table import VirtualTable
from firmware.tools.build import build

KINDS = {
    3: "clone_88",
    4: "clone_90",
    5: "clone_b2",
    6: "clone_12",
    7: "mfrc522_v1",
    28: "pn5180",
    30: "pn5180",
    31: "none",
}
TAGS = {
    "04a1b2c3": 3,
    "04a1b2c4": 4,
    "04a1b2c5": 5,
    "04a1b2c6": 6,
    "04a1b2c7": 7,
    "04a1b2c8": 8,
    "04a1b2c3d4e5f6": 28,  # a PN5180 sees type A, too
    "e004010012345678": 28,
    "e004010012345679": 28,
    "e004010099345678": 28,
    "e00401001234567a": 30,
    "e0040100aaaaaaaa": 9,  # an MFRC522 never sees this one
}


def test_each_reader_finds_what_its_kind_can_see(tmp_path):
    """Compiled, in the memory that boards have: both drivers are in it."""
    code = tmp_path / "code"
    build(code)

    async def work():
        setup = BoardSetup(tmp_path / "flash", code=code, heap="110wK", seed=3)
        async with VirtualTable(setup=setup) as table:
            for socket, kind in KINDS.items():
                table.readers.set_reader(socket, kind)
            table.readers.hold_miso(5)
            for uid, socket in TAGS.items():
                table.place_tag(uid, socket)
            async with Partner(table.backend()) as partner:
                await partner.until(lambda: partner.connections == 1)
                await asyncio.sleep(12)
                return partner.tags(), table.model_errors(), await table.stats()

    tags, errors, stats = in_virtual_time(work())
    seen = {uid: socket for uid, socket in TAGS.items() if socket != 9}
    assert sorted(tags) == sorted(("TAG_APPEARED", socket, uid) for uid, socket in seen.items())
    assert errors == []
    assert stats["most_fields_on"] == 1
    assert stats["boots"] == 1
    assert stats["heap"]["free_percent"] >= 25
