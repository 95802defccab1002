"""The table's die: fair by construction, deaf to bounces, silent without a radio."""

import pytest

DONE, BAD_FIELD, NOT_NOW = 0, 2, 3
AT_REST, INVITES = 0, 1


@pytest.fixture(scope="module")
def told(micropython):
    return micropython("throws")


def test_no_roll_without_a_face_map(told):
    assert told["no map"] == [["DIE_REFUSED", None, None, 2, 0]]
    assert told["arm an unknown map"] == [[BAD_FIELD, 1], [BAD_FIELD, 2]]
    assert told["forgotten maps"] == [BAD_FIELD, BAD_FIELD, BAD_FIELD, DONE, DONE]


def test_an_invited_roll(told):
    assert told["armed"] == [DONE, INVITES]
    assert told["invitation moves"]
    assert told["rolled"] == [
        ["DIE_ARMED", None, 1, None, 41],
        ["ROLL_STARTED", 1, 1, None, 41],
        ["ROLL_SETTLED", 1, 1, None, 41],
    ]
    settled = told["settled"]
    assert (settled["face"], settled["value"], settled["tumbles"]) == (5, 5, 10)
    assert settled["duration"] == sum(50 + 12 * n for n in range(10))
    assert told["asked for"] == [AT_REST, 5, 1]


def test_bounces_and_presses_while_it_tumbles_roll_once(told):
    assert len([event for event in told["rolled"] if event[0] == "ROLL_STARTED"]) == 1
    assert told["arm while it tumbles"] == [NOT_NOW, 0]
    assert told["disarm while it tumbles"] == [NOT_NOW, 0]
    assert told["glitch"] == []


def test_a_planned_reset_waits_until_it_lies(told):
    assert told["taught"] == [DONE, 0]
    assert (told["calm at rest"], told["calm while it tumbles"]) == (True, False)


def test_the_value_is_a_number_of_lights(told):
    assert told["tumbling frames"]
    assert told["pips lit"] == 5
    assert told["tablets lit"] == [[0, 1], [1, 6], [2, 12]]


def test_a_press_without_an_invitation_is_a_fact_too(told):
    assert told["not armed"] == ["ROLL_STARTED 0", "ROLL_SETTLED 0"]


def test_no_chance_without_the_radio(told):
    events, state = told["radio off"]
    assert events == [["DIE_ARMED", None, 1, None, 60], ["DIE_REFUSED", None, None, 1, 60]]
    assert state == INVITES
    events, state = told["radio goes off"]
    assert [event[0] for event in events] == ["ROLL_STARTED", "DIE_REFUSED"]
    assert state == INVITES
    assert told["refuses"] is True


def test_every_face_has_the_same_number_of_bytes(told):
    assert told["each byte"] == [0] + [21] * 12


def test_the_shares_look_even(told):
    """A smoke test, not a proof: 24,000 draws, chi-square with 11 degrees of freedom below 40 (p about 4e-5)."""
    counts = told["shares"][1:]
    assert told["shares"][0] == 0
    assert sum((count - 2000) ** 2 / 2000 for count in counts) < 40
