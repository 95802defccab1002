"""Sessions and codes: single use, short life, hashes only, and a joined phone that stays in after a restart."""

import json
import time
from pathlib import Path

import pytest

from companion.web.doorkeeper import CODE_LIFETIME, TRIES_PER_MINUTE, DoorError, Doorkeeper, Role


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def doors(clock: Clock) -> Doorkeeper:
    return Doorkeeper(None, clock)


def test_start_token_makes_one_banker(doors: Doorkeeper) -> None:
    token = doors.start_token()
    cookie = doors.claim_start(token)
    assert doors.visitor(cookie).role is Role.BANK
    with pytest.raises(DoorError, match="unknown_code"):
        doors.claim_start(token)


def test_a_lasting_token_goes_on_working_here_and_is_used_up_for_everybody_else(doors: Doorkeeper) -> None:
    token = doors.start_token(lasting=True)
    cookies = [doors.claim_start(token, here=True) for _ in range(3)]
    assert len({doors.visitor(cookie).session for cookie in cookies}) == 3
    with pytest.raises(DoorError, match="unknown_code"):
        doors.claim_start(token)
    other = doors.start_token(lasting=True)
    doors.claim_start(other)  # a tablet that scanned it in the terminal
    with pytest.raises(DoorError, match="unknown_code"):
        doors.claim_start(other)
    assert doors.visitor(doors.claim_start(other, here=True)).role is Role.BANK
    once = doors.start_token()
    doors.claim_start(once, here=True)
    with pytest.raises(DoorError, match="unknown_code"):
        doors.claim_start(once, here=True)


def test_code_is_peeked_at_freely_and_claimed_once(doors: Doorkeeper) -> None:
    code, short = doors.invite(Role.SEAT, "t1", 3)
    assert doors.peek(code, "a").seat == 3
    assert doors.peek(short.lower(), "a").seat == 3
    cookie, _ = doors.claim(code, "Ann’s phone", "a")
    visitor = doors.visitor(cookie)
    assert (visitor.role, visitor.seat, visitor.table, visitor.label) == (Role.SEAT, 3, "t1", "Ann’s phone")
    for again in (code, short):
        with pytest.raises(DoorError, match="unknown_code"):
            doors.claim(again, "", "a")


def test_code_dies_after_two_minutes(doors: Doorkeeper, clock: Clock) -> None:
    code, short = doors.invite(Role.SPECTATOR)
    clock.now += CODE_LIFETIME
    for old in (code, short):
        with pytest.raises(DoorError, match="unknown_code"):
            doors.peek(old, "a")


def test_guessing_is_slowed_down_for_each_address(doors: Doorkeeper, clock: Clock) -> None:
    code, _ = doors.invite(Role.BANK)
    for _ in range(TRIES_PER_MINUTE):
        with pytest.raises(DoorError, match="unknown_code"):
            doors.peek("ABCDEFGH", "guesser")
    with pytest.raises(DoorError, match="too_many_tries"):
        doors.peek("ABCDEFGJ", "guesser")
    assert doors.peek(code, "guesser").role is Role.BANK, "who holds a real code is not kept out"
    with pytest.raises(DoorError, match="unknown_code"):
        doors.peek("ABCDEFGH", "somebody else")
    clock.now += 60
    with pytest.raises(DoorError, match="unknown_code"):
        doors.peek("ABCDEFGH", "guesser")


def test_only_hashes_are_kept_and_sessions_outlive_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "sessions.json"
    doors = Doorkeeper(store)
    code, short = doors.invite(Role.SEAT, "t1", 2)
    cookie, _ = doors.claim(code, "phone", "a")
    token = doors.start_token()
    text = store.read_text("utf-8")
    assert all(secret not in text for secret in (cookie, code, short, token))
    assert store.stat().st_mode & 0o077 == 0
    assert all(len(key) == 64 for key in json.loads(text))
    again = Doorkeeper(store)
    assert again.visitor(cookie).seat == 2
    assert again.revoke(again.visitor(cookie).session)
    assert Doorkeeper(store).visitor(cookie).role is Role.ANONYMOUS


def test_a_damaged_sessions_file_costs_a_pairing_and_no_more(tmp_path: Path) -> None:
    store = tmp_path / "sessions.json"
    store.write_text('{"x": {"role": "king"}}', "utf-8")
    assert Doorkeeper(store).sessions() == []


def test_deleting_a_table_ends_its_seats_and_not_the_bank(doors: Doorkeeper) -> None:
    bank = doors.claim_start(doors.start_token())
    seat, _ = doors.claim(doors.invite(Role.SEAT, "t1", 1)[0], "", "a")
    other, _ = doors.claim(doors.invite(Role.SEAT, "t2", 1)[0], "", "a")
    doors.forget_table("t1")
    assert [doors.visitor(c).role for c in (bank, seat, other)] == [Role.BANK, Role.ANONYMOUS, Role.SEAT]


def test_a_clock_on_the_wall_that_jumps_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    doors = Doorkeeper()
    code, _ = doors.invite(Role.SPECTATOR)
    with pytest.raises(DoorError, match="unknown_code"):
        doors.peek("nonsense", "10.0.0.1")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    for _ in range(TRIES_PER_MINUTE - 1):
        with pytest.raises(DoorError, match="unknown_code"):
            doors.peek("nonsense", "10.0.0.1")
    monkeypatch.setattr(time, "time", lambda: 4e9)
    assert doors.peek(code, "10.0.0.1").role is Role.SPECTATOR
