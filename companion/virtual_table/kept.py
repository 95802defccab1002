"""A virtual table that a companion keeps: when its process ends unasked, it is started again, once by itself, then when
somebody asks.

kept = KeptTable(flash, ("table", "die"))
await kept.start()                       # `VirtualTableNotStartedError`
await kept.bench.place_tag("04a1b2c3", 7)
await kept.start_again()                 # after it ended for the second time
await kept.stop()
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from companion.virtual_table.client import VirtualTableClient, VirtualTableGoneError
from companion.virtual_table.launch import RunningTable, VirtualTableNotStartedError, start_virtual_table

logger = logging.getLogger(__name__)

CALM_S = 60.0
"""A process that lived as long as this is started again by itself; one that ends sooner has no life in it."""
LAST_WORDS_S = 1.0
"""How long what it had to say is waited for when it is gone."""
NEWS_S = 300.0
"""How long people are told that it was started again."""


async def _nobody() -> None:
    pass


class KeptTable:
    """`state` is running, starting (it ended, and is being started), again (it runs again, and people may want to know)
    or ended (it waits for `start_again`). `bench` are the hands of the process of now; its radio stays at the same
    port. `on_back()` is awaited before anybody is told that it runs again, `on_change()` called when `state` is
    another one.
    """

    def __init__(self, flash: Path, devices: tuple[str, ...]) -> None:
        self._flash = flash
        self._devices = devices
        self.state = "running"
        self.bench: VirtualTableClient
        self.running: RunningTable
        self.on_back: Callable[[], Awaitable[None]] = _nobody
        self.on_change: Callable[[], None] = lambda: None
        self._since = 0.0
        self._again_by_itself = True
        self._watching: asyncio.Task[None] | None = None
        self._news: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Starts it for the first time. `VirtualTableNotStartedError` says why not."""
        await self._run()

    async def start_again(self) -> None:
        """Starts it after it ended; nothing happens while it runs. `VirtualTableNotStartedError` says why not."""
        async with self._starting:
            if self.state != "ended":
                return
            self._become("starting")
            try:
                await self._come_back()
            except BaseException:
                self._become("ended")
                raise

    async def stop(self) -> None:
        """Ends it for good."""
        if self._watching is not None:
            self._watching.cancel()
        if self._news is not None:
            self._news.cancel()
        self.running.words.cancel()  # whatever it still says is about us going
        await self.bench.close()
        await self.running.stop()

    def kill(self) -> None:
        """Ends it without any good-bye, and for good."""
        if self._watching is not None:
            self._watching.cancel()
        self.running.kill()

    async def _run(self, hci_port: int = 0) -> None:
        self.running = await start_virtual_table(self._flash, devices=self._devices, hci_port=hci_port)
        try:
            self.bench = await VirtualTableClient.connect(self.running.control)
        except VirtualTableGoneError as error:
            self.running.kill()
            raise VirtualTableNotStartedError(f"{error}.") from error
        self._since = asyncio.get_running_loop().time()
        self._watching = asyncio.create_task(self._watch(self.running), name="virtual table's process")

    async def _watch(self, running: RunningTable) -> None:
        status = await running.process.wait()
        await asyncio.wait({running.words}, timeout=LAST_WORDS_S)
        calm = asyncio.get_running_loop().time() - self._since >= CALM_S
        by_itself = self._again_by_itself or calm
        self._again_by_itself = False
        what_next = (
            "it is started again, and nothing of the evening is lost"
            if by_itself
            else "start it again on the devices page, or play by hand; nothing of the evening is lost"
        )
        # The terminal gets the first line, the log all of them.
        told = f"The virtual table ended unexpectedly ({_how(status)}): {what_next}."
        logger.error("\n".join((told, *running.last_words)))
        await self.bench.close()
        self._become("ended")
        if by_itself:
            # A task of its own: the one that watches the next process takes this one's place.
            self._watching = asyncio.create_task(self._try_again(), name="virtual table starts again")

    async def _try_again(self) -> None:
        try:
            await self.start_again()
        except VirtualTableNotStartedError as error:
            logger.error("The virtual table did not start again: %s Everything can be played by hand.", error)

    async def _come_back(self) -> None:
        await self._run(self.running.hci_port)
        await self.on_back()
        if not self.running.alive:
            return  # it ended meanwhile: `_watch` says so, before or after this
        self._become("again")
        if self._news is not None:
            self._news.cancel()
        self._news = asyncio.get_running_loop().call_later(NEWS_S, self._old_news)

    def _old_news(self) -> None:
        if self.state == "again":
            self._become("running")

    def _become(self, state: str) -> None:
        self.state = state
        self.on_change()


def _how(status: int) -> str:
    """A process's status in words: negative for the signal that ended it."""
    if status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return f"status {status}"
