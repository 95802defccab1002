"""A session whose companion says absurd things, comes at the worst moment, or is silent until clocks have wrapped."""

import pytest


@pytest.fixture(scope="module")
def told(micropython, tmp_path_factory):
    return micropython("hostile_dialogues", str(tmp_path_factory.mktemp("flash")), heap="8M")


def test_no_resume_however_absurd_costs_an_event(told):
    absurd, true, waiting = told["absurd_resumes"]
    assert len(absurd) == 27
    for name, events, kept in absurd:
        assert name in ("NEW_BOOT", "RESUMED")
        assert [event.rstrip("*") for event in events] == ["1", "2", "3", "4", "5"]
        assert kept == 5
    assert true == ["RESUMED", "3*", "4*", "5*", "SNAPSHOT_END"]
    assert waiting == 3


def test_a_talk_that_is_taken_over_in_mid_replay_goes_on_where_it_says(told):
    whole, marked, late, dropped = told["taken_over_in_mid_replay"]
    assert whole, "31 to 200, each once and in order"
    assert marked, "what was sent to the first connection is marked as sent before"
    assert late == []
    assert dropped == [0]


def test_what_changes_during_a_snapshot_comes_behind_it_and_before_the_next(told):
    assert told["tags_move_during_a_snapshot"] == ["NEW_BOOT", "SNAPSHOT_END", "1", "2", "SNAPSHOT_END"]


def test_a_silence_of_days_is_a_silence_whatever_the_ticks_say(told):
    assert told["silent_until_the_ticks_have_wrapped"] == [["NEW_BOOT"]] * 6


def test_strangers_are_told_of_after_days_as_after_a_minute(told):
    assert told["strangers_after_days"] == [1, 0, 0, 1, 0, 0]


def test_a_log_is_told_from_any_offset_to_its_end_and_to_nobody_else(told):
    whole, last, end, beyond, far, anew, others = told["logs_and_offsets"]
    assert whole == ["0:what went", "9: wrong\nan", "18:d where", "25:"]
    assert last == ["24:e", "25:"]
    assert end == beyond == far == ["25:"]
    assert anew == ["9: wrong\nan", "18:d where", "25:"]
    assert others == []


def test_numbers_of_refused_commands_do_not_add_up(told):
    kinds, count, after, done = told["commands_that_are_refused"]
    assert kinds == ["1", "5"]
    assert count == 300
    assert after == ["RESULT 301:0"]
    assert done == [301]


def test_a_key_that_comes_by_cable_ends_the_talk_that_goes_on(told):
    ended, refused, done, right, paired = told["a_key_by_cable_in_mid_talk"]
    assert ended
    assert refused == ["RESULT 7:5"]  # UNPAIR by whoever had the session
    assert done == []
    assert right
    assert paired
