"""The chain that makes a changed, lost or slipped-in entry of the log visible: canonical JSON, SHA-256, each entry
over the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64
"""`prev_hash` of the first entry of an evening."""


def canonical(value: Any) -> str:
    """The one text of a JSON value: keys sorted, no blanks, text outside ASCII as it is; NaN and Infinity are
    errors."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True)
class Entry:
    """A row of the log as it is stored. `command`, `events` and `evidence` are parsed once, when asked for."""

    table_id: str
    seq: int
    kind: str
    version: int
    rules_revision: str
    command_text: str
    events_text: str
    evidence_text: str | None
    command_id: str
    actor: str
    reason: str
    at: str
    prev_hash: str
    hash: str

    @property
    def command(self) -> dict[str, Any]:
        """The command, a fresh copy."""
        value: dict[str, Any] = json.loads(self.command_text)
        return value

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, fresh copies."""
        value: list[dict[str, Any]] = json.loads(self.events_text)
        return value

    @property
    def evidence(self) -> dict[str, Any] | None:
        """What a throw or a card rests on."""
        value: dict[str, Any] | None = json.loads(self.evidence_text) if self.evidence_text is not None else None
        return value


def chained(
    previous: Entry | None,
    *,
    table_id: str,
    kind: str,
    version: int,
    rules_revision: str,
    command: Any,
    events: Any,
    evidence: Any,
    command_id: str,
    actor: str,
    reason: str,
    at: str,
) -> Entry:
    """The entry that follows `previous` (None: the first one)."""
    seq = previous.seq + 1 if previous else 1
    prev_hash = previous.hash if previous else GENESIS
    bare = Entry(
        table_id, seq, kind, version, rules_revision, canonical(command), canonical(events),
        None if evidence is None else canonical(evidence), command_id, actor, reason, at, prev_hash, "",
    )  # fmt: skip
    return Entry(**{**bare.__dict__, "hash": digest(bare)})


def digest(entry: Entry) -> str:
    """SHA-256 over everything in the entry but the hash itself, as 64 hex digits."""
    row = [
        entry.prev_hash, entry.table_id, entry.seq, entry.kind, entry.version, entry.rules_revision, entry.command_text,
        entry.events_text, entry.evidence_text, entry.command_id, entry.actor, entry.reason, entry.at,
    ]  # fmt: skip
    return hashlib.sha256(canonical(row).encode()).hexdigest()


def first_break(log: Iterable[Entry]) -> int | None:
    """The number of the first entry that does not fit the chain (changed, missing or slipped in), None if all do.
    `log` is in order from 1."""
    expected_seq, prev_hash = 1, GENESIS
    for entry in log:
        if entry.seq != expected_seq or entry.prev_hash != prev_hash or digest(entry) != entry.hash:
            return expected_seq
        expected_seq, prev_hash = entry.seq + 1, entry.hash
    return None
