"""Tags of ISO/IEC 15693: sums, states, inventories; beside a second description of their states, as a table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.virtual_table.chips.iso14443a import AirFrame
from companion.virtual_table.chips.iso15693 import VicinityFrame, VicinityTag, crc_v

UID = bytes.fromhex("e0 04 01 00 12 34 56 78")
ON_AIR = UID[::-1]
EOF = VicinityFrame(b"")


def frame(body: bytes | str) -> VicinityFrame:
    raw = bytes.fromhex(body) if isinstance(body, str) else body
    return VicinityFrame(raw + crc_v(raw))


def read(answer) -> bytes | None:
    """The bytes of an answer without their sum, which must be right."""
    if answer is None:
        return None
    bits = answer.bits
    raw = bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
    assert crc_v(raw[:-2]) == raw[-2:]
    return raw[:-2]


@pytest.fixture
def tag():
    tag = VicinityTag(UID)
    tag.power_up(0)
    return tag


def test_sum_of_the_example_in_the_standard():
    """Annex C: 01 02 03 04 has the sum 3991, its low byte first."""
    assert crc_v(bytes.fromhex("01 02 03 04")) == bytes.fromhex("91 39")


def test_a_tag_needs_one_millisecond_of_field(tag):
    assert tag.receive(frame("26 01 00"), 999) is None
    assert read(tag.receive(frame("26 01 00"), 1_000)) == b"\0\0" + ON_AIR


@pytest.mark.parametrize(
    ("request_", "answered"),
    [
        ("26 01 00", True),
        ("26 01 08 78", True),
        ("26 01 08 79", False),
        ("26 01 04 f8", True),  # only four bits of the mask count
        ("26 01 04 f7", False),
        ("26 01 3c 78 56 34 12 00 01 04 00", True),  # 60 bits
        ("26 01 40 78 56 34 12 00 01 04 e0", True),  # all 64
        ("26 01 41 78 56 34 12 00 01 04 e0 00", False),
        ("26 01 10 78", False),  # a byte of the mask is missing
        ("26 01 00 78", False),  # one too many
        ("26 01", False),  # no mask length
        ("36 01 07 00", True),  # an AFI, not judged
        ("36 01 07", False),
        ("06 01 00", False),  # sixteen slots: this is slot 8
        ("06 01 04 08", False),  # slot 7 comes first of those behind the mask
        ("06 01 3c 78 56 34 12 00 01 04 00", False),  # slot e
        ("06 01 40 78 56 34 12 00 01 04 e0", False),  # nothing is left for a slot
    ],
)
def test_inventories(tag, request_, answered):
    assert (tag.receive(frame(request_), 9_000) is not None) == answered


def test_a_wrong_sum_is_met_with_silence(tag):
    whole = frame("26 01 00").data
    assert tag.receive(VicinityFrame(whole[:-1] + bytes([whole[-1] ^ 1])), 9_000) is None


@pytest.mark.parametrize("noise", [None, AirFrame(b"\x26", 7), VicinityFrame(b"\x26")])
def test_other_standards_and_noise_mean_nothing(tag, noise):
    tag.receive(frame("06 01 00"), 9_000)
    assert tag.receive(noise, 9_100) is None


@pytest.mark.parametrize(("mask", "slot"), [("00", 8), ("04 08", 7), ("08 78", 6), ("0c 78 06", 5)])
def test_the_slot_is_the_four_bits_behind_the_mask(tag, mask, slot):
    heard = [tag.receive(frame(f"06 01 {mask}"), 9_000)] + [tag.receive(EOF, 9_000) for _ in range(20)]
    assert [i for i, answer in enumerate(heard) if answer] == [slot]
    assert read(heard[slot]) == b"\0\0" + ON_AIR


def test_any_other_request_ends_the_slots(tag):
    tag.receive(frame("06 01 00"), 9_000)
    tag.receive(frame("26 01 08 00"), 9_000)
    assert [tag.receive(EOF, 9_000) for _ in range(16)] == [None] * 16


def test_an_unknown_request_is_refused_with_the_standards_code(tag):
    assert read(tag.receive(frame("02 7f"), 9_000)) == b"\x01\x01"


@pytest.mark.parametrize("uid", ["e0 04 01 00 12 34 56", "04 e0 01 00 12 34 56 78", "e0" * 9])
def test_uids_that_no_tag_has(uid):
    with pytest.raises(ValueError, match="8 bytes that begins with e0"):
        VicinityTag(bytes.fromhex(uid))


@given(
    rest=st.lists(st.binary(min_size=7, max_size=7), min_size=1, max_size=6, unique=True),
    depth=st.integers(0, 56),
)
@settings(max_examples=60, deadline=None)
def test_exactly_the_tags_under_a_mask_answer_each_in_one_slot(rest, depth):
    """For any crowd and any mask taken from one of its tags."""
    uids = [b"\xe0" + r for r in rest]
    tags = [VicinityTag(uid) for uid in uids]
    for tag in tags:
        tag.power_up(0)
    number = int.from_bytes(uids[0], "big")
    mask = (number & ((1 << depth) - 1)).to_bytes((depth + 7) // 8, "little")
    heard: dict[bytes, list[int]] = {uid: [] for uid in uids}
    for slot in range(16):
        sent = EOF if slot else frame(bytes((0x06, 0x01, depth)) + mask)
        for tag in tags:
            if tag.receive(sent, 9_000):
                heard[tag.uid].append(slot)
    for uid, slots in heard.items():
        mine = int.from_bytes(uid, "big")
        under = (mine ^ number) & ((1 << depth) - 1) == 0
        assert slots == ([mine >> depth & 15] if under else [])


class States(RuleBasedStateMachine):
    """The state diagram of the standard (7.2.4, figure 8) as a table, beside the tag."""

    @initialize()
    def begin(self):
        self.tag = VicinityTag(UID)
        self.now = 0
        self.state = "OFF"

    def say(self, body: str):
        self.now += 2_000
        return read(self.tag.receive(frame(body), self.now))

    @rule()
    def field_comes(self):
        self.tag.power_up(self.now)
        self.now += 2_000
        self.state = "READY"

    @rule()
    def field_goes(self):
        self.tag.power_down()
        self.state = "OFF"

    @rule()
    def inventory(self):
        answered = self.say("26 01 00") is not None
        assert answered == (self.state in ("READY", "SELECTED"))

    @rule(mine=st.booleans())
    def stay_quiet(self, mine):
        uid = ON_AIR if mine else b"\x01" * 8
        assert self.say(f"22 02 {uid.hex()}") is None
        if mine and self.state != "OFF":
            self.state = "QUIET"

    @rule(mine=st.booleans())
    def select(self, mine):
        uid = ON_AIR if mine else b"\x01" * 8
        answer = self.say(f"22 25 {uid.hex()}")
        assert (answer == b"\0") == (mine and self.state != "OFF")
        if mine and self.state != "OFF":
            self.state = "SELECTED"
        elif self.state == "SELECTED":
            self.state = "READY"

    @rule(how=st.sampled_from(["addressed", "selected", "everybody"]))
    def reset_to_ready(self, how):
        body = {"addressed": f"22 26 {ON_AIR.hex()}", "selected": "12 26", "everybody": "02 26"}[how]
        answer = self.say(body)
        hears = {
            "addressed": self.state != "OFF",
            "selected": self.state == "SELECTED",
            "everybody": self.state in ("READY", "SELECTED"),
        }[how]
        assert (answer == b"\0") == hears
        if hears:
            self.state = "READY"

    @rule()
    def noise(self):
        assert self.tag.receive(None, self.now) is None

    @invariant()
    def same_state(self):
        if hasattr(self, "tag"):
            assert self.tag.state == self.state


TestStates = States.TestCase
TestStates.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
