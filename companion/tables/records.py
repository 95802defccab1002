"""A whole evening as one JSON value, to be saved, replayed and compared: a header, and the entries with their
commands and events.

    {"record": 1, "table": id, "title", "created_at", "rules_revision", "setup", "start": position, "entries": [{"seq",
     "kind", "at", "actor", "rules_revision", "command", "events", "evidence"?, "reason"?, "hash"}, …]}

A record holds what was secret in the game. It holds no names of people but those in the title.
"""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.tables.table_log import TableLog
from shared_rules.engine import game

RECORD_VERSION = 1


def make(log: TableLog, table_id: str, title: str, created_at: str, setup: Json) -> Json:
    """The record of an evening so far."""
    entries: list[Json] = []
    for entry in log.entries[1:]:
        row: Json = {
            "seq": entry.seq,
            "kind": entry.kind,
            "at": entry.at,
            "actor": entry.actor,
            "rules_revision": entry.rules_revision,
            "command": entry.command,
            "events": entry.events,
        }
        if entry.evidence is not None:
            row["evidence"] = entry.evidence
        if entry.reason:
            row["reason"] = entry.reason
        row["hash"] = entry.hash
        entries.append(row)
    bare = {key: value for key, value in setup.items() if key not in ("seats", "tags")}
    bare["seats"] = [{"seat": row["seat"], "colour": row["colour"]} for row in setup["seats"]]
    return {
        "record": RECORD_VERSION,
        "table": table_id,
        "title": title,
        "created_at": created_at,
        "rules_revision": log.revision,
        "setup": bare,
        "start": log.entry(1).command["position"],
        "entries": entries,
    }


def that_count(record: Json) -> list[Json]:
    """The record's entries that count: plays that no later undo took back."""
    undone = {row["command"]["seq"] for row in record["entries"] if row["kind"] == "undo"}
    return [row for row in record["entries"] if row["kind"] == "play" and row["seq"] not in undone]


def replay(record: Json) -> Any:
    """The state that the record's events lead to."""
    state = game.load_position(record["start"], record["rules_revision"])
    for row in that_count(record):
        for event in row["events"]:
            game.evolve(state, event)
    return state
