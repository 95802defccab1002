"""The pins of both dice: I2C and SPI to the accelerometer, the light and its supply, cell, charger, button and ring."""

from dataclasses import replace

import pytest

from companion.virtual_table.chips.accelerometer import Resting
from companion.virtual_table.chips.die_hardware import DieHardware, DieWiring, RingHardware
from firmware import pins_handheld, pins_table_die

GOOD = (400, 850, 800, 450)
WIRING = DieWiring.of_pins(pins_handheld)
SELECT, SCK, MOSI, MISO = 20, 21, 9, 8


@pytest.fixture
def die():
    return DieHardware(WIRING)


def errors(hardware):
    return [text for _, text in hardware.model_errors]


# -- buses -------------------------------------------------------------------------------------------------------------


def test_a_transfer_writes_goes_on_and_reads_back(die):
    status, _ = die.i2c(WIRING.sda, WIRING.scl, 0x19, bytes([0x34, 0x11, 0x22, 0x33]), 0, 100)
    assert status == 0
    assert die.i2c(WIRING.sda, WIRING.scl, 0x19, b"\x34", 3, 200) == (0, b"\x11\x22\x33")
    assert errors(die) == []


def test_the_lis3dh_goes_on_only_when_it_is_asked_to():
    die = DieHardware(WIRING, chip="lis3dh")
    die.i2c(WIRING.sda, WIRING.scl, 0x18, bytes([0x32 | 0x80, 0x11, 0x22]), 0, 100)
    assert die.i2c(WIRING.sda, WIRING.scl, 0x18, b"\xb2", 2, 200)[1] == b"\x11\x22"
    assert die.i2c(WIRING.sda, WIRING.scl, 0x18, b"\x32", 2, 300)[1] == b"\x11\x11"


def test_nobody_answers_at_other_addresses_and_pins(die):
    assert die.i2c(WIRING.sda, WIRING.scl, 0x18, b"\x0f", 1, 100)[0] == 19
    assert errors(die) == []
    assert die.i2c(1, 2, 0x19, b"\x0f", 1, 100)[0] == 19
    assert "where no chip is" in errors(die)[0]


def test_a_chip_that_still_boots_is_complained_about(die):
    die.power_on(1_000_000)
    die.i2c(WIRING.sda, WIRING.scl, 0x19, b"\x0f", 1, 1_010_000)
    assert "20 ms" in errors(die)[0]


@pytest.mark.parametrize(("chip", "more", "identity"), [("lis2dw12", 0x00, 0x44), ("lis3dh", 0x40, 0x33)])
def test_the_same_registers_over_spi(chip, more, identity):
    die = DieHardware(replace(WIRING, spi=(SELECT, SCK, MOSI, MISO)), chip=chip)
    die.spi_setup(5_000_000, 1, 1, 0, SCK, MOSI, MISO)

    def transfer(data):
        die.set_pin(SELECT, 0, 100)
        read = die.spi(bytes(data), 110)
        die.set_pin(SELECT, 1, 120)
        return read[1:]

    assert transfer([0x8F, 0]) == bytes([identity])
    transfer([0x32 | more, 0x11, 0x22])
    assert transfer([0xB2 | more, 0, 0]) == b"\x11\x22"
    assert die.spi(b"\x8f\0", 130) == b"\0\0", "not selected"
    assert errors(die) == []


@pytest.mark.parametrize("change", [{"polarity": 0}, {"miso": 3}, {"first": 1}, {"baud": 20_000_000}])
def test_an_spi_that_no_accelerometer_follows(change):
    die = DieHardware(replace(WIRING, spi=(SELECT, SCK, MOSI, MISO)))
    good = {"baud": 5_000_000, "polarity": 1, "phase": 1, "first": 0, "sck": SCK, "mosi": MOSI, "miso": MISO}
    die.spi_setup(**{**good, **change})
    die.set_pin(SELECT, 0, 100)
    assert die.spi(b"\x8f\0", 110) == b"\0\0"
    assert len(errors(die)) == 1


