"""Anticollision and selection on the MFRC522 model, and a whole reader written here on crowds of tags."""

import random

import pytest
from reader_bench import REQA, UID, WUPA, Bench, sel

# -- anticollision and selection ---------------------------------------------------------------------------------------


def test_one_tag_walks_through():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    assert bench.exchange("93 20") == "de ad be ef 22"
    assert bench.error() == 0
    assert bench.exchange(sel(UID)) == "08 b6 dd"  # SAK and its sum
    bench.exchange("50 00 57 cd", wait_us=30_000)
    assert bench.irq() & 0x21 == 0x01, "HLTA is answered by silence"
    assert bench.exchange(*REQA) == ""
    assert bench.exchange(*WUPA) == "04 00"


def test_a_missed_halt_brings_the_same_tag_again():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    bench.exchange(sel(UID))
    assert bench.exchange(*REQA) == "", "a selected tag is disturbed by it and says nothing"
    assert bench.exchange(*REQA) == "04 00"
    assert bench.exchange("93 20") == "de ad be ef 22"


@pytest.mark.parametrize("sum_", ["00 00", "cd 57", "57 cc"])
def test_a_halt_with_a_wrong_sum_does_not_halt(sum_):
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    bench.exchange(sel(UID))
    bench.exchange(f"50 00 {sum_}")
    assert bench.exchange(*REQA) == "04 00"


def test_a_selection_with_a_wrong_sum_is_not_answered():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    assert bench.exchange(sel(UID)[:-2] + "00") == ""


def test_automatic_sums_both_ways():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("24 80")
    bench.stream("26 80")
    assert bench.exchange("93 70 de ad be ef 22") == "08", "the sum is checked and taken off"
    assert bench.error() == 0


def test_a_received_sum_is_checked_when_asked_for():
    bench = Bench(UID)
    bench.field_on()
    bench.stream("26 80")
    bench.exchange(*REQA)
    assert bench.error() & 0x04, "an ATQA has no sum"


def test_cascade_of_seven_bytes():
    bench = Bench("04 11 22 33 44 55 66")
    bench.field_on()
    assert bench.exchange(*REQA) == "44 00"
    assert bench.exchange("93 20") == "88 04 11 22 bf"
    assert bench.exchange(sel("88 04 11 22")).startswith("04 ")
    assert bench.exchange("95 20") == "33 44 55 66 44"
    assert bench.exchange(sel("33 44 55 66", "95")).startswith("00 ")


def test_two_tags_collide_and_the_place_is_told():
    bench = Bench("01 02 03 04", "01 02 0b 04")  # they differ in bit 20: third byte, fourth bit
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("1c 00")
    assert bench.exchange("93 20") == "01 02 03 00 00", "bits from the collision on are cleared"
    assert bench.error() == 0x08
    assert bench.irq() & 0x22 == 0x22
    assert bench.read(0x0E) == 20


def test_collided_bits_are_kept_when_asked_for():
    bench = Bench("01 02 03 04", "01 02 0b 04")
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("1c 80")
    assert bench.exchange("93 20").startswith("01 02 0b 04")
    assert bench.read(0x0E) == 0x80 | 20


def test_the_thirty_second_bit_is_told_as_zero():
    bench = Bench("01 02 03 04", "01 02 03 84")
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("1c 00")
    bench.exchange("93 20")
    assert bench.read(0x0E) == 0x00
    assert bench.error() == 0x08


def test_twenty_known_bits_bring_the_rest_aligned():
    """NVB 44: two whole bytes and four bits of the third; TxLastBits and RxAlign are both four."""
    bench = Bench("01 02 03 04", "01 02 0b 04")
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("1c 00")
    assert bench.exchange("93 44 01 02 0b", 0x44) == "00 04 0c"
    assert bench.error() == 0
    bench.exchange(*REQA)  # silences the one that answered, wakes the other
    assert bench.exchange("93 44 01 02 03", 0x44) == "00 04 04"


