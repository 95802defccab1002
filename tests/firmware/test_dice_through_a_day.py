"""The handheld die, compiled, on the virtual table between its throws: asleep and awake, low on battery, calibrated,
at fault; and for an hour."""

import asyncio

import pytest

from companion.virtual_table import missing

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from die_companion import play

from companion.virtual_table import motion
from shared_rules.wire.messages import (
    BATTERY_LOW,
    CALIBRATION_DONE,
    CALIBRATION_START,
    DONE,
    NOT_PAIRED,
    RESET_CAUSES,
    SLEEP_ASKED,
    SLEEP_BATTERY,
    SLEEP_IDLE,
)


def test_idle_for_twenty_minutes_it_announces_sleep_and_a_shake_wakes_it(flash, handheld_code, chip):
    async def story(rig):
        await rig.command("ARM_DIE", map_id=1, seat=17)
        await asyncio.sleep(20 * 60)
        slept = await rig.until("DIE_SLEEPS", 1)
        assert slept.fields["reason"] == SLEEP_IDLE
        assert rig.table.device().board.asleep
        rig.move(motion.handled(3, 6))
        moved = rig.now
        while rig.table.device().board.asleep:
            await asyncio.sleep(0.02)
            assert rig.now - moved < 5
        assert rig.now - moved < 1
        boots = len([message for message in rig.others if message.name == "NEW_BOOT"])
        hello = await rig.connect()
        assert RESET_CAUSES[hello["reset_cause"]] == "deep sleep"
        assert len([message for message in rig.others if message.name == "NEW_BOOT"]) == boots
        await asyncio.sleep(8)
        before = len(rig.events)
        thrown = motion.throw(5)
        rig.move(thrown)
        settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5, before)
        # The invitation and the maps have outlived the sleep, without a word of the companion.
        assert settled.fields["map_id"] == 1
        assert settled.ref != 0

    play(flash, handheld_code, story, accelerometer=chip)


def test_the_throw_that_wakes_it_is_not_lost_silently(flash, handheld_code, chip):
    async def story(rig):
        for seed in (11, 12, 13):
            before = len(rig.events)
            assert await rig.command("SLEEP_DIE") == (DONE, 0)
            await asyncio.sleep(4)
            assert rig.table.device().board.asleep
            thrown = motion.throw(seed)
            rig.move(thrown)
            await asyncio.sleep(thrown.seconds + 3)
            await rig.connect()
            await asyncio.sleep(2)
            names = rig.names(before)
            assert names[0] == "DIE_SLEEPS"
            told = [message for _at, message in rig.events[before:] if message.name in ("ROLL_SETTLED", "DIE_PLACED")]
            assert told[-1].fields["face"] == thrown.truth.face

    play(flash, handheld_code, story, accelerometer=chip)


def test_asked_to_sleep_it_keeps_what_was_not_heard(flash, handheld_code):
    async def story(rig):
        rig.deaf = True
        rig.move(motion.placed(4))
        await rig.until("DIE_PLACED", 10)
        assert await rig.command("SLEEP_DIE") == (DONE, 0)
        await asyncio.sleep(10)
        assert rig.table.device().board.asleep
        rig.deaf = False
        rig.move(motion.handled(2, 4))
        await asyncio.sleep(2)
        await rig.connect()
        slept = await rig.until("DIE_SLEEPS", 3)
        assert slept.fields["reason"] == SLEEP_ASKED
        assert [message.seq for _at, message in rig.events] == list(range(1, len(rig.events) + 1))
        assert rig.names().count("DIE_PLACED") >= 1

    play(flash, handheld_code, story)


def test_a_low_battery_is_told_and_shown_and_an_empty_one_ends_in_sleep(flash, handheld_code):
    async def story(rig):
        await asyncio.sleep(10)
        rig.table.set_battery(3690)
        low = await rig.until("BATTERY", 300)
        assert low.fields["level"] == BATTERY_LOW
        assert low.fields["percent"] <= 15
        await asyncio.sleep(60)
        shown = [light for light in rig.frames(16) if any(light)]
        assert set(shown) == {(20 * 2, 10 * 2, 0)}
        telemetry = [message for message in rig.others if message.name == "TELEMETRY"][-1]
        assert telemetry.fields["battery"] <= 15
        assert abs(telemetry.fields["millivolts"] - 3690) < 40
        rig.table.set_charging(True)
        rig.table.set_battery(3350)
        await asyncio.sleep(60)
        assert not rig.table.device().board.asleep
        rig.table.set_battery(3350)
        rig.table.set_charging(False)
        slept = await rig.until("DIE_SLEEPS", 300)
        assert slept.fields["reason"] == SLEEP_BATTERY
        await asyncio.sleep(3)
        assert rig.table.device().board.asleep

    play(flash, handheld_code, story)


def test_a_calibration_by_hand(flash, handheld_code, chip):
    async def story(rig):
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_START) == (NOT_PAIRED, 0)
        assert await rig.command("PAIR", key=bytes(range(16))) == (DONE, 0)
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_START) == (DONE, 0)
        for face in range(1, 13):
            rig.move(motion.lying(face))
            await asyncio.sleep(2.5)
        done = await rig.until("DIE_CALIBRATED", 5)
        assert done.fields["result"] == CALIBRATION_DONE
        assert done.fields["faces"] == 0xFFF
        assert done.fields["residual"] <= 12
        assert "DIE_PLACED" not in rig.names()
        kept = sorted(path.name for path in flash.iterdir() if path.name.startswith("calibration"))
        assert kept

    play(flash, handheld_code, story, accelerometer=chip)


def test_a_dead_accelerometer_restarts_the_die_and_says_why(flash, handheld_code):
    async def story(rig):
        rig.table.mute_accelerometer(True)
        rig.move(motion.handled(1, 3))
        await asyncio.sleep(15)
        rig.table.mute_accelerometer(False)
        await asyncio.sleep(10)
        await rig.connect()
        fault = await rig.until("FAULT", 3)
        assert fault.fields["error"] == "Accelerome"

    play(flash, handheld_code, story)


async def evening(rig, minutes):
    """A throw every ten seconds, a lost link each five minutes, the lights and a battery that goes down on the way."""
    thrown = motion.throws(range(6))
    settled = 0
    for turn in range(minutes * 6):
        if turn % 30 == 29:
            rig.table.drop_link()
            await asyncio.sleep(1)
            await rig.connect()
        before = len(rig.events)
        assert await rig.command("ARM_DIE", map_id=turn % 3 + 1, seat=16 + turn % 7) == (DONE, 0)
        rig.move(thrown[turn % 6])
        await asyncio.sleep(max(0.0, 9 - 0.1))
        settled += rig.names(before).count("ROLL_SETTLED")
        rig.table.set_battery(4100 - 100 * (turn % 2))
        await asyncio.sleep(1)
    return settled


def check_evening(flash, handheld_code, minutes):
    async def story(rig):
        first = (await rig.table.stats())["heap"]
        settled = await evening(rig, minutes)
        last = (await rig.table.stats())["heap"]
        assert settled >= minutes * 6 // 2
        assert rig.table.device().board.boots == 1
        assert last["free_percent"] >= 25, last
        return first, last

    return play(flash, handheld_code, story)


def test_the_compiled_die_plays_and_its_heap_stays(flash, handheld_code):
    first, last = check_evening(flash, handheld_code, 2)
    assert last["used"] - first["used"] < 4000


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_an_hour_of_throws(flash, handheld_code):
    check_evening(flash, handheld_code, 60)