# -- light, cell, charger ----------------------------------------------------------------------------------------------


def test_the_light_needs_its_supply_and_loses_its_colour_with_it(die):
    die.bitstream(WIRING.led, bytes([1, 2, 3]), GOOD, 100)
    assert "no supply" in errors(die)[0]
    assert die.strip.frame.lights == ((0, 0, 0),)
    die.set_pin(WIRING.led_power, 1, 200)
    die.bitstream(WIRING.led, bytes([1, 2, 3]), GOOD, 300)
    assert die.strip.frame.lights == ((2, 1, 3),)
    assert die.cell.load_ma > 0.5
    die.controller_reset(400)
    assert die.strip.frame.lights == ((0, 0, 0),), "the switch has a pull-down"
    assert die.cell.load_ma < 0.2


def test_light_bytes_elsewhere_are_noticed(die):
    die.bitstream(WIRING.led_power, bytes(3), GOOD, 100)
    assert "where no strip is" in errors(die)[0]


def test_the_charger_pulls_its_line_down(die):
    assert die.pin(WIRING.charging) == 1
    assert die.changed_pins(100) == []
    die.cell.charging = True
    assert die.changed_pins(200) == [WIRING.charging]
    assert die.changed_pins(300) == []
    assert die.pin(WIRING.charging) == 0


def test_only_the_cells_pin_can_be_converted(die):
    die.cell.set_millivolts(3_700)
    assert die.adc(WIRING.battery, 3, 100)[1] / 1000 * 2 == pytest.approx(3_700, abs=60)
    assert die.adc(WIRING.led, 3, 200) == (0, 0)
    assert "where nothing is" in errors(die)[0]


def test_what_it_felt_until_now_has_been_felt(die):
    die.i2c(WIRING.sda, WIRING.scl, 0x19, bytes([0x2E, 0xC0]), 0, 100)
    die.i2c(WIRING.sda, WIRING.scl, 0x19, bytes([0x20, 0x54]), 0, 100)
    die.set_motion(Resting((1.0, 0.0, 0.0)), 100_000)
    _, level = die.i2c(WIRING.sda, WIRING.scl, 0x19, b"\x2f", 1, 200_000)
    _, raw = die.i2c(WIRING.sda, WIRING.scl, 0x19, b"\x28", 6 * (level[0] & 0x3F), 200_000)
    tops = [int.from_bytes(raw[i + 4 : i + 6], "little", signed=True) > 8_000 for i in range(0, len(raw), 6)]
    assert tops == sorted(tops, reverse=True)
    assert 8 <= sum(tops) <= 11


def test_there_are_two_kinds_of_accelerometers():
    with pytest.raises(ValueError, match="lis2dw12 and lis3dh"):
        DieHardware(WIRING, chip="mpu6050")


# -- the table die -----------------------------------------------------------------------------------------------------


def test_the_ring_shows_what_it_is_sent_and_the_button_is_low_when_pressed():
    frames = []
    ring = RingHardware.of_pins(pins_table_die, lambda strip, frame: frames.append((strip, frame.lights[0])))
    ring.bitstream(pins_table_die.DIE_LED_STRIP, bytes([1, 2, 3] * 12), GOOD, 100)
    assert frames == [("die", (2, 1, 3))]
    assert ring.pin(pins_table_die.DIE_BUTTON) == 1
    ring.button_pressed = True
    assert ring.pin(pins_table_die.DIE_BUTTON) == 0
    ring.controller_reset(200)
    assert ring.strip.frame.lights[0] == (2, 1, 3), "lights keep what they were told"
    ring.power_on(300)
    assert ring.strip.frame.lights[0] == (0, 0, 0)
    ring.bitstream(1, bytes(3), GOOD, 400)
    assert "where no strip is" in errors(ring)[0]
