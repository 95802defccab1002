"""What the MFRC522 model makes of requests to tags, right ones and wrong ones, written by hand from the data sheet."""

import pytest
from reader_bench import REQA, UID, Bench


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
