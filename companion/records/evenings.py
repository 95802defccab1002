"""Evenings of the data file as records, and records as evenings; for `cabstand record`."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from companion.errors import SetupError
from companion.event_log import store
from companion.event_log.hash_chain import Entry, canonical, chained
from companion.event_log.store import StoredEvening
from companion.tables.evenings import starting_position
from companion.tables.setup import EveningSetup, SeatSetup
from companion.tables.table_log import ENTRY_VERSION
from companion.tables.wording import colour_name
from shared_rules.engine import game, titles
from shared_rules.engine.errors import RuleViolation
from shared_rules.records import player
from shared_rules.records.record import PLAY, UNDO, Record, RecordError, shortest

Json = dict[str, Any]


def record_of(stored: StoredEvening, *, names: bool = False, undone: bool = True) -> Record:
    """The record of an evening, which its stored events and its commands must agree on. RecordError.

    `names` puts people's names and the evening's title in; without `undone` what was taken back is left out. Questions
    and what devices noted are no part of a record.
    """
    revision = int(stored.log[0].rules_revision)
    start = stored.log[0].command["position"]
    record = Record(stored.game, revision, shortest(start, revision))
    record.tags["date"] = stored.created_at[:10]
    if names:
        record.tags["event"] = stored.title
        record.seats = [{"seat": row["seat"], "colour": row["colour"], "name": row["name"]} for row in stored.seats]
    taken = {entry.command["seq"] for entry in stored.log if entry.kind == "undo"}
    numbers: dict[int, int] = {}
    for entry in stored.log[1:]:
        if entry.kind == "play" and (undone or entry.seq not in taken):
            record.entries.append((PLAY, entry.command))
            numbers[entry.seq] = len(record.entries)
        elif entry.kind == "undo" and undone:
            record.entries.append((UNDO, numbers[entry.command["seq"]]))
    player.close(record)
    return record


def check(stored: StoredEvening) -> None:
    """RecordError where the rules make other events of an entry's command than are stored; names the entry.

    Entries of another revision than today's are judged by the position that they lead to alone.
    """
    revision = int(stored.log[0].rules_revision)
    now = titles.revision(stored.game)
    state = game.load_position(stored.log[0].command["position"], revision)
    taken = {entry.command["seq"] for entry in stored.log if entry.kind == "undo"}
    for entry in stored.log[1:]:
        if entry.kind != "play" or entry.seq in taken:
            continue
        if int(entry.rules_revision) == revision == now:
            _same_events(state, entry)
        for event in entry.events:
            game.evolve(state, event)
        wrong = game.check_invariants(state)
        if wrong:
            raise RecordError(f"After entry {entry.seq}, something does not add up: {wrong[0]}")


def _same_events(state: Any, entry: Entry) -> None:
    try:
        events = game.play(game.copy_state(state), entry.command)
    except RuleViolation as no:
        raise RecordError(f"The rules refuse entry {entry.seq} ({no.code}): {no.message}") from None
    if canonical(events) != entry.events_text:
        raise RecordError(f"The rules make other events of entry {entry.seq} than are stored with it.")


def setup_of(record: Record, title: str) -> EveningSetup:
    """How an evening begins that goes on with this record. `SetupError`."""
    position = game.dump_position(player.beginning(record))
    board = position.get("board", "")
    if not isinstance(board, str):
        raise SetupError("This game was played on a board of its own; only shipped boards can be opened.", "board")
    if record.revision != titles.revision(record.game):
        raise SetupError(
            f"This was played by revision {record.revision} of the rules, and tables play by "
            f"{titles.revision(record.game)}; it can be shown and replayed, but not gone on with.",
            "rules_revision",
        )
    seats = [SeatSetup(row.get("name") or colour_name(row["colour"]), row["colour"]) for row in record.seats]
    return EveningSetup(seats, title, record.game, board, position=position).checked()


def entries_of(record: Record, setup: EveningSetup, table_id: str, now: datetime) -> list[Entry]:
    """The log of a new evening that has played this record so far, remarks left out. RecordError, `SetupError`."""
    position = starting_position(setup)
    state = game.load_position(position)
    at = now.isoformat(timespec="milliseconds")
    log: list[Entry] = []

    def add(kind: str, command: Json, events: list[Json], evidence: Json | None = None) -> None:
        log.append(
            chained(
                log[-1] if log else None,
                table_id=table_id,
                kind=kind,
                version=ENTRY_VERSION,
                rules_revision=str(record.revision),
                command=command,
                events=events,
                evidence=evidence,
                command_id=f"record-{len(log)}" if log else "start",
                actor="bank",
                reason="",
                at=at,
            )
        )

    add("start", {"do": "start", "seat": 0, "position": position}, [])
    seqs: dict[int, int] = {}
    played: list[Json] = []
    for number, (kind, what) in enumerate(record.entries, 1):
        if kind == PLAY:
            add("play", what, game.play(state, what), {"kind": "record"})
            seqs[number] = log[-1].seq
            played.append(what)
        elif kind == UNDO:
            seat = played.pop()["seat"]
            add("undo", {"do": "undo", "seat": seat, "seq": seqs[what]}, [], {"kind": "consent"})
            state = game.load_position(position)
            for command in played:
                game.play(state, command)
    return log


def write(connection: Connection, record: Record, setup: EveningSetup, now: datetime) -> str:
    """A new evening with everything that the record holds, in one transaction; its id."""
    table_id = secrets.token_hex(6)
    log = entries_of(record, setup, table_id, now)
    stamp = log[0].at
    evening = {
        "id": table_id,
        "title": setup.title,
        "game": setup.game,
        "setup": store.setup_text(
            {
                "board": setup.board,
                "length": setup.length,
                "cards": setup.cards,
                "dice": setup.dice,
                "money": setup.money,
            }
        ),
        "created_at": stamp,
        "last_at": stamp,
        "ended_at": stamp if record.result is not None else None,
    }
    seats = [
        {"seat": number, "name": seat.name, "colour": seat.colour, "bot": seat.bot}
        for number, seat in enumerate(setup.seats, 1)
    ]
    store.create(connection, evening, seats, log[0])
    store.append(connection, log[1:])
    return table_id
