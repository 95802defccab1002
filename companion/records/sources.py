"""Where a record comes from, for every `cabstand record` command: a file, standard input, an evening.

A file holds canonical lines of JSON or the notation (docs/records.md); which of the two, its first sign says.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from companion.errors import CompanionError
from companion.event_log import store
from companion.event_log.database import BUSY_SECONDS, FILE_NAME, quoted, spoken
from companion.records import evenings
from companion.tables.readable import readable
from shared_rules.records import jsonl, notation
from shared_rules.records.record import Record, RecordError

STDIN = "-"
MOST_SIGNS = 60
"""Of a name that is told back."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read at all; a game of a whole evening has a hundredth of that."""


class BadRecordError(CompanionError):
    """There is no such record, or it does not hold. The sentence names source and line."""

    code = "bad_record"


def load(source: str, data: Path, *, names: bool = False, undone: bool = True) -> Record:
    """The record that `source` names: `-`, a path, an evening's id or title. `BadRecordError`.

    Of an evening, `names` puts people's names and the title in, `undone` also what was taken back.
    """
    if is_evening(source):
        with opened(data, source) as connection:
            stored = store.load(connection, evening_id(connection, source, data))
        with sentences(f"evening {stored.id}"), readable(stored):
            return evenings.record_of(stored, names=names, undone=undone)
    where = "standard input" if source == STDIN else source
    text = _text(source, where)
    with sentences(where):
        return read(text)


def read(text: str) -> Record:
    """The record of a text in either form. RecordError."""
    if text.lstrip().startswith("{"):
        return jsonl.read(text)
    return notation.read(text)


@contextlib.contextmanager
def sentences(source: str) -> Iterator[None]:
    """Turns what is wrong with a record into one sentence with the source's name."""
    try:
        yield
    except RecordError as error:
        raise BadRecordError(error.sentence(source)) from None


def is_evening(source: str) -> bool:
    """Whether this names an evening: it is neither standard input nor anything in the file system."""
    try:
        return source != STDIN and (not source or not Path(source).exists())
    except (OSError, ValueError):
        return True


def _text(source: str, where: str) -> str:
    try:
        if source == STDIN:
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(LARGEST + 1)
    except OSError as error:
        raise BadRecordError(f"{where} cannot be read ({error.strerror or error}).") from None
    if len(data) > LARGEST:
        raise BadRecordError(f"{where} is larger than any record.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadRecordError(f"{where}, line {line}: this is no text in UTF-8; save it as UTF-8.") from None


@contextlib.contextmanager
def opened(data: Path, wanted: str) -> Iterator[Connection]:
    """The data file for reading, beside whoever plays."""
    path = data / FILE_NAME
    if not path.is_file():
        raise BadRecordError(f"There is no file '{wanted[:MOST_SIGNS]}', and no evening is kept in {data}.")
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
    """The id of the evening with this id or title."""
    rows = store.list_evenings(connection)
    for row in rows:
        if row["id"] == wanted:
            return wanted
    titled = [row["id"] for row in rows if str(row["title"]).casefold() == wanted.casefold()]
    if len(titled) == 1:
        return str(titled[0])
    if titled:
        raise BadRecordError(f"Several evenings are called '{wanted[:MOST_SIGNS]}': {', '.join(titled)}. Give the id.")
    known = "; ".join(f"{row['id']} “{row['title']}”" for row in rows[:8])
    more = "; …" if len(rows) > 8 else ""
    there = f"Evenings: {known}{more}." if known else f"There are no evenings in {data}."
    raise BadRecordError(f"There is no file and no evening '{wanted[:MOST_SIGNS]}'. {there}")
