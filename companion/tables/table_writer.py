"""The writing half of a table: decides on a working copy, puts on disk, then changes the confirmed state; or
nothing of it.

There are two copies of the rules core's state. A command is decided on `_working`; its events are written in one
transaction; then they are applied to `state`, the confirmed copy that all views are made from. If the disk refuses,
the working copy is thrown away and made again from what the disk holds, so nothing half-done stays. The two copies
also prove with each command that the stored events alone carry the game.

Not for several callers at once: `TableActor` calls it from its one task.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from companion.errors import StorageError
from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.hash_chain import Entry, canonical, chained
from companion.event_log.store import InboxMark, Snapshot, StoredEvening
from companion.settings import Settings
from companion.tables.log_view import LogView
from companion.tables.receipts import Json, Receipt, Refusal
from companion.tables.table_log import ENTRY_VERSION, TableLog
from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation

logger = logging.getLogger(__name__)


class TableWriter:
    """The log and the state of one evening. `after_commit(events)` is called when something new is confirmed (with
    [] after a reload)."""

    def __init__(self, database: Database, stored: StoredEvening, settings: Settings) -> None:
        self.table_id = stored.id
        self.log = TableLog(stored.log)
        self.state: Any = self.log.state_at_end(stored.snapshot)
        self.shown = LogView(len(stored.seats))
        self.shown.incomplete()
        self.after_commit: Callable[[list[Json]], None] = lambda events: None
        self.on_taken_in: Callable[[InboxMark], None] = lambda mark: None
        self._working: Any = _copy(self.state)
        self._ended = stored.ended_at is not None
        self._last_snapshot = stored.snapshot.seq if stored.snapshot else 0
        self._out_of_step = False
        self._database = database
        self._settings = settings

    async def play(
        self, command: Json, *, command_id: str, actor: str, evidence: Json | None = None, mark: InboxMark | None = None
    ) -> Receipt:
        """A command of the rules. Refusals come in the receipt: those of the rules, `malformed`, `storage` and
        `internal`."""
        try:
            await self._into_step()
        except StorageError as error:
            return self.refused(Refusal("storage", str(error)))
        try:
            canonical(command)
            events: list[Json] = game.play(self._working, command)
        except RuleViolation as violation:
            return self.refused(Refusal(violation.code, violation.message, tuple(violation.rules)))
        except (TypeError, ValueError, RecursionError) as error:
            if not _storable(command):
                return self.refused(Refusal("malformed", "This command holds something that cannot be written down."))
            return self._stumbled(command, error)
        except Exception as error:  # a fault of ours: the table must live on
            return self._stumbled(command, error)
        reason = str(command.get("why") or "") if command.get("do") == "correct" else ""
        entry = self._entry("play", command, events, evidence, command_id, actor, reason)
        return await self._commit(entry, mark)

    async def undo(self, seq: int, *, seat: int, command_id: str, actor: str, reason: str, consent: bool) -> Receipt:
        """Takes back entry `seq`, the newest that counts; whether it may be is asked before
        (`companion.tables.undo`)."""
        try:
            await self._into_step()
            snapshot = await self._database.run(
                lambda connection: store.newest_snapshot_before(connection, self.table_id, seq)
            )
        except StorageError as error:
            return self.refused(Refusal("storage", str(error)))
        before = self.log.state_at_end(snapshot, without=seq)
        self._working = _copy(before)
        command = {"do": "undo", "seat": seat, "seq": seq}
        entry = self._entry("undo", command, [], {"kind": "consent"} if consent else None, command_id, actor, reason)
        self._last_snapshot = min(self._last_snapshot, seq - 1)
        return await self._commit(entry, None, replacement=before, drop_from=seq)

    async def note(
        self,
        what: Json,
        *,
        command_id: str,
        actor: str,
        mark: InboxMark | None = None,
        also: Callable[[Connection], None] | None = None,
    ) -> Receipt:
        """A row that changes no game, and in the same transaction what `also` writes beside the log. Refused with
        `storage` if the disk does not take it: then neither is there."""
        try:
            await self._into_step()
        except StorageError as error:
            return self.refused(Refusal("storage", str(error)))
        return await self._commit(self._entry("note", what, [], None, command_id, actor, ""), mark, also=also)

    async def take_in(self, mark: InboxMark) -> None:
        """Only the device's position moves. `StorageError`: it did not."""
        await self._database.run(lambda connection: store.save_mark(connection, mark))
        self.on_taken_in(mark)

    def refused(self, refusal: Refusal) -> Receipt:
        """A receipt for nothing."""
        return Receipt(self.log.seq, [], refusal)

    @property
    def working(self) -> Any:
        """The state to decide on, for choosing among the cards that are left. Never change it."""
        return self._working

    def _stumbled(self, command: Json, error: BaseException) -> Receipt:
        logger.error("the rules stumbled over %r", command, exc_info=error)
        self._working = _copy(self.state)
        return self.refused(
            Refusal(
                "internal",
                "The rules stumbled over this; nothing was changed. Go on another "
                "way, and please report it with a back-up.",
            )
        )

    def _entry(
        self,
        kind: str,
        command: Json,
        events: list[Json],
        evidence: Json | None,
        command_id: str,
        actor: str,
        reason: str,
    ) -> Entry:
        return chained(
            self.log.last,
            table_id=self.table_id,
            kind=kind,
            version=ENTRY_VERSION,
            rules_revision=str(self.log.revision),
            command=command,
            events=events,
            evidence=evidence,
            command_id=command_id,
            actor=actor,
            reason=reason,
            at=self._settings.now().isoformat(timespec="milliseconds"),
        )

    async def _commit(
        self,
        entry: Entry,
        mark: InboxMark | None,
        *,
        replacement: Any = None,
        drop_from: int | None = None,
        also: Callable[[Connection], None] | None = None,
    ) -> Receipt:
        snapshot = self._snapshot_if_due(entry)
        events = entry.events
        ended = is_over(self._working)

        def work(connection: Connection) -> None:
            store.append(
                connection,
                [entry],
                mark=mark,
                snapshot=snapshot,
                drop_snapshots_from=drop_from,
                ended=ended if ended != self._ended else None,
            )
            if also is not None:
                also(connection)

        try:
            await self._database.run(work)
        except StorageError as error:
            await self._after_failure()
            return self.refused(Refusal("storage", str(error)))
        self.log.add(entry)
        self._ended = ended
        if snapshot is not None:
            self._last_snapshot = entry.seq
        if replacement is not None:
            self.state = replacement
        else:
            self.shown.apply(self.state, entry)
        if mark is not None:
            self.on_taken_in(mark)
        self.after_commit(events)
        return Receipt(entry.seq, entry.events)

    def _snapshot_if_due(self, entry: Entry) -> Snapshot | None:
        every = self._settings.snapshot_every
        if entry.kind != "play" or entry.seq // every <= self._last_snapshot // every:
            return None
        position = canonical(game.dump_position(self._working))
        revision = str(self.log.revision)
        return Snapshot(self.table_id, entry.seq, revision, position, game.state_hash(self._working))

    async def _after_failure(self) -> None:
        """What the disk holds is the truth. If it cannot be read either, the confirmed copy stands in and the next
        command tries again first."""
        self._working = _copy(self.state)
        self._out_of_step = True
        try:
            await self._into_step()
        except StorageError:
            return

    async def _into_step(self) -> None:
        if not self._out_of_step:
            return
        stored = await self._database.run(lambda connection: store.load(connection, self.table_id))
        changed = len(stored.log) != self.log.seq
        self.log = TableLog(stored.log)
        self.state = self.log.state_at_end(stored.snapshot)
        self.shown.incomplete()
        self._working = _copy(self.state)
        self._ended = stored.ended_at is not None
        self._last_snapshot = stored.snapshot.seq if stored.snapshot else 0
        self._out_of_step = False
        if changed:
            self.after_commit([])


def _copy(state: Any) -> Any:
    return game.copy_state(state)


def _storable(command: Json) -> bool:
    try:
        canonical(command)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def is_over(state: Any) -> bool:
    """Whether the game has ended: it waits for nobody."""
    return not state.title.waiting_for(state)
