"""The PN5180 model's radio: field, transceiver states, timers, sums, inventories, collisions; written by hand."""

import pytest
from pn5180_bench import (
    IDLE_IRQ,
    IRQ_CLEAR,
    RF_STATUS,
    RFOFF_IRQ,
    RFON_IRQ,
    RX_IRQ,
    RX_STATUS,
    TX_IRQ,
    Pn5180Bench,
    inventory,
    with_sum,
)

A, B, C = "e0 04 01 00 12 34 56 78", "e0 04 01 00 12 34 56 7a", "e0 04 01 00 99 34 56 78"
IDLE, WAIT_TRANSMIT, TRANSMITTING, WAIT_FOR_DATA, RECEIVING = 0, 1, 2, 4, 5


@pytest.fixture
def bench():
    bench = Pn5180Bench(A)
    bench.field_on()
    return bench


def said(uid: str) -> str:
    """The answer to an inventory: flags, DSFID, the UID with its lowest byte first."""
    return "00 00 " + " ".join(reversed(uid.split()))


# -- field ------------------------------------------------------------------------------------------------------------


def test_a_field_takes_its_time_and_tells_when_it_is_there():
    bench = Pn5180Bench()
    bench.command("11 0d 8d")
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.command("16 00")
    assert bench.irq() == 0
    bench.wait(600)
    assert bench.irq() == RFON_IRQ
    assert bench.read(RF_STATUS) & 1 << 17
    bench.command("17 00")
    assert bench.irq() == RFON_IRQ | RFOFF_IRQ
    assert not bench.read(RF_STATUS) & 1 << 17


def test_a_field_without_a_configuration_is_complained_about():
    bench = Pn5180Bench()
    bench.command("16 00")
    assert "before LOAD_RF_CONFIG" in bench.complaints[0]


@pytest.mark.parametrize(
    ("rx", "tx", "frame", "bits", "needs"), [(0x80, 0x00, "52", 7, 5_000), (0x8D, 0x0D, "26", 0, 1_000)]
)
def test_a_frame_too_early_after_the_field_is_complained_about(rx, tx, frame, bits, needs):
    bench = Pn5180Bench()
    bench.command(f"11 {tx:02x} {rx:02x}")
    bench.command("16 00")
    bench.wait(450)
    bench.exchange(frame, bits)
    assert f"a tag may need {needs}" in bench.complaints[0]


def test_what_is_sent_before_the_field_is_there_is_lost():
    bench = Pn5180Bench(A)
    bench.command("11 0d 8d")
    assert bench.exchange(inventory()) == ""
    assert "without a field" in bench.complaints[0]


# -- transceiver (11.6.2) ---------------------------------------------------------------------------------------------


def test_the_states_of_an_exchange(bench):
    assert bench.state() == IDLE
    bench.command("01 00 03 00 00 00")
    assert bench.state() == WAIT_TRANSMIT
    bench.command("09 00 26 01 00")
    assert bench.state() == TRANSMITTING
    bench.wait(1_600)
    assert bench.state() == WAIT_FOR_DATA
    assert bench.irq() & (TX_IRQ | RX_IRQ) == TX_IRQ
    bench.wait(1_000)
    assert bench.state() == RECEIVING
    assert bench.irq() & 1 << 14, "the start of an answer"
    bench.wait(5_000)
    assert bench.irq() & RX_IRQ
    assert bench.state() == WAIT_TRANSMIT


def test_without_transceive_nothing_is_sent(bench):
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.command("09 00 26 01 00")
    bench.wait(10_000)
    assert bench.irq() == 1 << 17, "GENERAL_ERROR_IRQ alone"
    assert "write Idle and then Transceive" in bench.complaints[0]


def test_after_silence_the_transceiver_waits_until_it_is_told_to_stop():
    bench = Pn5180Bench()
    bench.field_on()
    assert bench.exchange(inventory()) == ""
    assert bench.state() == WAIT_FOR_DATA
    bench.command("01 00 03 00 00 00")
    assert bench.state() == WAIT_FOR_DATA, "Transceive over Transceive changes nothing"
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.command("02 00 f8 ff ff ff")
    assert bench.state() == IDLE
    assert bench.irq() == IDLE_IRQ


def test_a_state_that_was_asked_for_raises_its_flag(bench):
    bench.write(0x04, 0x21)  # initiator; STATE_TRIGGER_SELECT: WaitTransmit
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.command("01 00 03 00 00 00")
    assert bench.irq() == 1 << 5


# -- frames of ISO/IEC 15693 ------------------------------------------------------------------------------------------


