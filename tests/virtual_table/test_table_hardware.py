"""Select logic and the button of the table, pin by pin."""

import pytest
from hand_controller import ENABLE_N, RESET_N, SELECT, Controller

from firmware import pins

GOOD = (400, 850, 800, 450)
READ_VERSION = bytes.fromhex("ee 00")


@pytest.fixture
def controller():
    return Controller()


def test_each_number_selects_its_own_reader_alone(controller):
    for socket in range(32):
        controller.at(socket, bytes([0x0B << 1, socket]))  # WaterLevel holds the number
    for socket in range(32):
        assert controller.at(socket, bytes.fromhex("96 00"))[1] == socket
    assert controller.errors() == []


def test_nobody_answers_while_the_enable_line_is_high(controller):
    assert controller.spi(READ_VERSION) == b"\0\0"
    assert controller.errors() == ["bytes are sent while no reader is selected"]


def test_moving_the_number_while_enabled_is_noticed(controller):
    controller.pin(ENABLE_N, 0)
    controller.pin(SELECT[0], 1)
    assert "other sockets are selected in between" in controller.errors()[0]


def test_two_selected_readers_fight(controller):
    controller.at(3, bytes([0x0B << 1, 0x0F]))
    controller.at(4, bytes([0x0B << 1, 0x35]))
    controller.table.stick_select(3)
    assert controller.at(4, bytes.fromhex("96 00"))[1] == 0x0F & 0x35
    assert "fight over MISO" in controller.errors()[0]


def test_readers_are_powered_down_while_reset_is_low(controller):
    controller.pin(RESET_N, 0)
    assert controller.at(0, READ_VERSION) == b"\0\0"
    controller.pin(RESET_N, 1)
    controller.now += 1_000
    assert controller.at(0, READ_VERSION)[1] == 0x92


@pytest.mark.parametrize("change", [{"polarity": 1}, {"phase": 1}, {"first": 1}, {"miso": 12}, {"baud": 20_000_000}])
def test_an_spi_that_no_reader_follows(controller, change):
    good = {"baud": 1_000_000, "polarity": 0, "phase": 0, "first": 0, "sck": 18, "mosi": 23, "miso": 19}
    controller.table.spi_setup(**{**good, **change})
    assert controller.at(0, READ_VERSION) == b"\0\0"
    assert len(controller.errors()) == 1


def test_two_fields_at_once_are_noticed(controller):
    controller.at(1, bytes.fromhex("28 83"))
    assert controller.table.counters.most_fields_on == 1
    controller.at(2, bytes.fromhex("28 83"))
    assert controller.errors() == ["2 fields are on at once"]


def test_a_controller_reset_lets_its_pins_go(controller):
    controller.at(1, bytes.fromhex("28 83"))
    controller.table.bitstream(pins.LED_STRIP, bytes([1, 2, 3] * pins.BOARD_LEDS), GOOD, controller.now)
    controller.table.controller_reset(controller.now)
    assert not controller.table.fields[1].on
    assert controller.table.strips[pins.LED_STRIP].frame.lights[0] == (2, 1, 3), "lights keep what they were told"
    controller.table.power_on(controller.now)
    assert controller.table.strips[pins.LED_STRIP].frame.lights[0] == (0, 0, 0), "without supply they do not"


def test_tags_move_from_socket_to_socket(controller):
    table = controller.table
    table.place_tag(b"\1\2\3\4", 5)
    table.place_tag(b"\1\2\3\4", 6)
    assert table.tags() == {b"\1\2\3\4": 6}
    assert [len(table.fields[i].tags) for i in (5, 6)] == [0, 1]
    assert table.lift_tag(b"\1\2\3\4")
    assert not table.lift_tag(b"\1\2\3\4")


@pytest.mark.parametrize("socket", [-1, 32])
def test_sockets_that_the_table_does_not_have(controller, socket):
    with pytest.raises(ValueError, match="from 0 to 31"):
        controller.table.place_tag(b"\1\2\3\4", socket)


def test_a_tag_that_cannot_be_placed_stays_where_it_was(controller):
    controller.table.place_tag(b"\1\2\3\4", 5)
    with pytest.raises(ValueError, match="made of 0 and 1"):
        controller.table.place_tag(b"\1\2\3\4", 6, flicker="12")
    assert controller.table.tags() == {b"\1\2\3\4": 5}


def test_button_is_low_when_pressed(controller):
    assert controller.table.pin(pins.DIE_BUTTON) == 1
    controller.table.button_pressed = True
    assert controller.table.pin(pins.DIE_BUTTON) == 0
