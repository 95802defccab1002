"""The data file and the one thread that may touch it: engine, pragmas, error sentences.

SQLite in WAL with `synchronous=FULL`: a commit that has returned is on disk. Writes open with BEGIN IMMEDIATE,
since a read that upgrades itself fails at once and heeds no timeout. All calls are plain SQLAlchemy on one writer
thread; `on_loop=True` runs them where they are called instead, for tests in virtual time, where a thread's work is
invisible.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import StaticPool

from companion.errors import ConflictError, StorageError
from companion.event_log.migrate import is_older, known_revisions, migrate

T = TypeVar("T")

FILE_NAME = "cabstand.db"
BUSY_SECONDS = 2.0
"""How long a write waits for another program that holds the file."""


def make_engine(path: Path, *, busy_seconds: float = BUSY_SECONDS, read_only: bool = False) -> Engine:
    """An engine with this file's pragmas, on one connection. Nothing is opened yet. `read_only` writes nothing, not
    even beside the file."""
    where = f"file:{quoted(path)}" + ("?mode=ro&immutable=1" if read_only else "")
    engine = create_engine(
        "sqlite+pysqlite://",
        creator=lambda: sqlite3.connect(
            where, uri=True, timeout=busy_seconds, check_same_thread=False, isolation_level=None
        ),
        poolclass=StaticPool,
    )
    if read_only:
        return engine

    @event.listens_for(engine, "connect")
    def _pragmas(connection: sqlite3.Connection, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def quoted(path: Path) -> str:
    """A path inside a `file:` address."""
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


@contextlib.contextmanager
def spoken(path: Path) -> Iterator[None]:
    """Turns the driver's errors into one sentence that says what to do."""
    try:
        yield
    except IntegrityError as error:
        raise ConflictError(
            "Another companion wrote to this evening at the same moment. It "
            "was read again; please look, then try again."
        ) from error
    except DBAPIError as error:
        raise StorageError(_sentence(path, str(error.orig))) from error
    except sqlite3.Error as error:
        raise StorageError(_sentence(path, str(error))) from error
    except OSError as error:
        raise StorageError(
            f"{path}: {error.strerror or error}. Check the folder, or choose another one with --data."
        ) from error


def _sentence(path: Path, text: str) -> str:
    lower = text.lower()
    if "locked" in lower or "busy" in lower:
        return f"Another program holds {path}. Close it and try again; nothing was changed."
    if "full" in lower:
        return f"The disk is full: {path} could not be written, and nothing was changed. Free some space and try again."
    if "readonly" in lower or "read-only" in lower:
        return f"{path} may not be written. Give yourself the right to write it, or choose another folder with --data."
    if "not a database" in lower or "malformed" in lower:
        return (
            f"{path} is damaged or no Cabstand data. Put a back-up in its place (cabstand "
            "restore), or choose another folder with --data."
        )
    if "unable to open" in lower:
        return (
            f"{path} cannot be opened. Check that its folder exists and may be "
            "written, or choose another one with --data."
        )
    return f"{path} could not be used ({text}); nothing was changed."


class Database:
    """The open data file. `await run(f)` calls `f(connection)` inside one transaction; what it returns is on disk
    when `run` returns."""

    def __init__(self, path: Path, engine: Engine, executor: ThreadPoolExecutor | None) -> None:
        self.path = path
        self.engine = engine
        self.on_loop = executor is None
        self._executor = executor

    @classmethod
    async def open(cls, data_dir: Path, *, on_loop: bool = False, busy_seconds: float = BUSY_SECONDS) -> Database:
        """Opens `data_dir/cabstand.db`, makes or migrates it. `StorageError` says in one sentence why not
        (`NewerDataError` for a newer file)."""
        path = data_dir / FILE_NAME
        executor = None if on_loop else ThreadPoolExecutor(max_workers=1, thread_name_prefix="cabstand-log")
        database = cls(path, make_engine(path, busy_seconds=busy_seconds), executor)
        preparing = asyncio.ensure_future(database._call(lambda: _prepare(database.engine, path)))
        try:
            await asyncio.shield(preparing)
        except BaseException:
            # Given up (Ctrl-C): what was begun with the file ends before anybody opens it again.
            await asyncio.wait({preparing})
            database.dispose()
            raise
        return database

    async def run(self, work: Callable[[Connection], T]) -> T:
        """One transaction. Any failure rolls all of it back and comes as `StorageError`, or as what `work` itself
        raised."""

        def transaction() -> T:
            with spoken(self.path), self.engine.begin() as connection:
                return work(connection)

        return await self._call(transaction)

    async def run_outside(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """For what SQLite does outside transactions only (VACUUM), on the driver's own connection."""

        def outside() -> T:
            with spoken(self.path), contextlib.closing(self.engine.raw_connection()) as borrowed:
                connection = borrowed.driver_connection
                assert isinstance(connection, sqlite3.Connection)
                return work(connection)

        return await self._call(outside)

    async def _call(self, function: Callable[[], T]) -> T:
        if self._executor is None:
            return function()
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)

    async def swap(self, fresh: Path) -> None:
        """Puts the file `fresh` (in the same folder) in the place of the data file and opens it, migrated if it is
        older. `StorageError`: the present file is still in place and open."""

        def work() -> None:
            self.engine.dispose()
            try:
                with spoken(self.path):
                    for suffix in ("-wal", "-shm"):
                        self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                    os.replace(fresh, self.path)
                    sync(self.path.parent)
            finally:
                self.engine = make_engine(self.path)
            _prepare(self.engine, self.path)

        await self._call(work)

    async def close(self) -> None:
        """Closes the file and ends the thread."""
        await self._call(self.engine.dispose)
        self.dispose()

    def dispose(self) -> None:
        """The same without waiting for it. A transaction that is on its way ends first: SQLite does not survive that
        a connection is closed under the thread that uses it."""
        if self._executor is None:
            self.engine.dispose()
            return
        with contextlib.suppress(RuntimeError):  # closed already
            self._executor.submit(self.engine.dispose)
        self._executor.shutdown(wait=False)


def sync(path: Path) -> None:
    """Has a file or folder written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prepare(engine: Engine, path: Path) -> None:
    """Makes an empty file ours, brings an older one to this version's schema after a copy of it has been made."""
    with spoken(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # An evening holds what is secret in the game: no other account of this machine may read it.
        path.touch(mode=0o600)
        with engine.begin() as connection:
            older = is_older(connection, path)
        if older is not None:
            copy = path.with_name(f"before-schema-{known_revisions()[-1]}-from-{older}.db")
            copy.unlink(missing_ok=True)
            copy.touch(mode=0o600)
            with contextlib.closing(engine.raw_connection()) as borrowed:
                borrowed.cursor().execute("VACUUM INTO ?", (str(copy),))
            sync(copy)
        with engine.begin() as connection:
            migrate(connection, path)
