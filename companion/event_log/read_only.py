"""The data file for reading, beside whoever plays, and which evening a name means; for commands that only look."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from companion.errors import CompanionError
from companion.event_log import store
from companion.event_log.database import BUSY_SECONDS, FILE_NAME, quoted, spoken

MOST_SIGNS = 60
"""Of a name that is told back."""
MOST_TOLD = 8
"""Evenings that are named where the wanted one is not there."""


class NoEveningError(CompanionError):
    """There is no such evening, or more than one. The sentence says which there are."""

    code = "no_evening"


@contextlib.contextmanager
def opened(data: Path, wanted: str) -> Iterator[Connection]:
    """A connection that changes nothing. `NoEveningError` where nothing was ever kept."""
    path = data / FILE_NAME
    if not path.is_file():
        raise NoEveningError(f"There is no file '{wanted[:MOST_SIGNS]}', and no evening is kept in {data}.")
    engine = create_engine(
        "sqlite+pysqlite://",
        creator=lambda: sqlite3.connect(f"file:{quoted(path)}?mode=ro", uri=True, timeout=BUSY_SECONDS),
        poolclass=StaticPool,
    )
    try:
        with spoken(path), engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def evening_id(connection: Connection, wanted: str, data: Path) -> str:
    """The id of the evening with this id or title. `NoEveningError`."""
    rows = store.list_evenings(connection)
    for row in rows:
        if row["id"] == wanted:
            return wanted
    titled = [row["id"] for row in rows if str(row["title"]).casefold() == wanted.casefold()]
    if len(titled) == 1:
        return str(titled[0])
    if titled:
        raise NoEveningError(f"Several evenings are called '{wanted[:MOST_SIGNS]}': {', '.join(titled)}. Give the id.")
    known = "; ".join(f"{row['id']} “{row['title']}”" for row in rows[:MOST_TOLD])
    more = "; …" if len(rows) > MOST_TOLD else ""
    there = f"Evenings: {known}{more}." if known else f"There are no evenings in {data}."
    raise NoEveningError(f"There is no file and no evening '{wanted[:MOST_SIGNS]}'. {there}")
