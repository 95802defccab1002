"""Lights that can be told apart without colour, heal by themselves, and never take more than their share."""

import pytest

LIMIT_MA = 850


@pytest.fixture(scope="module")
def told(micropython):
    return micropython("lamps")


def test_the_strip_begins_dark_and_says_so(told):
    assert told["begins dark"] == [0, 1]


def test_the_strip_is_dark_until_the_supply_is_known_to_hold(told):
    assert told["dark until released"] == 0
    half, whole = told["half and whole"]
    assert 0 < half <= whole / 2


def test_every_seat_winks_in_a_number_of_its_own(told):
    winks = [rhythm.count("1") for rhythm in told["rhythms"][-7:]]
    assert winks == [1, 2, 3, 4, 5, 6, 7]
    assert all("11" not in rhythm for rhythm in told["rhythms"][-7:])
    colours = [tuple(colour) for colour in told["seats' colours"]]
    assert len(set(colours)) == len(colours)
    assert all(any(colour) for colour in colours)


def test_every_look_has_a_rhythm_of_its_own(told):
    rhythms = told["rhythms"]
    assert len(set(rhythms)) == len(rhythms)
    assert rhythms[0] == "0" * 16
    assert rhythms[1] == "1" * 16
    assert all("1" in rhythm for rhythm in rhythms[1:])
    assert told["repeats"]


def test_green_for_a_moment_then_red_again(told):
    green_then, red_then, green_later, red_later = told["green for a moment"]
    assert green_then > 0
    assert red_then == 0
    assert green_later == 0
    assert red_later > 0
    assert told["cleared"][0] == 0
    assert told["cleared"][1] > 0
    assert told["all dark"] == 0


def test_a_frame_a_second_even_when_nothing_changes(told):
    assert told["refreshes in 10 s"] == 10


def test_values_that_do_not_fit_are_told_by_position(told):
    assert told["bad"] == [1, 3, 1, 0]
    assert told["no such looks"] == [1, 1, 1]


def test_identify_blinks_by_turns_and_ends(told):
    even, odd, after = told["identify"]
    assert even == "1111000011110000" or even == "0000111100001111"
    assert all(a != b for a, b in zip(even, odd, strict=True))
    assert after == 0


def test_no_frame_exceeds_the_limit(told):
    assert told["most mA of any look on all lights"] <= LIMIT_MA
    assert 0.9 * LIMIT_MA < told["all white mA"] <= LIMIT_MA
    assert told["one white"] == 255
