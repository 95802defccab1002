"""A cable in virtual time: the companion's own link over one, at the pair of bytes that stands for a serial port there.

When the plug is pulled the port vanishes, as that of a USB device does; while it is away no port is found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.devices.serial_link import SerialLink
from companion.devices.serial_port import SerialPort
from shared_rules.wire.serial_frames import FrameReader, encode_frame

if TYPE_CHECKING:
    from companion.devices.hub import DeviceHub
    from companion.virtual_table.table import VirtualTable

LOOK_SECONDS = 0.05
"""How soon a host notices that a USB device is gone."""


class PairPort(SerialPort):
    """`SerialPort` over a `SerialEnd`: bytes as the line brings them, `gone` when the plug is pulled."""

    def __init__(self, table: VirtualTable, device: str) -> None:
        self.path = f"the cable of {device}"
        self.gone = asyncio.Event()
        self._cable = table.device(device).board.cable
        self._end: Any = table.serial_pair(device)
        self._reader = FrameReader()
        self._feed: Callable[[bytes], None] = lambda packet: None
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._watch())]

    async def send(self, packet: bytes) -> None:
        if self.gone.is_set():
            raise ConnectionResetError("the port is gone")
        self._end.write(encode_frame(packet))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._end.close()

    async def _read(self) -> None:
        while data := await self._end.read():
            for packet in self._reader.feed(data):
                self._feed(bytes(packet))

    async def _watch(self) -> None:
        while self._cable.plugged:
            await asyncio.sleep(LOOK_SECONDS)
        self.gone.set()


class PairLink(SerialLink):
    """The companion's link over one cable of a virtual table in the same process."""

    def __init__(self, hub: DeviceHub, table: VirtualTable, device: str) -> None:
        super().__init__(hub, device)
        self._table, self._device = table, device

    async def _find(self) -> str | None:
        return self._device if self._table.device(self._device).board.cable.plugged else None

    def _open(self, path: str) -> SerialPort:
        return PairPort(self._table, path)


def cable_of(table: VirtualTable, device: str) -> Callable[[DeviceHub], SerialLink]:
    """Makes the link over the cable of a device."""
    return partial(PairLink, table=table, device=device)
