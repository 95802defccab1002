"""Who may do what at a paired device, as docs/protocol.md tells it."""

import pytest


@pytest.fixture(scope="module")
def told(micropython, tmp_path_factory):
    return micropython("stranger_dialogues", str(tmp_path_factory.mktemp("flash")), heap="8M")


def test_a_paired_device_says_nothing_before_the_proof(told):
    paired, live, asked, proved, restart, unpaired, refused, done, still = told["pairing_and_proof"]
    assert paired == ["RESULT 1:0"]
    assert live == ["1"]
    assert asked == ["CHALLENGE"]
    assert proved == [["PROVED", "RESUMED", "1*", "2", "SNAPSHOT_END"], True]
    assert (restart, unpaired) == (["RESULT 2:0"], ["RESULT 3:0"])
    assert refused == ["RESULT 4:5", "3"]
    assert done == [2]
    assert still is False


def test_wrong_keys_makers_companions_and_old_nonces_are_refused(told):
    results, done = told["wrong_proofs"]
    assert results[:3] == [[["REFUSED"], False]] * 3
    assert results[3] == [[], False]
    assert results[4] == [True, [["REFUSED"], False]]
    assert results[5:7] == [[], []]
    assert results[7] == [["PROVED", "NEW_BOOT", "1", "SNAPSHOT_END"], True]
    assert done == []


def test_strangers_can_do_no_harm_and_do_not_push_out_the_game(told):
    (own, paired, flood, after, now), done = told["harm_by_strangers"]
    assert sorted(own) == ["1", "RESULT 1:5", "RESULT 2:5", "RESULT 3:5"]
    assert paired == ["RESULT 4:0"]
    assert flood == [True, True]
    assert after == ["2", "RESULT 6:0"]  # one event a minute tells of hundreds of tries
    assert now == ["RESULT 7:0"]
    assert done == [6, 7]


def test_who_holds_the_cable_has_the_last_word(told):
    asked, refused, paired, dropped, proved, hello, air = told["lost_key"]
    assert asked == ["CHALLENGE"]
    assert refused == [["REFUSED"], False]
    assert paired == ["RESULT 5:0"]
    assert dropped == [0]
    assert proved == [["PROVED", "NEW_BOOT", "1*", "SNAPSHOT_END"], True]
    assert hello == ["HELLO"]
    assert air == []


def test_a_challenge_ends_with_its_connection(told):
    assert told["challenges_end_with_their_connection"] == [[[], False], [2, 1], 0, 0]


def test_a_stranger_out_of_range_keeps_nobody_waiting(told):
    events, beats, conn, waiting = told["stranger_out_of_range"]
    assert "1" in events  # ACCESS_REFUSED; the other one follows
    assert "2" in events
    assert beats == [True] * 4
    assert conn == 0
    assert waiting == 0


def test_whoever_gets_the_number_of_a_connection_gets_no_session(told):
    heard, done = told["a_lost_goodbye"]
    assert heard == ["RESULT 2:5"]
    assert done == []


def test_commands_that_never_arrived_do_not_add_up(told):
    results, done = told["commands_that_never_arrived"]
    assert results == ["RESULT 199:0", "RESULT 199:0", "RESULT 200:0"]
    assert done == [2, 199, 200]
