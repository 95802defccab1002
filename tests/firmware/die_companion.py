"""A small companion for one virtual die: takes events in order, acknowledges them, numbers its commands."""

import asyncio
from dataclasses import replace

from bleak import BleakClient, BleakScanner

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.device import setup_of
from companion.virtual_table.motion import Motion
from companion.virtual_table.table import VirtualTable
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, SERVICE_UUID, decode, encode
from shared_rules.wire.sequence import NEXT, EventReceiver

COMPANION_ID = 99
D6 = [1, 2, 3, 4, 5, 6] * 2
TABLETS = [1, 0, 1, 0, 1, 2, 0, 1, 0, 1, 0, 2]
ONE_TO_THREE = [1, 1, 2, 2, 3, 3] * 2


def run(coroutine):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(asyncio.wait_for(coroutine, 100_000))


class DieRig:
    """A virtual table with one die on it, and a companion that may come and go."""

    def __init__(self, flash, code, name="die", heap=None, **options):
        setup = setup_of(name, flash, like=BoardSetup(flash, code=code, seed=3))
        self.table = VirtualTable(flash, devices=(name,), setup=replace(setup, heap=heap or setup.heap), **options)
        self.name = name
        self.client = None
        self.receiver = None
        self.events = []  # (time, message), each once
        self.others = []
        self.number = 0
        self.deaf = False

    async def __aenter__(self):
        self.table.start()
        return self

    async def __aexit__(self, *exc_info):
        await self.table.close()

    @property
    def now(self):
        return asyncio.get_running_loop().time()

    async def connect(self):
        """Looks for the die, connects, resumes; the HELLO."""
        scanner, backend = self.table.backend()
        device = await BleakScanner.find_device_by_filter(
            lambda _device, seen: SERVICE_UUID in seen.service_uuids, backend=scanner, timeout=30
        )
        assert device is not None, f"nobody advertises; {list(self.table.log)}"
        self.client = BleakClient(device, backend=backend)
        await self.client.connect()
        hello = decode(bytes(await self.client.read_gatt_char(INFO_UUID)), TO_COMPANION)
        await self.client.start_notify(EVENTS_UUID, self._hear)
        known = self.receiver
        boot, last = (known.boot_id, known.last & 0xFFFF) if known else (0, 0)
        await self._write("RESUME", self.number, boot_id=boot, last_seq=last, companion_id=COMPANION_ID)
        await asyncio.sleep(1)
        return hello.fields

    async def command(self, name, **fields):
        """Sends a command and waits for its result; (status, detail)."""
        self.number += 1
        await self._write(name, self.number, **fields)
        for _ in range(200):
            for message in self.others:
                if message.name == "RESULT" and message.ref == self.number:
                    return message.fields["status"], message.fields["detail"]
            await asyncio.sleep(0.02)
        raise AssertionError(f"no result of {name}; {list(self.table.log)}")

    async def teach(self):
        for number, (style, faces) in enumerate(((0, D6), (1, TABLETS), (0, ONE_TO_THREE)), 1):
            assert await self.command("SET_FACE_MAP", map_id=number, style=style, faces=faces) == (0, 0)

    def move(self, motion: Motion) -> None:
        """From now on this is what the die feels."""
        self.table.dice[self.name].play(motion)

    async def until(self, name, seconds=10, after=0):
        """The first event of that name after the first `after` events; AssertionError when none comes."""
        for _ in range(int(seconds * 50)):
            for _at, message in self.events[after:]:
                if message.name == name:
                    return message
            await asyncio.sleep(0.02)
        raise AssertionError(f"no {name} in {seconds} s: {self.names()}; {list(self.table.log)}")

    def names(self, after=0):
        return [message.name for _at, message in self.events[after:]]

    def frames(self, seconds):
        """The light's frames of the last seconds: (red, green, blue) each."""
        device = self.table.device(self.name)
        since = device.board.now_us - seconds * 1_000_000
        return [frame.lights[0] for frame in device.frames("die") if frame.at_us >= since]

    async def _write(self, name, seq=0, ref=0, **fields):
        await self.client.write_gatt_char(COMMANDS_UUID, encode(name, seq, ref, fields), response=True)

    def _hear(self, _characteristic, data):
        message = decode(bytes(data), TO_COMPANION)
        boot_id = message.fields.get("boot_id")
        if boot_id is not None and (self.receiver is None or self.receiver.boot_id != boot_id):
            self.receiver = EventReceiver(boot_id, message.fields["oldest"] - 1)
        if not message.is_event:
            self.others.append(message)
        elif self.receiver.judge(message.seq) == NEXT:
            self.receiver.advance()
            self.events.append((self.now, message))
        if not self.deaf and (message.is_event or message.name == "HEARTBEAT"):
            asyncio.ensure_future(self._acknowledge())

    async def _acknowledge(self):
        try:
            await self._write("ACK", ref=self.receiver.last & 0xFFFF)
        except Exception:  # the link went meanwhile; the next RESUME says the same
            pass


def play(flash, code, story, name="die", **options):
    """Runs `story(rig)` with a die that a companion has found and taught three face maps."""

    async def whole():
        async with DieRig(flash, code, name=name, **options) as rig:
            await rig.connect()
            await rig.teach()
            await asyncio.sleep(1)
            told = await story(rig)
            assert rig.table.model_errors() == []
            return told

    return run(whole())
