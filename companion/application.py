"""The composition root: what a page, the command line or a test holds in hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from companion.settings import Settings
from companion.tables.receipts import Json
from companion.tables.setup import EveningSetup
from companion.tables.table_actor import TableActor


@dataclass
class LinkState:
    """The link to the table: `state`, loop time since when, what the device says it is, and the last error as a sentence."""

    state: Literal["none", "searching", "connected", "lost"] = "none"
    since: float = 0.0
    device: Json | None = None
    error: str = ""
    counters: dict[str, int] = field(default_factory=dict)


class Evenings(Protocol):
    """`Application.tables`."""

    async def list_evenings(self) -> list[Json]:
        """[{"id", "title", "created_at", "last_at", "ended": bool, "entries", "seats": [{"seat", "name", "colour"}]}], newest first."""
        ...

    async def create_evening(self, setup: EveningSetup) -> TableActor: ...
    async def open(self, table_id: str) -> TableActor: ...
    async def rename(self, table_id: str, title: str) -> None: ...
    async def delete(self, table_id: str) -> None: ...
    async def forget_names(self, table_id: str) -> None: ...
    async def backup(self, path: Path) -> Path: ...
    async def restore(self, path: Path) -> None: ...


class Phones(Protocol):
    """`Application.phones`: whether phones in the house may join. None of it without a running server (`available` False)."""

    available: bool
    url: str | None
    """`http://192.168.1.20:8000` once opened, else None."""

    async def open(self) -> str: ...
    async def close(self) -> None: ...


class Application(Protocol):
    tables: Evenings
    current: TableActor | None
    link: LinkState
    bench: Any | None
    """companion.virtual_table.client.VirtualTableClient, or None."""
    phones: Phones
    allowed_hosts: set[str]
    """`host:port` values that the Host and Origin checks let in; grows when phones are asked for."""
    stopping: asyncio.Event
    """Set when everything must end: event streams finish on it."""

    @classmethod
    async def start(cls, settings: Settings) -> Application: ...
    async def close(self) -> None: ...
