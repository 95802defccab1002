"""Devices that were met, as the data file keeps them: what the hub remembers over a restart."""

from __future__ import annotations

from typing import Protocol

from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.store import Row


class Registry(Protocol):
    """Where devices are remembered, and the newest event of each that is on disk."""

    async def load(self) -> list[Row]: ...

    async def save(self, row: Row) -> None: ...

    async def last_mark(self, device_id: str, boot_id: int) -> int: ...


class DeviceFile:
    """The data file, for the devices of one world: `real` ones are not looked for on a virtual table, and the other
    way round."""

    def __init__(self, database: Database, world: str) -> None:
        self._database = database
        self._world = world

    async def load(self) -> list[Row]:
        """All that were met in this world."""
        rows = await self._database.run(store.read_devices)
        return [row for row in rows if row["world"] == self._world]

    async def save(self, row: Row) -> None:
        """A device as it is now."""
        whole = {**row, "world": self._world}
        await self._database.run(lambda connection: store.save_device(connection, whole))

    async def last_mark(self, device_id: str, boot_id: int) -> int:
        """The whole number of the newest event of this boot that has been taken in."""
        return await self._database.run(lambda connection: store.last_mark(connection, device_id, boot_id))
