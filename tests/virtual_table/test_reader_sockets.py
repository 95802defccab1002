"""Readers of different kinds in the sockets: BUSY and MISO through their multiplexers, one field at a time, hands."""

import pytest
from hand_controller import ENABLE_N, RESET_N, SELECT, Controller

from companion.virtual_table.chips.iso15693 import crc_v
from companion.virtual_table.chips.table_hardware import READER_KINDS
from firmware import pins

READ_VERSION = bytes.fromhex("ee 00")
UID_A = bytes.fromhex("de ad be ef")
UID_V = bytes.fromhex("e0 04 01 00 12 34 56 78")


@pytest.fixture
def controller():
    return Controller()


def boot(controller: Controller) -> None:
    """All readers through their reset pin, with time to start."""
    controller.pin(RESET_N, 0)
    controller.now += 100
    controller.pin(RESET_N, 1)
    controller.now += 3_000


def request_a(controller: Controller, socket: int) -> bytes:
    """Field on, REQA, the two bytes of the answer or fewer, field off; on an MFRC522."""
    for register, value in ((0x15, 0x40), (0x2A, 0x80), (0x2B, 0xA9), (0x2D, 20), (0x14, 0x83)):
        controller.at(socket, bytes((register << 1, value)))
    controller.now += 6_000
    for register, value in ((0x0A, 0x80), (0x09, 0x26), (0x04, 0x7F), (0x01, 0x0C), (0x0D, 0x87)):
        controller.at(socket, bytes((register << 1, value)))
    controller.now += 1_000
    level = controller.at(socket, bytes.fromhex("94 00"))[1]
    answer = controller.at(socket, b"\x92" * level + b"\0")[1:] if level else b""
    controller.at(socket, bytes((0x14 << 1, 0x80)))
    controller.now += 6_000
    return answer


def inventory_v(controller: Controller, socket: int) -> bytes:
    """Field on, an inventory with one slot, field off; on a PN5180."""
    frame = controller.frame
    frame(socket, bytes.fromhex("11 0d 8d"))
    frame(socket, bytes.fromhex("16 00"))
    controller.now += 3_000
    frame(socket, bytes.fromhex("02 00 f8 ff ff ff"))
    frame(socket, bytes.fromhex("00 03 ff ff 0f 00"))
    frame(socket, bytes.fromhex("01 00 03 00 00 00"))
    frame(socket, bytes.fromhex("09 00 26 01 00"))
    controller.now += 8_000
    frame(socket, bytes.fromhex("04 13"))
    length = int.from_bytes(frame(socket, b"\xff" * 4), "little") & 0x1FF
    answer = b""
    if length:
        frame(socket, bytes.fromhex("0a 00"))
        answer = frame(socket, b"\xff" * length)
    frame(socket, bytes.fromhex("17 00"))
    controller.now += 6_000
    return answer


@pytest.mark.parametrize(
    ("kind", "version"),
    [
        ("mfrc522", 0x92),
        ("mfrc522_v1", 0x91),
        ("clone_88", 0x88),
        ("clone_90", 0x90),
        ("clone_b2", 0xB2),
        ("clone_12", 0x12),
    ],
)
def test_chips_and_clones_tell_their_version_and_read_tags(controller, kind, version):
    controller.table.set_reader(3, kind)
    controller.table.place_tag(UID_A, 3)
    controller.now += 1_000
    assert controller.at(3, READ_VERSION)[1] == version
    assert controller.at(4, READ_VERSION)[1] == 0x92
    assert request_a(controller, 3) == b"\x04\x00"
    assert controller.errors() == []


def test_an_empty_socket_reads_as_nothing(controller):
    controller.table.set_reader(9, "none")
    assert controller.at(9, READ_VERSION) == b"\0\0"
    controller.select(9)
    assert controller.busy() == 0
    with pytest.raises(ValueError, match="no reader in this socket"):
        controller.table.readers[9].fail("dead", 0)


