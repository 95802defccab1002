"""Starts and ends of a device: a fault costs a restart and no event, whatever else is wrong."""

import pytest

from shared_rules.wire.messages import MODE_NORMAL, MODE_SAFE, RESET_CAUSES

POWER_ON, HARD, WATCHDOG, DEEP_SLEEP, FAULT = (
    RESET_CAUSES.index(cause) for cause in ("power on", "hard reset", "watchdog", "deep sleep", "fault")
)


@pytest.fixture(scope="module")
def told(micropython, tmp_path_factory):
    found = {}
    for script in ("lives", "quiet_lives"):
        found.update(micropython(script, str(tmp_path_factory.mktemp("flash")), heap="2M"))
    return found


def test_a_task_that_fails_costs_a_restart_and_no_event(told):
    first, files, second, kept, third, trace, faults = told["a_task_fails"]
    assert first[:2] == ["reset", POWER_ON]
    assert first[2] != 0
    assert files == ["fault.a", "outbox.a", "start.a", "start.b"]
    # events 2 and 3 and the FAULT go on under the same boot id
    assert second[:4] == ["unplugged", FAULT, first[2], 3]
    assert kept == [2, 4, "FAULT", 1, "ValueError"]
    # and they come once
    assert third[:2] == ["unplugged", HARD]
    assert third[2] not in (0, first[2])
    assert third[3] == 0
    assert trace == [True, True]
    assert faults == 1


def test_a_task_nobody_waits_for_is_a_fault_too(told):
    assert told["nobody_waits_for_it"] == ["reset", "FAULT", 255, "KeyError"]


def test_a_full_flash_keeps_nobody_from_starting_anew(told):
    end, paired, other_boot, waiting = told["flash_is_full"]
    assert end == "reset"
    assert paired is False
    assert other_boot is True
    assert waiting == 0


def test_events_that_might_come_twice_are_given_up(told):
    assert told["a_kept_outbox_cannot_be_emptied"] == [True, 0]


def test_what_fails_before_the_tasks_run_is_a_fault_too(told):
    ends, noted = told["fails_before_its_tasks_run"]
    assert ends == [["reset", MODE_NORMAL]] * 3 + [["reset", "safe"]]
    assert noted


def test_want_of_memory_keeps_nobody_from_starting_anew(told):
    assert told["no_memory_for_records"] == "reset"


def test_three_quick_failures_lead_to_safe_mode_and_restart_leaves_it(told):
    failures, safe, (greeting, log, faults, answers), after = told["safe_mode"]
    assert failures == [["reset", MODE_NORMAL]] * 3
    assert safe == ["reset", False, MODE_SAFE, MODE_SAFE]
    assert greeting == ["NEW_BOOT", "FAULT 1", "FAULT 2", "FAULT 3", "TELEMETRY"]  # and no snapshot: nothing is known
    assert log is True
    assert faults == 3
    assert answers == ["RESULT 0", "RESULT 1", "RESULT 0"]
    assert after == ["unplugged", HARD, MODE_NORMAL, 1]


def test_faults_after_a_minute_do_not_lead_to_safe_mode(told):
    often, mixed = told["rare_faults_are_no_reason"]
    assert set(often) == {MODE_NORMAL}
    assert set(mixed) == {MODE_NORMAL}


def test_a_device_that_hangs_is_reset_and_in_the_end_safe(told):
    (well, hung), modes, logs = told["hangs"]
    assert well == 22
    assert hung == 7
    assert [mode for _cause, mode in modes] == [MODE_NORMAL, MODE_NORMAL, MODE_SAFE, MODE_SAFE, MODE_NORMAL]
    assert [cause for cause, _mode in modes] == [WATCHDOG] * 4 + [POWER_ON]
    line = "watchdog, in its first minute\n"
    assert logs == [[line * n, n] for n in (1, 2, 3, 4, 4)]  # each hang leaves a line, and counts as a fault


def test_power_that_comes_and_goes_dims_the_lights(told):
    assert told["powered_on_again_and_again"] == [False, False, True, True, True, False, False]


def test_a_planned_reset_answers_first_and_keeps_the_events(told):
    end, said, dropped, modes = told["planned_reset"]
    assert end == "reset"
    assert said == [["RESULT 3", "RESULT 0"], "still waits for the events to be acknowledged"]
    assert dropped == [3]
    assert modes[0] == [MODE_SAFE, HARD, True, 2]
    assert modes[1] == [MODE_NORMAL, HARD, False, 0]


def test_deep_sleep_is_announced_and_takes_the_numbers_along(told):
    end, said, (pins, level), slept, second, same_boot, newest, other_boot, written = told["deep_sleep"]
    assert end == "asleep"
    assert said == [["DIE_PLACED 1", "DIE_SLEEPS 2"]]
    assert pins == ["a pin"]
    assert level is True
    assert slept
    assert second == ["unplugged", DEEP_SLEEP]
    assert same_boot
    assert newest == 2
    assert other_boot
    assert written == []  # a die that wakes often does not wear its flash


def test_the_slowest_turn_of_the_loop_is_told_once(told):
    worst, after, status, battery, day = told["telemetry"]
    assert worst == 340
    assert after == 0
    assert status == [1, True, 0, 0]
    assert battery == 255
    assert day >= 30 * (1 << 27) // 1000 - 30
