"""The reader model against traces written by hand from the data sheet, right ones and wrong ones.

Address bytes are `register << 1`, with the highest bit set for reading. The traces are not taken from any driver.
"""

import random

import pytest
from reader_bench import Bench

from companion.virtual_table.chips.crc_a import crc_a
from companion.virtual_table.chips.mfrc522_registers import SELF_TEST

REQA = ("26", 0x07)
WUPA = ("52", 0x07)
UID = "de ad be ef"


def sel(uid_part: str, code: str = "93") -> str:
    """A SELECT with its check byte and sum, in hex."""
    part = bytes.fromhex(uid_part)
    body = bytes.fromhex(code) + b"\x70" + part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]])
    return (body + crc_a(body)).hex(" ")


# -- SPI and registers (8.1.2, 9.3) ----------------------------------------------------------------------------------


def test_reset_values():
    bench = Bench()
    values = {
        0x01: 0x20, 0x02: 0x80, 0x03: 0x00, 0x04: 0x14, 0x05: 0x00, 0x06: 0x00, 0x07: 0x21, 0x08: 0x00, 0x0A: 0x00,
        0x0B: 0x08, 0x0C: 0x10, 0x0D: 0x00, 0x0E: 0xA0, 0x11: 0x3F, 0x12: 0x00, 0x13: 0x00, 0x14: 0x80, 0x15: 0x00,
        0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x21: 0xFF, 0x22: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88,
        0x28: 0x20, 0x29: 0x20, 0x2A: 0x00, 0x36: 0x40, 0x37: 0x92,
    }  # fmt: skip
    assert {register: bench.read(register) for register in values} == values


def test_reading_several_registers_in_one_stream_shifts_by_one_byte():
    bench = Bench()
    bench.stream("16 15")  # WaterLevel
    assert bench.stream("96 ee a2 00") == "a5 15 92 3f"  # WaterLevel, Version, Mode


def test_writing_many_bytes_goes_to_the_one_register():
    bench = Bench()
    bench.stream("12 01 02 03")
    assert bench.read(0x0A) == 3
    assert bench.stream("92 92 92 00").split()[1:] == ["01", "02", "03"]


def test_each_stream_begins_with_an_address():
    bench = Bench()
    bench.chip.select_pin(True, bench.now)
    bench.chip.transfer(bytes.fromhex("12"), bench.now)
    bench.chip.transfer(bytes.fromhex("26"), bench.now)  # the same stream goes on
    bench.chip.select_pin(False, bench.now)
    assert bench.read(0x0A) == 1
    assert bench.fifo() == "26"


def test_an_address_with_its_lowest_bit_set_is_complained_about():
    bench = Bench()
    bench.stream("13 26")
    assert "lowest bit" in bench.complaints[0]


def test_writing_version_and_error_changes_nothing():
    bench = Bench()
    bench.stream("6e 00")
    bench.stream("0c ff")
    assert bench.read(0x37) == 0x92
    assert bench.error() == 0


# -- interrupt flags (9.3.1.5) ---------------------------------------------------------------------------------------


def test_the_highest_bit_says_whether_marked_flags_are_set_or_cleared():
    bench = Bench()
    bench.stream("08 10")
    assert bench.irq() == 0x04
    bench.stream("08 e0")
    assert bench.irq() == 0x64
    bench.stream("08 7f")
    assert bench.irq() & ~0x04 == 0, "LoAlert comes back with the next change of the FIFO only"


# -- FIFO (8.3) ------------------------------------------------------------------------------------------------------


def test_the_fifo_holds_64_bytes_and_says_so():
    bench = Bench()
    bench.stream("12" + " aa" * 64)
    assert bench.read(0x0A) == 64
    assert bench.error() == 0
    bench.stream("12 bb")
    assert bench.error() == 0x10  # BufferOvfl
    assert bench.irq() & 0x02
    bench.stream("14 80")
    assert bench.read(0x0A) == 0
    assert bench.error() == 0


def test_water_levels():
    bench = Bench()
    bench.stream("12" + " aa" * 8)
    assert bench.read(0x07) & 0x03 == 0x01  # 8 <= 8: LoAlert
    bench.stream("12 aa")
    assert bench.read(0x07) & 0x03 == 0x00
    bench.stream("12" + " aa" * 47)
    assert bench.read(0x07) & 0x03 == 0x02  # 64 - 56 <= 8: HiAlert


# -- commands (10.3) -------------------------------------------------------------------------------------------------


def test_an_unknown_command_ends_in_idle_with_its_flag():
    bench = Bench()
    bench.stream("08 7f")
    bench.stream("02 05")
    assert bench.read(0x01) & 0x0F == 0
    assert bench.irq() & 0x10


