"""What lies beside an evening's log and may change: the names of its seats, and which tag is which piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.errors import SetupError
from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.store import TagRow
from companion.tables.receipts import Json
from companion.tables.setup import MAX_NAME
from companion.tables.table_readings import TableReadings
from companion.tables.wording import plain_line
from companion.tables.worker import Worker


class TableSeats(TableReadings):
    """The part of `TableActor` that keeps names and tags. Nothing of it is an entry of the log."""

    _database: Database
    _worker: Worker

    async def assign_tag(self, uid: str, whose: int | str | None, *, actor: str = "bank") -> None:
        """Which piece a tag is (a piece's id, or the number of the seat whose first piece it is); None takes it from
        all. One tag a piece, one piece a tag."""
        piece = self.piece_of_seat(whose) if isinstance(whose, int) else whose
        await self._worker.do(lambda: self.assign_tag_in_task(uid, piece))

    async def learn_tag(self, whose: int | str | None) -> None:
        """The next tag on the base that is nobody's becomes this piece (or this seat's); None stops it."""
        piece = self.piece_of_seat(whose) if isinstance(whose, int) else whose
        known = piece if any(one.id == piece for one in self.pieces) else None
        await self._worker.do(lambda: self.eyes.learn(known))
        self.touch()

    async def rename_seat(self, seat: int, name: str) -> None:
        """Another name for a seat, 1–24 characters. Names lie beside the log, so nothing of it changes."""
        clean = plain_line(name)
        if not clean or len(clean) > MAX_NAME:
            raise SetupError(f"A name has 1 to {MAX_NAME} characters.", f"seats[{seat - 1}].name")
        if all(row["seat"] != seat for row in self.setup["seats"]):
            raise SetupError(f"There is no seat {seat} at this table.", "seats")
        await self._worker.do(
            lambda: self._change_seats(
                lambda connection: store.update_seat(connection, self.table_id, seat, name=clean)
            )
        )

    async def read_again(self) -> None:
        """Names were changed beside the table (forgotten, say)."""
        await self._worker.do(lambda: self._change_seats(lambda connection: None))

    async def assign_tag_in_task(self, uid: str, piece: str | None, *, swap: bool = False) -> None:
        """`assign_tag`; with `swap` the piece that had the tag gets the other's."""
        marks = {one.id: one.mark for one in self.pieces}
        tags: dict[str, str] = self.setup["tags"]
        old = next((one for one, tag in tags.items() if tag == uid), None)
        other = tags.get(piece) if swap and piece is not None else None

        def work(connection: Any) -> None:
            if piece is None or piece not in marks:
                store.forget_tag(connection, self.table_id, uid)
            else:
                store.save_tag(connection, self.table_id, TagRow(piece, marks[piece], uid))
            if other is not None and old is not None:
                store.save_tag(connection, self.table_id, TagRow(old, marks[old], other))

        await self._change_seats(work)
        self.eyes.tags_changed()

    async def _change_seats(self, work: Callable[[Any], None]) -> None:
        def change(connection: Any) -> tuple[list[Json], list[TagRow]]:
            work(connection)
            return store.read_seats(connection, self.table_id), store.read_tags(connection, self.table_id)

        self.setup["seats"], tags = await self._database.run(change)
        self._know_tags(tags)
        self.touch()

    def _know_tags(self, tags: Sequence[TagRow]) -> None:
        self.setup["tags"] = {tag.piece: tag.uid for tag in tags}
        for row in self.setup["seats"]:
            piece = self.piece_of_seat(row["seat"])
            row["tag"] = None if piece is None else self.setup["tags"].get(piece)
