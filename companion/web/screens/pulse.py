"""What a page's version is made of: everything that may change what it shows, as one short text."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from companion.application import Application
from companion.tables.table_actor import TableActor


def fingerprint(application: Application, *more: Any) -> str:
    """A short text that is equal as long as no page would look different."""
    table: TableActor | None = application.current
    notes = [note.sentence for note in application.devices.notes()]
    virtual = application.virtual.state if application.virtual is not None else ""
    parts: list[Any] = [application.link.state, application.link.error, notes, virtual, *more]
    if table is not None:
        explained = table.pending_explanation
        parts += [
            table.table_id,
            table.title,
            table.seq,
            table.on_road,
            table.misplaced,
            explained["id"] if explained else None,
            table.kept_outcome,
            [(s["name"], s["bot"]) for s in table.setup["seats"]],
            table.setup["tags"],
            table.bots_hold and table.bot_is_waited_for,
            table.bots_acting,
        ]
    return hashlib.sha256(json.dumps(parts, default=str, sort_keys=True).encode()).hexdigest()[:16]
