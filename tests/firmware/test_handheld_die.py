"""What a handheld die tells its companion: invitations, rolls, cocked and placed dice; what it knows after a sleep."""

import pytest

from firmware.die.handheld_die import HandheldDie
from shared_rules.wire.messages import (
    BAD_FIELD,
    DIE_AT_REST,
    DIE_COCKED,
    DIE_HANDLED,
    DIE_INVITES,
    DIE_TUMBLES,
    DIE_UNKNOWN,
    DONE,
    NOT_NOW,
    encode,
)

D6 = [1, 2, 3, 4, 5, 6] * 2
TABLETS = [1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 2]
ONE_TO_THREE = [1, 1, 2, 2, 3, 3] * 2
SEAT = 17


class Told:
    """A die and what it has reported; each report is packed as on the air, so a field that does not fit fails."""

    def __init__(self):
        self.events = []
        self.number = 0
        self.die = HandheldDie(self.report)
        self.die.set_face_map(1, 0, D6)

    def report(self, name, fields, ref):
        self.number += 1
        encode(name, self.number, ref, fields)
        self.events.append((name, fields, ref))
        return self.number

    def take(self):
        events, self.events = self.events, []
        return events

    def throw(self, face=5, cocked=False):
        self.die.hear(("handled",))
        self.die.hear(("started",))
        self.die.hear(("cocked", face, 33) if cocked else ("settled", face, 9, 812, 0xDEADBEEF))


@pytest.fixture
def told():
    return Told()


def test_an_invited_roll(told):
    die = told.die
    die.hear(("placed", 3))
    assert die.arm(1, SEAT, 41) == (DONE, 0)
    assert die.state == DIE_INVITES
    die.hear(("handled",))
    assert (die.state, die.face) == (DIE_HANDLED, 0)
    die.hear(("started",))
    assert die.state == DIE_TUMBLES
    assert die.arm(1, SEAT, 42) == (NOT_NOW, 0)
    assert die.disarm() == NOT_NOW
    die.hear(("settled", 5, 9, 812, 0xDEADBEEF))
    assert (die.state, die.face, die.value, die.invited) == (DIE_AT_REST, 5, 5, False)
    settled = {"roll": 1, "face": 5, "map_id": 1, "value": 5, "tumbles": 9, "duration": 812, "digest": 0xDEADBEEF}
    assert told.take() == [
        ("DIE_ARMED", {"map_id": 1}, 41),
        ("ROLL_STARTED", {"roll": 1, "map_id": 1}, 41),
        ("ROLL_SETTLED", settled, 41),
    ]
    assert die.settled_event == 3


def test_a_cocked_die_asks_again_and_the_invitation_stays(told):
    told.die.arm(1, SEAT, 7)
    told.throw(cocked=True)
    assert told.die.state == DIE_COCKED
    assert told.die.invited
    told.throw()
    names = [(name, fields.get("roll"), ref) for name, fields, ref in told.take()]
    assert names == [
        ("DIE_ARMED", None, 7),
        ("ROLL_STARTED", 1, 7),
        ("DIE_COCKED", 1, 7),
        ("ROLL_STARTED", 2, 7),
        ("ROLL_SETTLED", 2, 7),
    ]
    assert not told.die.invited


def test_a_throw_without_an_invitation_is_a_fact_too(told):
    told.throw()
    assert [(name, ref) for name, _fields, ref in told.take()] == [("ROLL_STARTED", 0), ("ROLL_SETTLED", 0)]


def test_without_a_face_map_there_is_no_roll(told):
    die = HandheldDie(told.report)
    told.die = die
    told.throw()
    told.throw(cocked=True)
    assert told.take() == [("DIE_REFUSED", {"reason": 2}, 0)] * 2
    assert die.arm(1, 0, 5) == (BAD_FIELD, 1)
    die.set_face_map(1, 0, D6)
    assert die.arm(1, 99, 5) == (BAD_FIELD, 2)
    assert die.arm(1, 0, 5) == (DONE, 0)


def test_a_caught_throw_is_no_roll(told):
    told.die.arm(1, 0, 7)
    told.take()
    told.die.hear(("handled",))
    told.die.hear(("started",))
    told.die.hear(("handled",))
    told.die.hear(("placed", 4))
    assert [name for name, _fields, _ref in told.take()] == ["ROLL_STARTED", "DIE_PLACED"]
    assert told.die.state == DIE_INVITES


def test_shaken_then_thrown_is_one_roll(told):
    told.die.arm(1, 0, 7)
    told.die.hear(("handled",))
    for _ in range(2):
        told.die.hear(("started",))
        told.die.hear(("handled",))
    told.throw(4)
    names = [(name, fields.get("roll")) for name, fields, _ref in told.take()]
    assert names == [("DIE_ARMED", None), ("ROLL_STARTED", 1), ("ROLL_SETTLED", 1)]


