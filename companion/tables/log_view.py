"""The log as people may read it: each event through the rules core's white-list for its audience, made when it
happens or once, when it is asked for.

What an event shows depends on the state before it (who holds the card, say), so it is worked out while the state
passes by. After a restart the passing is done again from the start the first time that somebody looks; entries that
an undo took back then show what was asked, not what came of it.
"""

from __future__ import annotations

from typing import Any

from companion.event_log.hash_chain import Entry
from companion.tables.receipts import Audience, Json, LogRow
from companion.tables.table_log import TableLog
from shared_rules.engine import game

COMMON: Audience = "spectator"
OPEN_FIELDS = ("die", "dice", "face", "faces", "deck", "to", "on", "count", "lost")
"""Fields of a command or note that anybody may see; never a sealed word, a card or a correction's contents."""


class LogView:
    """Of one table. `apply` is the only way in which confirmed events reach the confirmed state."""

    def __init__(self, seats: int) -> None:
        self._audiences: tuple[Audience, ...] = ("bank", *range(1, seats + 1))
        self._shown: dict[int, dict[Audience, list[Json]]] = {}
        """Entry → what spectators see, and what others see where that is more."""
        self._complete = True

    def incomplete(self) -> None:
        """The state did not pass by: entries so far are worked out when somebody looks."""
        self._shown.clear()
        self._complete = False

    def apply(self, state: Any, entry: Entry) -> None:
        """Changes the state by the entry's events, and keeps what each audience may see of them."""
        common: list[Json] = []
        more: dict[Audience, list[Json]] = {audience: [] for audience in self._audiences}
        for event in entry.events:
            common.append(game.event_for(state, event, COMMON))
            for audience in self._audiences:
                more[audience].append(game.event_for(state, event, audience))
            game.evolve(state, event)
        self._shown[entry.seq] = {
            COMMON: common,
            **{audience: seen for audience, seen in more.items() if seen != common},
        }

    def rows(self, log: TableLog, limit: int, audience: Audience) -> list[LogRow]:
        """The newest rows first."""
        wanted = [entry for entry in log.entries[::-1][:limit] if entry.kind != "start"]
        if not self._complete:
            self._replay(log)
        return [self._row(log, entry, audience) for entry in wanted]

    def _replay(self, log: TableLog) -> None:
        state = game.load_position(log.entry(1).command["position"], log.revision)
        for seq in log.effective:
            self.apply(state, log.entry(seq))
        self._complete = True

    def _row(self, log: TableLog, entry: Entry, audience: Audience) -> LogRow:
        shown = self._shown.get(entry.seq, {})
        command, evidence = entry.command, entry.evidence or {}
        return LogRow(
            seq=entry.seq,
            at=entry.at,
            kind=entry.kind,
            actor=entry.actor,
            do=str(command.get("do", "")),
            seat=int(command.get("seat", 0)),
            events=shown.get(audience, shown.get(COMMON, [])),
            undone=entry.seq in log.undone,
            evidence=evidence.get("kind"),
            reason=entry.reason,
            asked={key: command[key] for key in OPEN_FIELDS if key in command} | _target(command),
        )


def _target(command: Json) -> Json:
    """What an undo took back."""
    return {"seq": command["seq"]} if command.get("do") == "undo" else {}
