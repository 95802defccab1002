"""The companion's own Bluetooth host on the virtual table's second controller, in this process or over a socket."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any

from bleak.exc import BleakError
from bumble.device import Device
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink
from bumble.transport.tcp_client import open_tcp_client_transport

from companion.virtual_table.radio.air import Air, TableController, random_address


def _address(number: int) -> str:
    """Two companions in one room must not have the same address."""
    return "F0:CA:C0:" + ":".join(f"{byte:02X}" for byte in number.to_bytes(3, "big"))


class Central:
    """A Bluetooth adapter that finds and reaches the virtual table; `bleak_backend` makes it fit for bleak.

    Make one with `Central.over_socket` or `Central.in_process`. It opens itself when it is first used, and again when
    the table's process was gone and is back at the same port.
    """

    def __init__(self, open_device: Callable[[], Any], close: Callable[[], Any]) -> None:
        self._open_device = open_device
        self._close_device = close
        self._device: Any = None
        self._opening = asyncio.Lock()
        self.connecting = asyncio.Lock()
        self.scanners = 0
        self.lost_callbacks: list[Callable[[], None]] = []

    @classmethod
    def over_socket(cls, port: int, host: str = "127.0.0.1") -> Central:
        """The controller that a virtual table's process offers at `port`."""
        state: dict[str, Any] = {}
        address = _address(int.from_bytes(os.urandom(3), "big"))

        async def open_device() -> Any:
            try:
                transport = await open_tcp_client_transport(f"{host}:{port}")
            except OSError as error:
                raise BleakError(f"no virtual table answers at {host}:{port}: is its process running?") from error
            state["transport"] = transport
            host_ = Host(transport.source, transport.sink)
            device = Device(name="companion", address=random_address(address), host=host_)
            transport.source.terminated.add_done_callback(lambda _: central.on_lost(device))
            return device

        async def close() -> None:
            transport = state.pop("transport", None)
            if transport is not None:
                await transport.close()

        central = cls(open_device, close)
        return central

    @classmethod
    def in_process(cls, air: Air) -> Central:
        """A controller of its own in the same air, for tests in one process."""
        state: dict[str, TableController] = {}
        air.centrals += 1
        address = _address(air.centrals)

        async def open_device() -> Any:
            controller = state["controller"] = TableController("companion", link=air)
            host = Host(controller, AsyncPipeSink(controller))
            return Device(name="companion", address=random_address(address), host=host)

        async def close() -> None:
            controller = state.pop("controller", None)
            if controller is not None:
                controller.switch_off()

        return cls(open_device, close)

    @property
    def alive(self) -> bool:
        return self._device is not None

    async def device(self) -> Any:
        """The Bumble device, powered on. Raises `BleakError` when the virtual table cannot be reached."""
        async with self._opening:
            if self._device is None:
                device = await self._open_device()
                try:
                    await asyncio.wait_for(device.power_on(), 5)
                except Exception as error:
                    await self._close_device()
                    raise BleakError(f"the virtual table's radio does not start: {error!r}") from error
                self._device = device
            return self._device

    def on_lost(self, device: Any) -> None:
        """The other end is gone: whoever is connected hears of it."""
        if self._device is not device:
            return
        self._device = None
        self.scanners = 0
        for callback in list(self.lost_callbacks):
            callback()

    async def give_up(self, device: Any) -> None:
        """A controller that owes us an answer is out of step with us: whoever is connected hears that it is over, and
        the next use opens it afresh.
        """
        if self._device is device:
            self.on_lost(device)
            with contextlib.suppress(Exception):
                await self._close_device()

    async def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            for callback in list(self.lost_callbacks):
                callback()
        with contextlib.suppress(Exception):
            await self._close_device()
