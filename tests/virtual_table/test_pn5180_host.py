"""The PN5180 model's host interface: frames, BUSY, commands, EEPROM, reset; traces from the data sheet, 11.4."""

import pytest
from pn5180_bench import GENERAL_ERROR_IRQ, IDLE_IRQ, IRQ_CLEAR, IRQ_STATUS, RF_STATUS, SYSTEM_CONFIG, Pn5180Bench

TAG = "e0 04 01 00 12 34 56 78"


@pytest.fixture
def bench():
    return Pn5180Bench(TAG)


# -- frames and BUSY (11.4.1) -----------------------------------------------------------------------------------------


def test_busy_is_high_while_the_chip_starts_and_idle_irq_tells_that_it_has():
    bench = Pn5180Bench()
    bench.chip.reset_pin(False, bench.now)
    assert not bench.chip.busy(bench.now)
    bench.wait(20)
    bench.chip.reset_pin(True, bench.now)
    assert bench.chip.busy(bench.now)
    bench.wait(2_600)
    assert not bench.chip.busy(bench.now)
    assert bench.irq() == IDLE_IRQ


def test_busy_rises_with_the_bytes_of_a_frame_and_falls_when_it_has_been_worked_on(bench):
    chip = bench.chip
    chip.select_pin(True, bench.now)
    assert not chip.busy(bench.now), "selecting alone is no work"
    chip.transfer(bytes.fromhex("04 02"), bench.now)
    assert chip.busy(bench.now)
    bench.wait(500)
    assert chip.busy(bench.now), "the frame has not ended: NSS is still low"
    chip.select_pin(False, bench.now)
    assert chip.busy(bench.now)
    bench.wait(100)
    assert not chip.busy(bench.now)


def test_an_answer_is_read_in_the_next_frame_lowest_byte_first(bench):
    assert bench.frame(bytes.fromhex("04 02")) == b"\xff\xff", "nothing is said in the frame of the command"
    assert bench.frame(b"\xff" * 4) == bytes.fromhex("04 00 00 00")
    assert bench.complaints == []


def test_looking_at_busy_while_selected_does_no_harm(bench):
    bench.command("04 02")
    for _ in range(5):
        bench.chip.select_pin(True, bench.now)
        bench.chip.busy(bench.now)
        bench.chip.select_pin(False, bench.now)
        bench.wait(4)
    assert bench.frame(b"\xff" * 4) == bytes.fromhex("04 00 00 00")
    assert bench.complaints == []


def test_bytes_sent_while_busy_is_high_are_lost_and_complained_about(bench):
    bench.patient = False
    bench.command("00 01 55 00 00 00")
    bench.command("00 01 aa 00 00 00")
    bench.patient = True
    assert bench.read(0x01) == 0x55
    assert "while BUSY is high" in bench.complaints[0]


def test_an_answer_read_too_early_is_not_there_yet(bench):
    bench.patient = False
    bench.command("04 02")
    assert bench.frame(b"\xff" * 4) == b"\xff" * 4
    assert "while BUSY is high" in bench.complaints[0]


def test_a_command_sent_where_an_answer_waits_is_not_obeyed(bench):
    bench.command("04 02")
    bench.command("00 01 55 00 00 00")
    assert bench.read(0x01) == 0
    assert "FF must be sent" in bench.complaints[0]


@pytest.mark.parametrize("length", [2, 5])
def test_an_answer_of_another_length_is_complained_about(bench, length):
    answer = bench.ask("04 02", length)
    assert answer == "04 00 00 00 ff"[: 3 * length - 1]
    assert f"{length} bytes were read of an answer of 4" in bench.complaints[0]


# -- registers (11.4.3.3.1 to 6) --------------------------------------------------------------------------------------


def test_write_or_and_of_a_register(bench):
    bench.command("00 01 78 56 34 12")
    assert bench.read(0x01) == 0x12345678
    bench.command("01 01 07 00 00 00")
    assert bench.read(0x01) == 0x1234567F
    bench.command("02 01 ff 00 ff 00")
    assert bench.read(0x01) == 0x0034007F


