"""Reading and writing the log, for table actors: plain functions on a connection, to be run inside one transaction
by `Database.run`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from companion.errors import TamperedLogError, UnknownEveningError
from companion.event_log import schema
from companion.event_log.hash_chain import Entry, canonical, first_break

Row = dict[str, Any]
"""A row of the data file by column."""

_COLUMNS = {"command": "command_text", "events": "events_text", "evidence": "evidence_text"}


@dataclass(frozen=True)
class Snapshot:
    """A stored position: what counts after entry `seq`."""

    table_id: str
    seq: int
    rules_revision: str
    position: str
    state_hash: str


@dataclass(frozen=True)
class InboxMark:
    """Everything of this device's boot up to `seq` has been taken in."""

    device_id: str
    boot_id: int
    seq: int


@dataclass(frozen=True)
class TagRow:
    """Which piece of an evening a tag is; `mark` says what that piece is in every evening."""

    piece: str
    mark: str
    uid: str


@dataclass(frozen=True)
class StoredEvening:
    """An evening as it lies in the file, its chain verified."""

    id: str
    title: str
    game: str
    setup: dict[str, Any]
    created_at: str
    ended_at: str | None
    seats: list[dict[str, Any]]
    tags: list[TagRow]
    log: list[Entry]
    snapshot: Snapshot | None


def append(
    connection: Connection,
    entries: list[Entry],
    *,
    mark: InboxMark | None = None,
    snapshot: Snapshot | None = None,
    drop_snapshots_from: int | None = None,
    ended: bool | None = None,
) -> None:
    """Entries, the inbox position of the fact that caused them and a snapshot: all of it or nothing. A second
    writer of the same table fails on the primary key. `drop_snapshots_from` throws away positions that an undo has
    made untrue; `ended` notes or takes back the end of the evening."""
    for entry in entries:
        row = asdict(entry)
        for column, attribute in _COLUMNS.items():
            row[column] = row.pop(attribute)
        connection.execute(insert(schema.entries).values(**row))
    if entries:
        last = entries[-1]
        changes: dict[str, Any] = {"last_at": last.at}
        if ended is not None:
            changes["ended_at"] = last.at if ended else None
        connection.execute(update(schema.evenings).where(schema.evenings.c.id == last.table_id).values(**changes))
        if drop_snapshots_from is not None:
            table = schema.snapshots
            connection.execute(
                delete(table).where(table.c.table_id == last.table_id, table.c.seq >= drop_snapshots_from)
            )
    if snapshot is not None:
        connection.execute(insert(schema.snapshots).values(**asdict(snapshot)))
    if mark is not None:
        save_mark(connection, mark)


def save_mark(connection: Connection, mark: InboxMark) -> None:
    """Moves the device's position forward, never back."""
    table = schema.inbox
    statement = upsert(table).values(device_id=mark.device_id, boot_id=mark.boot_id, last_seq=mark.seq)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["device_id", "boot_id"],
            set_={"last_seq": func.max(table.c.last_seq, statement.excluded.last_seq)},
        )
    )


def last_mark(connection: Connection, device_id: str, boot_id: int) -> int:
    """The newest sequence number taken in from this boot of this device, 0 if none was."""
    table = schema.inbox
    found = connection.execute(
        select(table.c.last_seq).where(table.c.device_id == device_id, table.c.boot_id == boot_id)
    ).scalar_one_or_none()
    return int(found or 0)


def read_log(connection: Connection, table_id: str) -> list[Entry]:
    """All entries of an evening in order, as they are stored."""
    table = schema.entries
    rows = connection.execute(select(table).where(table.c.table_id == table_id).order_by(table.c.seq))
    return [Entry(**{_COLUMNS.get(key, key): value for key, value in row._asdict().items()}) for row in rows]


