"""What breaks in an MFRC522, and what its clones say."""

import pytest
from reader_bench import REQA, UID, Bench


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
    with pytest.raises(ValueError, match="dead, hung, deaf, empty"):
        Bench().chip.fail("sulking", 0)


def test_a_reader_that_goes_deaf_after_hours_is_healed_by_a_reset_for_good():
    bench = Bench(UID)
    bench.chip.deaf_at = 3_600e6
    bench.field_on()
    bench.now = 3_599_000_000
    assert bench.exchange(*REQA) == "04 00"
    bench.now = 3_600_000_000
    assert bench.exchange(*REQA) == ""
    assert bench.read(0x37) == 0x92, "its registers look well"
    bench.stream("02 0f")
    bench.wait(1_000)
    bench.field_on()
    bench.now = 9_000_000_000
    assert bench.exchange(*REQA) == "04 00"


@pytest.mark.parametrize("uids", [[], [UID]])
def test_a_reader_that_answers_well_with_an_empty_frame(uids):
    """RxIRq, no error, and nothing in the FIFO, whether a tag is there or not; until it is reset."""
    bench = Bench(*uids)
    bench.field_on()
    bench.chip.fail("empty", bench.now)
    assert bench.exchange(*REQA) == ""
    assert bench.irq() & 0x23 == 0x20
    assert bench.error() == 0
    bench.stream("02 0f")
    bench.wait(6_000)  # long enough for a tag to forget that it was asked
    bench.field_on()
    assert bench.exchange(*REQA) == ("04 00" if uids else "")


@pytest.mark.parametrize("version", [0x88, 0x90, 0xB2, 0x12, 0x91])
def test_clones_differ_in_their_version_byte(version):
    bench = Bench(UID, version=version)
    assert bench.read(0x37) == version
    bench.field_on()
    assert bench.exchange(*REQA) == "04 00"
