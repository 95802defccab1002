"""What ends a modelled deep sleep: a time, or pins at a level; also one that is there already."""

import asyncio

import pytest

from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.deep_sleep import TIMER_WAKE, DeepSleep

GPIO, EXT1 = 7, 3


def slept(conditions, ms, levels, changes=(), seconds=10):
    """When it woke, and why: (second, reason) each; `changes` are (second, pin, level)."""
    told = []

    async def work():
        loop = asyncio.get_running_loop()
        begun = loop.time()
        sleep = DeepSleep(
            conditions,
            ms,
            lambda gpio: levels[gpio],
            lambda reason: told.append((round(loop.time() - begun, 3), reason)),
        )
        sleep.begin()
        for at, gpio, level in changes:
            await asyncio.sleep(at - (loop.time() - begun))
            levels[gpio] = level
            if not told:
                sleep.look()
        await asyncio.sleep(seconds)
        sleep.stop()

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(work())
    return told


def test_a_line_that_is_high_already_wakes_at_once():
    assert slept([("gpio", [3], 1)], 0, {3: 1}) == [(0, GPIO)]


def test_a_line_that_rises_later_wakes_then_and_no_time_after_it():
    assert slept([("gpio", [3], 1)], 5000, {3: 0}, [(2, 3, 1)]) == [(2, GPIO)]


def test_a_time_wakes_where_no_line_does():
    assert slept([("gpio", [3], 1)], 5000, {3: 0}) == [(5, TIMER_WAKE)]
    assert slept([("gpio", [3], 1)], 0, {3: 0}) == []


@pytest.mark.parametrize(("levels", "told"), [({1: 0, 2: 1}, []), ({1: 0, 2: 0}, [(0, EXT1)])])
def test_lines_that_must_all_be_low(levels, told):
    assert slept([("ext1", [1, 2], 0)], 0, levels) == told
