"""What may be taken back, by whom, with whose consent.

One's own slip is free while nobody has acted on it and nothing hidden was shown by it; everything else needs the
table's consent, which the banker's tablet gives. A throw or a card is never taken back without it, and then the same
request keeps its outcome (`TableLog.kept_for`), so that an undo is no second chance.
"""

from __future__ import annotations

from companion.event_log.hash_chain import Entry
from companion.tables.receipts import Json, Refusal
from companion.tables.table_log import TableLog


def offer(log: TableLog, actor: str) -> Json | None:
    """{"seq", "do", "seat", "free", "chance"}: what an undo by `actor` would take back, and whether it is free."""
    entry = log.last_effective()
    if entry is None:
        return None
    command = entry.command
    return {
        "seq": entry.seq,
        "do": command.get("do", ""),
        "seat": command.get("seat", 0),
        "free": _free(log, entry, actor),
        "chance": _chance(log),
    }


def _free(log: TableLog, entry: Entry, actor: str) -> bool:
    hidden_before = entry.command.get("do") in log.title.table.SHOWING
    return entry.actor == actor and not _chance(log) and not hidden_before


def _chance(log: TableLog) -> bool:
    """Whether a throw or a card would be taken back."""
    return any(log.chance_kind(log.entry(seq).command) is not None for seq in log.undo_run())


def refusal(log: TableLog, actor: str, consent: bool) -> Refusal | None:
    """Why the newest command may not be taken back by `actor`, None if it may."""
    entry = log.last_effective()
    if entry is None:
        return Refusal("nothing_to_undo", "Nothing has been played yet.")
    if _free(log, entry, actor):
        return None
    if consent and actor == "bank":
        return None
    if _chance(log):
        return Refusal(
            "consent_needed",
            "A throw or a card comes back only if the whole table agrees, and it "
            "keeps its outcome. The banker's tablet says so.",
        )
    if entry.command.get("do") in log.title.table.SHOWING:
        return Refusal("consent_needed", "Everybody has seen it: the table must agree. The banker's tablet says so.")
    return Refusal("consent_needed", "This was somebody else's: the table must agree. The banker's tablet says so.")
