"""Hands for readers over several controllers, with the layout's numbers."""

import pytest
from small_board import in_virtual_time

from companion.virtual_table.chips.table_hardware import TableHardware, Wiring
from companion.virtual_table.control import HANDS
from companion.virtual_table.reader_hands import READER_HANDS, ReaderHands
from companion.virtual_table.table import VirtualTable
from firmware import pins

UID = "e004010012345678"


class Room:
    """Two controllers, as `VirtualTable` would hold them."""

    def __init__(self) -> None:
        self.tables = [TableHardware(Wiring.of_pins(pins)) for _ in range(2)]
        self.readers = ReaderHands(self.tables)


@pytest.fixture
def room():
    return Room()


def test_sockets_go_on_at_the_second_controller(room):
    READER_HANDS["set_reader"](room, socket=40, kind="pn5180")
    assert room.tables[1].kinds[8] == "pn5180"
    assert READER_HANDS["readers"](room)[40] == "pn5180"
    READER_HANDS["set_readers"](room, kind="clone_12")
    assert set(READER_HANDS["readers"](room)) == {"clone_12"}


def test_a_tag_is_found_on_whichever_controller_it_lies(room):
    room.tables[1].place_tag(bytes.fromhex(UID), 3)
    READER_HANDS["set_coupling"](room, uid=UID, value=0.5)
    READER_HANDS["pull_tag"](room, uid=UID, after_frames=2)
    tag = room.tables[1].fields[3].tags[0]
    assert (tag.coupling, tag.leaves_after) == (0.5, 2)


def test_coils_and_wiring(room):
    READER_HANDS["crosstalk"](room, socket=33, other=34, coupling=0.4)
    READER_HANDS["tag_field"](room, socket=33, most_tags=2)
    READER_HANDS["deafen_reader"](room, socket=33, after_s=60)
    READER_HANDS["hold_miso"](room, socket=33)
    READER_HANDS["share_miso"](room)
    table = room.tables[1]
    assert table.fields[1].most_tags == 2
    assert table.readers[1].deaf_at == 60e6
    assert table.shared_miso
    assert room.tables[0].shared_miso


@pytest.mark.parametrize(
    ("hand", "arguments", "words"),
    [
        ("set_reader", {"socket": 64, "kind": "none"}, "from 0 to 63"),
        ("set_reader", {"socket": 0, "kind": "rc522"}, "readers are of the kinds"),
        ("set_readers", {"kind": "rc522"}, "readers are of the kinds"),
        ("set_coupling", {"uid": UID, "value": 1}, "place it first"),
        ("pull_tag", {"uid": "grey"}, "bytes in hex"),
        ("crosstalk", {"socket": 31, "other": 32, "coupling": 0.5}, "two controllers"),
        ("tag_field", {"socket": 0, "most_tags": -1}, "0 or more"),
        ("deafen_reader", {"socket": 0, "after_s": -1}, "0 or more"),
    ],
)
def test_what_cannot_be_done_is_said(room, hand, arguments, words):
    with pytest.raises(ValueError, match=words):
        READER_HANDS[hand](room, **arguments)


def test_without_a_controller_there_is_nothing_to_lay_hands_on():
    with pytest.raises(ValueError, match="no table controller"):
        ReaderHands([]).set_reader(0, "none")


def test_a_whole_table_has_these_hands_and_says_when_a_tag_was_pulled_away(tmp_path):
    async def work():
        seen = []
        table = VirtualTable(tmp_path / "flash", on_change=seen.append)
        HANDS["set_reader"](table, socket=28, kind="pn5180")
        HANDS["place_tag"](table, uid=UID, socket=28)
        HANDS["pull_tag"](table, uid=UID, after_frames=0)
        field = table.hardware.fields[28]
        field.switch(True, 0)
        field.exchange(None, 9_000)
        await table.close()
        return table.tags(), [change["tags"] for change in seen if change["kind"] == "tags"]

    assert in_virtual_time(work()) == ({}, [{UID: 28}, {}])
    assert set(READER_HANDS) <= set(HANDS)
