"""When a handheld die measures fast, watches, sleeps; and that its written budget of current adds up."""

import re
from pathlib import Path

import pytest

from firmware import pins_handheld
from firmware.die import power_policy
from firmware.die.power_policy import CALM, PLAY, PowerPolicy
from shared_rules.wire.messages import BATTERY_CRITICAL, BATTERY_GOOD, BATTERY_LOW, SLEEP_BATTERY, SLEEP_IDLE

MINUTE = 60_000
PAGE = Path(__file__).resolve().parents[2] / "docs" / "die_power.md"


def since(later, earlier):
    return later - earlier


@pytest.fixture
def policy():
    return PowerPolicy(0, since)


def sleeps_at(policy, *, connected, moves=False, battery=BATTERY_GOOD, charging=False, from_ms=0, to_minutes=60):
    """The minute in which it sleeps, and why; None when it stays awake."""
    for now in range(from_ms, from_ms + to_minutes * MINUTE, 1000):
        if moves:
            policy.moved(now)
        reason = policy.why_sleep(now, connected, battery, charging)
        if reason:
            return (now - from_ms) / MINUTE, reason
    return None


def test_it_calms_down_after_some_seconds_without_motion(policy):
    assert policy.pace(0) == PLAY
    assert policy.pace(4999) == PLAY
    assert policy.pace(5000) == CALM
    policy.moved(60_000)
    assert policy.pace(60_000) == PLAY


def test_the_first_shake_is_noticed_within_a_second():
    assert power_policy.CALM_POLL_MS + power_policy.PLAY_POLL_MS + 1000 * 32 // power_policy.PLAY_HZ < 1000


def test_it_keeps_what_happened_before_it_is_asked():
    assert 32 * 1000 / power_policy.WATCH_HZ >= 6 * power_policy.CALM_POLL_MS


def test_idle_with_a_companion_it_announces_sleep_within_twenty_minutes(policy):
    assert sleeps_at(policy, connected=True) == (15, SLEEP_IDLE)


def test_idle_alone_it_sleeps_soon(policy):
    assert sleeps_at(policy, connected=False) == (3, SLEEP_IDLE)


def test_a_game_keeps_it_awake(policy):
    for now in range(0, 120 * MINUTE, 1000):
        if now % (14 * MINUTE) == 0:
            policy.asked(now)
        assert policy.why_sleep(now, True, BATTERY_LOW, False) == 0


def test_motion_keeps_it_awake_with_a_companion(policy):
    assert sleeps_at(policy, connected=True, moves=True) is None


def test_carried_about_without_a_companion_it_sleeps_more_deeply(policy):
    minute, reason = sleeps_at(policy, connected=False, moves=True)
    assert (minute, reason) == (10, SLEEP_IDLE)
    assert policy.wake_mg(10 * MINUTE, BATTERY_GOOD) == power_policy.WAKE_CARRIED_MG
    assert PowerPolicy(0, since).wake_mg(3 * MINUTE, BATTERY_GOOD) == power_policy.WAKE_MG


def test_on_the_charger_it_does_not_sleep(policy):
    assert sleeps_at(policy, connected=False, battery=BATTERY_CRITICAL, charging=True) is None
    assert sleeps_at(policy, connected=False, from_ms=60 * MINUTE) == (pytest.approx(3, abs=0.1), SLEEP_IDLE)


def test_an_empty_cell_ends_it_whatever_goes_on(policy):
    policy.moved(0)
    assert policy.why_sleep(0, True, BATTERY_CRITICAL, False) == SLEEP_BATTERY
    assert policy.wake_mg(0, BATTERY_CRITICAL) == power_policy.WAKE_CARRIED_MG


# the page


def tables():
    """Each table of the page under its heading: rows of cells."""
    found = {}
    heading = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and "---" not in line:
            found.setdefault(heading, []).append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def number(cell):
    return float(re.match(r"[-\d.]+", cell.replace(",", ""))[0])


def test_the_currents_of_each_state_add_up():
    head, *rows = tables()["Current by state"]
    states = head[1:]
    assert states == ["thrown", "play", "calm", "alone", "asleep"]
    sums = [0.0] * len(states)
    for row in rows[:-1]:
        for n, cell in enumerate(row[1:]):
            sums[n] += number(cell)
    assert rows[-1][0] == "together"
    for n, cell in enumerate(rows[-1][1:]):
        assert number(cell) == pytest.approx(sums[n], rel=0.01)


def test_an_evening_adds_up_and_fits_the_cell():
    current = dict(zip(tables()["Current by state"][0][1:], tables()["Current by state"][-1][1:], strict=True))
    _head, *rows = tables()["An evening"]
    total = 0.0
    hours = 0.0
    for state, minutes, used in rows[:-1]:
        assert number(used) == pytest.approx(number(minutes) / 60 * number(current[state]), abs=0.06)
        total += number(used)
        hours += number(minutes) / 60
    name, all_minutes, all_used = rows[-1]
    assert name == "together"
    assert number(all_minutes) == pytest.approx(hours * 60)
    assert number(all_used) == pytest.approx(total, abs=0.1)
    usable = 0.8 * pins_handheld.BATTERY_CELL_MAH
    assert number(all_used) < usable
    assert hours >= 3


def test_the_lives_of_a_charge_add_up():
    current = dict(zip(tables()["Current by state"][0][1:], tables()["Current by state"][-1][1:], strict=True))
    usable = 0.8 * pins_handheld.BATTERY_CELL_MAH
    for state, hours in tables()["How long a charge lasts"][1:]:
        assert number(hours) == pytest.approx(usable / number(current[state]), rel=0.02)


def test_the_page_names_the_times_of_the_policy():
    text = PAGE.read_text(encoding="utf-8")
    for minutes in (power_policy.SLEEP_AFTER_MS, power_policy.ALONE_AFTER_MS, power_policy.CARRIED_AFTER_MS):
        assert f"{minutes // MINUTE} minutes" in text
    for value in (power_policy.WAKE_MG, power_policy.WAKE_CARRIED_MG):
        assert f"{value} mg" in text
    assert f"{power_policy.PLAY_HZ} samples" in text
    assert f"{power_policy.WATCH_HZ} samples" in text