def test_a_later_collision_counts_from_the_first_place_of_the_fifo():
    """Three tags; after bit 3 is decided the next two differ in bit 12: second byte, fourth bit."""
    bench = Bench("00 00 00 00", "04 00 00 00", "04 08 00 00")
    bench.field_on()
    bench.exchange(*REQA)
    bench.stream("1c 00")
    bench.exchange("93 20")
    assert bench.read(0x0E) == 3
    bench.exchange("93 23 04", 0x33)  # three bits known: the FIFO begins at bit 4, in place four of its first byte
    assert bench.error() == 0x08
    assert bench.read(0x0E) == 12


def test_a_wrong_alignment_spoils_parity():
    bench = Bench("01 02 0b 04")
    bench.field_on()
    bench.exchange(*REQA)
    bench.exchange("93 44 01 02 0b", 0x04)  # TxLastBits four, but RxAlign forgotten
    assert bench.error() & 0x02


def test_last_bits_that_do_not_fit_the_announcement_are_not_answered():
    bench = Bench("01 02 0b 04")
    bench.field_on()
    bench.exchange(*REQA)
    assert bench.exchange("93 44 01 02 0b", 0x45) == ""


def test_bytes_written_while_the_answer_is_awaited_are_an_error():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA, wait_us=0)
    bench.stream("12 00")
    assert bench.error() & 0x80


def test_starting_a_command_clears_the_errors():
    bench = Bench("01 02 03 04", "01 02 0b 04")
    bench.field_on()
    bench.exchange(*REQA)
    bench.exchange("93 20")
    assert bench.error()
    bench.stream("02 00")
    assert bench.error() == 0


# -- a whole reader, written here, on crowds of tags -------------------------------------------------------------------


def walk(bench: Bench) -> list[str]:
    """All UIDs on the reader, by the anticollision of ISO/IEC 14443-3, 6.5.3, with 1 chosen at each collision."""
    found: list[str] = []
    for _ in range(12):
        bench.exchange(*REQA)
        if not bench.irq() & 0x20:
            return found
        uid = b""
        for code in ("93", "95", "97"):
            part = _walk_level(bench, code)
            sak = bytes.fromhex(bench.exchange(sel(part.hex(), code)))
            uid += part[1:] if sak[0] & 0x04 else part
            if not sak[0] & 0x04:
                break
        found.append(uid.hex())
        bench.exchange("50 00 57 cd")
    raise AssertionError(f"the same tags again and again: {found}")


def _walk_level(bench: Bench, code: str) -> bytes:
    bench.stream("1c 00")
    bits: list[int] = []
    while True:
        whole, rest = divmod(len(bits), 8)
        known = sum(bit << i for i, bit in enumerate(bits)).to_bytes(whole + (rest > 0), "little")
        answer = bench.exchange(f"{code} {(2 + whole) << 4 | rest:02x} {known.hex()}", rest << 4 | rest)
        data = bytes.fromhex(answer)
        places = [data[i // 8] >> i % 8 & 1 for i in range(rest, 8 * len(data))]
        if not bench.error() & 0x08:
            bits += places
            out = sum(bit << i for i, bit in enumerate(bits)).to_bytes(5, "little")
            assert out[0] ^ out[1] ^ out[2] ^ out[3] == out[4]
            return out[:4]
        place = bench.read(0x0E) & 0x1F or 32
        bits += places[: place - 1 - rest] + [1]


@pytest.mark.parametrize("seed", range(25))
def test_every_tag_of_a_crowd_is_found_once(seed):
    dice = random.Random(seed)
    uids = set()
    while len(uids) < 1 + seed % 6:
        length = dice.choice((4, 7, 10))
        uid = dice.randbytes(length)
        if seed % 2:  # nearly the same, as tags from one reel are
            uid = bytes.fromhex("04a1b2c3d4e5f60718aa")[: length - 1] + uid[-1:]
        if length > 4 or uid[0] != 0x88:
            uids.add(uid.hex())
    bench = Bench(*sorted(uids))
    bench.field_on()
    assert sorted(walk(bench)) == sorted(uids)
    assert bench.complaints == []