def test_many_registers_in_one_command(bench):
    bench.command("03 01 01 0f 00 00 00 01 02 f0 00 00 00 01 03 fc 00 00 00")  # write, or, and
    assert bench.ask("05 01 02", 8) == "fc 00 00 00 04 00 00 00"


def test_flags_are_cleared_by_ones(bench):
    bench.write(IRQ_CLEAR, 0x000FFFFB)
    assert bench.irq() == IDLE_IRQ
    bench.write(IRQ_CLEAR, IDLE_IRQ)
    assert bench.irq() == 0


@pytest.mark.parametrize("register", [IRQ_STATUS, 0x13, RF_STATUS])
def test_writing_what_can_only_be_read_changes_nothing(bench, register):
    before = bench.read(register)
    bench.write(register, 0xFFFFFFFF)
    assert bench.read(register) == before
    assert "read-only" in bench.complaints[0]


# -- EEPROM (11.4.3.3.7 and 8) ----------------------------------------------------------------------------------------


def test_versions_lie_in_the_eeprom(bench):
    assert bench.ask("07 10 02", 2) == "00 04"  # product 4.0
    assert bench.ask("07 12 02", 2) == "00 04"  # firmware 4.0
    assert len(bench.ask("07 00 10", 16).split()) == 16  # the die's number


def test_the_eeprom_keeps_what_is_written_through_a_reset(bench):
    bench.command("06 1a 01 02 03")
    bench.chip.reset_pin(False, bench.now)
    bench.wait(20)
    bench.chip.reset_pin(True, bench.now)
    assert bench.ask("07 1a 03", 3) == "01 02 03"


# -- what the chip refuses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frame",
    [
        "ee 00",  # how an MFRC522 would be asked for its version
        "04",  # without an address
        "04 2b",  # a register that is not there
        "00 01 02",  # three bytes missing
        "07 f0 20",  # beyond the end of the EEPROM
        "06 10 00",  # the product version
        "09",  # data without their valid bits
        "0a 00",  # nothing was received
        "11 1d 8d",  # a configuration that is not there
        "16",
        "03 01 04 00 00 00 00",
    ],
)
def test_a_command_that_does_not_exist_or_fit_is_a_general_error_and_nothing_else(bench, frame):
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.command(frame)
    assert bench.irq() == GENERAL_ERROR_IRQ
    assert bench.complaints == [], "whoever looks what is in a socket may send such"


# -- reset and troubles -----------------------------------------------------------------------------------------------


def test_a_soft_reset_forgets_everything_and_takes_its_time(bench):
    bench.field_on()
    bench.write(0x01, 0x55)
    bench.command("01 00 00 01 00 00")
    assert not bench.field.on
    assert bench.chip.busy(bench.now + 1_000)
    assert bench.read(0x01) == 0
    assert bench.read(SYSTEM_CONFIG) == 0


def test_held_in_reset_it_says_nothing(bench):
    bench.field_on()
    bench.chip.reset_pin(False, bench.now)
    assert not bench.field.on
    assert bench.ask("04 02", 4) == "00 00 00 00"


def test_a_hung_chip_keeps_busy_high_until_the_reset_pin(bench):
    bench.chip.fail("hung", bench.now)
    bench.patient = False
    assert bench.chip.busy(bench.now + 1e9)
    assert bench.ask("04 02", 4) == "00 00 00 00"
    bench.chip.reset_pin(False, bench.now)
    bench.chip.reset_pin(True, bench.now)
    bench.patient = True
    assert bench.irq() == IDLE_IRQ


def test_a_dead_chip_is_dead_until_it_is_repaired(bench):
    bench.chip.fail("dead", bench.now)
    bench.chip.reset_pin(False, bench.now)
    bench.chip.reset_pin(True, bench.now)
    assert bench.ask("04 02", 4) == "00 00 00 00"
    bench.chip.repair(bench.now)
    assert bench.irq() == IDLE_IRQ


def test_a_trouble_that_no_reader_has(bench):
    with pytest.raises(ValueError, match="dead, hung, deaf, empty"):
        bench.chip.fail("sulking", 0)
