"""A talk with one device over one connection, from its HELLO to its loss; the same over the air and over a cable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from companion.devices.dialogue import Dialogue, Sink
from companion.devices.known_device import KnownDevice
from companion.devices.reconnect import BusyError, LinkLostError, WrongTableError, explain
from shared_rules.wire.messages import Message

REFUSED_SECONDS = 10.0
"""How long a device that cannot take part is left alone."""


class Channel(Protocol):
    """A connection: packets either way; `gone` is set when it ends by itself."""

    way: str
    gone: asyncio.Event

    async def send(self, packet: bytes) -> None: ...

    async def listen(self, feed: Callable[[bytes], None]) -> None: ...


class Host(Protocol):
    """Whom links belong to: the hub."""

    companion_id: int
    heartbeat_timeout: float

    async def last_mark(self, device_id: str, boot_id: int) -> int: ...

    def sink_for(self, device: KnownDevice) -> Sink: ...

    async def joined(self, device: KnownDevice, dialogue: Dialogue) -> Callable[[], Coroutine[Any, Any, None]]:
        """A device has resumed; what comes back runs for as long as the talk."""
        ...

    def left(self, device: KnownDevice, dialogue: Dialogue) -> None: ...

    def heard(self, device: KnownDevice) -> None: ...


async def converse(host: Host, device: KnownDevice, hello: Message, channel: Channel) -> None:
    """Until the link ends, which it always does with an error: `LinkLostError`, `BusyError`, `NotOursError`,
    `TimeoutError`, or whatever the radio throws."""
    state = device.state
    met_before = state.boot_id == int(hello.fields["boot_id"])
    device.says_hello(hello)
    last = await host.last_mark(device.id, state.boot_id)
    dialogue = Dialogue(
        hello,
        last,
        host.companion_id,
        device.numbers,
        channel.send,
        host.sink_for(device),
        state.counters,
        device.key,
        must_prove=state.paired,
        met_before=met_before,
    )

    def news(name: str, fields: dict[str, Any]) -> None:
        device.hears_news(name, fields)
        host.heard(device)

    dialogue.on_news = news
    device.dialogue = dialogue
    tasks: list[asyncio.Task[None]] = []
    try:
        await channel.listen(dialogue.feed)
        # Not a group of tasks: before Python 3.13 a write that fails while a group ends leaves its task marked as
        # cancelled, and the device would never be looked for again.
        tasks += asyncio.create_task(dialogue.run()), asyncio.create_task(_talk(host, device, dialogue, channel))
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        error = _over(device, "went away" if channel.gone.is_set() else "fell silent")
        device.lost(error)
    except Exception:
        if state.state == "connected":
            device.lost(_over(device, "went away"))
        raise
    finally:
        for task in tasks:
            task.cancel()
        if device.dialogue is dialogue:
            device.dialogue = None
        host.left(device, dialogue)
        await asyncio.gather(*tasks, return_exceptions=True)
        await dialogue.settle()
    raise LinkLostError(error)


def tell(device: KnownDevice, error: BaseException) -> float | None:
    """Says in the device's state why there is no link; how long to wait until the next attempt, None for the usual
    time."""
    if isinstance(error, BusyError):
        device.change("lost" if device.state.state == "lost" else "searching", explain(error))
        return error.retry_after
    if isinstance(error, WrongTableError):
        device.state.name = device.state.name or device.nameless
        device.change("refused", explain(error))
        return REFUSED_SECONDS
    if device.asleep or device.state.state in ("lost", "connected"):
        device.lost(explain(error))
    else:
        device.change("searching", explain(error))
    return None


async def _talk(host: Host, device: KnownDevice, dialogue: Dialogue, channel: Channel) -> None:
    """From the RESUME until nothing comes any more."""
    await dialogue.resume()
    work = await host.joined(device, dialogue)
    moved, device.state.way = device.state.way != channel.way, channel.way
    device.asleep = False
    device.change("connected")
    if moved:  # from the air to its cable, without having been away
        device.on_change()
    dialogue.welcome()
    tasks = [asyncio.create_task(work()), asyncio.create_task(_until_silent(host, device, dialogue, channel))]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _over(device: KnownDevice, how: str) -> str:
    """By the name that it has then: it may have been renamed since the talk began."""
    return f"{device.state.name} {how}. It is looked for; the game goes on by hand meanwhile."


async def _until_silent(host: Host, device: KnownDevice, dialogue: Dialogue, channel: Channel) -> None:
    loop = asyncio.get_running_loop()
    while not channel.gone.is_set():
        left = host.heartbeat_timeout - (loop.time() - dialogue.heard_at)
        if left < 0.001:  # less than a clock can tell apart from nothing
            device.state.counters["silences"] = device.state.counters.get("silences", 0) + 1
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                await channel.gone.wait()
