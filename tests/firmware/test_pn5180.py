"""The PN5180 driver on the modelled chip: both kinds of tags, collisions, what is not as it should be."""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.virtual_table.chips.reader_sockets import READER_KINDS
from firmware import pins
from shared_rules.wire.messages import READER_MFRC522, READER_PN5180

sys.path.insert(0, str(Path(__file__).parent))
from reader_table import Table

CLEAR, UNREADABLE, MUTE = 0, 1, 2
SLIX = "e004015012345678"


@st.composite
def vicinity_sets(draw):
    """One to six different UIDs, many of them equal in their low bits, where an inventory begins."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    stem = rng.getrandbits(56)
    uids = set()
    for _ in range(draw(st.integers(1, 6))):
        shared = rng.randrange(56)
        own = rng.getrandbits(56)
        number = own >> shared << shared | stem & ((1 << shared) - 1)
        uids.add(f"e0{number:014x}")
    return sorted(uids)


@st.composite
def type_a_sets(draw):
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    stem = rng.randbytes(10)
    uids = set()
    for _ in range(draw(st.integers(1, 6))):
        length = rng.choice((4, 7, 7, 10))
        shared = rng.randrange(length)
        uid = stem[:shared] + rng.randbytes(length - shared)
        if uid[0] != 0x88 and not (length == 10 and uid[3] == 0x88):
            uids.add(uid.hex())
    return sorted(uids) or ["04a1b2c3"]


def reader_with(*uids, socket=5, **others):
    table = Table({socket: "pn5180"}, **others)
    table.place(socket, *uids)
    reader = table.probe(socket)
    assert reader is not None
    assert reader.kind == READER_PN5180
    return table, reader


def test_the_chip_is_recognised_and_set_up():
    table, reader = reader_with()
    assert (reader.socket, reader.version) == (5, 0x40)
    assert table.fields_on() == []
    assert table.complaints() == []


@settings(max_examples=60, deadline=None)
@given(vicinity_sets())
def test_every_vicinity_tag_is_found(uids):
    table, reader = reader_with(*uids)
    assert table.poll(reader) == (CLEAR, uids)
    assert table.poll(reader) == (CLEAR, uids)
    assert table.fields_on() == []
    assert table.hardware.counters.most_fields_on == 1
    assert table.complaints() == []


@settings(max_examples=40, deadline=None)
@given(type_a_sets())
def test_every_type_a_tag_is_found(uids):
    table, reader = reader_with(*uids)
    assert table.poll(reader) == (CLEAR, uids)
    assert table.poll(reader) == (CLEAR, uids)
    assert table.complaints() == []


def test_both_kinds_lie_together():
    uids = sorted(["04a1b2c3", "04112233445566", SLIX, "e004015012345679"])
    table, reader = reader_with(*uids)
    assert table.poll(reader) == (CLEAR, uids)
    assert table.complaints() == []


def test_tags_that_differ_in_the_last_bit_only():
    uids = sorted(["e004015012345678", "e084015012345678"])
    table, reader = reader_with(*uids)
    assert table.poll(reader) == (CLEAR, uids)


def test_the_uid_has_its_most_significant_byte_first():
    table, reader = reader_with(SLIX)
    assert table.poll(reader) == (CLEAR, [SLIX])


def test_an_empty_coil_costs_little_time():
    table, reader = reader_with()
    begun = table.now
    assert table.poll(reader) == (CLEAR, [])
    assert table.now - begun < 26_000  # ten of which are the wait before
    assert table.complaints() == []


@pytest.mark.parametrize("kind", [kind for kind in READER_KINDS if kind not in ("pn5180", "none")])
def test_a_probe_tells_readers_apart(kind):
    table = Table({0: kind, 1: "pn5180", 2: "none"})
    assert table.probe(0).kind == READER_MFRC522
    assert table.probe(1).kind == READER_PN5180
    assert table.probe(2) is None
    assert table.complaints() == []


@settings(max_examples=20, deadline=None)
@given(vicinity_sets(), type_a_sets())
def test_a_chip_that_keeps_no_byte_with_a_collision_finds_them_too(vicinity, type_a):
    for uids in (vicinity, type_a):
        table, reader = reader_with(*uids)
        table.hardware.readers[5].radio.cut_at_collision = True
        assert table.poll(reader) == (CLEAR, uids)


def test_an_empty_socket_costs_next_to_nothing():
    table = Table(rest="none")
    begun = table.now, table.bus.transfers
    for socket in range(pins.SOCKETS):
        assert table.probe(socket) is None
    assert table.now - begun[0] < 80_000
    assert table.bus.transfers - begun[1] <= 3 * pins.SOCKETS
