"""This machine's one Bluetooth radio: one scan at a time, never a scan and a connect at once (BlueZ cannot), and every
device of ours that is in sight by its device id.

What is missed is searched for without a break; while nothing is, the radio looks round now and then for devices that
are new, or wake up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak_retry_connector import establish_connection

from companion.devices.reconnect import Backoff, explain
from companion.settings import Settings
from shared_rules.wire.messages import SERVICE_UUID

logger = logging.getLogger(__name__)

SEARCH_SECONDS = 8.0
"""One scan while something is missed; then it begins anew, since some systems stop to report in long ones."""
LOOK_SECONDS = 2.0
"""One scan while nothing is missed; `Settings.look_again` lies between two."""
CONNECT_TRIES = 2
CONNECT_SECONDS = 12.0
GOODBYE_SECONDS = 1.0
COMPANY = 0xFFFF
ID_SIZE = 6


class Radio:
    """`on_new(device_id, device)` hears of a device that nobody waits for, again and again while it is in sight;
    `on_trouble(sentence)` why no search is possible, "" when one is again; `on_nothing()` that a whole search has
    found nothing; `is_calm` says whether a look now and then is enough."""

    def __init__(self, settings: Settings) -> None:
        self.on_new: Callable[[str, BLEDevice], None] = lambda device_id, device: None
        self.on_trouble: Callable[[str], None] = lambda sentence: None
        self.on_nothing: Callable[[], None] = lambda: None
        self.is_calm: Callable[[], bool] = lambda: False
        self._settings = settings
        self._waiting: dict[str, asyncio.Future[BLEDevice]] = {}
        self._alone = asyncio.Lock()
        self._interrupt = asyncio.Event()
        self._wanting = 0
        self._seen_any = False

    async def run(self) -> None:
        """Searches, until cancelled. Errors of the radio are told, never raised."""
        backoff = Backoff()
        while True:
            async with self._alone:
                trouble = await self._search()
            self.on_trouble(trouble)
            if trouble:
                await asyncio.sleep(backoff.wait())
                continue
            backoff.reset()
            if self.is_calm() and not self._wanting:
                self._interrupt.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._settings.look_again):
                        await self._interrupt.wait()
            else:
                await asyncio.sleep(0)

    async def sighting(self, device_id: str) -> BLEDevice:
        """Waits until this device is in sight, from now on."""
        waiter: asyncio.Future[BLEDevice] = asyncio.get_running_loop().create_future()
        self._waiting[device_id] = waiter
        self._interrupt.set()
        try:
            return await waiter
        finally:
            if self._waiting.get(device_id) is waiter:
                del self._waiting[device_id]

    async def connect(self, device: BLEDevice, on_gone: Callable[[], None]) -> BleakClient:
        """A connection with its services; the search stands still meanwhile. Whatever was opened on the way to a
        failure is closed again. Raises what the radio raises, or `TimeoutError`."""
        opened: list[BleakClient] = []

        class Client(BleakClient):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                opened.append(self)

        async with self._to_ourselves():
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await establish_connection(
                        Client,
                        device,
                        device.name or device.address,
                        disconnected_callback=lambda _client: on_gone(),
                        max_attempts=CONNECT_TRIES,
                        use_services_cache=False,
                        **self._backend(self._settings.client_backend),
                    )
            except BaseException:
                for client in opened:
                    await leave(client)
                raise

    @asynccontextmanager
    async def _to_ourselves(self) -> AsyncIterator[None]:
        self._wanting += 1
        self._interrupt.set()
        try:
            async with self._alone:
                yield
        finally:
            self._wanting -= 1

    async def _search(self) -> str:
        """One scan; the sentence that says why there was none."""
        self._interrupt.clear()
        if self._wanting:
            return ""
        self._seen_any = False
        missed = not self.is_calm()
        scanner = BleakScanner(self._saw, service_uuids=[SERVICE_UUID], **self._backend(self._settings.scanner_backend))
        try:
            await scanner.start()
        except Exception as error:  # whatever a radio throws is told in a sentence
            logger.info("radio: %s: %s", type(error).__name__, error)
            return explain(error)
        interrupted = False
        try:
            async with asyncio.timeout(SEARCH_SECONDS if missed else LOOK_SECONDS):
                while not self._wanting:
                    await self._interrupt.wait()
                    self._interrupt.clear()
            interrupted = True
        except TimeoutError:
            pass
        finally:
            with suppress(Exception):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await scanner.stop()
        if not (interrupted or self._seen_any):
            self.on_nothing()
        return ""

    def _saw(self, device: BLEDevice, advertised: AdvertisementData) -> None:
        if SERVICE_UUID not in advertised.service_uuids:
            return
        said = advertised.manufacturer_data.get(COMPANY, b"")
        if len(said) < ID_SIZE:
            return  # half an advertisement: the whole one follows
        self._seen_any = True
        device_id = bytes(said[:ID_SIZE]).hex()
        waiter = self._waiting.get(device_id)
        if waiter is None:
            self.on_new(device_id, device)
        elif not waiter.done():
            waiter.set_result(device)

    def _backend(self, backend: type[Any] | None) -> dict[str, Any]:
        return {} if backend is None else {"backend": backend}


async def leave(client: BleakClient) -> None:
    """Closes a connection, whatever state it is in, within a second."""
    with suppress(Exception):
        async with asyncio.timeout(GOODBYE_SECONDS):
            await client.disconnect()
