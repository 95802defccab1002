"""Lights while the radio works hard: of a thousand frames none is torn, none is late enough to be a flicker.

All lights are told the same look again and again, while tags come and go at the edge of their fields and every command
is answered over the air. Whatever the rhythm of a look, each frame then shows one colour on the whole strip; a frame
that was sent while it was being written would show two.
"""

import asyncio
import itertools

from small_board import in_virtual_time
from table_partner import Partner

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.table import VirtualTable
from firmware import pins
from shared_rules.wire.messages import LOOK_GATE_OPEN, LOOK_GREEN, LOOK_RED, LOOK_ROUTE, LOOK_WRONG

FRAMES = 1_000
EVERYWHERE = list(range(pins.BOARD_LEDS))
REFRESH_US = 1_300_000  # a frame a second even when nothing changes, and a tick of 125 ms twice


def test_of_a_thousand_frames_under_radio_load_none_is_torn(tmp_path):
    async def work():
        setup = BoardSetup(tmp_path / "flash", seed=9)
        async with VirtualTable(setup=setup) as table, Partner(table.backend()) as partner:
            await partner.until(lambda: partner.connections == 1)
            assert await partner.command("SET_LIGHTS", look=LOOK_RED, seconds=0, leds=EVERYWHERE) == 0
            await asyncio.sleep(1)
            begun = len(table.led_frames())
            for i in range(8):  # at every look the next letter decides whether the tag is seen
                table.flap_tag(f"04a1b2c{i}", 3 * i, "110010")
            for look in itertools.cycle((LOOK_GREEN, LOOK_WRONG, LOOK_GATE_OPEN, LOOK_ROUTE, LOOK_RED)):
                await partner.command("SET_LIGHTS", look=look, seconds=0, leds=EVERYWHERE)
                if len(table.led_frames()) - begun >= FRAMES:
                    break
            return table.led_frames()[begun:], len(partner.messages), table.model_errors()

    frames, messages, errors = in_virtual_time(work())
    assert len(frames) >= FRAMES
    assert messages > 1_000, "that is no load"
    torn = [frame for frame in frames if len(set(frame.lights)) != 1]
    assert torn == []
    assert len({frame.lights[0] for frame in frames}) > 4, "looks came and went"
    gaps = [b.at_us - a.at_us for a, b in itertools.pairwise(frames)]
    assert max(gaps) < REFRESH_US
    assert errors == []
