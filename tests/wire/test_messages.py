"""The message table, its packets on both Pythons, and what is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_rules.wire import message_table
from shared_rules.wire import messages as wire
from shared_rules.wire.messages import UnknownKindError, WireError, checksum, decode, encode, pack, seal

HERE = Path(__file__).resolve().parent
VECTORS = json.loads((HERE / "golden_vectors.json").read_text())
BYTES = ("uid", "device_id", "nonce", "proof", "key")
COLD = {"HELLO", "SET_LIGHTS", "PROOF", "PAIR"}


def fields_of(vector):
    return {k: bytes.fromhex(v) if k in BYTES else v for k, v in vector["fields"].items()}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_golden_vectors(vector):
    packet = bytes.fromhex(vector["hex"])
    assert encode(vector["name"], vector["seq"], vector["ref"], fields_of(vector)) == packet
    message = decode(packet)
    assert (message.name, message.seq, message.ref, message.fields) == (
        vector["name"],
        vector["seq"],
        vector["ref"],
        fields_of(vector),
    )


def test_golden_vectors_on_micropython(run_script):
    told = run_script(HERE / "device" / "vectors.py", VECTORS)
    for vector, (packed, unpacked) in zip(VECTORS, told, strict=True):
        assert packed == vector["hex"]
        assert unpacked == {k: vector[k] for k in ("name", "seq", "ref", "fields")}


def test_every_message_has_a_golden_vector_and_a_kind_of_its_own():
    assert {v["name"] for v in VECTORS} == {row[1] for row in message_table.rows()}
    assert len({row[0] for row in message_table.rows()}) == len(message_table.rows())
    assert all(row[2] == message_table.TO_COMPANION for row in message_table.rows() if row[0] >= wire.FIRST_EVENT)


def test_hot_packets_fit_the_smallest_mtu():
    """The longest packet of each message, computed from its table."""
    sizes = {"u8": 1, "u16": 2, "u32": 4, "id": 6, "faces": 6}
    for _kind, name, _direction, fields in message_table.rows():
        size = wire.HEADER_SIZE + wire.CHECK_SIZE
        for _field, kind, _unit, _low, high in fields:
            size += sizes.get(kind, 1 + high)
        assert size <= (wire.MAX_SIZE if name in COLD else wire.HOT_SIZE), name


def test_the_checksum_is_the_one_the_page_names():
    assert checksum(b"123456789", 9) == 0x29B1


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_every_flip_of_one_or_two_bits_and_every_cut_is_refused(vector):
    packet = bytes.fromhex(vector["hex"])
    bits = len(packet) * 8
    for first in range(bits):
        for second in range(first, min(bits, first + 40)):
            bad = bytearray(packet)
            bad[first >> 3] ^= 1 << (first & 7)
            if second != first:
                bad[second >> 3] ^= 1 << (second & 7)
            with pytest.raises(WireError):
                decode(bytes(bad))
    for length in range(len(packet)):
        with pytest.raises(WireError):
            decode(packet[:length])


@given(st.binary(max_size=140))
def test_garbage_is_refused_and_nothing_else_raised(data):
    try:
        message = decode(data)
    except WireError:
        return
    # One in 65,536 random packets has a check that fits: then it must be a whole message.
    assert message.name in {row[1] for row in message_table.rows()}


@given(st.binary(min_size=1, max_size=12), st.sampled_from([row[0] for row in message_table.rows()]))
def test_sound_packets_with_any_payload_are_whole_or_refused(payload, kind):
    body = bytes((wire.PROTOCOL_MAJOR << 4, kind, 1, 0, 0, 0)) + payload
    crc = checksum(body, len(body))
    try:
        message = decode(body + bytes((crc & 255, crc >> 8)))
    except WireError:
        return
    encode(message.name, message.seq, message.ref, message.fields)  # every field within the bounds of its table


def sealed(body):
    crc = checksum(body, len(body))
    return body + bytes((crc & 255, crc >> 8))


def test_later_versions_are_understood_as_far_as_they_can_be():
    longer = sealed(bytes.fromhex("1080010000001c0404a1b2c3") + b"\x07\x08")
    assert decode(longer).fields == {"socket": 28, "uid": b"\x04\xa1\xb2\xc3"}
    with pytest.raises(UnknownKindError, match="0x7f"):
        decode(sealed(bytes.fromhex("107f01000000")))
    with pytest.raises(WireError, match="protocol 2"):
        decode(sealed(bytes.fromhex("200201000000")))


def test_packets_of_an_earlier_version_are_understood():
    settled = next(v for v in VECTORS if v["name"] == "ROLL_SETTLED")
    shorter = bytes.fromhex(settled["hex"])[: -wire.CHECK_SIZE - 4]
    assert decode(sealed(shorter)).fields == {**fields_of(settled), "digest": 0}
    assert encode("ROLL_SETTLED", 1, 0, {k: v for k, v in settled["fields"].items() if k != "digest"})
    with pytest.raises(WireError, match="too short for digest"):
        decode(sealed(shorter + b"\x01"))
    hello = next(v for v in VECTORS if v["name"] == "HELLO")
    fields = decode(sealed(bytes.fromhex(hello["hex"])[: -wire.CHECK_SIZE - 3])).fields
    assert (fields["device_kind"], fields["paired"], fields["mode"]) == (wire.TABLE_CONTROLLER, 0, wire.MODE_NORMAL)


def test_a_packet_that_goes_the_wrong_way_is_refused():
    forged = encode("ROLL_SETTLED", 9, 0, fields_of(next(v for v in VECTORS if v["name"] == "ROLL_SETTLED")))
    with pytest.raises(WireError, match="not the other way"):
        decode(forged, message_table.TO_TABLE)


def test_replay_mark():
    packet = encode("SEVERAL_RESOLVED", 6, 0, {"socket": 28})
    kind, payload = pack("SEVERAL_RESOLVED", {"socket": 28})
    assert seal(kind, 0, 6, 0, payload) == packet
    marked = decode(seal(kind, wire.FLAG_REPLAYED, 6, 0, payload))
    assert marked.replayed
    assert not decode(packet).replayed
    assert (marked.name, marked.seq, marked.fields) == ("SEVERAL_RESOLVED", 6, {"socket": 28})


@pytest.mark.parametrize(
    ("name", "fields", "what"),
    [
        ("NOBODY", {}, "no message named"),
        ("ACK", {"x": 1}, "not in its table"),
        ("TAG_GONE", {"socket": 1}, "uid is missing"),
        ("TAG_GONE", {"socket": 32, "uid": b"1234"}, "socket must be a number from 0 to 31"),
        ("TAG_GONE", {"socket": 1, "uid": b"12345"}, "length of 5"),
        ("SET_FACE_MAP", {"map_id": 1, "style": 0, "faces": [1] * 11}, "twelve"),
        ("SET_LIGHTS", {"look": 1, "seconds": 0, "leds": [256]}, "not a byte"),
        ("SET_LIGHTS", {"look": 1, "seconds": 0, "leds": []}, "length of 0"),
        ("GAP", {"first": "a", "lost": 1}, "must be a number"),
    ],
)
def test_what_fits_no_packet_is_said(name, fields, what):
    with pytest.raises(WireError, match=what):
        encode(name, 1, 0, fields)
