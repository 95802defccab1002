"""Commands to dice that lie still, on virtual ones: what is done, and what is not now."""

import asyncio

import pytest
from die_companion import play

from companion.virtual_table import motion
from shared_rules.wire.messages import (
    CALIBRATION_FORGET,
    CALIBRATION_START,
    CALIBRATION_STOP,
    CALIBRATION_STOPPED,
    DIE_AT_REST,
    DIE_INVITES,
    DONE,
    NOT_NOW,
)


async def state(rig):
    """What the die says when a companion comes back."""
    rig.table.drop_link()
    await asyncio.sleep(1)
    await rig.connect()
    return [message for message in rig.others if message.name == "SNAPSHOT_DIE"][-1].fields["state"]


def test_a_handheld_die(flash, handheld_code):
    async def story(rig):
        assert await rig.command("IDENTIFY", seconds=2) == (DONE, 0)
        await asyncio.sleep(1)
        assert any(max(frame) for frame in rig.frames(1))
        assert await rig.command("ARM_DIE", map_id=1, seat=17) == (DONE, 0)
        assert await rig.command("DISARM_DIE") == (DONE, 0)
        assert await state(rig) == DIE_AT_REST
        assert await rig.command("PAIR", key=bytes(range(16))) == (DONE, 0)
        assert await rig.command("ARM_DIE", map_id=1, seat=17) == (DONE, 0)
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_START) == (NOT_NOW, 0)
        assert await rig.command("DISARM_DIE") == (DONE, 0)
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_START) == (DONE, 0)
        begun = rig.number
        assert await rig.command("ARM_DIE", map_id=1, seat=17) == (NOT_NOW, 0)
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_STOP) == (DONE, 0)
        stopped = await rig.until("DIE_CALIBRATED")
        assert (stopped.fields["result"], stopped.ref) == (CALIBRATION_STOPPED, begun)
        assert await rig.command("CALIBRATE_DIE", action=CALIBRATION_FORGET) == (DONE, 0)
        thrown = motion.throw(2)
        rig.move(thrown)
        await rig.until("ROLL_STARTED")
        assert await rig.command("SLEEP_DIE") == (NOT_NOW, 0)
        assert await rig.command("DISARM_DIE") == (NOT_NOW, 0)
        await rig.until("ROLL_SETTLED", thrown.seconds + 5)

    play(flash, handheld_code, story)


@pytest.mark.parametrize("seconds", [0.4, 1.5])
def test_an_accelerometer_that_goes_away_for_a_moment(flash, handheld_code, seconds):
    async def story(rig):
        await asyncio.sleep(20)  # by then it is calm and leaves the watch to the accelerometer
        rig.table.mute_accelerometer(True)
        await asyncio.sleep(seconds)
        rig.table.mute_accelerometer(False)
        await asyncio.sleep(5)
        assert await rig.command("ARM_DIE", map_id=1, seat=0) == (DONE, 0)
        thrown = motion.throw(1)
        rig.move(thrown)
        settled = await rig.until("ROLL_SETTLED", thrown.seconds + 5)
        assert settled.fields["face"] == thrown.truth.face
        assert "FAULT" not in rig.names()

    play(flash, handheld_code, story)


def test_the_table_die(flash, compiled):
    async def story(rig):
        assert await rig.command("ARM_DIE", map_id=1, seat=18) == (DONE, 0)
        assert await state(rig) == DIE_INVITES
        assert await rig.command("DISARM_DIE") == (DONE, 0)
        assert await state(rig) == DIE_AT_REST
        assert await rig.command("PAIR", key=bytes(range(16))) == (DONE, 0)
        assert await rig.command("RESTART", mode=0) == (DONE, 0)

    play(flash, compiled("table_die"), story, name="ring")
