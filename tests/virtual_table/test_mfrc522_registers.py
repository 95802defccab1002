"""SPI, registers, flags, FIFO, commands and timer of the MFRC522 model, against traces written from the data sheet.

Address bytes are `register << 1`, with the highest bit set for reading. The traces are not taken from any driver.
"""

import pytest
from reader_bench import REQA, UID, Bench

from companion.virtual_table.chips.mfrc522_registers import SELF_TEST

# -- SPI and registers (8.1.2, 9.3) ------------------------------------------------------------------------------------


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


# -- interrupt flags (9.3.1.5) -----------------------------------------------------------------------------------------


def test_the_highest_bit_says_whether_marked_flags_are_set_or_cleared():
    bench = Bench()
    bench.stream("08 10")
    assert bench.irq() == 0x04
    bench.stream("08 e0")
    assert bench.irq() == 0x64
    bench.stream("08 7f")
    assert bench.irq() & ~0x04 == 0, "LoAlert comes back with the next change of the FIFO only"


# -- FIFO (8.3) --------------------------------------------------------------------------------------------------------


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


# -- commands (10.3) ---------------------------------------------------------------------------------------------------


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


# -- timer (8.5) -------------------------------------------------------------------------------------------------------


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