def create(
    connection: Connection,
    evening: dict[str, Any],
    seats: list[dict[str, Any]],
    first: Entry,
    tags: Sequence[TagRow] = (),
) -> None:
    """A new evening with its first entry."""
    connection.execute(insert(schema.evenings).values(**evening))
    for seat in seats:
        connection.execute(insert(schema.seats).values(table_id=evening["id"], **seat))
    for tag in tags:
        save_tag(connection, evening["id"], tag)
    append(connection, [first])


def load(connection: Connection, table_id: str) -> StoredEvening:
    """An evening with its newest snapshot. `UnknownEveningError`; `TamperedLogError` if its chain does not hold."""
    table = schema.evenings
    row = connection.execute(select(table).where(table.c.id == table_id)).mappings().one_or_none()
    if row is None:
        raise UnknownEveningError("There is no such evening here (any more).")
    log = read_log(connection, table_id)
    broken = first_break(log) if log else 1
    if broken is not None:
        raise TamperedLogError(
            f"The log of “{row['title']}” was changed from outside at entry "
            f"{broken}: its chain of hashes does not hold. "
            "Restore a back-up, or delete this evening.",
            table_id,
            broken,
        )
    setup = _object(row["setup"])
    if setup is None:
        raise TamperedLogError(
            f"How “{row['title']}” was set up was changed from outside and cannot be read. "
            "Restore a back-up, or delete this evening.",
            table_id,
        )
    shots = schema.snapshots
    newest = connection.execute(
        select(shots).where(shots.c.table_id == table_id).order_by(shots.c.seq.desc()).limit(1)
    ).mappings().one_or_none()  # fmt: skip
    return StoredEvening(
        id=row["id"],
        title=row["title"],
        game=row["game"],
        setup=setup,
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        seats=read_seats(connection, table_id),
        tags=read_tags(connection, table_id),
        log=log,
        snapshot=Snapshot(**newest) if newest else None,
    )


def newest_snapshot_before(connection: Connection, table_id: str, seq: int) -> Snapshot | None:
    """The newest stored position that does not hold entry `seq` yet."""
    shots = schema.snapshots
    row = connection.execute(
        select(shots).where(shots.c.table_id == table_id, shots.c.seq < seq).order_by(shots.c.seq.desc()).limit(1)
    ).mappings().one_or_none()  # fmt: skip
    return Snapshot(**row) if row else None


def read_seats(connection: Connection, table_id: str) -> list[dict[str, Any]]:
    """[{"seat", "name", "colour", "bot"}] in order."""
    table = schema.seats
    rows = connection.execute(
        select(table.c.seat, table.c.name, table.c.colour, table.c.bot)
        .where(table.c.table_id == table_id)
        .order_by(table.c.seat)
    ).mappings()
    return [dict(row) for row in rows]


def read_tags(connection: Connection, table_id: str) -> list[TagRow]:
    """The tags of an evening's pieces."""
    table = schema.tags
    rows = connection.execute(
        select(table.c.piece, table.c.mark, table.c.uid).where(table.c.table_id == table_id).order_by(table.c.piece)
    )
    return [TagRow(*row) for row in rows]


def known_tags(connection: Connection) -> dict[str, str]:
    """Mark → uid, as the evening played last had it: pieces once learnt are known on the next evening."""
    table, evenings = schema.tags, schema.evenings
    rows = connection.execute(
        select(table.c.mark, table.c.uid)
        .join(evenings, evenings.c.id == table.c.table_id)
        .order_by(evenings.c.last_at.desc(), evenings.c.id, table.c.piece)
    )
    found: dict[str, str] = {}
    for mark, uid in rows:
        if mark not in found and uid not in found.values():
            found[mark] = uid
    return found


def save_tag(connection: Connection, table_id: str, tag: TagRow) -> None:
    """A piece's tag; it is taken from any other piece of the evening that had it."""
    forget_tag(connection, table_id, tag.uid)
    table = schema.tags
    connection.execute(delete(table).where(table.c.table_id == table_id, table.c.piece == tag.piece))
    connection.execute(insert(table).values(table_id=table_id, **asdict(tag)))