@pytest.mark.parametrize("between", ["placed", "armed"])
def test_caught_and_laid_down_or_invited_anew_the_next_throw_is_another_roll(told, between):
    told.die.hear(("started",))
    told.die.hear(("handled",))
    if between == "placed":
        told.die.hear(("placed", 2))
    else:
        told.die.arm(1, 0, 9)
    told.throw(4)
    rolls = [(name, fields["roll"], ref) for name, fields, ref in told.take() if name.startswith("ROLL")]
    ref = 9 if between == "armed" else 0
    assert rolls == [("ROLL_STARTED", 1, 0), ("ROLL_STARTED", 2, ref), ("ROLL_SETTLED", 2, ref)]


def test_lying_there_at_the_start_is_no_event(told):
    assert told.die.state == DIE_UNKNOWN
    told.die.hear(("placed", 9))
    assert told.take() == []
    assert (told.die.state, told.die.face) == (DIE_AT_REST, 9)
    told.die.hear(("handled",))
    told.die.hear(("placed", 9))
    assert told.take() == [("DIE_PLACED", {"face": 9}, 0)]


@pytest.mark.parametrize(
    ("map_id", "style", "faces"),
    [(1, 0, D6), (2, 1, TABLETS), (3, 0, ONE_TO_THREE)],
    ids=["d6", "tablets", "1-1-2-2-3-3"],
)
def test_one_die_serves_every_game(told, map_id, style, faces):
    die = told.die
    for known in ((1, 0, D6), (2, 1, TABLETS), (3, 0, ONE_TO_THREE)):
        die.set_face_map(*known)
    for face in range(1, 13):
        assert die.arm(map_id, 0, 100 + face) == (DONE, 0)
        told.throw(face)
        name, fields, ref = told.take()[-1]
        assert (name, fields["face"], fields["value"], ref) == ("ROLL_SETTLED", face, faces[face - 1], 100 + face)
        assert (die.value, die.style) == (faces[face - 1], style)


def test_a_new_map_does_not_change_the_roll_that_lies_there(told):
    told.die.arm(1, 0, 1)
    told.throw(2)
    told.die.set_face_map(1, 1, TABLETS)
    assert (told.die.value, told.die.style) == (2, 0)


def test_five_maps_are_one_too_many(told):
    for n in range(2, 6):
        told.die.set_face_map(n, 0, D6)
    assert [told.die.arm(n, 0, 1)[0] for n in range(1, 6)] == [BAD_FIELD, DONE, DONE, DONE, DONE]


def test_what_it_knows_after_a_sleep(told):
    told.die.set_face_map(2, 1, TABLETS)
    told.die.hear(("placed", 3))
    told.throw(8)
    told.die.arm(2, SEAT, 77)
    saved = told.die.save()
    told.take()
    again = Told()
    again.die = HandheldDie(again.report)
    again.die.restore(saved, True)
    die = again.die
    assert (die.invited, die.seat, die.roll, die.maps.map_id) == (True, SEAT, 1, 2)
    die.hear(("placed", 3))
    assert again.take() == [("DIE_PLACED", {"face": 3}, 0)]
    assert die.state == DIE_INVITES
    again.throw(6)
    assert [(name, fields.get("roll"), fields.get("value"), ref) for name, fields, ref in again.take()] == [
        ("ROLL_STARTED", 2, None, 77),
        ("ROLL_SETTLED", 2, 2, 77),
    ]
    assert die.arm(1, 0, 78) == (DONE, 0)


def test_after_a_sleep_the_same_face_is_told_too(told):
    """Whoever has thrown it while it slept sees that nothing was counted."""
    told.die.hear(("placed", 3))
    saved = told.die.save()
    again = Told()
    again.die.restore(saved, True)
    again.die.hear(("placed", 3))
    assert again.take() == [("DIE_PLACED", {"face": 3}, 0)]


def test_after_a_restart_only_another_face_is_told(told):
    told.die.hear(("placed", 3))
    saved = told.die.save()
    for face, events in ((3, []), (4, [("DIE_PLACED", {"face": 4}, 0)])):
        again = Told()
        again.die.restore(saved, False)
        again.die.hear(("placed", face))
        assert again.take() == events


@pytest.mark.parametrize("damage", [b"", b"\x00", b"x" * 40])
def test_damaged_memory_counts_for_nothing(told, damage):
    die = HandheldDie(told.report)
    die.restore(damage, False)
    assert (die.roll, die.invited, die.maps.map_id) == (0, False, 0)
    saved = bytearray(told.die.save())
    saved[3] ^= 4
    die.restore(bytes(saved), False)
    assert die.maps.map_id == 0


def test_it_is_quiet_while_it_is_calibrated(told):
    die = told.die
    die.quiet = True
    die.hear(("placed", 1))
    told.throw(3)
    told.throw(3, cocked=True)
    die.hear(("handled",))
    die.hear(("placed", 2))
    assert told.take() == []
    assert die.arm(1, 0, 1) == (NOT_NOW, 0)
    die.quiet = False
    told.throw(3)
    assert [name for name, _fields, _ref in told.take()] == ["ROLL_STARTED", "ROLL_SETTLED"]
