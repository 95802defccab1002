"""An evening's log in memory: which entries count, which command was answered how, which throws and cards an undo
has shown already."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.event_log.hash_chain import Entry
from companion.event_log.store import Snapshot
from companion.tables.receipts import Json
from companion.titles import Title, find
from shared_rules.engine import game
from shared_rules.engine.errors import PositionError

AUTOMATIC = "table"
"""The actor of commands that go by themselves: chance answers the operator."""
GO_ON = "bots_go_on"
"""The note by which bots act again after an undo."""
ENTRY_VERSION = 1
"""Shape of `command` and `events` in an entry; a later shape gets an upcaster here and never a rewritten row."""

OUTCOMES = ("face", "faces", "card")
"""Fields of a command in which chance may be answered."""

ChanceKey = tuple[str, str, int, int]
"""("roll", "d6", seat, n): this seat's n-th throw of this die (or card of this deck) among those that count."""


@dataclass(frozen=True)
class KeptOutcome:
    """A throw or card that was seen and then undone: the same request gets it again."""

    fields: Json
    seq: int


class TableLog:
    """Entries in order, from 1. Fed by `add`, never shortened: an undo is an entry like any other."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.undone: set[int] = set()
        self.effective: list[int] = []
        """Numbers of the `play` entries that count, in order."""
        self.by_command: dict[str, int] = {}
        self.last_change = 0
        """Number of the newest entry that changed the game (a note does not)."""
        self.random_draws = 0
        self.throws_made = 0
        """Throws that were ever made, those that were taken back too."""
        self._answered: dict[tuple[str, str, int], int] = {}
        self._kept: dict[ChanceKey, KeptOutcome] = {}
        for entry in entries:
            self.add(entry)

    @cached_property
    def title(self) -> Title:
        """The companion's part of the game that is played."""
        return find(str(self.entry(1).command["position"]["game"]))

    @property
    def bots_hold(self) -> bool:
        """Whether bots wait because something was taken back."""
        for entry in reversed(self.entries):
            if entry.kind == "undo":
                return True
            if entry.kind != "note" or entry.command.get("do") == GO_ON:
                return False
        return False

    def chance_kind(self, command: Json) -> tuple[str, str, int] | None:
        """("roll", die, seat) or ("draw_card", deck, seat) for a command that answers chance, else None."""
        do = command.get("do")
        if do not in self.title.table.CHANCE:
            return None
        seat = command.get("seat")
        return (str(do), str(command.get("die") or command.get("deck")), seat if isinstance(seat, int) else 0)

    @property
    def seq(self) -> int:
        """Number of the newest entry, 0 for none."""
        return len(self.entries)

    @property
    def last(self) -> Entry | None:
        """The newest entry."""
        return self.entries[-1] if self.entries else None

    @property
    def revision(self) -> int:
        """The revision of the rules that the evening began with and goes on by."""
        return int(self.entry(1).rules_revision)

    def entry(self, seq: int) -> Entry:
        """The entry with this number."""
        return self.entries[seq - 1]

    def add(self, entry: Entry) -> None:
        """Takes in the next entry, once it is on disk."""
        self.entries.append(entry)
        self.by_command[entry.command_id] = entry.seq
        if entry.kind != "note":
            self.last_change = entry.seq
        if entry.kind == "play":
            self.effective.append(entry.seq)
            kind = self.chance_kind(entry.command)
            if kind is not None:
                self.throws_made += kind[0] == "roll"
                self._answered[kind] = self._answered.get(kind, 0) + 1
                self._drawn_by_another(entry.command, (*kind, self._answered[kind]))
            if (entry.evidence or {}).get("kind") == "rng":
                self.random_draws += 1
        elif entry.kind == "undo":
            self._take_back(int(entry.command["seq"]))

    def _take_back(self, seq: int) -> None:
        self.undone.add(seq)
        self.effective.remove(seq)
        undone = self.entry(seq)
        command = undone.command
        kind = self.chance_kind(command)
        if kind is None:
            return
        nth = self._answered[kind]
        self._answered[kind] = nth - 1
        # A typed throw may have been a slip of the finger, the truth lies on the table; what a die or the companion
        # made is kept.
        if (undone.evidence or {}).get("kind") in ("die", "rng", "kept"):
            fields: Json = {key: command[key] for key in OUTCOMES if key in command}
            self._kept[(*kind, nth)] = KeptOutcome(fields, seq)

    def kept_for(self, command: Json) -> KeptOutcome | None:
        """The outcome that this throw or draw had before an undo, None if it is a new one."""
        kind = self.chance_kind(command)
        if kind is None:
            return None
        return self._kept.get((*kind, self._answered.get(kind, 0) + 1))

    def forget_kept(self, command: Json) -> None:
        """The card that this draw had before an undo is not in the deck any more (a correction took it out)."""
        kind = self.chance_kind(command)
        if kind is not None:
            self._kept.pop((*kind, self._answered.get(kind, 0) + 1), None)

    def _drawn_by_another(self, command: Json, key: ChanceKey) -> None:
        """A card that lay on top after an undo may be drawn by somebody else first; it is nobody's any more."""
        card = command.get("card")
        if isinstance(card, str):
            for other, kept in list(self._kept.items()):
                if other != key and other[:2] == key[:2] and kept.fields.get("card") == card:
                    del self._kept[other]

    def last_effective(self) -> Entry | None:
        """The newest command that counts and was given by somebody: what an undo would take back, with all that went
        by itself after it."""
        return next((self.entry(seq) for seq in reversed(self.effective) if not self._by_itself(seq)), None)

    def undo_run(self) -> list[int]:
        """The entries that an undo takes back, the newest first; [] if there is nothing."""
        last = self.last_effective()
        return [] if last is None else [seq for seq in reversed(self.effective) if seq >= last.seq]

    def _by_itself(self, seq: int) -> bool:
        return self.entry(seq).actor == AUTOMATIC

    def state_at_end(self, snapshot: Snapshot | None = None, *, without: int | None = None) -> Any:
        """The rules core's state after all entries that count, from a snapshot if it is still true, else from the
        start. `without` leaves one more entry out (what an undo is about to take back)."""
        state = None
        begin = 1
        if snapshot is not None:
            state = _trusted(snapshot)
            begin = snapshot.seq
        if state is None:
            state = game.load_position(self.entry(1).command["position"], self.revision)
            begin = 1
        for seq in self.effective:
            if seq > begin and seq != without:
                for event in self.entry(seq).events:
                    game.evolve(state, event)
        return state


def _trusted(snapshot: Snapshot) -> Any | None:
    """The snapshot's state, or None if this program reads another state out of it than was put in."""
    try:
        state = game.load_position(json.loads(snapshot.position), int(snapshot.rules_revision))
    except (PositionError, ValueError):
        return None
    return state if game.state_hash(state) == snapshot.state_hash else None
