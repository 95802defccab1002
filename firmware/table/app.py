"""Puts the table controller together: pins, readers, lights, die, on what every device has. One object a device."""

import asyncio
import time

import machine
import neopixel

from firmware import pins
from firmware.device_link.command_desk import done_or
from firmware.device_link.snapshot import framed
from firmware.die.table_die import Die
from firmware.drivers import mfrc522, pn5180  # noqa: F401 (loaded while memory is in one piece)
from firmware.drivers.led_strip import LedStrip
from firmware.drivers.reader_bus import ReaderBus
from firmware.table.light_scenes import ALL_LOOKS, LightScenes
from firmware.table.reader_bank import ReaderBank
from firmware.table.tag_presence import TagPresence
from shared_rules.wire.messages import BAD_FIELD, DONE

DIE_CURRENT_MA = 150  # the ring's share of pins.LED_CURRENT_LIMIT
MOST_TAGS = 255  # that a snapshot can count
SETTLED_SWEEPS = 4  # after the start, until every tag that lies there has been confirmed
DIM_PERCENT = 25  # of the brightness, when the device was powered on again and again
ALIVE_MS = 8000  # the longest that a sweep may take
MINUTE_MS = 60000
DARK_AFTER = 10  # minutes without a companion: one that comes back says anew what shines


def reader_bus():
    """The bus with all readers out of their hard power-down."""
    spi = machine.SPI(
        2,
        baudrate=pins.READER_BAUD,
        polarity=0,
        phase=0,
        sck=machine.Pin(pins.READER_SCK),
        mosi=machine.Pin(pins.READER_MOSI),
        miso=machine.Pin(pins.READER_MISO),
    )
    select = (
        machine.Pin(pins.READER_SELECT_0, machine.Pin.OUT, value=0),
        machine.Pin(pins.READER_SELECT_1, machine.Pin.OUT, value=0),
        machine.Pin(pins.READER_SELECT_2, machine.Pin.OUT, value=0),
        machine.Pin(pins.READER_SELECT_3, machine.Pin.OUT, value=0),
        machine.Pin(pins.READER_SELECT_4, machine.Pin.OUT, value=0),
    )
    enable_n = machine.Pin(pins.READER_ENABLE_N, machine.Pin.OUT, value=1)
    reset_n = machine.Pin(pins.READER_RESET_N, machine.Pin.OUT, value=0)
    time.sleep_ms(2)
    reset_n.value(1)
    time.sleep_ms(50)  # the oscillators start
    return ReaderBus(spi, select, enable_n, machine.Pin(pins.READER_BUSY, machine.Pin.IN), reset_n)


class TableApp:
    """The whole table on its `Device`."""

    def __init__(self, device):
        self._device = device
        self._swept = 0
        self._swept_at = time.ticks_ms()

        strip_limit = pins.LED_CURRENT_LIMIT - DIE_CURRENT_MA
        board = neopixel.NeoPixel(machine.Pin(pins.LED_STRIP, machine.Pin.OUT), pins.BOARD_LEDS)
        ring = neopixel.NeoPixel(machine.Pin(pins.DIE_LED_STRIP, machine.Pin.OUT), pins.DIE_LEDS)
        self.lights = LightScenes(LedStrip(board, strip_limit))
        button = machine.Pin(pins.DIE_BUTTON, machine.Pin.IN)
        self.die = Die(button, LedStrip(ring, DIE_CURRENT_MA), device.radio_is_on, device.report)
        button.irq(self.die.press, machine.Pin.IRQ_FALLING)

        self.presence = TagPresence(pins.SOCKETS, device.report)
        self.bus = reader_bus()
        self.bank = ReaderBank(self.bus, pins.SOCKETS, self.presence)

        device.commands["IDENTIFY"] = self._identify
        device.commands["SET_LIGHTS"] = self._set_lights
        device.commands["CLEAR_LIGHTS"] = self._clear_lights
        self.die.attach(device)
        device.snapshot = self._snapshot
        device.sweep_ms = self._sweep_ms
        device.socket_health = self.bank.socket_health

    def tasks(self):
        """What runs for ever."""
        return self.bank.run(), self.lights.run(), self.die.run(), self.die.shine(), self._light_up()

    def is_alive(self):
        """Whether sweeps go on."""
        now = time.ticks_ms()
        if self.bank.sweeps != self._swept:
            self._swept = self.bank.sweeps
            self._swept_at = now
        return time.ticks_diff(now, self._swept_at) < ALIVE_MS

    async def _light_up(self):
        """Lights shine once the readers have been swept and the supply has held; not for ever for a companion that has
        gone without a word."""
        while self.bank.sweeps < SETTLED_SWEEPS:
            await asyncio.sleep_ms(100)
        self.lights.release(DIM_PERCENT if self._device.dim else 100)
        alone = 0
        while True:
            await asyncio.sleep_ms(MINUTE_MS)
            alone = alone + 1 if self._device.session.conn is None else 0
            if alone == DARK_AFTER:
                self.lights.clear(ALL_LOOKS)

    def _sweep_ms(self):
        return self.bank.sweep_ms

    def _identify(self, fields, number):
        self.lights.identify(fields["seconds"])
        return DONE, 0

    def _set_lights(self, fields, number):
        return done_or(BAD_FIELD, self.lights.set(fields["look"], fields["seconds"], fields["leds"]))

    def _clear_lights(self, fields, number):
        return done_or(BAD_FIELD, self.lights.clear(fields["look"]))

    def _snapshot(self):
        """Everything that is true now, or None before the first sweeps have shown it."""
        if self.bank.sweeps < SETTLED_SWEEPS:
            return None
        parts = []
        for socket in range(pins.SOCKETS):
            for uid in self.presence.tags(socket):
                parts.append(("SNAPSHOT_TAG", {"socket": socket, "uid": uid}))
        del parts[MOST_TAGS:]
        for socket in range(pins.SOCKETS):
            state = self.presence.trouble(socket)
            if state:
                parts.append(("SNAPSHOT_SOCKET", {"socket": socket, "state": state}))
        parts.append(("SNAPSHOT_DIE", self.die.seen()))
        return framed(parts)
