"""The composition root: what a page, the command line or a test holds in hand.

application = await Application.start(Settings(data_dir=…, table="none"))
table = await application.tables.create_evening(EveningSetup([SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]))
await table.throw("d6", seat=1, command_id="1", actor="bank")
await application.close()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from companion.devices.facts import Fact, TableSnapshot
from companion.devices.hardware import Hardware, start_hardware
from companion.devices.hub import DeviceHub
from companion.devices.link_state import LinkState
from companion.devices.registry import DeviceFile
from companion.errors import CompanionError
from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.store import InboxMark
from companion.phones import NoPhones, Phones
from companion.settings import Settings
from companion.tables import lights
from companion.tables.evenings import Evenings
from companion.tables.lay_out import lay_out
from companion.tables.mailboxes import Mailboxes
from companion.tables.presets import Presets
from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 1.8
"""What must not take longer, whatever hangs."""


class Application:
    """Everything that runs. `tables` are the evenings, `presets` saved house rules, `current` the open evening,
    `devices` the hub of all devices, `link` the sum of the links to them, `bench` the virtual table's hands (None
    without one), `phones` whether phones may join, `allowed_hosts` the `host:port` values that a request may name,
    `stopping` is set when all must end, `trouble` a sentence about something that went wrong at the start (the last
    evening is damaged, say)."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings = settings
        self.database = database
        self.tables = Evenings(database, settings)
        self.presets = Presets(database, settings.now)
        self.link = LinkState()
        self.phones: Phones = NoPhones()
        self.allowed_hosts: set[str] = set()
        self.stopping = asyncio.Event()
        self.witness: Callable[[Fact], None] | None = None
        """Hears every fact before it means anything; for a bench that records."""
        self.trouble = ""
        self.tasks: set[asyncio.Task[Any]] = set()
        """All tasks that run beside the open table's: a test that plays a crash cancels them and drops the rest."""
        self._changes = Mailboxes()
        self.devices = self._hub(None)
        self._hardware: Hardware | None = None

    @classmethod
    async def start(cls, settings: Settings) -> Application:
        """Opens the data, goes on with the evening that was not finished, starts to look for the table.
        `CompanionError` says why not."""
        database = await Database.open(settings.data_dir, on_loop=settings.database_on_loop)
        application = cls(settings, database)
        try:
            await application._begin()
        except BaseException:
            await application.close()
            raise
        return application

    @property
    def current(self) -> TableActor | None:
        """The evening that is open."""
        return self.tables.current

    @property
    def bench(self) -> Any | None:
        """The virtual table's hands (`companion.virtual_table.client`), None at any other table."""
        return self._hardware.bench if self._hardware is not None else None

    @property
    def virtual(self) -> Any | None:
        """The virtual table that was started with the companion (`companion.virtual_table.kept`), None at any other."""
        return self._hardware.virtual if self._hardware is not None else None

    def subscribe(self) -> AsyncIterator[int]:
        """Wakes when the link, the open evening or the phones have changed; for pages without a table."""
        return self._changes.listen(lambda: self.current.seq if self.current else 0)

    def touch(self) -> None:
        """Something that pages show has changed."""
        self._changes.publish()
        if self.current is not None:
            self.current.touch()

    async def close(self) -> None:
        """Ends all of it in a second or two: streams, pages, link, virtual table, the table's task, the file."""
        self.stopping.set()
        self._changes.close()
        ends = [asyncio.create_task(self._end_hardware()), asyncio.create_task(self.phones.stop())]
        done, late = await asyncio.wait(ends, timeout=CLOSE_SECONDS)
        for task in late:
            task.cancel()
        for task in done:
            if (error := task.exception()) is not None:
                logger.error("while closing: %s", error, exc_info=error)
        await self.tables.leave()
        await self.database.close()

    async def _end_hardware(self) -> None:
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=CLOSE_SECONDS / 2)
        if self._hardware is not None:
            await self._hardware.close()

    # The sink of facts

    async def take(self, fact: Fact) -> None:
        """A fact of a device; without an open evening it is taken in and means nothing."""
        if self.witness is not None:
            self.witness(fact)
        table = self.current
        if table is not None:
            await table.observe(fact)
            self._show()
        else:
            mark = InboxMark(fact.origin.device_id, fact.origin.boot_id, fact.origin.seq)
            await self.database.run(lambda connection: store.save_mark(connection, mark))
            self.devices.taken_in(mark)

    async def see(self, snapshot: TableSnapshot) -> None:
        """How a device's part of the table lies now."""
        if self.current is not None:
            await self.current.see(snapshot)
            self._show()

    # Parts

    async def _begin(self) -> None:
        self.tables.on_change = self._other_table
        if self.settings.resume:
            await self._resume()
        self._hardware = await start_hardware(self.settings)
        if self._hardware.trouble:
            self.trouble = self._hardware.trouble
        if (kept := self._hardware.virtual) is not None:
            kept.on_back, kept.on_change = self._virtual_is_back, self.touch
        await self._lay_out()
        self.devices = self._hub(self._hardware)
        await self.devices.open()
        if self._hardware.has_radio or self._hardware.ports:
            self._spawn(self.devices.run(), "devices")
        self._controllers()
        self._show()

    def _hub(self, hardware: Hardware | None) -> DeviceHub:
        settings = hardware.settings if hardware is not None else self.settings
        registry = DeviceFile(self.database, hardware.world if hardware is not None else "real")
        radio = hardware is not None and hardware.has_radio
        ports = hardware.ports if hardware is not None else ()
        hub = DeviceHub(settings, self, registry, self.link, radio=radio, ports=ports)
        hub.own_numbers = hardware.numbers if hardware is not None else {}
        hub.on_change = self.touch
        hub.on_news = self._changes.publish
        hub.on_controllers = self._controllers
        return hub

    async def _resume(self) -> None:
        unfinished = next((row for row in await self.tables.list_evenings() if not row["ended"]), None)
        if unfinished is not None:
            try:
                await self.tables.open(unfinished["id"])
            except CompanionError as error:
                self.trouble = str(error)
                logger.error("%s", error)

    async def _lay_out(self) -> None:
        """A virtual table that starts with the companion has the pieces of the evening that goes on where they were."""
        hardware, table = self._hardware, self.current
        if hardware is None or hardware.bench is None or not hardware.fresh or table is None:
            return
        try:
            await lay_out(table, hardware.bench)
        except CompanionError as error:
            self.trouble = str(error)
            logger.error("%s", error)

    async def _virtual_is_back(self) -> None:
        """Its process is another one, with nothing on its readers."""
        assert self._hardware is not None
        assert self._hardware.virtual is not None
        self._hardware.bench = self._hardware.virtual.bench
        await self._lay_out()

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s ended: %s", task.get_name(), error, exc_info=error)

    def _other_table(self, table: TableActor | None) -> None:
        if table is not None:
            table.on_taken_in = lambda mark: self.devices.taken_in(mark)  # an evening is there before its devices are
            table.on_published = lambda events: self._follow(table, events)
            self._controllers()
            self._spawn(self.devices.ask_snapshots(), "snapshots")
        self._show()
        self._changes.publish()

    def _follow(self, table: TableActor, events: list[Json]) -> None:
        if not self.devices.searching:
            return
        for look, seconds, leds in lights.passed(table, events):
            self.devices.output.flash(look, seconds, leds)
        self._show()

    def _show(self) -> None:
        if not self.devices.searching:
            return
        try:
            show = lights.show(self.current) if self.current is not None else lights.nobody_plays()
        except Exception:  # lights are output only: the game goes on without
            logger.exception("the lights could not be worked out")
        else:
            self.devices.output.show(show)

    def _controllers(self) -> None:
        """Controllers came, went, or have other numbers: the open evening's table has other sockets."""
        if self.current is not None:
            self.current.controllers(self.devices.controllers())
