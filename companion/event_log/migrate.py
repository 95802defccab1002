"""Brings a data file to this version's schema with Alembic, in one transaction; a newer or foreign file gets one
clear sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from companion.errors import NewerDataError, StorageError

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def _script() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def known_revisions() -> list[str]:
    """All schema revisions that this version can read, oldest first."""
    return [script.revision for script in reversed(list(_script().walk_revisions()))]


def schema_of(connection: Connection) -> str | None:
    """The file's schema revision; None for an empty file. `StorageError` for a file that is none of ours."""
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None and inspect(connection).get_table_names():
        raise StorageError("This file is a database of something else, no Cabstand data. Choose another one.")
    return revision


def is_older(connection: Connection, path: Path) -> str | None:
    """The file's schema if this version must change it, None for a new or up-to-date file. `NewerDataError`."""
    revision = schema_of(connection)
    if revision is not None and revision not in known_revisions():
        raise NewerDataError(
            f"{path} comes from a newer Cabstand (schema {revision}; this one knows up to {known_revisions()[-1]}). "
            "Update Cabstand, or choose another folder with --data. Nothing was changed."
        )
    return revision if revision != known_revisions()[-1] else None


def migrate(connection: Connection, path: Path) -> None:
    """To the newest schema, within the connection's transaction. Raises `NewerDataError` for a newer file."""
    if schema_of(connection) is not None and is_older(connection, path) is None:
        return
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
