"""A cable may bring anything, take half of what it is given, and fall silent."""

import pytest


@pytest.fixture(scope="module")
def told(micropython):
    return micropython("cable_days", heap="2M")


def test_nothing_is_said_to_nobody(told):
    assert told["before"] == [None, True]
    assert told["nobody"] is None


def test_noise_is_no_connection_and_is_counted(told):
    assert told["noise"] == []
    assert told["lost"] == 2


def test_the_first_sound_frame_is_the_connection(told):
    assert told["begins"] == [["connected", ""], ["written", "one"], ["written", "two"]]


def test_a_flood_loses_frames_and_no_memory(told):
    assert told["flood"] + told["flood lost"] - told["lost"] == 200
    assert told["flood"] >= 16


def test_a_torn_frame_does_not_spoil_the_next(told):
    assert told["torn"] == [False, False, True, ["hello"]]


def test_silence_ends_a_connection_and_the_next_frame_begins_one(told):
    assert told["speaks on"] == [["written", "."]] * 4
    assert told["silence"] == [["gone", ""]]
    assert told["again"] == [["connected", ""], ["written", "back"]]
    assert told["dropped"] == [["gone", ""]]


def test_packets_go_where_their_connection_is(told):
    assert told["links"] == [[4, -4], None, True]
    assert told["no cable"] == [None, 1, 2]
