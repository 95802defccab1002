"""What every device has: radio, cable, session, outbox, commands, pairing, supervision, telemetry.

An application makes one `Device`, gives it its handlers and functions, and lets it run its tasks:

    def build(device):
        app = App(device)                       # device.commands["SET_LIGHTS"] = …, device.snapshot = …
        return (app.run(), app.shine()), app.is_alive

    def main():
        start(build, TABLE_CONTROLLER, "Cabstand", sockets=32, leds=64)

In safe mode `build` is not called: only the link works.
"""

import asyncio
import gc
import os
import sys
import time

import bluetooth
import machine

from firmware import VERSION
from firmware.device_link.ble_peripheral import SLOTS, BlePeripheral
from firmware.device_link.command_desk import CommandDesk
from firmware.device_link.links import Links
from firmware.device_link.outbox import Outbox
from firmware.device_link.pairing import Pairing
from firmware.device_link.session import Session
from firmware.supervision.crash_record import CrashRecord
from firmware.supervision.safe_mode import YOUNG_MS, StartRecord
from firmware.supervision.supervisor import NO_TASK, WATCHDOG_MS, Supervisor
from firmware.supervision.telemetry import Telemetry
from firmware.supervision.two_slot_file import TwoSlotFile
from shared_rules.wire.messages import (
    DONE,
    MODE_NORMAL,
    MODE_SAFE,
    NO_BATTERY,
    NOT_NOW,
    PROTOCOL_MINOR,
    encode,
)
from shared_rules.wire.sequence import WINDOW

FEW_SLOTS = 8  # of a device with a small outbox: little memory, and a companion that sends one command at a time
OUTBOX_RECORD = "outbox"
ANSWERED_MS = 2000  # how long a planned reset waits for the companion to have heard
CHECK_MS = 50
MOST_KEYS = 6  # in a minute: each change of the key wears the flash
LEAVE_MS = 100  # until the other side has heard that the connection ends