def test_a_reader_of_no_known_kind(controller):
    with pytest.raises(ValueError, match=", ".join(READER_KINDS)):
        controller.table.set_reader(0, "pn532")
    with pytest.raises(ValueError, match="from 0 to 31"):
        controller.table.set_reader(32, "pn5180")


def test_a_table_of_both_kinds_reads_both_kinds_of_tags(controller):
    table = controller.table
    table.set_reader(28, "pn5180")
    boot(controller)
    table.place_tag(UID_A, 3)
    table.place_tag(UID_V, 28)
    assert request_a(controller, 3) == b"\x04\x00"
    assert inventory_v(controller, 28) == b"\0\0" + UID_V[::-1]
    table.place_tag(UID_A, 28)
    table.place_tag(UID_V, 3)
    assert request_a(controller, 3) == b"", "an MFRC522 never sees a tag of ISO/IEC 15693"
    assert inventory_v(controller, 28) == b"", "and an inventory no tag of type A"
    assert controller.errors() == []
    assert table.counters.most_fields_on == 1


def test_busy_comes_from_the_selected_socket_alone(controller):
    controller.table.set_reader(5, "pn5180")
    boot(controller)
    controller.select(5)
    controller.spi(bytes.fromhex("04 02"))
    assert controller.busy() == 1
    controller.pin(ENABLE_N, 1)
    assert controller.busy() == 0, "its multiplexer is off while no socket is enabled"
    controller.pin(SELECT[1], 1)
    controller.pin(ENABLE_N, 0)
    assert controller.busy() == 0, "socket 7 has no such pin"
    controller.pin(ENABLE_N, 1)
    controller.pin(SELECT[1], 0)
    controller.now += 30
    controller.pin(ENABLE_N, 0)
    assert controller.busy() == 0, "meanwhile it has worked"
    assert controller.errors() == []


def test_busy_has_to_be_looked_at_and_other_pins_have_not(controller):
    assert controller.table.live_pins == {pins.READER_BUSY}


def test_two_fields_are_noticed_though_the_second_comes_later(controller):
    controller.table.set_reader(1, "pn5180")
    boot(controller)
    controller.frame(1, bytes.fromhex("11 0d 8d"))
    controller.frame(1, bytes.fromhex("16 00"))
    controller.now += 1_000
    controller.at(2, bytes.fromhex("28 83"))
    assert controller.errors() == ["2 fields are on at once"]
    assert controller.table.counters.most_fields_on == 2


# -- MISO -------------------------------------------------------------------------------------------------------------


def test_a_clone_that_holds_miso_does_not_matter_behind_multiplexers(controller):
    controller.table.hold_miso(7)
    assert [controller.at(socket, READ_VERSION)[1] for socket in range(32)] == [0x92] * 32
    assert controller.errors() == []


def test_without_multiplexers_it_mutes_everybody_else(controller):
    controller.table.hold_miso(7)
    controller.table.share_miso()
    assert [controller.at(socket, READ_VERSION)[1] for socket in (6, 7, 8)] == [0, 0x92, 0]
    assert controller.errors()[0] == "readers [7] hold MISO low while reader 6 speaks"
    controller.table.hold_miso(7, False)
    assert controller.at(6, READ_VERSION)[1] == 0x92


def test_shared_miso_alone_is_no_trouble_while_chips_let_go(controller):
    controller.table.share_miso()
    assert [controller.at(socket, READ_VERSION)[1] for socket in range(32)] == [0x92] * 32
    assert controller.errors() == []


# -- hands ------------------------------------------------------------------------------------------------------------


def test_a_reader_can_be_exchanged_under_a_lying_tag(controller):
    controller.table.place_tag(UID_V, 4)
    controller.table.set_reader(4, "pn5180")
    controller.now += 3_000
    assert inventory_v(controller, 4) == b"\0\0" + UID_V[::-1]
    controller.table.set_reader(4, "mfrc522")
    controller.now += 3_000
    assert controller.at(4, READ_VERSION)[1] == 0x92
    assert controller.table.tags() == {UID_V: 4}


