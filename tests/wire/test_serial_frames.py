"""Frames on a serial line: whatever goes in comes out, whatever the line adds or spoils is noticed and left behind."""

import binascii
import json
import random
from pathlib import Path

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from shared_rules.wire.messages import MAX_SIZE
from shared_rules.wire.serial_frames import (
    MAX_FRAME,
    MAX_PACKET,
    FrameReader,
    cobs_decode,
    cobs_encode,
    encode_frame,
)

HERE = Path(__file__).resolve().parent
VECTORS = json.loads((HERE / "serial_frames.json").read_text())

packets = st.binary(min_size=1, max_size=MAX_PACKET)
# Many zeros and long runs without one: that is where the encoding changes.
lumpy = st.lists(st.one_of(st.just(b"\0"), st.integers(1, 300).map(lambda n: b"\x11" * n)), max_size=6).map(b"".join)


def test_a_frame_holds_the_longest_packet():
    assert MAX_PACKET == MAX_SIZE
    assert len(encode_frame(b"\xff" * MAX_PACKET)) == MAX_FRAME + 1


@given(st.one_of(lumpy, st.binary(max_size=600)))
def test_the_stuffing_is_that_of_the_cobs_package(data):
    ours = bytes(cobs_encode(data))
    theirs = cobs.encode(data)
    assert 0 not in ours
    assert bytes(cobs_decode(ours)) == data
    assert cobs.decode(ours) == data
    # After a last full run of 254 bytes a closing 0x01 may stand or not: both decode to the same.
    assert ours in (theirs, theirs + b"\x01")
    assert bytes(cobs_decode(theirs)) == data


@given(st.binary(max_size=400))
def test_what_nothing_encodes_to_is_refused(raw):
    try:
        expected = cobs.decode(raw)
    except cobs.DecodeError:
        expected = None
    decoded = cobs_decode(raw)
    assert (None if decoded is None else bytes(decoded)) == expected


@given(st.lists(packets, max_size=8), st.randoms(use_true_random=False))
def test_packets_come_out_as_they_went_in_however_the_line_cuts_them(sent, chance):
    stream = b"".join(map(encode_frame, sent))
    reader = FrameReader()
    came = []
    at = 0
    while at < len(stream):
        step = chance.randint(1, 40)
        came += reader.feed(stream[at : at + step])
        at += step
    assert came == sent
    assert (reader.frames, reader.damaged, reader.oversized) == (len(sent), 0, 0)


@given(st.binary(max_size=400), packets, packets)
def test_after_any_noise_the_second_packet_is_heard(noise, lost, heard):
    reader = FrameReader()
    came = reader.feed(noise + encode_frame(lost) + encode_frame(heard))
    assert came[-1] == heard
    assert reader.feed(b"") == []


@given(packets, st.data())
def test_a_cut_frame_is_no_packet(packet, data):
    frame = encode_frame(packet)
    cut = data.draw(st.integers(1, len(frame) - 2))
    reader = FrameReader()
    assert reader.feed(frame[:cut] + b"\0") == []
    assert reader.damaged == 1
    assert reader.feed(frame) == [packet]


def test_every_flipped_bit_of_a_frame_is_noticed():
    packet = bytes.fromhex("108001000000" + "1c04" + "04a1b2c3" + "3a1c")
    frame = encode_frame(packet)
    for bit in range(8 * len(frame)):
        spoiled = bytearray(frame)
        spoiled[bit >> 3] ^= 1 << (bit & 7)
        reader = FrameReader()
        assert reader.feed(bytes(spoiled) + b"\0") == []
        assert reader.feed(frame) == [packet]


def accepted_of(count, seed):
    """How many of `count` frames with one to twelve flipped bits, or a flipped stretch, give a packet."""
    chance = random.Random(seed)
    accepted = 0
    for _ in range(count):
        packet = chance.randbytes(chance.choice((8, 11, 14, 20, 20, 29, 120)))
        frame = bytearray(encode_frame(packet))
        if chance.random() < 0.5:
            for bit in chance.sample(range(8 * len(frame)), chance.randint(1, 12)):
                frame[bit >> 3] ^= 1 << (bit & 7)
        else:
            at = chance.randrange(len(frame))
            for i in range(at, min(len(frame), at + chance.randint(1, 8))):
                frame[i] ^= chance.randint(1, 255)
        accepted += len(FrameReader().feed(bytes(frame) + b"\0"))
    return accepted


def test_no_spoiled_frame_of_twenty_thousand_is_accepted():
    assert accepted_of(20_000, 1) == 0


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_no_spoiled_frame_of_a_million_is_accepted():
    assert accepted_of(1_000_000, 2) == 0


def test_a_line_that_never_ends_a_frame_takes_no_memory():
    reader = FrameReader()
    for _ in range(100):
        assert reader.feed(b"\x55" * 1000) == []
    assert reader.oversized == 1
    assert len(reader._kept) == 0
    assert reader.feed(b"\0" + encode_frame(b"again")) == [b"again"]


@pytest.mark.parametrize("packet", [b"", bytes(MAX_PACKET + 1)])
def test_what_fits_no_frame_is_not_sent(packet):
    with pytest.raises(ValueError, match="1 to 120 bytes"):
        encode_frame(packet)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["what"])
def test_golden_frames(vector):
    packet, frame = bytes.fromhex(vector["packet"]), bytes.fromhex(vector["frame"])
    assert encode_frame(packet) == frame
    assert FrameReader().feed(frame) == [packet]
    raw = cobs.decode(frame[:-1])
    assert raw == packet + binascii.crc32(packet).to_bytes(4, "little")


def test_golden_frames_on_micropython(run_script):
    chance = random.Random(3)
    noise = [chance.randbytes(chance.randint(0, 300)).hex() for _ in range(200)]
    told = run_script(HERE / "device" / "frames.py", {"packets": [v["packet"] for v in VECTORS], "noise": noise})
    assert told["frames"] == [v["frame"] for v in VECTORS]
    assert told["read"] == [v["packet"] for v in VECTORS]
    ours = FrameReader()
    for piece in noise:
        ours.feed(bytes.fromhex(piece))
    assert told["counters"] == [ours.frames, ours.damaged, ours.oversized]