class Device:
    """`kind` is a kind of device in `shared_rules.wire.messages`, `name` what people see, before four digits of the id.

    `sockets`, `leds` and `die_faces` say what it has; `uart` is the machine.UART of the cable, or None; `events` is how
    many it keeps for a companion that is away. What an application sets: `commands` (name: function of fields and
    number that returns status and detail), `snapshot`, `sweep_ms`, `socket_health`, `battery`, `calm` (see
    docs/devices.md).

    `reset_cause` is an index into `RESET_CAUSES`, `mode` MODE_NORMAL or MODE_SAFE, `dim` whether the lights must stay
    dim since the device was powered on again and again.
    """

    def __init__(self, kind, name, sockets=0, leds=0, die_faces=0, uart=None, events=WINDOW):
        ble = bluetooth.BLE()
        ble.active(True)  # before anything that asks for chance: the boot id needs true randomness, too
        self._ble = ble
        self.kind = kind
        self.sockets = sockets
        self._leds = leds
        self._die_faces = die_faces
        self._starts = StartRecord()
        self.reset_cause = self._starts.cause
        self.mode = self._starts.mode
        self.dim = self._starts.dim
        self._crashes = CrashRecord()
        if self._starts.hung:
            try:
                self._crashes.add(self._starts.hung)
            except OSError:
                pass  # a flash that is full must not keep it from starting
        self._outbox_file = TwoSlotFile(OUTBOX_RECORD)
        self.outbox = Outbox(events)
        self.boot_id = self.outbox.take_over(self._outbox_file)
        while self.boot_id == 0:
            self.boot_id = int.from_bytes(os.urandom(4), "little")
        self.device_id = (bytes(machine.unique_id()) + bytes(6))[:6]

        called = "%s %02X%02X" % ((name,) + tuple(self.device_id[4:]))
        air = BlePeripheral(ble, called, self.device_id, SLOTS if events == WINDOW else FEW_SLOTS)
        cable = None
        if uart is not None:
            from firmware.device_link.serial_port import SerialPort

            cable = SerialPort(uart)
        self._air = air
        self._cable = cable
        self.link = Links(air, cable)
        self.pairing = Pairing(air.is_on)
        self._telemetry = Telemetry()
        self.commands = {
            "PAIR": self._pair,
            "UNPAIR": self._unpair,
            "READ_LOG": self._read_log,
            "RESTART": self._restart_asked,
        }
        self.snapshot = lambda: None
        self.sweep_ms = lambda: 0
        self.socket_health = lambda n: None
        self.battery = lambda: (NO_BATTERY, 0)
        self.calm = lambda: True
        self._health_socket = 0
        self._key_minute = -1
        self._keys = 0
        self._restart_mode = -1  # of the planned reset that is under way
        self.session = Session(self.link, self.outbox, CommandDesk(self.commands), self.pairing, self)

    # for the application

    def report(self, name, fields, ref=0):
        """Keeps an event until it is acknowledged; `ref` is the number of the command that led to it, or 0."""
        return self.session.report(name, fields, ref)

    def radio_is_on(self):
        """Whether chance is real: the noise that feeds `os.urandom` comes from the radio."""
        return self._air.is_on()

    async def run(self, watchdog, tasks=(), is_alive=None):
        """Offers the device to companions and runs everything, for ever; `is_alive()` keeps the watchdog fed."""
        self._air.start(self._packed_hello())
        gc.collect()
        gc.threshold(gc.mem_free() // 4 + gc.mem_alloc())
        work = list(tasks)  # first, so that a FAULT names the application's tasks by their place
        for source in self.link.sources:
            work.append(self.session.receive(source))
        work += [self.session.send(), self.session.beat(), self._air.rearm(), self._telemetry.run(), self._settle()]
        if self._cable is not None:
            work += [self._cable.read(), self._cable.watch()]
        await Supervisor(self.fail, watchdog).run(work, is_alive or _always)

    def restart(self, mode=MODE_NORMAL):
        """A planned reset: events are kept, and whatever was said last is heard first. Returns before it happens; asked
        again meanwhile, the last `mode` counts."""
        if self._restart_mode < 0:
            asyncio.create_task(self._restart())
        self._restart_mode = mode

    async def sleep(self, reason, wake):
        """Announces, saves, and sleeps deeply until one of the pins `wake` is high. Does not return."""
        self.report("DIE_SLEEPS", {"reason": reason})
        await self._last_words()
        self._starts.sleeps()
        await self._leave()
        self._ble.active(False)  # the radio must be down before the chip sleeps
        import esp32

        esp32.wake_on_gpio(tuple(wake), esp32.WAKEUP_ANY_HIGH)
        machine.deepsleep()

    def fail(self, number, error):
        """Notes the failure of task `number`, keeps the events, and starts anew. Does not return.

        Each step is on its own: a full flash or want of memory must not keep the device from starting anew.
        """
        gc.collect()
        sys.print_exception(error)
        for step in (self._keep_with_fault, self._starts_failed, self._note_trace, self._end_session):
            try:
                step(number, error)
            except Exception as other:
                sys.print_exception(other)
        machine.reset()

    # for the session

    def hello(self):
        return {
            "device_id": self.device_id,
            "boot_id": self.boot_id,
            "protocol_minor": PROTOCOL_MINOR,
            "firmware_major": VERSION[0],
            "firmware_minor": VERSION[1],
            "firmware_patch": VERSION[2],
            "reset_cause": self.reset_cause,
            "sockets": self.sockets,
            "leds": self._leds,
            "die_faces": self._die_faces,
            "device_kind": self.kind,
            "paired": 1 if self.pairing.paired else 0,
            "mode": self.mode,
        }

    def status(self):
        return {
            "uptime": self._telemetry.uptime(),
            "heap_free": self._telemetry.heap_free(),
            "waiting": self.outbox.waiting,
            "sweep": min(self.sweep_ms(), 0xFFFF),
        }

    def telemetry(self):
        heap_low, worst = self._telemetry.take()
        percent, millivolts = self.battery()
        return {
            "heap_low": heap_low,
            "loop_worst": worst,
            "lost_writes": min(self.link.lost_writes + self.session.refused, 0xFFFF),
            "faults": self._starts.faults,
            "battery": percent,
            "millivolts": millivolts,
        }

    def next_health(self):
        if not self.sockets:
            return None
        socket = self._health_socket
        self._health_socket = (socket + 1) % self.sockets
        return self.socket_health(socket)

    # commands that every device knows

    def _pair(self, fields, number):
        return self._change(fields["key"])

    def _unpair(self, fields, number):
        return self._change(b"")

    def _change(self, key):
        if not self.pairing.has(key):
            minute = self._telemetry.uptime() // 60
            if minute != self._key_minute:
                self._key_minute = minute
                self._keys = 0
            self._keys += 1
            if self._keys > MOST_KEYS or not self.pairing.pair(key):
                return NOT_NOW, 0
        self.session.pairing_changed(self.pairing.paired)
        self._air.tell(self._packed_hello())
        return DONE, 0

    def _read_log(self, fields, number):
        self.session.send_log(self._crashes.text(), fields["offset"])
        return DONE, 0

    def _restart_asked(self, fields, number):
        if not self.calm():
            return NOT_NOW, 0
        self.restart(MODE_SAFE if fields["mode"] else MODE_NORMAL)
        return DONE, 0

    # resets

    async def _restart(self):
        await self._last_words()
        self._starts.planned(self._restart_mode)
        await self._leave()
        machine.reset()

    def _keep_with_fault(self, number, error):
        self.outbox.append("FAULT", 0, {"task": number, "error": type(error).__name__[:10]})
        self.outbox.keep(self._outbox_file, self.boot_id)

    def _starts_failed(self, number, error):
        self._starts.failed()

    def _note_trace(self, number, error):
        self._crashes.note(number, self._telemetry.uptime(), error)

    def _end_session(self, number, error):
        self.session.end()

    async def _last_words(self):
        """Waits until the companion has heard everything, but not for long."""
        begun = time.ticks_ms()
        await asyncio.sleep_ms(CHECK_MS)
        while not self.session.is_idle() and time.ticks_diff(time.ticks_ms(), begun) < ANSWERED_MS:
            await asyncio.sleep_ms(CHECK_MS)

    async def _leave(self):
        """Ends every connection, since a chip that is reset with one may hang, and keeps the events."""
        self.session.end()
        await asyncio.sleep_ms(LEAVE_MS)
        try:
            self.outbox.keep(self._outbox_file, self.boot_id)
        except OSError:
            pass  # the events are lost, and the next boot id says so

    async def _settle(self):
        await asyncio.sleep_ms(YOUNG_MS)
        self._starts.settled()

    def _packed_hello(self):
        return encode("HELLO", 0, 0, self.hello())


def _always():
    return True


def start(build, *sizes, **named):
    """The whole life of a device: `Device(*sizes, **named)`, then `build(device)`, which returns its tasks and whether
    it is alive, then everything for ever. What fails on the way is noted as a fault, what hangs ends by the watchdog,
    which is fed between the steps: each has `WATCHDOG_MS`."""
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        device = Device(*sizes, **named)
    except Exception as error:
        sys.print_exception(error)
        try:
            CrashRecord().note(NO_TASK, 0, error)
        except Exception as other:
            sys.print_exception(other)
        machine.reset()
        raise
    watchdog.feed()
    tasks, is_alive = (), None
    if device.mode != MODE_SAFE:
        try:
            tasks, is_alive = build(device)
        except Exception as error:
            device.fail(NO_TASK, error)
        watchdog.feed()
    try:
        asyncio.run(device.run(watchdog, tasks, is_alive))
    except Exception as error:  # before the tasks run nobody else watches, and a prompt serves no table
        device.fail(NO_TASK, error)
