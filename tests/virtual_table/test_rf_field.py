"""What lies between a coil and its tags: coupling, drowned answers, crosstalk, stacks, tags that are pulled away."""

import random

import pytest

from companion.virtual_table.chips.iso14443a import AirFrame, Tag, bits_of, with_parity
from companion.virtual_table.chips.iso15693 import VicinityFrame, VicinityTag, crc_v
from companion.virtual_table.chips.rf_field import RfField

WUPA = AirFrame(b"\x52", 7)
ANTICOLLISION = AirFrame(bytes.fromhex("93 20"))
ATQA = with_parity(bits_of(b"\x04\x00"))
INVENTORY = VicinityFrame(b"\x26\x01\x00" + crc_v(b"\x26\x01\x00"))


def a_tag(uid: str = "de ad be ef") -> Tag:
    return Tag(bytes.fromhex(uid))


def looks(field: RfField, count: int, begin: int = 0) -> list[str]:
    """What a request brings at each of so many looks: "yes", "corrupt" or "" for silence."""
    out = []
    for look in range(count):
        t = begin + look * 100_000
        field.switch(True, t)
        answer = field.exchange(WUPA, t + 6_000)
        field.switch(False, t + 9_000)
        out.append("" if answer is None else "yes" if answer == ATQA else "corrupt")
    return out


# -- coupling ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coupling", "least", "most"), [(1.0, 200, 200), (0.8, 200, 200), (0.5, 60, 160), (0.19, 0, 0)]
)
def test_the_weaker_a_tag_couples_the_less_it_is_read(coupling, least, most):
    field, tag = RfField(random.Random(7)), a_tag()
    field.put(tag, 0)
    field.couple(tag, coupling, 0)
    assert least <= looks(field, 200).count("yes") <= most


def test_a_weak_tag_is_missed_and_garbled():
    field, tag = RfField(random.Random(7)), a_tag()
    field.put(tag, 0)
    field.couple(tag, 0.4, 0)
    seen = looks(field, 200)
    assert seen.count("") > 20
    assert seen.count("corrupt") > 20


def test_the_same_seed_gives_the_same_trace_and_another_seed_another():
    def trace(seed):
        field, tag = RfField(random.Random(seed)), a_tag()
        field.put(tag, 0)
        field.couple(tag, 0.5, 0)
        return looks(field, 100)

    assert trace(1) == trace(1)
    assert trace(1) != trace(2)


def test_tags_that_couple_well_draw_nothing_from_chance():
    chance = random.Random(3)
    before = chance.getstate()
    field = RfField(chance)
    field.put(a_tag(), 0)
    looks(field, 20)
    assert chance.getstate() == before


def test_a_tag_that_is_shifted_out_of_reach_loses_its_power_and_gets_it_back():
    field, tag = RfField(), a_tag()
    field.put(tag, 0)
    field.switch(True, 0)
    field.exchange(WUPA, 6_000)
    assert tag.state == "READY"
    field.couple(tag, 0.1, 7_000)
    assert tag.state == "OFF"
    field.couple(tag, 1.0, 8_000)
    assert tag.state == "IDLE"
    assert field.exchange(WUPA, 12_000) is None, "it needs its five milliseconds again"
    assert field.exchange(WUPA, 13_000) == ATQA


def test_a_much_weaker_answer_is_drowned_and_comes_out_when_the_strong_tag_is_quiet():
    field, strong, weak = RfField(random.Random(0)), a_tag(), a_tag("01 02 03 04")
    for tag in (strong, weak):
        field.put(tag, 0)
    field.couple(weak, 0.3, 0)
    field.switch(True, 0)
    heard = set()
    for t in range(6_000, 60_000, 1_000):  # each request silences who is ready and wakes who is not
        field.exchange(WUPA, t)
        answer = field.exchange(ANTICOLLISION, t + 500)
        if answer is not None:
            heard.add(tuple(answer))
    assert tuple(with_parity(bits_of(bytes.fromhex("de ad be ef 22")))) in heard
    assert not any(2 in answer for answer in heard), "no collision is seen"


