"""A companion and a device take each packet for the same: the wire's modules under both Pythons, on good and bad input.

What the right answers are is told by the other tests of this folder, which run in Python; here MicroPython must agree.
"""

import importlib.util
import json
import random
from pathlib import Path

import pytest

from shared_rules.wire import message_table
from shared_rules.wire.messages import MAX_SIZE, checksum

HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "device" / "verdicts.py"
VECTORS = json.loads((HERE / "golden_vectors.json").read_text())
chance = random.Random(7)


def sealed(body):
    crc = checksum(body, len(body))
    return (body + bytes((crc & 255, crc >> 8))).hex()


def packets():
    """Golden ones; their cuts with a check that fits; later and older versions; any payload for every kind; noise."""
    for vector in VECTORS:
        body = bytes.fromhex(vector["hex"])[:-2]
        for direction in (None, message_table.TO_TABLE, message_table.TO_COMPANION):
            yield vector["hex"], direction
        for length in range(5, len(body)):
            yield sealed(body[:length]), None
        yield sealed(body + b"\x07\x08"), None
        yield sealed(bytes((0x18,)) + body[1:]), None
        yield sealed(b"\x20" + body[1:]), None
        yield vector["hex"][:-1] + "0", None
        for _ in range(12):
            yield sealed(body[:6] + chance.randbytes(chance.randint(1, 24))), None
    yield sealed(bytes.fromhex("107f01000000")), None
    for length in (0, 3, 7, 40, MAX_SIZE, MAX_SIZE + 1, 300):
        yield chance.randbytes(length).hex(), None


def wrong_ones(value):
    if isinstance(value, int):
        return -1, 1 << 33, "a"
    return ("b:", "b:" + "00" * 200) if str(value).startswith("b:") else ("", "x" * 200)


def fields():
    """Fields of golden vectors, as they are and each made wrong in turn."""
    for vector in VECTORS:
        whole = {
            k: f"b:{v}" if k in ("uid", "device_id", "nonce", "proof", "key") else v
            for k, v in vector["fields"].items()
        }
        name = vector["name"]
        yield name, 1, whole
        yield name, 0x10000, whole
        yield name, 1, {**whole, "nobody": 1}
        for key, value in whole.items():
            yield name, 1, {k: v for k, v in whole.items() if k != key}
            for wrong in wrong_ones(value):
                yield name, 1, {**whole, key: wrong}
            if isinstance(value, list):
                yield name, 1, {**whole, key: [300, *value[1:]]}
    yield "NOBODY", 1, {}


def steps():
    for last in (0, 1, 10, 0xFFFE, 0x10000, 70000):
        many = [["judge", (last + 1) & 0xFFFF], ["advance"], ["skip", (last + 2) & 0xFFFF, 3]]
        for _ in range(60):
            near = (last + chance.randint(-700, 700)) & 0xFFFF
            many += [["judge", near], ["behind", near], ["skip", near, chance.choice((1, 5, 700))]]
        yield 7, last, many


@pytest.fixture(scope="module")
def both(run_script):
    """What Python says, and what MicroPython says."""
    spec = importlib.util.spec_from_file_location("wire_verdicts", SCRIPT)
    here = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(here)
    distances = [(chance.randint(0, 0xFFFF), chance.randint(0, 0xFFFF)) for _ in range(100)]
    question = {"packets": [*packets()], "fields": [*fields()], "received": [*steps()], "distances": distances}
    return question, json.loads(json.dumps(here.all_of(question))), run_script(SCRIPT, question, heap="16M")


@pytest.mark.parametrize("what", ["packets", "fields", "received", "distances"])
def test_both_say_the_same(both, what):
    question, ours, theirs = both
    assert len(theirs[what]) == len(question[what])
    for asked, our, their in zip(question[what], ours[what], theirs[what], strict=True):
        assert their == our, asked


def test_both_know_the_same_messages(both):
    _question, ours, theirs = both
    assert theirs["rows"] == ours["rows"] == [list(row[:3]) for row in message_table.rows()]


def test_the_question_holds_good_and_bad(both):
    _question, _ours, theirs = both
    refused = [said for said in theirs["packets"] if said[0] in ("WireError", "UnknownKindError")]
    assert len(refused) > 200
    assert len(theirs["packets"]) - len(refused) > 200
    assert len({said for said in theirs["fields"] if " " in said}) > 100
    assert {said[0] for many in theirs["received"] for said in many} >= {"next", "repeat", "gap", "refused", True}
