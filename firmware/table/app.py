"""Puts the table controller together: pins, readers, lights, die, link. One object a device."""

import asyncio
import gc
import time

import bluetooth
import machine
import neopixel

from firmware import VERSION, pins
from firmware.device_link.ble_peripheral import BlePeripheral
from firmware.device_link.command_desk import CommandDesk, done_or
from firmware.device_link.outbox import Outbox
from firmware.device_link.session import Session
from firmware.die.face_maps import FACES
from firmware.die.table_die import Die
from firmware.drivers.led_strip import LedStrip
from firmware.drivers.mfrc522 import Mfrc522
from firmware.drivers.reader_bus import ReaderBus
from firmware.table import supervisor
from firmware.table.light_scenes import LightScenes
from firmware.table.reader_bank import ReaderBank
from firmware.table.tag_presence import TagPresence
from shared_rules.wire.messages import BAD_FIELD, DONE, PROTOCOL_MINOR, encode

DIE_CURRENT_MA = 150  # the ring's share of pins.LED_CURRENT_LIMIT
SETTLED_SWEEPS = 4  # after the start, until every tag that lies there has been confirmed
COLLECT_BEATS = 10  # heartbeats from one garbage collection to the next
ALIVE_MS = 8000  # the longest that a sweep may take


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
    return ReaderBus(spi, select, enable_n)


class TableApp:
    """The whole table; `run` never returns."""

    def __init__(self):
        ble = bluetooth.BLE()
        ble.active(True)  # before anything that asks for chance: the boot id needs true randomness, too
        outbox = Outbox()
        self._outbox = outbox
        self._cause = supervisor.reset_cause()
        self._boot_id = supervisor.boot_number(outbox)
        self._device_id = (bytes(machine.unique_id()) + bytes(6))[:6]
        self._started = time.ticks_ms()
        self._uptime = 0
        self._beats = 0
        self._swept = 0
        self._swept_at = self._started

        strip_limit = pins.LED_CURRENT_LIMIT - DIE_CURRENT_MA
        board = neopixel.NeoPixel(machine.Pin(pins.LED_STRIP, machine.Pin.OUT), pins.BOARD_LEDS)
        ring = neopixel.NeoPixel(machine.Pin(pins.DIE_LED_STRIP, machine.Pin.OUT), pins.DIE_LEDS)
        self.lights = LightScenes(LedStrip(board, strip_limit))
        button = machine.Pin(pins.DIE_BUTTON, machine.Pin.IN)
        self.link = BlePeripheral(ble, "Cabstand %02X%02X" % tuple(self._device_id[4:]), self._device_id)
        self.die = Die(button, LedStrip(ring, DIE_CURRENT_MA), self.link.is_on, self._report)
        button.irq(self.die.press, machine.Pin.IRQ_FALLING)

        self.presence = TagPresence(pins.SOCKETS, self._report)
        self.bus = reader_bus()
        self.bank = ReaderBank([Mfrc522(self.bus, socket) for socket in range(pins.SOCKETS)], self.presence)
        desk = CommandDesk(self._handlers())
        self.session = Session(
            self.link, outbox, desk, self._boot_id, self._cause, self._snapshot, self._status
        )
        self.supervisor = supervisor.Supervisor(outbox, self._boot_id, self._is_alive)

    async def run(self):
        """Starts the radio, then everything at once."""
        self.link.start(self._hello())
        gc.collect()
        gc.threshold(gc.mem_free() // 4 + gc.mem_alloc())
        await self.supervisor.run(
            (
                self.session.receive(),
                self.session.send(),
                self.session.beat(),
                self.link.rearm(),
                self.bank.run(),
                self.lights.run(),
                self._light_up(),
                self.die.run(),
                self.die.shine(),
            )
        )

    async def _light_up(self):
        """Lights shine once the readers have been swept and the supply has held."""
        while self.bank.sweeps < SETTLED_SWEEPS:
            await asyncio.sleep_ms(100)
        self.lights.release()

    def _report(self, name, fields, ref=0):
        self.session.report(name, fields, ref)

    def _handlers(self):
        return {
            "IDENTIFY": self._identify,
            "SET_LIGHTS": lambda f, n: done_or(BAD_FIELD, self.lights.set(f["look"], f["seconds"], f["leds"])),
            "CLEAR_LIGHTS": lambda f, n: done_or(BAD_FIELD, self.lights.clear(f["look"])),
            "SET_FACE_MAP": lambda f, n: (self.die.set_face_map(f["map_id"], f["style"], f["faces"]), 0),
            "ARM_DIE": self._arm,
            "DISARM_DIE": lambda f, n: (self.die.disarm(), 0),
        }

    def _identify(self, fields, number):
        self.lights.identify(fields["seconds"])
        return DONE, 0

    def _arm(self, fields, number):
        status = self.die.arm(fields["map_id"], number)
        return status, 1 if status == BAD_FIELD else 0

    def _hello(self):
        return encode(
            "HELLO",
            0,
            0,
            {
                "device_id": self._device_id,
                "boot_id": self._boot_id,
                "protocol_minor": PROTOCOL_MINOR,
                "firmware_major": VERSION[0],
                "firmware_minor": VERSION[1],
                "firmware_patch": VERSION[2],
                "reset_cause": self._cause,
                "sockets": pins.SOCKETS,
                "leds": pins.BOARD_LEDS,
                "die_faces": FACES,
            },
        )

    def _snapshot(self):
        """Everything that is true now, or None before the first sweeps have shown it."""
        if self.bank.sweeps < SETTLED_SWEEPS:
            return None
        parts = []
        troubles = 0
        for socket in range(pins.SOCKETS):
            for uid in self.presence.tags(socket):
                parts.append(("SNAPSHOT_TAG", {"socket": socket, "uid": uid}))
        tags = len(parts)
        for socket in range(pins.SOCKETS):
            state = self.presence.trouble(socket)
            if state:
                parts.append(("SNAPSHOT_SOCKET", {"socket": socket, "state": state}))
                troubles += 1
        die = self.die
        parts.append(
            ("SNAPSHOT_DIE", {"state": die.state, "face": die.face, "map_id": die.map_id, "roll": die.roll})
        )
        counts = {"tags": tags, "troubles": troubles}
        return [("SNAPSHOT_BEGIN", counts)] + parts + [("SNAPSHOT_END", counts)]

    def _status(self):
        now = time.ticks_ms()
        seconds = time.ticks_diff(now, self._started) // 1000
        self._started = time.ticks_add(self._started, seconds * 1000)
        self._uptime += seconds
        if self._beats % COLLECT_BEATS == 0:
            gc.collect()
        self._beats += 1
        return {
            "uptime": self._uptime,
            "heap_free": gc.mem_free(),
            "waiting": self._outbox.waiting,
            "sweep": min(self.bank.sweep_ms, 0xFFFF),
        }

    def _is_alive(self):
        now = time.ticks_ms()
        if self.bank.sweeps != self._swept:
            self._swept = self.bank.sweeps
            self._swept_at = now
        return time.ticks_diff(now, self._swept_at) < ALIVE_MS