def forget_tag(connection: Connection, table_id: str, uid: str) -> None:
    """The tag is nobody's."""
    table = schema.tags
    connection.execute(delete(table).where(table.c.table_id == table_id, table.c.uid == uid))


def read_presets(connection: Connection, game: str) -> dict[str, dict[str, Any]]:
    """Name → house rules that a table has saved for a game, by name; {} where they were spoilt from outside."""
    table = schema.presets
    rows = connection.execute(select(table.c.name, table.c.options).where(table.c.game == game).order_by(table.c.name))
    return {name: _object(options) or {} for name, options in rows}


def save_preset(connection: Connection, game: str, name: str, options: dict[str, Any], at: str) -> None:
    """House rules under a name; the same name again replaces them."""
    statement = upsert(schema.presets).values(game=game, name=name, options=canonical(options), created_at=at)
    changes = {"options": statement.excluded.options, "created_at": statement.excluded.created_at}
    connection.execute(statement.on_conflict_do_update(index_elements=["game", "name"], set_=changes))


def delete_preset(connection: Connection, game: str, name: str) -> None:
    """Forgets saved house rules; nothing happens where there are none of this name."""
    table = schema.presets
    connection.execute(delete(table).where(table.c.game == game, table.c.name == name))


def _object(text: Any) -> dict[str, Any] | None:
    """The JSON object of a column, None if there is none."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def list_evenings(connection: Connection) -> list[dict[str, Any]]:
    """[{"id", "title", "game", "setup", "created_at", "last_at", "ended", "entries", "seats"}], the one played last
    first; `setup` is {} where it was spoilt from outside, so that the evening can be seen and deleted."""
    table, log = schema.evenings, schema.entries
    count = select(func.count()).where(log.c.table_id == table.c.id).scalar_subquery()
    rows = connection.execute(
        select(table, count.label("entries")).order_by(table.c.last_at.desc(), table.c.id)
    ).mappings()
    return [
        {
            "id": row["id"],
            "title": row["title"],
            "game": row["game"],
            "setup": _object(row["setup"]) or {},
            "created_at": row["created_at"],
            "last_at": row["last_at"],
            "ended": row["ended_at"] is not None,
            "entries": row["entries"],
            "seats": read_seats(connection, row["id"]),
        }
        for row in rows
    ]


def rename(connection: Connection, table_id: str, title: str) -> None:
    """Another title. `UnknownEveningError`."""
    found = connection.execute(update(schema.evenings).where(schema.evenings.c.id == table_id).values(title=title))
    if found.rowcount != 1:
        raise UnknownEveningError("There is no such evening here (any more).")


def update_seat(connection: Connection, table_id: str, seat: int, **values: Any) -> None:
    """Another name or bot for a seat."""
    table = schema.seats
    connection.execute(update(table).where(table.c.table_id == table_id, table.c.seat == seat).values(**values))


def delete_evening(connection: Connection, table_id: str) -> None:
    """Everything of an evening. `UnknownEveningError`."""
    if connection.execute(delete(schema.evenings).where(schema.evenings.c.id == table_id)).rowcount != 1:
        raise UnknownEveningError("There is no such evening here (any more).")
    for table in (schema.entries, schema.seats, schema.tags, schema.snapshots):
        connection.execute(delete(table).where(table.c.table_id == table_id))


def save_device(connection: Connection, device: dict[str, Any]) -> None:
    """A device that was met, by the columns of the table; those that are not given stay as they are."""
    statement = upsert(schema.devices).values(**device)
    changes = {key: statement.excluded[key] for key in device if key != "id"}
    connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=changes))


def read_devices(connection: Connection) -> list[dict[str, Any]]:
    """All devices ever met."""
    return [dict(row) for row in connection.execute(select(schema.devices).order_by(schema.devices.c.id)).mappings()]


def setup_text(setup: dict[str, Any]) -> str:
    """The canonical text of an evening's set-up (no names in it)."""
    return canonical(setup)


def wipe_deleted(connection: sqlite3.Connection) -> None:
    """Rewrites the file, so that what was deleted is gone from the disk too. Outside transactions only."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
