"""WS2812B strips: bytes, pauses, pulses, currents, and frames that are never half-written."""

import pytest

from companion.virtual_table.chips.ws2812 import LedFrame, Ws2812Strip

GOOD = (400, 850, 800, 450)


@pytest.fixture
def strip():
    complaints: list[str] = []
    strip = Ws2812Strip(3, complaints.append)
    return strip, complaints


def test_bytes_are_green_red_blue(strip):
    lights, complaints = strip
    lights.receive(bytes([1, 2, 3, 4, 5, 6, 7, 8, 9]), GOOD, 1_000)
    assert lights.frame == LedFrame(1_000, ((2, 1, 3), (5, 4, 6), (8, 7, 9)))
    assert complaints == []


def test_a_short_frame_leaves_the_rest_as_it_was(strip):
    lights, _ = strip
    lights.receive(bytes([9] * 9), GOOD, 1_000)
    lights.receive(bytes([1, 2, 3]), GOOD, 5_000)
    assert lights.frame.lights == ((2, 1, 3), (9, 9, 9), (9, 9, 9))


def test_a_frame_without_a_pause_goes_on_behind_the_last_one(strip):
    lights, complaints = strip
    lights.receive(bytes([1, 2, 3]), GOOD, 1_000)
    lights.receive(bytes([4, 5, 6]), GOOD, 1_040)
    assert lights.frame.lights == ((2, 1, 3), (5, 4, 6), (0, 0, 0))
    assert any("50 us" in text for text in complaints)


def test_wrong_pulses_are_not_read(strip):
    lights, complaints = strip
    lights.receive(bytes([9] * 9), (800, 1700, 1600, 900), 1_000)
    assert lights.frame.lights == ((0, 0, 0),) * 3
    assert len(complaints) == 1


def test_too_many_and_broken_lights_are_noticed(strip):
    lights, complaints = strip
    lights.receive(bytes([1] * 12), GOOD, 1_000)
    lights.receive(bytes([1] * 8), GOOD, 9_000)
    assert [text for text in complaints if "4 lights" in text or "8 bytes" in text] == complaints[::2]


def test_current_of_a_frame():
    frame = LedFrame(0, ((255, 255, 255), (255, 0, 0), (0, 0, 0)))
    assert frame.milliamps == pytest.approx(60 + 20 + 3)


def test_a_frame_that_stops_early_is_half_written(strip):
    lights, complaints = strip
    lights.receive(bytes([1] * 9), GOOD, 1_000)
    assert complaints == []
    lights.receive(bytes([2] * 6), GOOD, 9_000)
    assert "a frame of 2 lights on a strip of 3" in complaints[0]


def test_frames_carry_the_time_at_which_they_went_out():
    shown: list[LedFrame] = []
    lights = Ws2812Strip(2, on_frame=shown.append)
    for t in (1_000, 3_000, 9_000):
        lights.receive(bytes([t // 1_000] * 6), GOOD, t)
    assert [(frame.at_us, frame.lights[1]) for frame in shown] == [
        (t, (t // 1_000,) * 3) for t in (1_000, 3_000, 9_000)
    ]
