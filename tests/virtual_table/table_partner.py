"""A companion in a few lines, written from docs/protocol.md: for tests that want to see what a table really says."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak_retry_connector import establish_connection
from small_board import in_virtual_time

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.table import VirtualTable
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, SERVICE_UUID, WireError, decode, encode
from shared_rules.wire.sequence import GAP, NEXT, EventReceiver

D6 = [1, 2, 3, 4, 5, 6] * 2


class Partner:
    """Connects, resumes, takes events in order, acknowledges; connects again by itself while `stay` is true."""

    def __init__(self, backend, number=77):
        self.scanner_class, self.client_class = backend
        self.number = number
        self.stay = True
        self.acknowledging = True
        self.receiver: EventReceiver | None = None
        self.events = []  # (boot id, number, name, fields)
        self.messages = []  # everything sound, as (time, name, fields)
        self.raw = []  # everything, as (time, hex)
        self.garbage = 0
        self.boots = []
        self.connections = 0
        self.hello = None
        self.results = {}
        self._client: BleakClient | None = None
        self._command = 0
        self._task: asyncio.Task[None]
        self._more = asyncio.Event()

    async def __aenter__(self):
        self._task = asyncio.create_task(self._live())
        return self

    async def __aexit__(self, *exc_info):
        self.stay = False
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._client is not None and self._client.is_connected:
            await self._client.disconnect()

    async def _live(self):
        while self.stay:
            device = await BleakScanner.find_device_by_filter(
                lambda _, seen: SERVICE_UUID in seen.service_uuids, backend=self.scanner_class, timeout=60
            )
            if device is None:
                continue
            lost = asyncio.Event()
            try:
                await self._begin(device, lost)
                await lost.wait()
            except Exception as error:  # a link that is lost while it is being made is lost
                self.messages.append((self._now(), "trouble", repr(error)))
                await asyncio.sleep(0.2)

    async def _begin(self, device, lost):
        self._client = await establish_connection(
            BleakClient,
            device,
            "table",
            disconnected_callback=lambda _: lost.set(),
            backend=self.client_class,
        )
        self.connections += 1
        self.hello = decode(bytes(await self._client.read_gatt_char(INFO_UUID)), TO_COMPANION)
        await self._client.start_notify(EVENTS_UUID, self._hear)
        boot, last = (self.receiver.boot_id, self.receiver.last & 0xFFFF) if self.receiver else (0, 0)
        await self._write("RESUME", self._command, 0, boot_id=boot, last_seq=last, companion_id=self.number)

    def _now(self):
        return round(asyncio.get_running_loop().time(), 6)

    def _hear(self, _, data):
        self.raw.append((self._now(), bytes(data).hex()))
        try:
            message = decode(bytes(data), TO_COMPANION)
        except WireError:
            self.garbage += 1
            return
        self.messages.append((self._now(), message.name, message.fields))
        if message.name == "NEW_BOOT":
            self.boots.append(message.fields["boot_id"])
            self.receiver = EventReceiver(message.fields["boot_id"], message.fields["oldest"] - 1)
        elif message.name == "GAP":
            assert self.receiver is not None
            self.receiver.skip(message.fields["first"], message.fields["lost"])
        elif message.name == "RESULT":
            self.results[message.ref] = message.fields["status"]
        elif message.is_event:
            self._take(message)
        elif message.name == "HEARTBEAT" and self.receiver is not None:
            if self.receiver.behind(message.seq):
                self._later("REPLAY", from_seq=self.receiver.last + 1 & 0xFFFF)
            self._acknowledge()
        self._more.set()

    def _take(self, message):
        assert self.receiver is not None
        judged = self.receiver.judge(message.seq)
        if judged == NEXT:
            number = self.receiver.advance()
            self.events.append((self.receiver.boot_id, number, message.name, message.fields))
            if number % 8 == 0:
                self._acknowledge()
        elif judged == GAP:
            self._later("REPLAY", from_seq=self.receiver.last + 1 & 0xFFFF)

    def _acknowledge(self):
        if self.acknowledging:
            assert self.receiver is not None
            self._later("ACK", ref=self.receiver.last & 0xFFFF)

    def _later(self, name, ref=0, **fields):
        task = asyncio.ensure_future(self._write(name, 0, ref, **fields))
        task.add_done_callback(lambda t: t.cancelled() or t.exception())

    async def _write(self, name, seq, ref, **fields):
        await self.write(encode(name, seq, ref, fields))

    async def write(self, packet):
        assert self._client is not None
        await self._client.write_gatt_char(COMMANDS_UUID, packet, response=True)

    async def command(self, name, **fields):
        """Sends a command until it is answered; its status."""
        self._command += 1
        number = self._command
        for _ in range(30):
            if self._client is not None and self._client.is_connected:
                try:
                    await self._write(name, number, 0, **fields)
                except Exception as error:  # lost in the middle: the same number again on the next link
                    self.messages.append((self._now(), "trouble", repr(error)))
            for _ in range(10):
                if number in self.results:
                    return self.results[number]
                await asyncio.sleep(0.1)
        raise AssertionError(f"{name} was never answered")

    def names(self):
        return [name for _, _, name, _ in self.events]

    def tags(self):
        """(name, socket, uid) of the events about tags."""
        return [
            (name, fields["socket"], fields["uid"].hex())
            for _, _, name, fields in self.events
            if name in ("TAG_APPEARED", "TAG_GONE")
        ]

    async def until(self, condition, seconds=30.0):
        """Waits until `condition()` holds."""
        async with asyncio.timeout(seconds):
            while not condition():
                self._more.clear()
                await self._more.wait()


def play(flash, work, **options):
    """Runs `work(table, partner)` with a fresh table and a connected companion."""

    async def evening():
        setup = BoardSetup(flash, seed=options.pop("seed", 5))
        async with VirtualTable(setup=setup, **options) as table, Partner(table.backend()) as partner:
            await partner.until(lambda: any(name == "SNAPSHOT_END" for _, name, _ in partner.messages))
            result = await work(table, partner)
            assert table.model_errors() == []
            return result

    return in_virtual_time(evening())
