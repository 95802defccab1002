"""An adapter on paper with devices in sight, over which a connect can be made to fail at each of its steps."""

import asyncio

from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.exc import BleakError

from shared_rules.wire.messages import (
    COMMANDS_UUID,
    EVENTS_UUID,
    INFO_UUID,
    SERVICE_UUID,
)

HEARTBEAT_SECONDS = 1.0


class PaperRadio:
    """An adapter with devices in sight. `fail` may raise at each step of a connect: it is called with `scan`,
    `open`, `services`, `notify` or `write`, and the device. Counts what is open, and what must not overlap."""

    def __init__(self, *devices):
        self.devices = {device.id: device for device in devices}
        self.out_of_sight = set()
        self.fail = lambda step, device: None
        self.open_handles, self.scanning, self.connecting = 0, 0, 0
        self.overlaps, self.connects, self.scans = [], 0, 0
        self.handlers = {}
        self.clients = {}
        self.advertised = 1
        self.moved = False
        self.leaving_takes = 0
        self.hang = set()
        self.tasks = []
        radio = self

        class Scanner(BaseBleakScanner):
            def __init__(self, callback, service_uuids, scanning_mode="active", **options):
                super().__init__(callback, service_uuids)
                self._task = None

            async def start(self):
                radio.fail("scan", None)
                radio.scanning += 1
                radio.scans += 1
                radio.check("scan")
                self.seen_devices = {}
                self._task = asyncio.create_task(self._advertise())

            async def stop(self):
                if self._task is not None:
                    self._task.cancel()
                    self._task = None
                    radio.scanning -= 1

            async def _advertise(self):
                while True:
                    await asyncio.sleep(0.1)
                    for device in list(radio.devices.values()):
                        if device.id in radio.out_of_sight or device.id in radio.clients or device.silent:
                            continue
                        for _ in range(radio.advertised):
                            self._see(device)

            def _see(self, device):
                seen = AdvertisementData(
                    "Cabstand", {0xFFFF: bytes.fromhex(device.id)}, {}, [SERVICE_UUID], None, -50, ()
                )
                address = ":".join(device.id[i : i + 2] for i in range(0, 12, 2)).upper()
                found = self.create_or_update_device(address, address, "Cabstand", {"paper": True}, seen)
                self.call_detection_callbacks(found, seen)

        class Client(BaseBleakClient):
            def __init__(self, address_or_ble_device, **options):
                super().__init__(address_or_ble_device, **options)
                self.device = radio.devices[self.address.replace(":", "").lower()]
                self._open = False
                self._connected = False
                self.speak = None

            @property
            def name(self):
                return "Cabstand"

            @property
            def mtu_size(self):
                return 185

            @property
            def is_connected(self):
                return self._connected

            async def connect(self, pair=False, **options):
                radio.connecting += 1
                radio.connects += 1
                radio.check("connect")
                try:
                    await asyncio.sleep(0.05)
                    radio.fail("open", self.device)
                    if not self._open:
                        self._open = True
                        radio.open_handles += 1
                    if self.device.id in radio.hang:
                        await asyncio.sleep(3600)
                    radio.fail("services", self.device)
                    if self.device.id in radio.out_of_sight:
                        raise BleakError("device not found")
                    self.services = _Services(radio.moved)
                    self._connected = True
                    radio.clients[self.device.id] = self
                finally:
                    radio.connecting -= 1

            async def disconnect(self):
                if radio.leaving_takes:
                    await asyncio.sleep(radio.leaving_takes)
                self.drop(told=False)
                if self._open:
                    self._open = False
                    radio.open_handles -= 1

            def drop(self, told=True):
                if not self._connected:
                    return
                self._connected = False
                radio.clients.pop(self.device.id, None)
                radio.handlers.pop(self.device.id, None)
                self.device.gone(self.speak)
                if told and self._disconnected_callback is not None:
                    self._disconnected_callback()

            def _must_be_connected(self):
                if not self._connected:
                    raise BleakError("Not connected")

            async def pair(self, *args, **options):
                raise AssertionError("nobody asked for a bond")

            async def unpair(self):
                raise AssertionError("nobody asked for a bond")

            async def read_gatt_char(self, characteristic, **options):
                self._must_be_connected()
                assert characteristic.uuid == INFO_UUID
                return bytearray(self.device.hello())

            async def read_gatt_descriptor(self, descriptor, **options):
                raise AssertionError("no descriptor is read")

            async def write_gatt_char(self, characteristic, data, response):
                self._must_be_connected()
                assert characteristic.uuid == COMMANDS_UUID
                assert response
                await asyncio.sleep(0.01)
                radio.fail("write", self.device)
                self._must_be_connected()
                self.device.hear(bytes(data), self.speak)

            async def write_gatt_descriptor(self, descriptor, data):
                raise AssertionError("no descriptor is written")

            async def start_notify(self, characteristic, callback, **options):
                self._must_be_connected()
                assert characteristic.uuid == EVENTS_UUID
                radio.fail("notify", self.device)
                self._must_be_connected()
                radio.handlers[self.device.id] = radio.handlers.get(self.device.id, 0) + 1
                self.speak = lambda packet: callback(bytearray(packet))

            async def stop_notify(self, characteristic):
                raise BleakError("Not connected")

        self.scanner, self.client = Scanner, Client

    def check(self, what):
        if self.scanning > 1 or self.connecting > 1 or (self.scanning and self.connecting):
            self.overlaps.append(what)

    def drop(self, device_id):
        """The stack reports that the link to this device is lost."""
        self.clients[device_id].drop()

    async def hearts(self):
        """Beats of all devices."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for device in self.devices.values():
                device.beat()


class _Services:
    def __init__(self, moved):
        self._moved = moved

    def get_characteristic(self, uuid):
        if self._moved and uuid == INFO_UUID:
            return None
        return _Characteristic(uuid)


class _Characteristic:
    """What bleak's front end looks at before it hands it on."""

    def __init__(self, uuid):
        self.uuid, self.handle = uuid, 3
        self.properties = ["read", "write", "notify"]
        self.max_write_without_response_size = 180
