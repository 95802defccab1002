"""A small companion for tests of the link on the virtual table: over the air or a cable, with or without a key."""

import asyncio
import hmac
import random

from bleak import BleakClient, BleakScanner

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.table import VirtualTable
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, SERVICE_UUID, WireError, decode, encode
from shared_rules.wire.sequence import GAP, NEXT, EventReceiver
from shared_rules.wire.serial_frames import FrameReader, encode_frame

KEY = bytes(range(16))
OTHER_KEY = bytes(range(100, 116))


def play(evening, code, flash, **named):
    """What `evening(table)` answers, in virtual time, on a table with this firmware and flash; no chip may suffer."""

    async def there():
        async with VirtualTable(flash, setup=BoardSetup(flash, code=code, seed=3, **named)) as table:
            await asyncio.sleep(1)
            told = await evening(table)
            assert table.model_errors() == []
            return told

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(asyncio.wait_for(there(), 100_000))


def proof(key, maker, nonces, boot_id, companion_id):
    text = maker + nonces + boot_id.to_bytes(4, "little") + companion_id.to_bytes(4, "little")
    return hmac.digest(key, text, "sha256")[:12]


class LinkCompanion:
    """Takes events in order, acknowledges each, asks for a replay of what is missing, proves itself when asked."""

    def __init__(self, companion_id, key=None):
        self.companion_id = companion_id
        self.key = key
        self.receiver = None
        self.boot_id = 0
        self.taken = []
        self.others = []
        self.results = {}
        self.number = 0
        self.device_proved = None
        self.spoiled = 0
        self._nonces = b""
        self._replay_at = 0.0
        self._tasks = set()

    def names(self):
        return [name for name, _fields in self.taken]

    def fields_of(self, name):
        return [message.fields for message in self.others if message.name == name]

    async def by_air(self, table):
        scanner, backend = table.backend()
        device = await BleakScanner.find_device_by_filter(
            lambda _device, seen: SERVICE_UUID in seen.service_uuids, backend=scanner, timeout=20
        )
        assert device is not None, "no device advertises"
        client = BleakClient(device, backend=backend)
        await client.connect()
        hello = decode(bytes(await client.read_gatt_char(INFO_UUID)), TO_COMPANION)
        self.boot_id = hello.fields["boot_id"]

        async def send(packet):
            await client.write_gatt_char(COMMANDS_UUID, packet, response=True)

        self._send = send
        await client.start_notify(EVENTS_UUID, lambda _characteristic, data: self._hear(bytes(data)))
        self.client = client
        return hello.fields

    async def by_cable(self, table):
        end = table.serial_pair()
        reader = FrameReader()

        async def send(packet):
            end.write(encode_frame(packet))

        async def read():
            while data := await end.read(200):
                for packet in reader.feed(data):
                    self._hear(packet)

        self._send = send
        self.frames = reader
        self._keep(read())
        for _ in range(20):
            await self.say("ASK_HELLO")
            await asyncio.sleep(0.5)
            if self.fields_of("HELLO"):
                break
        hello = self.fields_of("HELLO")[-1]
        self.boot_id = hello["boot_id"]
        return hello

    async def say(self, name, seq=0, ref=0, **fields):
        await self._send(encode(name, seq, ref, fields))

    async def command(self, name, **fields):
        self.number += 1
        await self.say(name, self.number, **fields)
        for _ in range(30):
            await asyncio.sleep(0.1)
            if self.number in self.results:
                return self.results[self.number]
        return None

    async def resume(self, wait=1.0):
        known = self.receiver
        boot, last = (known.boot_id, known.last & 0xFFFF) if known else (0, 0)
        await self.say("RESUME", self.number, boot_id=boot, last_seq=last, companion_id=self.companion_id)
        await asyncio.sleep(wait)

    def _keep(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hear(self, packet):
        try:
            message = decode(packet, TO_COMPANION)
        except WireError:
            self.spoiled += 1
            return
        if message.name in ("RESUMED", "NEW_BOOT"):
            boot_id = message.fields["boot_id"]
            if self.receiver is None or self.receiver.boot_id != boot_id:
                self.receiver = EventReceiver(boot_id, message.fields["oldest"] - 1)
        if message.is_event:
            self._event(message)
            return
        self.others.append(message)
        if message.name == "RESULT":
            self.results[message.ref] = message.fields["status"]
        elif message.name == "CHALLENGE" and self.key:
            mine = random.Random(len(self.others)).randbytes(12)
            self._nonces = message.fields["nonce"] + mine
            given = proof(self.key, b"companion", self._nonces, self.boot_id, self.companion_id)
            self._keep(self.say("PROOF", nonce=mine, proof=given))
        elif message.name == "PROVED":
            expected = proof(self.key, b"device", self._nonces, self.boot_id, self.companion_id)
            self.device_proved = message.fields["proof"] == expected
        elif message.name == "HEARTBEAT" and self.receiver is not None:
            if self.receiver.behind(message.seq):
                self._ask_for_replay()
            self._keep(self.say("ACK", ref=self.receiver.last & 0xFFFF))

    def _event(self, message):
        if self.receiver is None:
            self.spoiled += 1
            return
        verdict = self.receiver.judge(message.seq)
        if verdict == NEXT:
            self.receiver.advance()
            self.taken.append((message.name, message.fields))
            if len(self.taken) % 8 == 0:
                self._keep(self.say("ACK", ref=self.receiver.last & 0xFFFF))
        elif verdict == GAP:
            self._ask_for_replay()

    def _ask_for_replay(self):
        now = asyncio.get_running_loop().time()
        if now >= self._replay_at:
            self._replay_at = now + 0.5
            self._keep(self.say("REPLAY", from_seq=(self.receiver.last + 1) & 0xFFFF))
