"""The reader drivers on the modelled chips: both kinds of tags, collisions, what is not as it should be."""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.virtual_table.chips.reader_sockets import READER_KINDS
from firmware import pins
from firmware.drivers.iso14443a import COLLISION, CORRUPT, SILENCE, Answer
from firmware.drivers.iso15693 import read_vicinity
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


def reader_with(*uids, socket=5, kind="pn5180"):
    table = Table({socket: kind})
    table.place(socket, *uids)
    reader = table.probe(socket)
    assert reader is not None
    assert reader.kind == (READER_PN5180 if kind == "pn5180" else READER_MFRC522)
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


@pytest.mark.parametrize("kind", ["pn5180", "mfrc522", "clone_b2"])
@settings(max_examples=40, deadline=None)
@given(uids=type_a_sets())
def test_every_type_a_tag_is_found(kind, uids):
    table, reader = reader_with(*uids, kind=kind)
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


@pytest.mark.parametrize("kind", ["pn5180", "mfrc522"])
@pytest.mark.parametrize("coupling", [0.35, 0.6])
def test_weak_tags_are_never_taken_for_others(kind, coupling):
    """Requests are missed and answers corrupted: what is listed is true, what is corrupt is presence."""
    uids = ["04a1b2c3", "04112233445566"] + ([SLIX] if kind == "pn5180" else [])
    table, reader = reader_with(*uids, kind=kind)
    for uid in uids:
        table.hardware.set_coupling(bytes.fromhex(uid), coupling)
    listed = unclear = 0
    for _ in range(150):
        result, found = table.poll(reader)
        assert result in (CLEAR, UNREADABLE)
        assert set(found) <= set(uids)
        assert table.fields_on() == []
        listed += len(found)
        unclear += result == UNREADABLE
    assert listed
    assert unclear


def test_a_chip_that_brings_empty_answers_is_at_fault_and_not_empty():
    table, reader = reader_with(SLIX)
    table.hardware.readers[5].fail("empty", int(table.now))
    assert table.poll(reader) == (MUTE, [])
    assert table.run(reader.start())
    assert table.poll(reader) == (CLEAR, [SLIX])


@pytest.mark.parametrize("trouble", ["dead", "hung"])
def test_a_chip_that_does_not_answer_is_mute(trouble):
    table, reader = reader_with(SLIX)
    table.hardware.readers[5].fail(trouble, int(table.now))
    assert table.poll(reader) == (MUTE, [])
    assert table.run(reader.start()) is False


@pytest.mark.parametrize("kind", ["pn5180", "mfrc522"])
def test_the_field_goes_off_whatever_happens(kind):
    table, reader = reader_with("04a1b2c3", kind=kind)

    async def fails(tags):
        assert table.fields_on() == [5]
        raise OSError("in the middle of a poll")

    reader._read_type_a = fails
    with pytest.raises(OSError, match="in the middle"):
        table.poll(reader)
    table.wait(1_000)
    assert table.fields_on() == []


class Scripted:
    """A reader whose exchanges come to what a list says."""

    def __init__(self, *statuses):
        self.answer = Answer()
        self.left = list(statuses)

    async def exchange(self, frame):
        return self.left.pop(0)

    async def send_only_ends(self, only):
        return True


@pytest.mark.parametrize("spoiled", [CORRUPT, COLLISION])
def test_a_vicinity_tag_that_could_not_be_understood_once_is_no_silence(spoiled):
    reader = Scripted(spoiled, *[SILENCE] * 17)
    assert Table().run(read_vicinity(reader, [])) == UNREADABLE
    assert reader.left == []