def test_writing_idle_sets_no_flag():
    bench = Bench()
    bench.stream("08 7f")
    bench.stream("02 0c")
    bench.stream("02 00")
    assert bench.irq() & 0x10 == 0


def test_no_command_change_keeps_the_command():
    bench = Bench()
    bench.stream("02 0c")
    bench.stream("02 07")
    assert bench.read(0x01) == 0x0C


@pytest.mark.parametrize("mode", ["3d", "3c", "3e", "3f", "bd"])
def test_crc_coprocessor_starts_from_what_the_mode_register_says(mode):
    """Only preset 6363 and the lowest bit first give CRC_A; the reset value of ModeReg is 3f, another sum."""
    bench = Bench()
    bench.stream(f"22 {mode}")
    bench.stream("14 80")
    bench.stream("12 50 00")
    bench.stream("0a 04")
    bench.stream("02 03")
    assert bench.read(0x05) & 0x04
    assert bench.read(0x07) & 0x20
    result = f"{bench.read(0x22):02x} {bench.read(0x21):02x}"
    assert (result == "57 cd") == (mode == "3d")


def test_the_coprocessor_goes_on_with_later_bytes_until_another_command():
    bench = Bench()
    bench.stream("22 3d")
    bench.stream("12 50")
    bench.stream("02 03")
    bench.stream("12 00")
    bench.stream("02 00")
    assert (bench.read(0x22), bench.read(0x21)) == (0x57, 0xCD)


def test_self_test_of_version_2():
    bench = Bench()
    bench.stream("12" + " 00" * 25)
    bench.stream("02 01")  # Mem: the internal buffer is cleared
    bench.stream("6c 09")
    bench.stream("12 00")
    bench.stream("02 03")
    assert bench.read(0x0A) == 64
    assert bytes.fromhex(bench.fifo()) == SELF_TEST


def test_soft_reset_takes_time_and_loses_what_is_written_meanwhile():
    bench = Bench()
    bench.stream("28 83")
    bench.stream("02 0f")
    assert bench.read(0x01) & 0x10, "PowerDown reads 1 while the chip starts"
    bench.stream("2a 40")
    bench.wait(1_000)
    assert bench.read(0x01) == 0x20
    assert bench.read(0x15) == 0x00
    assert bench.read(0x14) == 0x80
    assert any("while the chip starts" in text for text in bench.complaints)


def test_power_down_switches_the_field_off_and_keeps_registers():
    bench = Bench(UID)
    bench.field_on()
    assert bench.exchange(*REQA) == "04 00"
    bench.stream("02 30")
    assert not bench.field.on
    bench.stream("02 00")
    assert bench.read(0x01) & 0x10, "waking up takes time"
    bench.wait(1_000)
    assert bench.read(0x01) & 0x10 == 0
    assert bench.field.on, "the drivers are still enabled"
    assert bench.read(0x15) == 0x40


def test_a_command_during_wake_up_is_lost():
    bench = Bench(UID)
    bench.field_on()
    bench.stream("02 30")
    bench.stream("02 00")
    assert bench.exchange(*REQA, wait_us=100) == "26", "still in the FIFO"
    assert bench.irq() & 0x40 == 0
    assert any("wakes up" in text for text in bench.complaints)


# -- timer (8.5) -----------------------------------------------------------------------------------------------------


def test_timer_of_25_milliseconds_starts_after_the_last_bit():
    bench = Bench()
    bench.field_on()  # prescaler 0a9: 25 us a tick; reload 03e8: 1000 and one ticks
    bench.exchange("26", 0x07, wait_us=24_900)
    assert bench.irq() & 0x01 == 0
    bench.wait(400)
    assert bench.irq() & 0x01
    assert bench.irq() & 0x20 == 0, "nothing was received"


def test_an_answer_stops_the_timer():
    bench = Bench(UID)
    bench.field_on()
    bench.exchange(*REQA)
    bench.wait(60_000)
    assert bench.irq() & 0x21 == 0x20


def test_timer_by_hand_and_its_restart():
    bench = Bench()
    for mosi in ("54 10", "56 a9", "58 00", "5a 0f", "08 7f", "18 40"):  # 16 ticks of 25 us, restarting
        bench.stream(mosi)
    bench.wait(400)
    assert bench.irq() & 0x01
    assert bench.read(0x07) & 0x08
    bench.stream("18 80")
    assert bench.read(0x07) & 0x08 == 0


# -- requests --------------------------------------------------------------------------------------------------------


