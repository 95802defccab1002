"""A device that is started and ended again and again, on the flash in the folder of the question."""

import asyncio
import builtins
import os
import time

import machine
from answer import question

from firmware.device_link import device as device_module
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import TABLE_CONTROLLER, decode, encode

time.drive_asyncio()
home = question()
CONN = 3
KEY = bytes(range(16))
_open = builtins.open


class EndError(BaseException):
    """Somebody pulls the plug."""


class Life:
    """One start of a device whose application does what `build` says, until something ends it."""

    def __init__(self, cause, build=None, kind=TABLE_CONTROLLER, alive=None):
        machine.cause = cause
        self.built = False
        self.device = None
        self._build = build
        self._alive = alive
        asyncio.new_event_loop()
        try:
            device_module.start(self.build, kind, "Cabstand", sockets=2)
            self.end = "over"
        except machine.ResetError:
            self.end = "reset"
        except machine.SleepError:
            self.end = "asleep"
        except EndError:
            self.end = "unplugged"

    def build(self, device):
        self.built = True
        self.device = device
        device.snapshot = lambda: [("SNAPSHOT_BEGIN", {"tags": 0, "troubles": 0})]
        return self._build(device), self._alive


def later(ms, what, error=None):
    async def work():
        await asyncio.sleep_ms(ms)
        if error is not None:
            raise error
        what()

    return work()


def unplug():
    raise EndError


def lasting(ms):
    """An application that works well until the plug is pulled."""
    return lambda device: (later(ms, unplug),)


def failing(ms, error):
    return lambda device: (lasting_for_ever(), later(ms, None, error))


async def lasting_for_ever():
    while True:
        await asyncio.sleep_ms(100)


def write(device, name, seq=0, ref=0, fields=None):
    ble = device._ble
    ble.values[ble.buffer[0]] = encode(name, seq, ref, fields)
    ble.handler(3, (CONN, ble.buffer[0]))


def sent(device):
    """Names of what was notified since the last call; of events with their numbers, of results with their status."""
    told = []
    for _conn, _handle, packet in device._ble.sent:
        message = decode(packet, TO_COMPANION)
        if message.name == "RESULT":
            told.append(f"RESULT {message.fields['status']}")
        elif message.is_event:
            told.append(f"{message.name} {message.seq}")
        elif message.name == "LOG_TEXT":
            told.append(message.fields["text"])
        else:
            told.append(message.name)
    device._ble.sent = []
    return told


def resume(device, boot=0, last=0):
    device._ble.handler(1, (CONN, 0, b""))
    write(device, "RESUME", 0, 0, {"boot_id": boot, "last_seq": last, "companion_id": 9})


def hello(device):
    return decode(device._ble.values[device._air._info], TO_COMPANION).fields


def about(life):
    device = life.device
    return [life.end, device.reset_cause, device.boot_id, device.outbox.waiting, device.mode, device.dim]


def fresh(name):
    os.chdir(home)
    os.mkdir(name)
    os.chdir(name)


def some_events(device):
    for socket in range(3):
        device.report("SEVERAL_RESOLVED", {"socket": socket})
    device.outbox.acknowledge(1)


def refuse_writing(error):
    """From now on nothing can be written to the flash."""

    def refuse(name, mode="r"):
        if "w" in mode:
            raise error
        return _open(name, mode)

    builtins.open = refuse


def allow_writing():
    builtins.open = _open


class Instead:
    """`with Instead(owner, name, what)`: meanwhile `owner` has that under this name."""

    def __init__(self, owner, name, what):
        self._owner, self._name, self._what = owner, name, what

    def __enter__(self):
        self._real = getattr(self._owner, self._name)
        setattr(self._owner, self._name, self._what)
        return self._real

    def __exit__(self, *exc_info):
        setattr(self._owner, self._name, self._real)
