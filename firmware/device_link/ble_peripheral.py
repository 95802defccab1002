"""The table's side of Bluetooth LE on MicroPython's `bluetooth` module, for the session.

One service with three characteristics (see `shared_rules.wire.messages`). The interrupt handler only copies into a ring
that was made at the start and sets a flag; everything else runs in tasks. Advertising is started anew after every
connect and disconnect and every 30 s for ever, since controllers are known to stop it on their own.
"""

import asyncio
from array import array

import bluetooth

from firmware.device_link import CONNECTED, GONE, WRITTEN
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, MAX_SIZE, SERVICE_UUID

_IRQ_CENTRAL_CONNECT = 1
_IRQ_CENTRAL_DISCONNECT = 2
_IRQ_GATTS_WRITE = 3

ADVERTISE_US = 100000
REARM_MS = 30000
SLOTS = 16  # happenings that may wait to be looked at
_LOST = (-128, 19)  # not connected, as NimBLE says it through MicroPython; ENODEV: the radio is off
_COMPANY = b"\xff\xff"  # the number for devices without a company, Bluetooth Assigned Numbers


def _advertised(kind, value):
    return bytes((len(value) + 1, kind)) + value


def advertising_data(service: bluetooth.UUID, device_id: bytes) -> bytes:
    """31 bytes: flags, the service (which says the protocol's major version), the six bytes of the device id."""
    return (
        _advertised(0x01, b"\x06")
        + _advertised(0x07, bytes(service))
        + _advertised(0xFF, _COMPANY + device_id)
    )


class BlePeripheral:
    """`ble` is a bluetooth.BLE that is active, `name` what people see in a list of devices (at most 29 bytes),
    `slots` how much may wait.

    `lost_writes` counts writes for which the ring had no room.
    """

    def __init__(self, ble: bluetooth.BLE, name: str, device_id: bytes, slots: int = SLOTS) -> None:
        self._slots = slots
        self._ble = ble
        self._name = name
        service = bluetooth.UUID(SERVICE_UUID)
        self._advertising = advertising_data(service, device_id)
        self._response = _advertised(0x09, name.encode())
        self._service = (
            service,
            (
                (bluetooth.UUID(EVENTS_UUID), bluetooth.FLAG_NOTIFY),
                (bluetooth.UUID(COMMANDS_UUID), bluetooth.FLAG_WRITE),
                (bluetooth.UUID(INFO_UUID), bluetooth.FLAG_READ),
            ),
        )
        self._flag = asyncio.ThreadSafeFlag()
        self._kinds = bytearray(slots)
        self._conns = array("H", [0] * slots)
        self._sizes = bytearray(slots)
        self._data = bytearray(slots * MAX_SIZE)
        self._put = 0
        self._got = 0
        self.lost_writes = 0
        self._events = self._commands = self._info = 0

    def start(self, info: bytes) -> None:
        """Offers the service with the HELLO packet `info`, and advertises."""
        ble = self._ble
        ble.config(gap_name=self._name)
        ble.irq(self._interrupt)
        ((self._events, self._commands, self._info),) = ble.gatts_register_services((self._service,))
        ble.gatts_set_buffer(self._commands, MAX_SIZE)
        ble.gatts_write(self._info, info)
        self._advertise()

    def is_on(self) -> bool:
        """Whether the radio is on."""
        return bool(self._ble.active())

    def tell(self, info: bytes) -> None:
        """Offers another HELLO packet."""
        self._ble.gatts_write(self._info, info)

    def notify(self, conn: int, packet: bytes) -> "bool | None":
        """One notification. True when the stack took it, False when it has no room now, None when it knows no such
        connection any more, whose GONE may be late."""
        try:
            self._ble.gatts_notify(conn, self._events, packet)
        except OSError as error:
            return None if error.errno in _LOST else False
        return True

    def drop(self, conn: int) -> None:
        """Ends a connection; its GONE follows as for any other."""
        try:
            self._ble.gap_disconnect(conn)
        except OSError:
            pass  # it has ended already

    async def next(self) -> tuple[int, int, bytes]:
        """The next thing that happened: (CONNECTED, conn, b""), (GONE, conn, b"") or (WRITTEN, conn, packet)."""
        while self._got == self._put:
            await self._flag.wait()
        slot = self._got % self._slots
        at = slot * MAX_SIZE
        what = self._kinds[slot]
        conn = self._conns[slot]
        data = bytes(self._data[at : at + self._sizes[slot]])
        self._got += 1
        if what != WRITTEN:
            self._advertise()
        return what, conn, data

    async def rearm(self):
        """Starts advertising again for ever."""
        while True:
            await asyncio.sleep_ms(REARM_MS)
            self._advertise()

    def _advertise(self):
        try:
            self._ble.gap_advertise(ADVERTISE_US, adv_data=self._advertising, resp_data=self._response)
        except OSError:
            pass  # some controllers cannot while connected; the next attempt is at most 30 s away

    def _interrupt(self, event, data):
        if event == _IRQ_GATTS_WRITE:
            if data[1] == self._commands:
                self._ring(WRITTEN, data[0], self._ble.gatts_read(self._commands))
        elif event == _IRQ_CENTRAL_CONNECT:
            self._ring(CONNECTED, data[0], b"")
        elif event == _IRQ_CENTRAL_DISCONNECT:
            self._ring(GONE, data[0], b"")

    def _ring(self, kind, conn, data):
        size = len(data)
        # A write may be lost, its command is repeated; a connect or disconnect may not: two places are kept for them.
        if self._put - self._got >= (self._slots - 2 if kind == WRITTEN else self._slots) or size > MAX_SIZE:
            self.lost_writes += 1
            return
        slot = self._put % self._slots
        at = slot * MAX_SIZE
        self._kinds[slot] = kind
        self._conns[slot] = conn
        self._sizes[slot] = size
        self._data[at : at + size] = data
        self._put += 1
        self._flag.set()
