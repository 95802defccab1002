"""The dialogue with a companion, as docs/protocol.md tells it."""

import pytest


@pytest.fixture(scope="module")
def told(micropython, tmp_path_factory):
    return micropython("dialogues", str(tmp_path_factory.mktemp("flash")), heap="8M")


def test_nothing_is_said_before_resume_and_then_all(told):
    before, after, live, waiting, beats = told["first_connection"]
    assert before == []
    assert after == ["NEW_BOOT", "1", "SNAPSHOT_END"]
    assert live == ["2"]
    assert waiting == 0
    assert beats == ["HEARTBEAT 2", "HEARTBEAT 2"] or beats == ["HEARTBEAT 2", "HEARTBEAT 2", "HEARTBEAT 2"]


def test_a_roll_that_settles_while_the_link_is_down_comes_once(told):
    assert told["drop_in_mid_roll"] == [["NEW_BOOT", "1", "SNAPSHOT_END"], ["RESUMED", "2", "SNAPSHOT_END"]]


def test_replay_carries_the_mark(told):
    assert told["lost_acknowledgements"] == [
        ["NEW_BOOT", "1", "2", "3", "SNAPSHOT_END"],
        ["RESUMED", "2*", "3*", "SNAPSHOT_END"],
        ["2*", "3*"],
    ]


def test_lost_events_are_a_gap_and_a_snapshot(told):
    same, other = told["overflow"]
    assert same == ["RESUMED", "GAP 2+6", "8", "9", "10", "11", "SNAPSHOT_END"]
    assert other == ["NEW_BOOT", "8*", "9*", "10*", "11*", "SNAPSHOT_END"]


def test_a_burst_through_a_failing_stack_arrives_in_order(told):
    count, in_order, tries, conn = told["failing_notifications"]
    assert (count, in_order, conn) == (200, True, 0)
    assert tries >= 207


def test_a_link_on_which_nothing_passes_is_given_up(told):
    assert told["hopeless_link"] == [[0], ["RESUMED", "1", "SNAPSHOT_END"]]


def test_garbage_changes_nothing_and_is_answered_by_nothing(told):
    quiet, refused, after, more, waiting, done, asked = told["rubbish"]
    assert quiet == []
    assert refused == 9 * 8 + 9 + 2
    assert after == []
    assert more == 4
    assert waiting == 2
    assert done == []
    assert asked == ["RESULT 7:1"]


def test_a_command_is_done_once_however_often_it_comes(told):
    first, again, odd, done = told["commands_once"]
    assert first == ["RESULT 42:0", "RESULT 42:0"]
    assert again == ["RESULT 42:0"]
    assert odd == ["RESULT 42:4", "RESULT 117:4", "RESULT 53:1"]
    assert done == list(range(42, 53))


def test_nothing_is_done_without_a_resume(told):
    assert told["early_commands"] == [[], []]


def test_a_second_companion_waits_until_the_first_is_silent(told):
    refused, goes_on, taken, dropped, moved, all_dropped = told["two_companions"]
    assert refused == ["BUSY"]
    assert goes_on == ["1"]
    assert taken == ["NEW_BOOT", "1*", "SNAPSHOT_END"]
    assert dropped == [0]
    assert moved == ["NEW_BOOT", "1*", "SNAPSHOT_END"]
    assert all_dropped == [0, 1]


def test_a_connection_that_never_resumes_is_dropped(told):
    assert told["never_resumes"] == [5]


def test_no_snapshot_before_the_table_knows(told):
    assert told["snapshot_waits"] == [["NEW_BOOT"], ["1", "SNAPSHOT_END"], ["SNAPSHOT_END"]]


def test_numbers_wrap(told):
    assert told["numbers_wrap"] == [["RESUMED", "65534", "65535", "0", "1", "2", "SNAPSHOT_END"], 1]


def test_a_companion_from_the_future_begins_anew(told):
    assert told["knows_too_much"] == ["NEW_BOOT", "1", "SNAPSHOT_END"]


def test_the_log_comes_in_pieces_that_join(told):
    whole, rest, beyond = told["reading_the_log"]
    assert whole == ["RESULT 1:0", "0:what went", "9: wrong\nan", "18:d where", "25:"]
    assert rest == ["RESULT 2:0", "18:d where", "25:"]
    assert beyond == ["RESULT 3:0", "25:"]


def test_telemetry_follows_resume_and_each_tenth_heartbeat(told):
    first, counts, around = told["telling_how_it_is"]
    assert first == ["NEW_BOOT", "SNAPSHOT_END", "TELEMETRY"]
    assert counts == [25, 25, 2]
    assert around == ["HEARTBEAT", "TELEMETRY", "SOCKET_HEALTH"]


def test_a_radio_that_fails_below_50_ms_gets_all_in_order(told):
    in_order, in_time, few_tries, worst, waiting = told["slow_radio"]
    assert (in_order, in_time, few_tries) == (True, True, True)
    assert worst <= 2
    assert waiting == 0


def test_a_connection_that_the_stack_does_not_know_is_given_up_at_once(told):
    assert told["lost_link"] == [None, [0], ["RESUMED", "1", "SNAPSHOT_END"]]
