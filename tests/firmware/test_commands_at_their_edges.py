"""Every command with every value that the wire lets through, on the real firmware of each device: whatever is asked,
the device answers, and goes on."""

import asyncio
import itertools

import pytest

from companion.virtual_table import missing
from shared_rules.wire.messages import BAD_FIELD, DONE, NOT_NOW, UNKNOWN_COMMAND

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.table import VirtualTable
from tests.firmware.link_companion import KEY, LinkCompanion

LOOKS = (0, 1, 6, 7, 8, 15, 16, 22, 23, 24, 127, 254, 255)
LEDS = ([0], [255], [63], [64], [0] * 100, list(range(100)))
FACES = ([0] * 12, [15] * 12, [0, 15] * 6, list(range(12)))
ANSWERS = {DONE, BAD_FIELD, NOT_NOW, UNKNOWN_COMMAND}


def asked():
    """(command, fields), one after the other."""
    for look, seconds, leds in itertools.product(LOOKS, (0, 1, 255), LEDS):
        yield "SET_LIGHTS", {"look": look, "seconds": seconds, "leds": leds}
    for look in LOOKS:
        yield "CLEAR_LIGHTS", {"look": look}
    for seconds in (1, 60):
        yield "IDENTIFY", {"seconds": seconds}
    for map_id, style, faces in itertools.product((1, 2, 3, 4, 5, 255), (0, 1), FACES):
        yield "SET_FACE_MAP", {"map_id": map_id, "style": style, "faces": faces}
        for seat in LOOKS:
            yield "ARM_DIE", {"map_id": map_id, "seat": seat}
        yield "DISARM_DIE", {}
    yield "ARM_DIE", {"map_id": 9, "seat": 0}
    for offset in (0, 1, 9, 1023, 1024, 1025, 65535):
        yield "READ_LOG", {"offset": offset}
    for action in (2, 0, 1, 1, 0, 0, 2):
        yield "CALIBRATE_DIE", {"action": action}


async def evening(device):
    async with VirtualTable(devices=(device,)) as table:
        await asyncio.sleep(1)
        ours = LinkCompanion(1)
        await ours.by_air(table)
        await ours.resume()
        assert await ours.command("PAIR", key=KEY) == DONE
        boots = table.board.boots
        statuses = {}
        for turn, (name, fields) in enumerate(asked()):
            status = await ours.command(name, **fields)
            assert status in ANSWERS, (name, fields)
            statuses.setdefault(name, set()).add(status)
            if name == "ARM_DIE" and status == DONE and turn % 7 == 0:
                if device == "die":
                    table.throw_die(seed=turn)
                    await asyncio.sleep(4)
                else:
                    table.press_button()
                    await asyncio.sleep(3)
        beats = len(ours.fields_of("HEARTBEAT"))
        await asyncio.sleep(3)
        alive = len(ours.fields_of("HEARTBEAT")) - beats
        return table.board.boots - boots, alive, statuses, ours, table.model_errors()


@pytest.mark.parametrize("device", ["table", "ring", "die"])
def test_whatever_is_asked_the_device_answers_and_goes_on(device):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        boots, alive, statuses, ours, errors = runner.run(evening(device))
    assert boots == 0
    assert alive >= 2
    assert "FAULT" not in ours.names()
    assert "ROLL_SETTLED" in ours.names()
    assert statuses["SET_FACE_MAP"] == {DONE}
    assert errors == []
