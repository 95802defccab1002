"""Where a record comes from, for every `cabstand record` command: a file, standard input, an evening.

A file holds canonical lines of JSON or the notation (docs/records.md); which of the two, its first sign says.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.errors import CompanionError
from companion.event_log import store
from companion.event_log.read_only import evening_id, opened
from companion.records import evenings
from companion.tables.readable import readable
from shared_rules.records import jsonl, notation
from shared_rules.records.record import Record, RecordError

STDIN = "-"
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
