"""The radio of the virtual ESP32: what the firmware's `bluetooth` module asks for, done by a Bumble device.

Calls come from the firmware and must be answered at once; what takes the Bluetooth host time is queued and done in
order. `send_event` takes the events of MicroPython's `bluetooth` module: central connected (1), disconnected (2),
written (3), indication done (20), MTU exchanged (21), as `{"k": "ble", "ev": number, "d": [...]}`.
"""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bumble import att, gatt
from bumble.core import UUID
from bumble.device import AdvertisingType, Device
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from companion.virtual_table.radio.air import Air, TableController, random_address

NOT_CONNECTED = -128
"""What NimBLE's port raises as OSError for a connection that is gone."""

ATTRIBUTE_OVERHEAD = 3
CONNECTION_NUMBERS = 256
"""Many more than a radio holds connections at once, so a free one is always found."""

log = logging.getLogger(__name__)

Event = dict[str, Any]


class Peripheral:
    """One radio. `defer` runs a piece of work when the firmware's clock says that it happens."""

    def __init__(
        self,
        air: Air,
        address: str,
        send_event: Callable[[Event], None],
        complain: Callable[[str], None],
        defer: Callable[[Callable[[], None]], None],
        state_changed: Callable[[], None] = lambda: None,
        now_us: Callable[[], int] = lambda: 0,
    ) -> None:
        self.air = air
        self.address = address
        self._send_event = send_event
        self._complain = complain
        self._defer = defer
        self._state_changed = state_changed
        self._now_us = now_us
        self.enomem_left = 0
        """So many of the next notifications find no buffer."""
        self.spacing_us = 0
        """A notification that comes closer than this behind the last one finds no buffer."""
        self._last_notified_us = -(1 << 62)
        self.refused = 0
        self._out_of_range = False
        self.notifications = 0
        self.active = False
        self.advertising = False
        self.mtu = 256
        self._device: Any = None
        self._controller: TableController | None = None
        self._connections: dict[int, Any] = {}
        self._next_connection = 0
        self._characteristics: dict[int, Any] = {}
        self._values: dict[int, bytes] = {}
        self._next_handle = 16
        self._jobs: asyncio.Queue[Coroutine[Any, Any, None]] | None = None
        self._worker: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        return bool(self._connections)

    @property
    def state(self) -> str:
        """off, silent (on, but not to be found), advertising or connected."""
        if not self.active:
            return "off"
        return "connected" if self._connections else "advertising" if self.advertising else "silent"

    def inject(self, value: bytes) -> bool:
        """A notification that the firmware never sent, where it notifies; False when nobody hears."""
        for characteristic in self._characteristics.values():
            if int(characteristic.properties) & 0x10:
                for number, there in self._connections.items():
                    self._send_value(number, there, characteristic, value, False)
                    return True
        return False

    # -- what the firmware asks for -----------------------------------------------------------------------------------

    def set_active(self, on: bool) -> None:
        if on == self.active:
            return
        if not on:
            self.switch_off()
            return
        self.active = True
        self._controller = TableController("table", link=self.air)
        self._controller.out_of_range = self._out_of_range
        host = Host(self._controller, AsyncPipeSink(self._controller))
        self._device = Device(name="table", address=random_address(self.address), host=host)
        self._device.on("connection", self._on_connection)
        self._jobs = asyncio.Queue()
        self._worker = asyncio.get_running_loop().create_task(self._work(self._jobs), name="virtual radio")
        self._do(self._device.power_on())

    def switch_off(self) -> None:
        """Dead at once, as when the supply goes or the processor crashes: the other side hears nothing of it."""
        self.active = self.advertising = False
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if self._jobs is not None:
            while not self._jobs.empty():
                self._jobs.get_nowait().close()
        if self._controller is not None:
            self._controller.switch_off()
        self._controller = self._device = self._jobs = None
        self._connections.clear()
        self._characteristics.clear()
        self._values.clear()
        self._next_handle = 16
        self._state_changed()

    @property
    def out_of_range(self) -> bool:
        """Whether nobody hears it, while the rest of the room hears each other."""
        return self._out_of_range

    @out_of_range.setter
    def out_of_range(self, far: bool) -> None:
        self._out_of_range = far
        if self._controller is not None:
            self._controller.out_of_range = far

    def lose_links(self) -> None:
        """Its connections time out at both ends; other devices in the room keep theirs."""
        if self._controller is not None:
            self._controller.lose_own_links()

    def configure(self, mtu: int) -> None:
        self.mtu = mtu
        if self._device is not None:
            self._device.gatt_server.max_mtu = mtu

    def register(self, services: list[Any]) -> list[list[int]]:
        """`[[uuid, [[uuid, flags, [[uuid, flags], …]], …]], …]`, UUIDs as little-endian hex → handles in that order."""
        built, handles = [], []
        for uuid, characteristics in services:
            mine: list[int] = []
            parts = []
            for characteristic_uuid, flags, descriptors in characteristics:
                handle = self._take_handle(mine)
                described = []
                for descriptor_uuid, descriptor_flags in descriptors:
                    described.append(
                        gatt.Descriptor(
                            UUID.from_bytes(bytes.fromhex(descriptor_uuid)),
                            _permissions(descriptor_flags),
                            self._value_of(self._take_handle(mine)),
                        )
                    )
                built_characteristic = gatt.Characteristic(
                    UUID.from_bytes(bytes.fromhex(characteristic_uuid)),
                    gatt.Characteristic.Properties(flags & 0x3F),
                    _permissions(flags),
                    self._value_of(handle),
                    described,
                )
                self._characteristics[handle] = built_characteristic
                parts.append(built_characteristic)
            built.append(gatt.Service(UUID.from_bytes(bytes.fromhex(uuid)), parts))
            handles.append(mine)
        device = self._device

        async def add() -> None:
            device.add_services(built)
            device.gatt_server.max_mtu = self.mtu

        self._do(add())
        return handles

    def set_value(self, handle: int, value: bytes) -> None:
        self._values[handle] = value

    def advertise(self, interval_us: int, data: bytes | None, response: bytes | None, connectable: bool) -> None:
        """0 stops. None keeps what was said last, as MicroPython does."""
        device = self._device
        self.advertising = bool(interval_us)
        self._state_changed()
        if not interval_us:
            self._do(device.stop_advertising())
            return
        kind = AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE if connectable else AdvertisingType.UNDIRECTED_SCANNABLE
        interval_ms = max(20.0, interval_us / 1000)
        self._do(
            device.start_advertising(
                advertising_type=kind,
                advertising_data=data,
                scan_response_data=response,
                advertising_interval_min=interval_ms,
                advertising_interval_max=interval_ms,
            )
        )

    def notify(self, connection: int, handle: int, value: bytes, indicate: bool = False) -> int:
        """0, or the number of the OSError that the firmware gets."""
        now = self._now_us()
        if self.enomem_left > 0 or now - self._last_notified_us < self.spacing_us:
            self.enomem_left = max(0, self.enomem_left - 1)
            self.refused += 1
            return errno.ENOMEM
        there = self._connections.get(connection)
        characteristic = self._characteristics.get(handle)
        if there is None:
            return NOT_CONNECTED
        if characteristic is None:
            return errno.EINVAL
        room = there.att_mtu - ATTRIBUTE_OVERHEAD
        if len(value) > room:
            self._complain(f"a notification of {len(value)} bytes is cut to the {room} that the MTU leaves")
            value = value[:room]
        self.notifications += 1
        self._last_notified_us = now
        self._defer(lambda: self._send_value(connection, there, characteristic, value, indicate))
        return 0

    def disconnect(self, connection: int) -> bool:
        there = self._connections.get(connection)
        if there is None:
            return False
        self._do(there.disconnect())
        return True

    # -- inside -------------------------------------------------------------------------------------------------------

    def _take_handle(self, into: list[int]) -> int:
        handle = self._next_handle
        self._next_handle += 1
        self._values[handle] = b""
        into.append(handle)
        return handle

    def _value_of(self, handle: int) -> Any:
        def written(connection: Any, value: bytes) -> None:
            self._values[handle] = value
            number = self._number_of(connection)
            if number is not None:
                self._send_event({"k": "ble", "ev": 3, "d": [number, handle], "v": bytes(value).hex()})

        return att.AttributeValue(read=lambda connection: self._values.get(handle, b""), write=written)

    def _number_of(self, connection: Any) -> int | None:
        return next((n for n, there in self._connections.items() if there is connection), None)

    def _send_value(self, number: int, there: Any, characteristic: Any, value: bytes, indicate: bool) -> None:
        if self._connections.get(number) is not there:
            return
        kind = att.ATT_Handle_Value_Indication if indicate else att.ATT_Handle_Value_Notification
        pdu = kind(attribute_handle=characteristic.handle, attribute_value=value)
        self._device.gatt_server.send_gatt_pdu(there, bytes(pdu))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        if self._jobs is None:
            work.close()
        else:
            self._jobs.put_nowait(work)

    async def _work(self, jobs: asyncio.Queue[Coroutine[Any, Any, None]]) -> None:
        while True:
            job = await jobs.get()
            try:
                await job
            except asyncio.CancelledError:
                raise
            except Exception as error:  # the firmware must not die of it, and neither must the radio
                log.debug("virtual radio: %r", error)

    def _on_connection(self, connection: Any) -> None:
        number = self._next_connection
        while number in self._connections:
            number = (number + 1) % CONNECTION_NUMBERS
        self._next_connection = (number + 1) % CONNECTION_NUMBERS
        self._connections[number] = connection
        self.advertising = False

        def gone(reason: int) -> None:
            if self._connections.pop(number, None) is not None:
                self._send_event({"k": "ble", "ev": 2, "d": [number, *peer]})
                self._state_changed()

        def mtu_changed() -> None:
            self._send_event({"k": "ble", "ev": 21, "d": [number, connection.att_mtu]})

        peer = [int(connection.peer_address.address_type), bytes(connection.peer_address)[::-1].hex()]
        connection.on("disconnection", gone)
        connection.on("connection_att_mtu_update", mtu_changed)
        self._send_event({"k": "ble", "ev": 1, "d": [number, *peer]})
        self._state_changed()


def _permissions(flags: int) -> Any:
    permissions = att.Attribute.Permissions(0)
    if flags & 0x02:
        permissions |= att.Attribute.Permissions.READABLE
    if flags & 0x0C:
        permissions |= att.Attribute.Permissions.WRITEABLE
    return permissions
