"""A bleak backend on a virtual adapter: the companion's code stays plain bleak.

scanner_class, client_class = bleak_backend(central)
device = await BleakScanner.find_device_by_filter(…, backend=scanner_class)
client = await establish_connection(BleakClient, device, "table", backend=client_class)
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import UUID

from bleak.args import SizedBuffer
from bleak.assigned_numbers import gatt_char_props_to_strs
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError, BleakGATTProtocolError
from bumble import att, core
from bumble.device import Peer

from companion.virtual_table.radio.air import random_address
from companion.virtual_table.radio.central import Central

_Result = TypeVar("_Result")

OUR_MTU = 247


def _uuid_text(uuid: Any) -> str:
    return str(UUID(bytes=bytes(uuid.to_bytes(force_128=True))[::-1]))


class VirtualScanner(BaseBleakScanner):
    """Scans with `central`; a subclass sets it."""

    central: Central

    def __init__(
        self,
        detection_callback: AdvertisementDataCallback | None,
        service_uuids: list[str] | None,
        scanning_mode: str = "active",
        **options: Any,
    ) -> None:
        super().__init__(detection_callback, service_uuids)
        self._device: Any = None

    async def start(self) -> None:
        self.seen_devices = {}
        device = await self.central.device()
        device.on("advertisement", self._seen)
        self.central.scanners += 1
        try:
            if self.central.scanners == 1:
                await device.start_scanning(active=True)
        except BaseException as error:
            # Nobody stops a scan that did not start: counted on, it would keep all later ones from starting.
            device.remove_listener("advertisement", self._seen)
            await self.central.give_up(device)
            if isinstance(error, Exception):
                raise BleakError(f"the search did not start: {error!r}") from error
            raise
        self._device = device

    async def stop(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        device.remove_listener("advertisement", self._seen)
        if self.central.alive and await self.central.device() is device:
            self.central.scanners -= 1
            if self.central.scanners == 0:
                await device.stop_scanning()

    def _seen(self, advertisement: Any) -> None:
        data = advertisement.data
        kinds = core.AdvertisingData
        name = data.get(kinds.COMPLETE_LOCAL_NAME) or data.get(kinds.SHORTENED_LOCAL_NAME)
        uuids: list[str] = []
        for kind in (
            kinds.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
            kinds.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
            kinds.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
            kinds.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
        ):
            uuids += [_uuid_text(uuid) for uuid in data.get(kind) or ()]
        if not self.is_allowed_uuid(uuids):
            return
        manufacturer = data.get(kinds.MANUFACTURER_SPECIFIC_DATA)
        seen = AdvertisementData(
            local_name=name,
            manufacturer_data={int(manufacturer[0]): bytes(manufacturer[1])} if manufacturer else {},
            service_data={},
            service_uuids=uuids,
            tx_power=None,
            rssi=int(advertisement.rssi),
            platform_data=(advertisement,),
        )
        address = str(advertisement.address).split("/")[0]
        device = self.create_or_update_device(address, address, name, {"virtual": True}, seen)
        self.call_detection_callbacks(device, seen)


class VirtualClient(BaseBleakClient):
    """Connects through `central`; a subclass sets it."""

    central: Central

    def __init__(self, address_or_ble_device: BLEDevice | str, **options: Any) -> None:
        super().__init__(address_or_ble_device, **options)
        self._name = address_or_ble_device.name if isinstance(address_or_ble_device, BLEDevice) else None
        self._connection: Any = None
        self._peer: Any = None
        self._gone: asyncio.Future[None] | None = None

    @property
    def name(self) -> str:
        return self._name or self.address.replace(":", "-")

    @property
    def mtu_size(self) -> int:
        return int(self._connection.att_mtu) if self._connection is not None else 23

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def connect(self, pair: bool = False, **options: Any) -> None:
        if self._connection is not None:
            return
        async with asyncio.timeout(options.get("timeout") or self._timeout):
            async with self.central.connecting:
                device = await self.central.device()
                connection = await self._reach(device)
            self._begin(connection)
            try:
                if pair:
                    await self._answered(connection.pair())
                self._peer = Peer(connection)
                await self._answered(self._peer.request_mtu(OUR_MTU))
                await self._answered(self._peer.discover_all())
            except BaseException:
                await self._leave(connection)
                raise
        self.services = self._collect()

    async def _reach(self, device: Any) -> Any:
        lost = asyncio.get_running_loop().create_future()

        def on_lost() -> None:
            if not lost.done():
                lost.set_result(None)

        self.central.lost_callbacks.append(on_lost)
        attempt = asyncio.ensure_future(device.connect(random_address(self.address), timeout=None))
        try:
            await asyncio.wait({attempt, lost}, return_when=asyncio.FIRST_COMPLETED)
            if attempt.done():
                return attempt.result()
            raise BleakError("the virtual table's radio went away while connecting")
        except core.BaseBumbleError as error:
            raise BleakError(f"no connection to {self.address}: {error}") from error
        finally:
            self.central.lost_callbacks.remove(on_lost)
            if not attempt.done():
                if self.central.alive:
                    await device.cancel_connection()
                attempt.cancel()
                await asyncio.wait({attempt})
                if not attempt.cancelled():
                    attempt.exception()

    def _begin(self, connection: Any) -> None:
        self._connection = connection
        self._gone = asyncio.get_running_loop().create_future()
        self.central.lost_callbacks.append(self._on_gone)
        connection.on("disconnection", self._on_gone)

    def _on_gone(self, reason: int = 0) -> None:
        if self._connection is None:
            return
        self._connection = self._peer = self.services = None
        if self._on_gone in self.central.lost_callbacks:
            self.central.lost_callbacks.remove(self._on_gone)
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)
        if self._disconnected_callback is not None:
            self._disconnected_callback()

    async def _leave(self, connection: Any) -> None:
        if self._connection is not connection:
            return
        callback, self._disconnected_callback = self._disconnected_callback, None
        try:
            await self.disconnect()
        finally:
            self._disconnected_callback = callback

    async def disconnect(self) -> None:
        connection, gone = self._connection, self._gone
        if connection is None or gone is None:
            return
        ending = asyncio.ensure_future(connection.disconnect())
        # However it ends, even later: the link is over, and that is all that was wanted.
        ending.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            await asyncio.wait({ending, gone}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
        finally:
            if not ending.done() and not gone.done():
                await self.central.give_up(connection.device)
            ending.cancel()
        if self._connection is connection:
            self._on_gone()

    async def _answered(self, request: Awaitable[_Result]) -> _Result:
        """The answer to a request, or `BleakError` as soon as the link is lost."""
        gone = self._gone
        if self._connection is None or gone is None:
            if asyncio.iscoroutine(request):
                request.close()
            raise BleakError("Not connected")
        task: asyncio.Future[_Result] = asyncio.ensure_future(request)
        both: set[asyncio.Future[Any]] = {task, gone}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if gone.done():
            task.cancel()
            await asyncio.wait({task})
            if not task.cancelled():
                task.exception()
            raise BleakError("disconnected before the answer came")
        if task.cancelled():
            raise BleakError("disconnected before the answer came")
        try:
            return task.result()
        except att.ATT_Error as error:
            raise BleakGATTProtocolError(int(error.error_code)) from error
        except core.BaseBumbleError as error:
            raise BleakError(str(error)) from error

    def _collect(self) -> BleakGATTServiceCollection:
        collection = BleakGATTServiceCollection()
        for service in self._peer.services:
            mine = BleakGATTService(service, service.handle, _uuid_text(service.uuid))
            collection.add_service(mine)
            for characteristic in service.characteristics:
                found = BleakGATTCharacteristic(
                    characteristic,
                    characteristic.handle,
                    _uuid_text(characteristic.uuid),
                    list(gatt_char_props_to_strs(int(characteristic.properties))),
                    lambda: self.mtu_size - 3,
                    mine,
                )
                collection.add_characteristic(found)
                for descriptor in characteristic.descriptors:
                    collection.add_descriptor(
                        BleakGATTDescriptor(descriptor, descriptor.handle, _uuid_text(descriptor.type), found)
                    )
        return collection

    async def pair(self, *args: Any, **options: Any) -> None:
        if self._connection is None:
            raise BleakError("Not connected")
        await self._answered(self._connection.pair())

    async def unpair(self) -> None:
        raise BleakError("the virtual adapter keeps no bonds")

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **options: Any
    ) -> bytearray:
        return bytearray(await self._answered(characteristic.obj.read_value()))

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **options: Any
    ) -> bytearray:
        return bytearray(await self._answered(descriptor.obj.read_value()))

    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool) -> None:
        value = bytes(data)
        if not response and len(value) > self.mtu_size - 3:
            raise BleakError(f"{len(value)} bytes do not fit into a write without response of {self.mtu_size - 3}")
        await self._answered(characteristic.obj.write_value(value, with_response=response))

    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        await self._answered(descriptor.obj.write_value(bytes(data), with_response=True))

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **options: Any
    ) -> None:
        await self._answered(characteristic.obj.subscribe(lambda value: callback(bytearray(value))))

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        await self._answered(characteristic.obj.unsubscribe(force=True))


def bleak_backend(central: Central) -> tuple[type[BaseBleakScanner], type[BaseBleakClient]]:
    """The scanner and client classes that bleak takes as `backend=`, bound to this adapter."""
    scanner = type("VirtualScanner", (VirtualScanner,), {"central": central})
    client = type("VirtualClient", (VirtualClient,), {"central": central})
    return scanner, client


BackendFactory = Callable[[], tuple[type[BaseBleakScanner], type[BaseBleakClient]]]
