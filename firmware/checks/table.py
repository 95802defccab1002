"""Looks at a table controller: memory, radio, every socket, both strips, the die's button."""

import asyncio
import time

from firmware import pins
from firmware.checks import common
from firmware.drivers.reader import CLEAR
from firmware.drivers.reader_probe import probe
from firmware.table.app import DIE_CURRENT_MA, reader_bus
from shared_rules.wire.messages import READER_PN5180

REPEATS = 50  # polls of each reader with nothing on it


async def check_readers():
    """Which sockets hold a reader, which of them hear noise, and how long a sweep takes."""
    bus = reader_bus()
    tags: list[bytes] = []
    empty: list[int] = []
    for socket in range(pins.SOCKETS):
        item = "socket %d" % socket
        reader = await probe(bus, socket)
        if reader is None:
            empty.append(socket)
            continue
        clean = 0
        begun = time.ticks_ms()
        for _ in range(REPEATS):
            clean += await reader.poll(tags) == CLEAR
        took = time.ticks_diff(time.ticks_ms(), begun) / REPEATS
        name = "PN5180" if reader.kind == READER_PN5180 else "RC522"
        text = "%s, version 0x%02X, %d of %d polls clean, %.1f ms each" % (name, reader.version, clean, REPEATS, took)
        if tags:
            text += ", tags on it: %s" % ", ".join([tag.hex() for tag in tags])
        common.say("ok" if clean == REPEATS else "no", item, text)
    if len(empty) == pins.SOCKETS:
        common.say("no", "readers", "not one answers: look at supply, SCK, MOSI, MISO, RST and the select lines")
    elif empty:
        common.say("see", "empty sockets", "no reader in %s; is that how it is wired?" % spans(empty))


def spans(numbers):
    """`0-15, 17` of rising numbers."""
    text = ""
    for n in numbers:
        if n - 1 not in numbers:
            text += "%s%d" % (", " if text else "", n)
        elif n + 1 not in numbers:
            text += "-%d" % n
    return text


def main():
    """All items."""
    common.check_memory(40000)
    common.check_chance()
    asyncio.run(check_readers())
    common.check_strip("lights", pins.LED_STRIP, pins.BOARD_LEDS, pins.LED_CURRENT_LIMIT - DIE_CURRENT_MA)
    common.check_strip("die", pins.DIE_LED_STRIP, pins.DIE_LEDS, DIE_CURRENT_MA)
    common.check_button(pins.DIE_BUTTON)
    print("end")
