"""Tags of ISO/IEC 14443-3: their sums, their states, and what they make of wrong frames."""

import pytest

from companion.virtual_table.chips.crc_a import crc_16, crc_a
from companion.virtual_table.chips.iso14443a import COLLISION, AirFrame, Tag, bits_of, with_parity
from companion.virtual_table.chips.rf_field import RfField

REQA = AirFrame(b"\x26", 7)
WUPA = AirFrame(b"\x52", 7)
HLTA = AirFrame(bytes.fromhex("50 00 57 cd"))
ANTICOLLISION = AirFrame(bytes.fromhex("93 20"))
ATQA_4 = with_parity(bits_of(b"\x04\x00"))
UID = bytes.fromhex("de ad be ef")
SELECT = AirFrame(bytes.fromhex("93 70 de ad be ef 22") + crc_a(bytes.fromhex("93 70 de ad be ef 22")))


def test_sum_of_the_examples_in_the_standard():
    assert crc_a(b"\x00\x00") == bytes.fromhex("a0 1e")
    assert crc_a(b"\x12\x34") == bytes.fromhex("26 cf")
    assert crc_a(b"\x50\x00") == bytes.fromhex("57 cd")


def test_sum_with_the_most_significant_bit_first_is_another_one():
    assert crc_16(b"123456789", 0xFFFF, msb_first=True) == 0x29B1


@pytest.fixture
def tag():
    tag = Tag(UID)
    tag.power_up(0)
    return tag


def test_a_tag_needs_five_milliseconds_of_field(tag):
    assert tag.receive(REQA, 4_999) is None
    assert tag.receive(REQA, 5_000) == ATQA_4


def test_only_short_frames_wake_a_tag(tag):
    assert tag.receive(AirFrame(b"\x26", 0), 9_000) is None
    assert tag.receive(AirFrame(b"\x26", 6), 9_000) is None
    assert tag.receive(ANTICOLLISION, 9_000) is None
    assert tag.state == "IDLE"


def test_a_request_to_a_tag_that_is_ready_makes_it_silent_and_idle(tag):
    assert tag.receive(REQA, 9_000) == ATQA_4
    assert tag.receive(REQA, 9_100) is None
    assert tag.receive(REQA, 9_200) == ATQA_4


def test_anticollision_answers_the_rest_of_the_uid_with_its_check_byte(tag):
    tag.receive(REQA, 9_000)
    assert tag.receive(ANTICOLLISION, 9_100) == with_parity(bits_of(UID + b"\x22"))
    # twelve bits known: de, and the low half of ad
    split = AirFrame(bytes.fromhex("93 34 de 0d"), 4)
    assert tag.receive(split, 9_200) == with_parity(bits_of(UID + b"\x22")[12:], 4)


def test_bits_that_are_not_mine_send_me_back(tag):
    tag.receive(REQA, 9_000)
    assert tag.receive(AirFrame(bytes.fromhex("93 28 01")), 9_100) is None
    assert tag.state == "IDLE"


@pytest.mark.parametrize(
    "frame",
    [
        AirFrame(bytes.fromhex("93 21")),  # one bit announced, none sent
        AirFrame(bytes.fromhex("93 20 de")),  # none announced, eight sent
        AirFrame(bytes.fromhex("95 20")),  # another cascade level
        AirFrame(SELECT.data[:-1] + b"\x00"),  # a wrong sum
        AirFrame(SELECT.data[:7]),  # no sum
        AirFrame(bytes.fromhex("93 70 de ad be ef 23") + crc_a(bytes.fromhex("93 70 de ad be ef 23"))),  # wrong BCC
        None,  # noise
    ],
)
def test_a_wrong_frame_is_met_with_silence_and_idle(tag, frame):
    tag.receive(REQA, 9_000)
    assert tag.receive(frame, 9_100) is None
    assert tag.state == "IDLE"


def test_select_and_halt(tag):
    tag.receive(REQA, 9_000)
    assert tag.receive(SELECT, 9_100) == with_parity(bits_of(b"\x08" + crc_a(b"\x08")))
    assert tag.state == "ACTIVE"
    assert tag.receive(HLTA, 9_200) is None
    assert tag.state == "HALT"
    assert tag.receive(REQA, 9_300) is None
    assert tag.receive(WUPA, 9_400) == ATQA_4
    # woken from HALT it falls back to HALT, not to IDLE
    assert tag.receive(REQA, 9_500) is None
    assert tag.receive(REQA, 9_600) is None
    assert tag.receive(WUPA, 9_700) == ATQA_4


