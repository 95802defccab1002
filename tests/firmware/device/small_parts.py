"""Small parts of a device on their own, where things go wrong: the folder of the question is the flash."""

import asyncio
import os
import sys
import time

import machine
from answer import answer, question

from firmware.device_link.asides import Asides
from firmware.device_link.outbox import Outbox
from firmware.drivers import mfrc522 as chip
from firmware.supervision.crash_record import CrashRecord
from firmware.supervision.two_slot_file import TwoSlotFile
from firmware.table.reader_bank import RESET_AFTER, ReaderBank
from firmware.table.socket_health import SocketHealth
from firmware.table.tag_presence import TagPresence
from shared_rules.wire.serial_frames import FrameReader, encode_frame

os.chdir(question())
results = {}


def refused(work, *given):
    try:
        work(*given)
    except ValueError as error:
        return str(error)
    return ""


class Main:
    """Stands in for the table's programme."""

    started = 0

    def main(self):
        self.started += 1


def starts():
    """How long `main.py` waits, by the cause of the reset, and that it starts the table each time."""
    said = []
    programme = sys.modules["firmware.table.main"] = Main()
    for cause in (machine.PWRON_RESET, machine.DEEPSLEEP_RESET):
        machine.cause = cause
        before = time.elapsed()
        sys.modules.pop("firmware.device_main", None)
        __import__("firmware.device_main")
        said.append([time.elapsed() - before, programme.started])
    del sys.modules["firmware.table.main"]
    return said


class Kept:
    """A record as somebody else may have left it."""

    def __init__(self, data):
        self.data = data

    def read(self):
        return self.data

    def write(self, *parts):
        pass


def outboxes():
    """An event that is too long; records that no outbox has written."""
    box = Outbox(4)
    said = [refused(box.append, "PAIR", 0, {"key": bytes(16)}), box.waiting]
    for data in (b"", b"\x01", bytes(7) + b"\xff", bytes(6) + b"\x05\0" + bytes(200)):
        said.append(box.take_over(Kept(data)))
    return said


def records():
    """A fault whose text is not ASCII; a record that vanishes between a look and the reading."""
    crashes = CrashRecord()
    crashes.note(3, 17, ValueError("Zürich"))
    text = crashes.text()
    file = TwoSlotFile("gone")
    file.write(b"abc")
    first = file.read()
    for name in os.listdir():
        if name.startswith("gone"):
            os.remove(name)
    return [max(text) < 128, b"after 17 s" in text, first == b"abc", file.read() is None]


class Deaf:
    """A link that takes nothing."""

    def notify(self, conn, packet):
        return False


def asides():
    """More words beside the session than are kept: the oldest give way."""
    words = Asides(Deaf())
    for n in range(40):
        words.add(n, b"")
    kept = len(words.waiting)
    words.forget(39)
    return [kept < 40, kept - len(words.waiting)]


def frames():
    """Frames that are no packets; what cannot be a frame."""
    reader = FrameReader()
    whole = encode_frame(b"\x10\x01\0\0\0\0ab")
    noise = [b"\0", b"\x05\x01\x00", b"\xff\x01\x02\0", whole[:-3] + b"\x01\0", bytes([1]) * 300 + b"\0"]
    said = [len(reader.feed(piece)) for piece in noise]
    said.append(len(reader.feed(whole)))
    return [said, refused(encode_frame, b"") != "", refused(encode_frame, bytes(200)) != ""]


class Bus:
    """Readers of which none answers any more; counts resets of all of them."""

    resets = 0
    transfers = 0

    async def reset(self):
        self.resets += 1
        return True

    async def send(self, socket, frame):
        return False

    def write(self, socket, register, value):
        pass

    def read(self, socket, register):
        return 0

    def exchange(self, socket, addresses, into):
        pass


class Started:
    """A reader that polled well, and does not start any more."""

    async def start(self):
        return False

    async def poll(self, tags):
        return 0


async def bank():
    """Sockets that had readers and have none that answers: all are reset at last, once for several."""
    bus = Bus()
    one = ReaderBank(bus, 4, TagPresence(4, lambda name, fields: None))
    for socket in range(3):
        one._health.found(socket, 1, 0x92)
    one._readers[3] = Started()
    for _ in range(RESET_AFTER + 1):
        for socket in range(3):
            await one._look_into(socket)
    return [bus.resets, one._readers[3] is None]


class States(Bus):
    """A chip that says this of every exchange: interrupts, errors, bytes, place of a collision."""

    def __init__(self, *state):
        self._state = state

    def write_frame(self, socket, frame):
        pass

    def exchange(self, socket, addresses, into):
        if len(into) == 5:
            for n in range(4):
                into[n + 1] = self._state[n]


async def exchanges():
    """What an MFRC522's driver makes of states that no good exchange has."""
    said = []
    for state in (
        (0, 0, 0, 0),
        (chip.IRQ_ERROR, 0, 0, 0),
        (chip.IRQ_TIMER, 0, 0, 0),
        (chip.IRQ_RX, 0, 0, 0),
        (chip.IRQ_RX, 0, 60, 0),
        (chip.IRQ_RX, chip.ERR_COLLISION, 0, 0x20),
        (chip.IRQ_RX, 0, 2, 0),
    ):
        said.append(await chip.Mfrc522(States(*state), 0)._exchange(b"\x26", 7))
    return said


def health():
    """Counts that stay at the most they can hold."""
    socket = SocketHealth(1)
    for _ in range(0x10010):
        socket.polled(0, 0)
    for _ in range(300):
        socket.restarted(0)
    return [socket.polls[0], socket.restarts[0]]


time.drive_asyncio()
results["exchanges"] = asyncio.run(exchanges())
results["health"] = health()
results["starts"] = starts()
results["outboxes"] = outboxes()
results["records"] = records()
results["asides"] = asides()
results["frames"] = frames()
results["bank"] = asyncio.run(bank())
answer(results)
