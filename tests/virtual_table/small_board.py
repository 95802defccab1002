"""Tables with the small firmware of `boards/small`, and a bleak client for it."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

from bleak import BleakClient, BleakScanner
from bleak_retry_connector import establish_connection

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.table import VirtualTable

BOARDS = Path(__file__).parent / "boards"
SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
ASK = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
SAY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


@asynccontextmanager
async def small_table(flash, entry="small.echo", **options):
    setup = BoardSetup(flash, code=BOARDS, entry=entry, seed=1)
    async with VirtualTable(setup=setup, **options) as table:
        yield table


class Caller:
    """Asks the small firmware by BLE; `heard` holds every notification."""

    def __init__(self, backend) -> None:
        self.scanner_class, self.client_class = backend
        self.heard: list[bytes] = []
        self.lost = asyncio.Event()
        self._more = asyncio.Event()
        self.client: BleakClient

    async def connect(self) -> "Caller":
        device = await BleakScanner.find_device_by_name("echo", timeout=60, backend=self.scanner_class)
        assert device is not None, "the board does not advertise"
        self.lost.clear()
        self.client = await establish_connection(
            BleakClient,
            device,
            "echo",
            disconnected_callback=lambda _: self.lost.set(),
            backend=self.client_class,
        )
        await self.client.start_notify(SAY, self._hear)
        return self

    def _hear(self, _, data: bytearray) -> None:
        self.heard.append(bytes(data))
        self._more.set()

    async def tell(self, word: bytes) -> None:
        await self.client.write_gatt_char(ASK, word, response=True)

    async def ask(self, word: bytes) -> bytes:
        count = len(self.heard)
        await self.tell(word)
        return await self.next_after(count)

    async def next_after(self, count: int) -> bytes:
        while len(self.heard) <= count:
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), 60)
        return self.heard[count]
