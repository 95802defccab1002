"""Keeps the link over one cable up: wait for the port, ask who is there, talk, wait again. A port that vanishes is one
clear line, and its return is enough."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Protocol

from companion.devices import talk
from companion.devices.known_device import Cable, KnownDevice
from companion.devices.reconnect import (
    Backoff,
    LinkLostError,
    NotOursError,
    NotWantedError,
    first_of,
    if_cancelled,
)
from companion.devices.serial_port import PortError, SerialPort, no_port, path_of
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import DONE, Message, WireError, decode, encode

logger = logging.getLogger(__name__)

HELLO_SECONDS = 1.0
HELLO_TRIES = 3
LOOK_SECONDS = 0.5
"""How often a port that is not there is looked for."""


class CableHost(talk.Host, Protocol):
    """The hub, as cables need it."""

    async def on_cable(self, hello: Message, cable: Cable) -> KnownDevice:
        """The device that says this, its link over the air ended. `NotWantedError`: it was forgotten."""
        ...

    def off_cable(self, device: KnownDevice) -> None: ...

    def port_says(self, wanted: str, sentence: str) -> None: ...


class SerialLink:
    """One cable; `wanted` is the path of its port, or the serial number of a USB device. `once`: gives up when nobody
    of ours answers, or the port is gone."""

    def __init__(self, host: CableHost, wanted: str, *, once: bool = False) -> None:
        self._host = host
        self._wanted = wanted
        self._once = once
        self._backoff = Backoff()
        self._said = ""
        self._refused: KnownDevice | None = None
        self._key_wanted = asyncio.Event()

    def pair_anew(self) -> None:
        """The device that was refused here gets its new key at once."""
        self._key_wanted.set()

    async def run(self) -> None:
        """For ever, until cancelled."""
        try:
            while True:
                wait = await self._try()
                if self._once and wait is None:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS if wait is None else wait):
                        await self._key_wanted.wait()
        finally:
            self._host.port_says(self._wanted, "")

    async def _try(self) -> float | None:
        """One attempt; how long to wait before the next, None while nobody is there."""
        anew = self._refused if self._key_wanted.is_set() else None
        self._key_wanted.clear()
        path = await self._find()
        if path is None:
            self._refuses(None)
            self._say(no_port(self._wanted))
            return None
        device: KnownDevice | None = None
        port: SerialPort | None = None
        try:
            port = self._open(path)
            hello = await self._hello(port)
            if hello is None:
                self._say(f"Nobody of ours answers at {path}. Is it the device’s own port, and switched on?")
                return None if self._once else self._backoff.wait()
            device = await self._host.on_cable(hello, port)
            self._say("")
            if device is anew:  # nobody else who was plugged in meanwhile
                await self._give_key(device, port)
            self._refuses(None)
            await talk.converse(self._host, device, hello, port)
        except asyncio.CancelledError:
            raise
        except NotWantedError:
            self._say("")
            return talk.REFUSED_SECONDS
        except PortError as error:
            self._say(str(error))
            return self._backoff.wait()
        except Exception as broken:  # whatever a port throws: the device must come back by itself
            if_cancelled()
            return self._tell(device, port, first_of(broken))
        finally:
            if port is not None:
                port.close()
            if device is not None:
                self._host.off_cable(device)
        return None

    async def _find(self) -> str | None:
        return await asyncio.to_thread(path_of, self._wanted)

    def _open(self, path: str) -> SerialPort:
        return SerialPort(path)

    def _tell(self, device: KnownDevice | None, port: SerialPort | None, error: BaseException) -> float | None:
        if device is not None and device.forgotten:
            return talk.REFUSED_SECONDS
        if port is not None and port.gone.is_set():
            self._say(f"The port {port.path} has gone. It is waited for; plug the cable in again.")
            self._backoff.reset()
            return None
        logger.info("%s: %s: %s", self._wanted, type(error).__name__, error)
        if isinstance(error, LinkLostError):
            self._backoff.reset()
        wait = talk.tell(device, error) if device is not None else None
        if device is not None and isinstance(error, NotOursError):
            self._refuses(device)
        return self._backoff.wait() if wait is None else wait

    def _refuses(self, device: KnownDevice | None) -> None:
        """Which device on this cable refuses this companion, if any."""
        if self._refused is not None and self._refused is not device:
            self._refused.lead, self._refused.state.takes_key = None, False
        self._refused = device
        if device is not None:
            device.lead, device.state.takes_key = self, True
            device.on_change()

    async def _give_key(self, device: KnownDevice, port: SerialPort) -> None:
        """PAIR, which a device takes from whoever has it on a cable, with or without a session."""
        taken = asyncio.Event()
        number = device.numbers.next()

        def feed(packet: bytes) -> None:
            with suppress(WireError):
                message = decode(packet, TO_COMPANION)
                if message.name == "RESULT" and (message.ref, message.fields["status"]) == (number, DONE):
                    taken.set()

        await port.listen(feed)
        for _ in range(HELLO_TRIES):
            await port.send(encode("PAIR", number, 0, {"key": device.key}))
            with suppress(TimeoutError):
                async with asyncio.timeout(HELLO_SECONDS):
                    await taken.wait()
                    return

    async def _hello(self, port: SerialPort) -> Message | None:
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        def feed(packet: bytes) -> None:
            try:
                message = decode(packet, TO_COMPANION)
            except WireError:
                return
            if message.name == "HELLO" and not answer.done():
                answer.set_result(message)

        await port.listen(feed)
        for _ in range(HELLO_TRIES):
            await port.send(encode("ASK_HELLO", 0, 0, {}))
            try:
                async with asyncio.timeout(HELLO_SECONDS):
                    return await asyncio.shield(answer)
            except TimeoutError:
                if port.gone.is_set():
                    raise ConnectionResetError("the port is gone") from None
        return None

    def _say(self, sentence: str) -> None:
        """Once for each thing that there is to say."""
        if sentence != self._said:
            self._said = sentence
            if sentence:
                logger.warning("%s", sentence)
            self._host.port_says(self._wanted, sentence)