def test_one_tag_answers_an_inventory_with_one_slot(bench):
    assert bench.exchange(inventory()) == said(A)
    assert bench.collided_at() is None
    assert bench.read(RX_STATUS) == 10
    assert bench.complaints == []


def test_a_sum_by_hand_is_as_good_as_the_chips_own(bench):
    bench.command("02 19 fe ff ff ff")  # TX_CRC_ENABLE off
    assert bench.exchange("26 01 00") == ""
    assert bench.exchange(with_sum("26 01 00").hex()) == said(A)


def test_the_received_sum_can_be_left_on(bench):
    bench.command("02 12 fe ff ff ff")
    answer = bench.exchange(inventory())
    assert bytes.fromhex(answer) == with_sum(said(A))


@pytest.mark.parametrize("preset", ["0b", "13", "1a"])
def test_another_sum_is_not_understood(bench, preset):
    """Preset 6363, preset A671, and not switched on."""
    bench.write(0x19, int(preset, 16))
    assert bench.exchange(inventory()) == ""


def test_a_wrong_setting_of_the_received_sum_is_an_integrity_error(bench):
    bench.write(0x12, 0x0B)
    bench.exchange(inventory())
    assert bench.read(RX_STATUS) & 1 << 16


@pytest.mark.parametrize(
    ("flags", "heard"),
    [
        ("26", True),
        ("24", False),  # low data rate: no configuration here reads it
        ("27", False),  # two subcarriers
        ("2e", False),  # protocol extension
        ("22", False),  # not an inventory
        ("36", True),  # with an AFI, which is not judged
    ],
)
def test_flags_of_an_inventory(bench, flags, heard):
    afi = "07" if flags == "36" else ""
    assert bench.exchange(f"{flags} 01 {afi} 00") == (said(A) if heard else "")


def test_parts_of_bytes_mean_nothing_to_a_tag(bench):
    assert bench.exchange("26 01 00", bits=4) == ""


def test_a_receive_wait_that_is_too_long_misses_the_answer(bench):
    bench.write(0x11, 0x1200 << 8)  # 4608 clocks; a tag begins after 4352
    assert bench.exchange(inventory()) == ""
    bench.write(0x11, 0x1000 << 8)
    assert bench.exchange(inventory()) == said(A)


@pytest.mark.parametrize(("tx", "rx"), [(0x00, 0x8D), (0x0D, 0x80), (0x01, 0x81)])
def test_configurations_of_other_standards_hear_nothing(tx, rx):
    bench = Pn5180Bench(A)
    bench.field_on(tx, rx)
    assert bench.exchange(inventory()) == ""


# -- collisions and slots ---------------------------------------------------------------------------------------------


def test_two_tags_collide_and_the_data_bit_is_told():
    bench = Pn5180Bench(A, B)  # 78 and 7a differ in their second bit: after flags and DSFID it is data bit 17
    bench.field_on()
    answer = bench.exchange(inventory())
    assert bench.collided_at() == 17
    assert answer == "00 00 00" + " 00" * 7, "78 up to its second bit is 0; bits after the collision are cleared"
    assert bench.read(RX_STATUS) & 1 << 16, "so the sum is wrong, too"


def test_bits_after_a_collision_are_kept_when_asked_for():
    bench = Pn5180Bench(A, B)
    bench.field_on()
    bench.command("01 12 00 02 00 00")
    assert bench.exchange(inventory()).split()[2] == "7a"


def test_a_board_whose_buffer_ends_before_the_collision():
    bench = Pn5180Bench(A, C)  # they differ in the fifth byte of the UID only
    bench.chip.radio.cut_at_collision = True
    bench.field_on()
    assert bench.exchange(inventory()) == "00 00 78 56 34"
    assert bench.collided_at() == 40


def test_sixteen_slots_part_tags_by_four_bits():
    bench = Pn5180Bench(A, B)
    bench.field_on()
    heard = [bench.exchange(inventory(slots=16))] + [bench.end_of_frame() for _ in range(15)]
    assert heard[8] == said(A)
    assert heard[10] == said(B)
    assert [slot for slot, answer in enumerate(heard) if answer] == [8, 10]
    assert bench.end_of_frame() == "", "there is no seventeenth"
    assert bench.complaints == []


def test_a_mask_of_four_bits_goes_on_where_a_slot_collided():
    bench = Pn5180Bench(A, C)
    bench.field_on()
    bench.exchange(inventory(slots=16))
    for _ in range(8):
        bench.end_of_frame()
    assert bench.collided_at() == 40
    # 32 bits in common, 12 and 99 differ in their lowest four: 2 and 9
    bench.command("01 18 c0 04 00 00")  # start symbol and data again
    heard = [bench.exchange(inventory("78 56 34 00", 32, 16))] + [""] * 15
    assert heard[0] == "", "the mask's last byte is not theirs"
    bench.command("01 18 c0 04 00 00")
    heard = [bench.exchange(inventory("78 56 34", 24, 16))] + [bench.end_of_frame() for _ in range(15)]
    assert heard[2] == said(A)
    assert heard[9] == said(C)