def test_coupling_needs_a_tag_that_lies_there_and_a_share(controller):
    with pytest.raises(ValueError, match="place it first"):
        controller.table.set_coupling(UID_A, 0.5)
    controller.table.place_tag(UID_A, 0)
    with pytest.raises(ValueError, match="from 0 to 1"):
        controller.table.set_coupling(UID_A, 1.5)
    controller.table.set_coupling(UID_A, 0.0)
    assert request_a(controller, 0) == b""
    controller.table.place_tag(UID_A, 0)
    assert request_a(controller, 0) == b"\x04\x00", "placed anew it lies in the middle"


def test_crosstalk_brings_a_neighbours_tag(controller):
    controller.table.place_tag(UID_A, 6)
    assert request_a(controller, 5) == b""
    controller.table.crosstalk(5, 6, 0.9)
    assert request_a(controller, 5) == b"\x04\x00"
    controller.table.crosstalk(5, 6, 0)
    assert request_a(controller, 5) == b""
    for wrong in ((5, 5, 0.5), (5, 32, 0.5), (5, 6, 2)):
        with pytest.raises(ValueError, match=r"two sockets|from 0 to"):
            controller.table.crosstalk(*wrong)


def test_the_same_seed_gives_the_same_trace():
    def trace(seed):
        controller = Controller(seed)
        controller.table.place_tag(UID_A, 6)
        controller.table.set_coupling(UID_A, 0.5)
        return [request_a(controller, 6) for _ in range(40)]

    assert trace(4) == trace(4)
    assert trace(4) != trace(5)


def test_a_stack_of_three_is_unreadable_but_not_silent(controller):
    controller.table.tag_field(2, most_tags=2)
    for i in range(3):
        controller.table.place_tag(bytes((i, 2, 3, 4)), 2)
    answers = [request_a(controller, 2) for _ in range(10)]
    assert b"\x04\x00" not in answers
    assert b"" not in answers
    controller.table.lift_tag(bytes((0, 2, 3, 4)))
    assert request_a(controller, 2) == b"\x04\x00"


def test_a_tag_pulled_away_in_mid_read_is_off_the_table():
    changes = []
    controller = Controller()
    controller.table.on_tags = lambda: changes.append(controller.table.tags())
    controller.table.place_tag(UID_A, 2)
    controller.table.pull_tag(UID_A, after_frames=1)
    assert request_a(controller, 2) == b"\x04\x00"
    assert controller.table.tags() == {UID_A: 2}
    assert request_a(controller, 2) == b""
    assert controller.table.tags() == {}
    assert changes == [{}]


def test_a_reader_goes_deaf_after_hours(controller):
    controller.table.place_tag(UID_A, 2)
    controller.table.deafen_reader(2, 7_200)
    assert request_a(controller, 2) == b"\x04\x00"
    controller.now += 7_200_000_000
    assert request_a(controller, 2) == b""
    assert controller.at(2, READ_VERSION)[1] == 0x92


def test_a_sum_is_what_the_chip_adds(controller):
    """The same inventory with its sum written by hand reads the same tag."""
    controller.table.set_reader(0, "pn5180")
    controller.table.place_tag(UID_V, 0)
    boot(controller)
    frame = controller.frame
    for mosi in ("11 0d 8d", "16 00"):
        frame(0, bytes.fromhex(mosi))
    controller.now += 3_000
    for mosi in ("02 19 fe ff ff ff", "01 00 03 00 00 00"):
        frame(0, bytes.fromhex(mosi))
    frame(0, bytes.fromhex("09 00 26 01 00") + crc_v(bytes.fromhex("26 01 00")))
    controller.now += 8_000
    frame(0, bytes.fromhex("04 13"))
    assert frame(0, b"\xff" * 4)[0] == 10
