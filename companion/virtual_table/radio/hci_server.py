"""Offers the companion's Bluetooth controller as HCI over a socket, so that its host may live in another process.

Each connection gets a fresh controller. When it closes, for whatever reason, the controller leaves the air and whoever
it was connected to times out: a companion that was killed looks to the firmware like one that walked away.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, cast

from bumble import core
from bumble.transport.common import PacketParser

from companion.virtual_table.radio.air import Air, TableController

log = logging.getLogger(__name__)


class _HciConnection(asyncio.Protocol):
    def __init__(self, air: Air) -> None:
        self._air = air
        self._parser = PacketParser()
        self._controller: Any = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._controller = TableController("companion", link=self._air)
        self._controller.host = self
        self._parser.set_packet_sink(self._controller)

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except core.InvalidPacketError:
            log.warning("somebody who does not speak HCI was sent away")
            if self._transport is not None:
                self._transport.abort()

    def on_packet(self, packet: bytes) -> None:
        """From the controller to its host."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(packet)

    def connection_lost(self, exc: Exception | None) -> None:
        controller, self._controller = self._controller, None
        self._transport = None
        if controller is not None:
            controller.switch_off()


async def serve_hci(air: Air, port: int = 0) -> Any:
    """An asyncio server on 127.0.0.1; port 0 takes a free one."""
    return await asyncio.get_running_loop().create_server(lambda: _HciConnection(air), "127.0.0.1", port)