# -- two standards on one coil ----------------------------------------------------------------------------------------


def test_each_standard_hears_its_own_frames_only():
    field = RfField()
    field.put(a_tag(), 0)
    field.put(VicinityTag(bytes.fromhex("e0 04 01 00 12 34 56 78")), 0)
    field.switch(True, 0)
    assert field.exchange(WUPA, 6_000) == ATQA
    answer = field.exchange(INVENTORY, 7_000)
    assert len(answer.bits) == 96
    assert 2 not in answer.bits


# -- crosstalk --------------------------------------------------------------------------------------------------------


def neighbours(coupling: float) -> tuple[RfField, RfField, Tag]:
    chance = random.Random(11)
    here, there = RfField(chance), RfField(chance)
    tag = a_tag()
    there.put(tag, 0)
    here.reach(there, coupling, 0)
    return here, there, tag


def test_a_field_that_reaches_over_reads_the_neighbours_tag():
    here, _, _ = neighbours(0.9)
    assert looks(here, 10) == ["yes"] * 10


def test_with_less_coupling_it_is_a_ghost_that_comes_and_goes():
    here, there, _ = neighbours(0.45)
    ghosts = looks(here, 200)
    assert 20 < ghosts.count("yes") < 150
    assert looks(there, 20, 100_000_000) == ["yes"] * 20, "its own reader sees it all the time"


def test_both_fields_at_once_spoil_each_other():
    here, there, tag = neighbours(0.5)
    there.switch(True, 0)
    assert there.exchange(WUPA, 6_000) == ATQA
    seen = []
    here.switch(True, 7_000)
    for t in range(13_000, 213_000, 1_000):
        tag.power_up(0)
        seen.append(there.exchange(WUPA, t))
    assert seen.count(None) > 50
    assert sum(answer not in (None, ATQA) for answer in seen) > 50


def test_crosstalk_can_be_ended():
    here, there, tag = neighbours(0.9)
    here.switch(True, 0)
    assert tag.state == "IDLE"
    here.reach(there, 0.0, 1_000)
    assert here.exchange(WUPA, 9_000) is None
    assert tag.feeders == []


def test_a_tag_fed_by_a_neighbour_keeps_its_state_when_one_of_the_fields_goes():
    here, there, tag = neighbours(0.9)
    there.switch(True, 0)
    there.exchange(WUPA, 6_000)
    here.switch(True, 7_000)
    there.switch(False, 8_000)
    assert tag.state == "READY"
    here.switch(False, 9_000)
    here.switch(True, 20_000)
    assert tag.state == "IDLE"


# -- stacks and hands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tags", "readable"), [(1, True), (2, True), (3, False), (4, False)])
def test_a_coil_that_bears_two_tags_reads_none_of_three_but_something_answers(tags, readable):
    field = RfField(random.Random(5))
    field.most_tags = 2
    for i in range(tags):
        field.put(a_tag(f"0{i} 02 03 04"), 0)
    seen = looks(field, 50)
    assert "" not in seen
    assert (seen.count("yes") == 50) == readable
    assert (seen.count("yes") == 0) != readable


def test_tags_of_iso_15693_do_not_mind_a_stack():
    field = RfField()
    field.most_tags = 2
    for i in range(4):
        field.put(VicinityTag(bytes.fromhex(f"e0 04 01 00 12 34 56 7{i}")), 0)
    field.switch(True, 0)
    assert field.exchange(INVENTORY, 6_000).bits[:16] == [0] * 16


def test_a_tag_is_pulled_away_in_the_middle_of_a_read():
    gone = []
    field = RfField(on_gone=lambda tag: (gone.append(tag), field.take(tag)))
    tag = a_tag()
    field.put(tag, 0)
    field.switch(True, 0)
    tag.leaves_after = 1
    assert field.exchange(WUPA, 6_000) == ATQA
    assert field.exchange(ANTICOLLISION, 6_500) is None
    assert gone == [tag]
    assert field.tags == []
