"""Keeps the link to one device up over the air for as long as the companion runs: wait until it is in sight, connect,
talk, notice its loss, begin again. Plain bleak code; the virtual table is another backend class, nothing else.

The device that was found is passed on, not its address; the protocol's version is in the service's identifier, and
services are asked for anew at each connect, so that no stale cache can fit a changed device.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bleak import BleakClient
from bleak.backends.device import BLEDevice

from companion.devices.known_device import KnownDevice
from companion.devices.radio import Radio, leave
from companion.devices.reconnect import (
    Backoff,
    LinkLostError,
    NotOursError,
    WrongTableError,
    first_of,
    if_cancelled,
)
from companion.devices.talk import Host, converse, tell
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, Message, WireError, decode

logger = logging.getLogger(__name__)

ATT_SECONDS = 5.0
"""How long a device may take for one read or write; some stacks wait for half a minute."""


class BleLink:
    """One device's link over the air."""

    def __init__(self, host: Host, radio: Radio, device: KnownDevice) -> None:
        self._host = host
        self._radio = radio
        self._device = device
        self._backoff = Backoff()

    async def run(self, seen: BLEDevice | None = None) -> float | None:
        """For ever, until cancelled, or until a device that this companion has never talked with was tried once: how
        long that one is to be left alone, None for the usual time. `seen` is the device if it is in sight already.
        Errors of the radio never leave it."""
        while True:
            wait = None
            if seen is None:
                seen = await self._radio.sighting(self._device.id)
            error: BaseException | None = None
            try:
                await self._once(seen)
            except asyncio.CancelledError:
                raise
            except Exception as broken:  # whatever a radio throws: the device must come back by itself
                error = first_of(broken)
                logger.info("%s: %s: %s", self._device.state.name or self._device.id, type(error).__name__, error)
            if_cancelled()
            if isinstance(error, LinkLostError):
                self._backoff.reset()
            if error is not None:
                wait = tell(self._device, error)
            if not self._device.met:
                return wait
            seen = None
            await asyncio.sleep(self._backoff.wait() if wait is None else wait)

    async def _once(self, seen: BLEDevice) -> None:
        gone = asyncio.Event()
        client = await self._radio.connect(seen, gone.set)
        try:
            channel = _AirChannel(client, gone)
            hello = await channel.hello()
            if bytes(hello.fields["device_id"]).hex() != self._device.id:
                raise NotOursError(
                    "It says that it is another device than the one that was called. Switch it off and on."
                )
            await converse(self._host, self._device, hello, channel)
        finally:
            await leave(client)


class _AirChannel:
    way = "air"

    def __init__(self, client: BleakClient, gone: asyncio.Event) -> None:
        self.gone = gone
        self._client = client

    async def send(self, packet: bytes) -> None:
        async with asyncio.timeout(ATT_SECONDS):
            await self._client.write_gatt_char(COMMANDS_UUID, packet, response=True)

    async def listen(self, feed: Callable[[bytes], None]) -> None:
        async with asyncio.timeout(ATT_SECONDS):
            await self._client.start_notify(EVENTS_UUID, lambda _sender, data: feed(bytes(data)))

    async def hello(self) -> Message:
        """What the device says of itself. `WrongTableError`: not as this companion needs it."""
        if self._client.services.get_characteristic(INFO_UUID) is None:
            raise WrongTableError("It speaks another version of the protocol. Update its firmware, or this companion.")
        try:
            async with asyncio.timeout(ATT_SECONDS):
                said = await self._client.read_gatt_char(INFO_UUID)
            hello = decode(bytes(said), TO_COMPANION)
        except WireError as error:
            raise WrongTableError(
                f"It introduces itself in a way that cannot be understood ({error}). Update its firmware."
            ) from error
        if hello.name != "HELLO":
            raise WrongTableError("It introduces itself in a way that cannot be understood. Update its firmware.")
        return hello