def test_a_halt_with_a_wrong_sum_does_not_halt(tag):
    tag.receive(REQA, 9_000)
    tag.receive(SELECT, 9_100)
    assert tag.receive(AirFrame(bytes.fromhex("50 00 cd 57")), 9_200) is None
    assert tag.state == "IDLE"
    assert tag.receive(REQA, 9_300) == ATQA_4


def test_a_selected_tag_answers_no_request_once(tag):
    tag.receive(REQA, 9_000)
    tag.receive(SELECT, 9_100)
    assert tag.receive(REQA, 9_200) is None
    assert tag.receive(REQA, 9_300) == ATQA_4


def test_seven_bytes_go_through_two_cascade_levels():
    tag = Tag(bytes.fromhex("04 11 22 33 44 55 66"))
    tag.power_up(0)
    assert tag.receive(REQA, 9_000) == with_parity(bits_of(b"\x44\x00"))
    level_1 = bytes.fromhex("88 04 11 22 bf")
    assert tag.receive(ANTICOLLISION, 9_100) == with_parity(bits_of(level_1))
    select = b"\x93\x70" + level_1
    assert tag.receive(AirFrame(select + crc_a(select)), 9_200) == with_parity(bits_of(b"\x04" + crc_a(b"\x04")))
    level_2 = bytes.fromhex("33 44 55 66 44")
    assert tag.receive(AirFrame(b"\x95\x20"), 9_300) == with_parity(bits_of(level_2))
    select = b"\x95\x70" + level_2
    assert tag.receive(AirFrame(select + crc_a(select)), 9_400) == with_parity(bits_of(b"\x00" + crc_a(b"\x00")))


def test_ten_bytes_go_through_three():
    tag = Tag(bytes.fromhex("04 01 02 03 04 05 06 07 08 09"))
    tag.power_up(0)
    tag.receive(REQA, 9_000)
    for code, part in ((0x93, "88 04 01 02 8f"), (0x95, "88 03 04 05 8a"), (0x97, "06 07 08 09 00")):
        body = bytes([code, 0x70]) + bytes.fromhex(part)
        assert tag.receive(AirFrame(body + crc_a(body)), 9_100) is not None
    assert tag.state == "ACTIVE"


def test_the_field_gone_for_five_milliseconds_forgets_everything():
    field, tag = RfField(), Tag(UID)
    field.put(tag, 0)
    field.switch(True, 0)
    field.exchange(REQA, 6_000)
    field.exchange(SELECT, 6_100)
    field.exchange(HLTA, 6_200)
    field.switch(False, 7_000)
    field.switch(True, 8_000)
    assert tag.state == "HALT", "one millisecond is too short for every tag"
    field.switch(False, 20_000)
    field.switch(True, 25_000)
    assert tag.state == "IDLE"
    assert field.exchange(REQA, 30_000) == ATQA_4


def test_two_tags_at_once_collide_where_they_differ():
    field = RfField()
    for uid in ("de ad be ef", "de ad be 6f"):
        field.put(Tag(bytes.fromhex(uid)), 0)
    field.switch(True, 0)
    assert field.exchange(REQA, 9_000) == ATQA_4, "the same words at the same time are one"
    answer = field.exchange(ANTICOLLISION, 9_100)
    assert [i for i, symbol in enumerate(answer) if symbol == COLLISION] == [
        3 * 9 + 7,  # the highest bit of the fourth byte,
        3 * 9 + 8,  # so its parity,
        4 * 9 + 7,  # so the check byte,
        4 * 9 + 8,  # and its parity
    ]


def test_a_tag_at_the_edge_is_missed_as_its_pattern_says():
    field, tag = RfField(), Tag(UID)
    tag.flicker = "110"
    field.put(tag, 0)
    seen = []
    for look in range(6):
        field.switch(True, look * 100_000)
        seen.append(field.exchange(WUPA, look * 100_000 + 6_000) is not None)
        field.switch(False, look * 100_000 + 50_000)
    assert seen == [True, True, False, True, True, False]


@pytest.mark.parametrize("uid", ["", "0102", "8801 0203", "01" * 11])
def test_uids_that_no_tag_has(uid):
    with pytest.raises(ValueError, match="UID"):
        Tag(bytes.fromhex(uid))
