"""The reader driver against tags that follow ISO/IEC 14443-3 bit by bit."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CLEAR, UNREADABLE, MUTE = 0, 1, 2
COUNTINGS = ("aligned", "frame", "whole")


@st.composite
def tag_sets(draw):
    """One to six different UIDs of 4, 7 and 10 bytes, many of them equal for a long way."""
    seed = draw(st.integers(0, 2**32 - 1))
    count = draw(st.integers(1, 6))
    rng = random.Random(seed)
    stem = rng.randbytes(10)
    uids = set()
    while len(uids) < count:
        length = rng.choice((4, 7, 7, 10))
        uid = bytearray(rng.randbytes(length))
        shared = rng.randrange(length * 8)
        for bit in range(shared):
            at, mask = bit >> 3, 1 << (bit & 7)
            uid[at] = (uid[at] & ~mask) | (stem[at] & mask)
        if uid[0] == 0x88 or (length == 10 and uid[3] == 0x88):
            continue  # no tag may begin a level with the cascade mark
        uids.add(uid.hex())
    return sorted(uids)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(tag_sets(), st.sampled_from(COUNTINGS)), min_size=5, max_size=5))
def test_every_tag_is_found_and_halted(micropython, cases):
    for (uids, counting), found in zip(cases, micropython("find_tags", cases), strict=True):
        assert found["uids"] == uids, counting
        assert found["result"] == CLEAR
        assert found["again"] == [CLEAR, uids]


def test_an_empty_socket_costs_few_transfers(micropython):
    (empty,) = micropython("find_tags", [[[], "aligned"]])
    assert empty["uids"] == []
    assert empty["result"] == CLEAR
    assert empty["transfers"] <= 8


def test_twin_prefixes_to_the_last_bit(micropython):
    near = ["04112233445560", "04112233445561", "044455aa", "0444552a"]
    for counting in COUNTINGS:
        (found,) = micropython("find_tags", [[near, counting]])
        assert found["uids"] == sorted(near)


@pytest.mark.parametrize("case", ["spoiled request", "spoiled once", "spoiled for ever"])
def test_corrupt_answers_are_presence(micropython, case):
    answer = micropython("spoiled_answers")[case]
    if case == "spoiled once":
        assert answer == [CLEAR, 1]
    else:
        assert answer[0] in (CLEAR, UNREADABLE)
        assert answer[0] == UNREADABLE or answer[1] == 1


def test_an_answer_without_a_bit_is_a_fault_of_the_chip_and_no_silence(micropython):
    assert micropython("spoiled_answers")["empty answer"] == [MUTE, 0]


def test_a_tag_that_does_not_halt_ends_the_walk(micropython):
    assert micropython("spoiled_answers")["does not halt"] == [UNREADABLE, 1]


def test_dead_and_forgetful_chips_are_mute(micropython):
    answer = micropython("spoiled_answers")
    assert answer["dead at start"] is False
    assert answer["dead later"] == MUTE
    assert answer["forgot its set-up"] == MUTE
    assert answer["set up again"] == [True, CLEAR, 1]