def test_request_with_seven_bits_is_answered():
    bench = Bench(UID)
    bench.field_on()
    assert bench.exchange(*REQA) == "04 00"
    assert bench.irq() & 0x60 == 0x60  # TxIRq and RxIRq
    assert bench.irq() & 0x10 == 0, "Transceive does not end by itself"
    assert bench.error() == 0
    assert bench.read(0x0C) & 0x07 == 0
    assert bench.read(0x0E) & 0x20


@pytest.mark.parametrize("framing", [0x00, 0x06, 0x01])
def test_request_with_another_number_of_bits_is_not(framing):
    bench = Bench(UID)
    bench.field_on()
    assert bench.exchange("26", framing, wait_us=30_000) == ""
    assert bench.irq() & 0x21 == 0x01


def test_request_with_an_automatic_sum_is_not():
    bench = Bench(UID)
    bench.field_on()
    bench.stream("24 80")
    assert bench.exchange(*REQA) == ""


@pytest.mark.parametrize("wrong", ["2a 00", "24 10", "48 20", "28 80", "02 20", "3a 10"])
def test_settings_that_no_tag_understands(wrong):
    """No 100 % modulation, 212 kBd, other pulses, drivers off, receiver off, and parity that is off."""
    bench = Bench(UID)
    bench.field_on()
    if wrong == "02 20":
        for mosi in ("08 7f", "14 80", "12 26", "02 2c", "1a 87"):
            bench.stream(mosi)
        bench.wait(5_000)
        assert bench.fifo() == ""
        return
    bench.stream(wrong)
    answer = bench.exchange(*REQA)
    if wrong == "3a 10":  # a short frame has no parity, so the request passes, but what comes back is misread
        assert answer != "04 00"
        assert bench.exchange("93 20") == ""
    else:
        assert answer == ""


def test_tags_are_given_five_milliseconds():
    bench = Bench(UID)
    bench.stream("2a 40")
    bench.stream("28 83")
    bench.wait(4_500)
    assert bench.exchange(*REQA, wait_us=1_000) == ""
    assert "a tag may need 5000" in bench.complaints[0]
    assert bench.exchange(*REQA) == "04 00"


def test_start_without_transceive_sends_nothing():
    bench = Bench(UID)
    bench.field_on()
    bench.stream("14 80")
    bench.stream("12 26")
    bench.stream("1a 87")
    bench.wait(5_000)
    assert bench.fifo() == "26"
    assert any("Transceive" in text for text in bench.complaints)


def test_transmit_sends_and_ends_without_listening():
    bench = Bench(UID)
    bench.field_on()
    for mosi in ("08 7f", "14 80", "1a 07", "12 26", "02 04"):
        bench.stream(mosi)
    bench.wait(5_000)
    assert bench.irq() & 0x70 == 0x50
    assert bench.fifo() == ""
    assert bench.tags[0].state == "READY", "the tag has answered nobody"


def test_two_kinds_of_tags_collide_in_their_answer_to_a_request():
    bench = Bench(UID, "04 11 22 33 44 55 66")
    bench.field_on()
    bench.stream("1c 00")  # ValuesAfterColl 0
    bench.exchange(*REQA)
    assert bench.error() == 0x08
    assert bench.read(0x0E) == 0x07, "0400 and 4400 differ in the seventh bit"


# -- anticollision and selection -------------------------------------------------------------------------------------


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


# -- a whole reader, written here, on crowds of tags -----------------------------------------------------------------


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


# -- what breaks -----------------------------------------------------------------------------------------------------


def test_a_hung_reader_reads_zero_until_it_is_reset():
    bench = Bench(UID)
    bench.field_on()
    bench.chip.fail("hung", bench.now)
    assert bench.read(0x37) == 0
    assert not bench.field.on
    bench.stream("02 0f")
    bench.wait(1_000)
    assert bench.read(0x37) == 0x92


def test_a_deaf_reader_answers_but_hears_nothing_until_it_is_reset():
    bench = Bench(UID)
    bench.field_on()
    bench.chip.fail("deaf", bench.now)
    assert bench.read(0x37) == 0x92
    assert bench.exchange(*REQA) == ""
    bench.stream("02 0f")
    bench.wait(1_000)
    bench.field_on()
    assert bench.exchange(*REQA) == "04 00"


def test_a_dead_reader_stays_dead_until_it_is_repaired():
    bench = Bench(UID)
    bench.chip.fail("dead", bench.now)
    bench.stream("02 0f")
    bench.chip.reset_pin(False, bench.now)
    bench.chip.reset_pin(True, bench.now)
    bench.wait(1_000)
    assert bench.read(0x37) == 0
    bench.chip.repair(bench.now)
    bench.wait(1_000)
    assert bench.read(0x37) == 0x92


def test_a_trouble_that_no_reader_has():
    with pytest.raises(ValueError, match="dead, hung, deaf"):
        Bench().chip.fail("sulking", 0)
