"""Whole copies of the data file while it is in use, and putting one back: checked first, the present file kept
beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from sqlalchemy import select

from companion.errors import StorageError, TamperedLogError
from companion.event_log import schema, store
from companion.event_log.database import FILE_NAME, Database, make_engine, quoted, spoken, sync
from companion.event_log.hash_chain import first_break
from companion.event_log.migrate import known_revisions, schema_of


async def make(database: Database, target: Path) -> Path:
    """A copy of the open data file at `target`, which must not exist yet. Returns it. `StorageError`: there is none
    then."""
    if target.exists():
        raise StorageError(f"{target} exists already. Choose another name; nothing was written.")
    if not target.parent.is_dir():
        raise StorageError(f"The folder {target.parent} does not exist. Make it first, or choose another one.")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
    except OSError as error:
        raise StorageError(
            f"{target} cannot be written ({error.strerror or error}). Choose another place; nothing was written."
        ) from error
    try:
        await database.run_outside(lambda connection: connection.execute("VACUUM INTO ?", (str(part),)))
        with spoken(target):
            sync(part)
            os.replace(part, target)
            sync(target.parent)
    finally:
        part.unlink(missing_ok=True)
    return target


def check(path: Path) -> int:
    """How many evenings a back-up holds, after looking it through: a sound SQLite file, a known schema, every chain
    whole. `StorageError` says what is wrong. The file is only read."""
    if not path.is_file():
        raise StorageError(f"There is no file {path}.")
    with spoken(path):
        connection = sqlite3.connect(f"file:{quoted(path)}?mode=ro&immutable=1", uri=True)
        try:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        finally:
            connection.close()
    if verdict != "ok":
        raise StorageError(f"{path} is damaged ({verdict}). Take another back-up.")
    engine = make_engine(path, read_only=True)
    try:
        with spoken(path), engine.connect() as open_file:
            revision = schema_of(open_file)
            if revision is None:
                raise StorageError(f"{path} is empty. Take another back-up.")
            if revision not in known_revisions():
                raise StorageError(
                    f"{path} was written by a newer Cabstand (schema {revision}). Update Cabstand first."
                )
            ids = [row[0] for row in open_file.execute(select(schema.evenings.c.id))]
            for table_id in ids:
                broken = first_break(store.read_log(open_file, table_id))
                if broken is not None:
                    raise TamperedLogError(
                        f"In {path} the log of an evening was changed from outside (entry {broken}).", table_id, broken
                    )
    finally:
        engine.dispose()
    return len(ids)


async def restore(database: Database, path: Path, *, stamp: str) -> Path:
    """Puts a back-up in the place of the open data file; the present one stays beside it as `before-restore-STAMP.db`,
    whose path is the answer. `StorageError`: the present data are still in place and open."""
    check(path)
    live = database.path
    aside = await make(database, live.with_name(f"before-restore-{stamp}.db"))
    fresh = live.with_name(FILE_NAME + ".restoring")
    try:
        with spoken(live):
            shutil.copyfile(path, fresh)
            sync(fresh)
        await database.swap(fresh)
    finally:
        fresh.unlink(missing_ok=True)
    return aside
