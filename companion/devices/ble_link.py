"""Keeps the link to the table up for as long as the companion runs: find, connect, talk, notice silence, begin
again. Plain bleak code; the virtual table is another backend class, nothing else.

One scanner at a time and never while connecting (BlueZ cannot do both); the device that was found is passed on, not
its address; the table's protocol version is in the service's identifier, so that no stale cache can fit a changed
one.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak_retry_connector import establish_connection

from companion.devices.dialogue import CommandNumbers, Dialogue, Sink
from companion.devices.link_state import LinkState
from companion.devices.reconnect import Backoff, BusyError, LinkLostError, WrongTableError, explain
from companion.event_log.store import InboxMark
from companion.settings import Settings
from shared_rules.wire.messages import (
    COMMANDS_UUID,
    EVENTS_UUID,
    INFO_UUID,
    SERVICE_UUID,
    TO_COMPANION,
    Message,
    WireError,
    decode,
)

logger = logging.getLogger(__name__)

SCAN_SECONDS = 8.0
CONNECT_TRIES = 2
GOODBYE_SECONDS = 1.0


class BleLink:
    """One table's link. `last_mark(device_id, boot_id)` says what is on disk; `on_change` is told when `state`
    changes, `on_connected(dialogue)` when a table has resumed (None when it is gone)."""

    def __init__(
        self, settings: Settings, sink: Sink, last_mark: Callable[[str, int], Awaitable[int]], state: LinkState
    ) -> None:
        self.state = state
        self.dialogue: Dialogue | None = None
        self.on_change: Callable[[], None] = lambda: None
        self.on_connected: Callable[[Dialogue | None], None] = lambda dialogue: None
        self.on_device: Callable[[Message], Awaitable[None]] = _nobody
        self._settings = settings
        self._sink = sink
        self._last_mark = last_mark
        self._numbers = CommandNumbers()
        self._companion_id = random.SystemRandom().getrandbits(32)
        self._backoff = Backoff()
        self._known_address = ""

    def taken_in(self, mark: InboxMark) -> None:
        """An event is on disk: it may be acknowledged."""
        if self.dialogue is not None:
            self.dialogue.taken_in(mark)

    async def run(self) -> None:
        """For ever, until cancelled. Errors of the radio never leave it."""
        self._change("searching")
        while True:
            wait = None
            try:
                await self._once()
                error: BaseException | None = None
            except asyncio.CancelledError:
                raise
            except BusyError as busy:
                error, wait = busy, busy.retry_after
            except Exception as broken:  # whatever a radio throws: the table must come back by itself
                error = _first(broken)
                logger.info("link: %s: %s", type(error).__name__, error)
            _if_cancelled()
            was_connected = self.state.state == "connected"
            text = explain(error) if error is not None else "No table is in sight. Is it switched on and near?"
            self._change("lost" if was_connected or self.state.state == "lost" else "searching", error=text)
            await asyncio.sleep(self._backoff.wait() if wait is None else wait)

    async def _once(self) -> None:
        device = await self._find()
        if device is None:
            return
        gone = asyncio.Event()
        client: BleakClient = await establish_connection(
            BleakClient,
            device,
            device.name or device.address,
            disconnected_callback=lambda _client: gone.set(),
            max_attempts=CONNECT_TRIES,
            use_services_cache=False,
            **self._backend(self._settings.client_backend),
        )
        try:
            self._known_address = device.address
            await self._talk(client, gone)
        finally:
            if self.dialogue is not None:
                self.dialogue = None
                self.on_connected(None)
            with suppress(Exception):
                await asyncio.wait_for(client.disconnect(), GOODBYE_SECONDS)

    async def _find(self) -> BLEDevice | None:
        def ours(device: BLEDevice, seen: AdvertisementData) -> bool:
            return SERVICE_UUID in seen.service_uuids

        return await BleakScanner.find_device_by_filter(
            ours, timeout=SCAN_SECONDS, service_uuids=[SERVICE_UUID], **self._backend(self._settings.scanner_backend)
        )

    def _backend(self, backend: type[Any] | None) -> dict[str, Any]:
        return {} if backend is None else {"backend": backend}

    async def _talk(self, client: BleakClient, gone: asyncio.Event) -> None:
        hello = await self._hello(client)
        device_id, boot_id = bytes(hello.fields["device_id"]).hex(), int(hello.fields["boot_id"])
        last = await self._last_mark(device_id, boot_id)

        async def send(packet: bytes) -> None:
            await client.write_gatt_char(COMMANDS_UUID, packet, response=True)

        dialogue = Dialogue(hello, last, self._companion_id, self._numbers, send, self._sink, self.state.counters)
        self.dialogue = dialogue
        dialogue.on_status = lambda: self._status(dialogue)
        await client.start_notify(EVENTS_UUID, lambda _sender, data: dialogue.feed(bytes(data)))
        async with asyncio.TaskGroup() as group:
            talking = group.create_task(dialogue.run())
            await dialogue.resume()
            self._backoff.reset()
            await self.on_device(hello)
            self.state.device = describe(hello)
            self._change("connected")
            self.on_connected(dialogue)
            await self._until_silent(dialogue, gone)
            talking.cancel()
        what = "went away" if gone.is_set() else "fell silent"
        raise LinkLostError(f"The table {what}. It is looked for; the game goes on by hand meanwhile.")

    async def _hello(self, client: BleakClient) -> Message:
        if client.services.get_characteristic(INFO_UUID) is None:
            raise WrongTableError(
                "The table speaks another version of the protocol. Update its firmware, or this companion."
            )
        try:
            hello = decode(bytes(await client.read_gatt_char(INFO_UUID)), TO_COMPANION)
        except WireError as error:
            raise WrongTableError(
                f"The table introduces itself in a way that cannot be understood ({error}). Update its firmware."
            ) from error
        if hello.name != "HELLO":
            raise WrongTableError(
                "The table introduces itself in a way that cannot be understood. Update its firmware."
            )
        return hello

    async def _until_silent(self, dialogue: Dialogue, gone: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        while not gone.is_set():
            quiet_for = loop.time() - dialogue.heard_at
            left = self._settings.heartbeat_timeout - quiet_for
            if left <= 0:
                self.state.counters["silences"] = self.state.counters.get("silences", 0) + 1
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(gone.wait(), left)

    def _status(self, dialogue: Dialogue) -> None:
        if self.state.device is not None:
            self.state.device = {**self.state.device, **dialogue.status}

    def _change(self, state: Any, error: str = "") -> None:
        if (state, error) != (self.state.state, self.state.error):
            if state != self.state.state:
                self.state.since = asyncio.get_running_loop().time()
                if state == "lost" and self.state.state == "connected":
                    self.state.counters["losses"] = self.state.counters.get("losses", 0) + 1
            self.state.state = state
            self.state.error = error
            self.on_change()


def _if_cancelled() -> None:
    """Radio stacks are known to swallow a cancellation; it counts all the same."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def describe(hello: Message) -> dict[str, Any]:
    """What a table says of itself, for pages and the registry."""
    fields = hello.fields
    return {
        "id": bytes(fields["device_id"]).hex(),
        "boot_id": int(fields["boot_id"]),
        "firmware": f"{fields['firmware_major']}.{fields['firmware_minor']}.{fields['firmware_patch']}",
        "reset_cause": int(fields["reset_cause"]),
        "sockets": int(fields["sockets"]),
        "leds": int(fields["leds"]),
        "die_faces": int(fields["die_faces"]),
    }


def _first(error: BaseException) -> BaseException:
    """The error inside a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _nobody(_hello: Message) -> None:
    return None
