"""A companion's hub on a paper radio and on cables, at a desk that keeps what a disk would."""

import asyncio
import contextlib

from paper_devices import PaperCable, PaperDevice
from paper_radio import PaperRadio

from companion.devices.hub import DeviceHub
from companion.devices.link_state import LinkState
from companion.devices.table_output import FaceTable
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from companion.settings import Settings
from companion.virtual_table.clock import VirtualTimeLoop

D6 = FaceTable(1, 0, (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6))


class Desk:
    """Takes facts as a table would, and keeps marks and devices as the disk would. `broken`: the disk refuses."""

    def __init__(self):
        self.taken, self.snapshots, self.marks, self.rows = [], [], {}, {}
        self.broken = False
        self.hub = None

    async def take(self, fact):
        if self.broken:
            raise StorageError("The disk is full.")
        self.taken.append(fact)
        mark = InboxMark(fact.origin.device_id, fact.origin.boot_id, fact.origin.seq)
        self.marks[mark.device_id, mark.boot_id] = mark.seq
        self.hub.taken_in(mark)

    async def see(self, snapshot):
        self.snapshots.append(snapshot)

    async def load(self):
        return [dict(row) for row in self.rows.values()]

    async def save(self, row):
        if self.broken:
            raise StorageError("The disk is full.")
        self.rows[row["id"]] = dict(row)

    async def last_mark(self, device_id, boot_id):
        return self.marks.get((device_id, boot_id), 0)

    def of(self, kind):
        return [fact for fact in self.taken if isinstance(fact, kind)]


class Companion:
    """A hub on a paper radio and cables, as the application puts it together."""

    def __init__(self, radio=None, desk=None, ports=(), **settings):
        self.radio = radio
        self.desk = desk or Desk()
        self.link = LinkState()
        backends = {"scanner_backend": radio.scanner, "client_backend": radio.client} if radio else {}
        self.hub = DeviceHub(
            Settings(**backends, **settings), self.desk, self.desk, self.link, radio=radio is not None, ports=ports
        )
        self.desk.hub = self.hub
        self.changes = []
        self.hub.on_change = lambda: self.changes.append(self.link.state)

    async def __aenter__(self):
        await self.hub.open()
        self.tasks = [asyncio.create_task(self.hub.run())]
        if self.radio:
            self.tasks.append(asyncio.create_task(self.radio.hearts()))
        return self

    async def __aexit__(self, *exc_info):
        for task in self.tasks:
            task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def state(self, device):
        known = self.hub.known.get(device.id)
        return known.state.state if known else "unknown"

    async def until(self, condition, seconds=60):
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.02)

    async def until_connected(self, *devices):
        await self.until(lambda: all(self.state(device) == "connected" for device in devices))

    async def reconnected(self, device):
        """Loses the link to it, and has it again."""
        self.radio.drop(device.id)
        await asyncio.sleep(0.05)
        await self.until_connected(device)


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work())


def numbers(taken, device):
    return [fact.origin.seq for fact in taken if fact.origin.device_id == device.id]


@contextlib.asynccontextmanager
async def met(*devices):
    """A companion with a radio of its own that has met these devices."""
    async with Companion(PaperRadio(*devices)) as companion:
        await companion.until_connected(*devices)
        yield companion


@contextlib.asynccontextmanager
async def cabled(device, folder):
    """A cable to this device, whose heart beats; it is still to be plugged in, and is pulled in the end."""
    cable = PaperCable(device, folder / "port")
    hearts = asyncio.create_task(_beats(device))
    try:
        yield cable
    finally:
        hearts.cancel()
        cable.pull()


async def _beats(device):
    while True:
        await asyncio.sleep(0.3)
        device.beat()


@contextlib.asynccontextmanager
async def mute_and_table(folder):
    """A table and two cables: at the first nobody answers, at the other the table."""
    mute, table = PaperDevice("0000000000ff"), PaperDevice("000000000001")
    mute.silent = mute.deaf = True
    (folder / "a").mkdir()
    (folder / "b").mkdir()
    async with cabled(mute, folder / "a") as one, cabled(table, folder / "b") as other:
        yield table, one, other
