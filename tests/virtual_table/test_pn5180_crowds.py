"""A whole reader of ISO/IEC 15693, written here after section 8 of the standard, on crowds of tags on the PN5180."""

import random

import pytest
from pn5180_bench import RX_STATUS, Pn5180Bench, inventory

_LOAD = "11 0d 8d"  # start symbol and data are back after an end of frame alone
_ERRORS = 0x70000


def walk(bench: Pn5180Bench) -> list[str]:
    """All UIDs, by sixteen slots at a time: a slot in which tags collide is asked again, four bits deeper."""
    found: list[str] = []
    waiting = [("", 0)]
    while waiting:
        mask, bits = waiting.pop()
        for slot in range(16):
            if slot == 0:
                bench.command(_LOAD)
                answer = bench.exchange(inventory(mask, bits, 16))
            else:
                answer = bench.end_of_frame()
            if not answer:
                continue
            if bench.read(RX_STATUS) & _ERRORS:
                number = int.from_bytes(bytes.fromhex(mask), "little") | slot << bits
                waiting.append((number.to_bytes((bits + 11) // 8, "little").hex(" "), bits + 4))
            else:
                found.append(bytes.fromhex(answer)[:1:-1].hex())
    return found


@pytest.mark.parametrize("seed", range(24))
def test_every_tag_of_a_crowd_is_found_once(seed):
    dice = random.Random(seed)
    uids: set[str] = set()
    stem = dice.getrandbits(56)
    while len(uids) < 1 + seed % 10:
        shared = dice.choice((0, 4, 12, 20, 40)) if seed % 3 else 0
        own = dice.getrandbits(56)
        uids.add(f"e0{own >> shared << shared | stem & ((1 << shared) - 1):014x}")
    bench = Pn5180Bench(*sorted(uids))
    bench.chip.radio.cut_at_collision = bool(seed % 2)
    bench.field_on()
    assert sorted(walk(bench)) == sorted(uids)
    assert bench.complaints == []


def test_tags_that_differ_in_their_highest_bits_alone_are_found_at_the_deepest_mask():
    uids = ["e004010012345678", "e014010012345678"]
    bench = Pn5180Bench(*uids)
    bench.field_on()
    assert sorted(walk(bench)) == uids