def test_a_quiet_tag_is_left_out_until_the_field_goes(bench):
    other = Pn5180Bench(A, B)
    other.field_on()
    assert other.exchange("22 02 " + " ".join(reversed(A.split()))) == "", "Stay Quiet is not answered"
    assert other.exchange(inventory()) == said(B)
    other.command("17 00")
    other.wait(6_000)
    other.field_on()
    other.exchange(inventory())
    assert other.collided_at() == 17, "both are there again"


# -- type A on the same chip ------------------------------------------------------------------------------------------


def test_type_a_tags_are_read_with_their_own_configuration():
    bench = Pn5180Bench("de ad be ef", A)
    bench.field_on(0x00, 0x80)
    assert bench.exchange("52", 7) == "04 00"
    assert bench.exchange("93 20") == "de ad be ef 22"


def test_type_a_collisions_and_aligned_rests():
    bench = Pn5180Bench("01 02 03 04", "01 02 0b 04")  # they differ in bit 20, place 19 from 0
    bench.field_on(0x00, 0x80)
    bench.exchange("52", 7)
    assert bench.exchange("93 20") == "01 02 03 00 00"
    assert bench.collided_at() == 19
    bench.write(0x12, 0xC08 | 4 << 6)  # RX_BIT_ALIGN 4
    assert bench.exchange("93 44 01 02 0b", 4) == "00 04 0c"
    assert bench.collided_at() is None


# -- timers (11.6.6) --------------------------------------------------------------------------------------------------


def test_a_timer_started_by_the_end_of_a_frame_tells_of_silence():
    bench = Pn5180Bench()
    bench.field_on()
    bench.write(0x0C, 2_120)  # TIMER1_RELOAD, at 212 kHz: 10 ms
    bench.write(0x0F, 0x1 | 0x4 | 5 << 3 | 1 << 11 | 1 << 20)  # enabled, prescaled, from TX end, stopped by RX start
    assert bench.exchange(inventory(), wait_us=5_000) == ""
    assert bench.irq() & 1 << 12 == 0
    bench.wait(7_000)
    assert bench.irq() & 1 << 12


def test_an_answer_stops_that_timer(bench):
    bench.write(0x0C, 2_120)
    bench.write(0x0F, 0x1 | 0x4 | 5 << 3 | 1 << 11 | 1 << 20)
    assert bench.exchange(inventory()) == said(A)
    bench.wait(50_000)
    assert bench.irq() & 1 << 12 == 0


def test_a_timer_started_by_hand_counts_down_and_can_go_round():
    bench = Pn5180Bench()
    bench.write(IRQ_CLEAR, 0xFFFFF)
    bench.write(0x0B, 13_560)  # TIMER0_RELOAD at 13.56 MHz: 1 ms
    bench.write(0x0E, 0x1 | 0x2 | 0x40)  # enabled, again and again, now
    assert 0 < bench.read(0x08) < 13_560
    bench.wait(1_000)
    assert bench.irq() & 1 << 11
    bench.write(IRQ_CLEAR, 1 << 11)
    bench.wait(1_000)
    assert bench.irq() & 1 << 11
    bench.write(0x0E, 0)
    bench.write(IRQ_CLEAR, 1 << 11)
    bench.wait(5_000)
    assert bench.irq() & 1 << 11 == 0


# -- troubles ---------------------------------------------------------------------------------------------------------


def test_a_deaf_chip_seems_well_but_reads_nothing_until_it_is_reset(bench):
    bench.chip.deaf_at = bench.now + 1_000
    assert bench.exchange(inventory()) == said(A)
    assert bench.exchange(inventory()) == ""
    assert bench.ask("07 12 02", 2) == "00 04"
    bench.command("17 00")
    bench.field_on()
    assert bench.irq() & RFON_IRQ
    assert bench.read(RF_STATUS) & 1 << 17, "so it says"
    assert bench.exchange(inventory()) == ""
    bench.command("01 00 00 01 00 00")
    bench.field_on()
    assert bench.exchange(inventory()) == said(A)


def test_a_chip_that_receives_well_and_nothing(bench):
    bench.chip.fail("empty", bench.now)
    assert bench.exchange(inventory()) == "-"
    assert bench.read(RX_STATUS) == 0
