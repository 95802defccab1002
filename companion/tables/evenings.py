"""The list of evenings in the data file: create, open, rename, delete, forget names, back up, restore."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from companion.errors import SetupError
from companion.event_log import backup, store
from companion.event_log.database import Database
from companion.event_log.hash_chain import chained
from companion.event_log.store import TagRow
from companion.settings import Settings
from companion.tables.readable import readable
from companion.tables.receipts import Json
from companion.tables.setup import MAX_TITLE, EveningSetup, SeatSetup, playable
from companion.tables.table_actor import TableActor
from companion.tables.table_log import ENTRY_VERSION
from companion.tables.wording import colour_name, plain_line
from shared_rules import library
from shared_rules.engine import game, titles
from shared_rules.engine.errors import PositionError

FORGOTTEN_TITLE = "An evening"


class Evenings:
    """All evenings of one data file. At most one is open at a time; `current` is it. `on_change(actor or None)` is
    told when that changes."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.current: TableActor | None = None
        self.on_change: Callable[[TableActor | None], None] = lambda actor: None
        self._database = database
        self._settings = settings
        self._switching = asyncio.Lock()
        """One evening opens or closes at a time, however many buttons are pressed."""

    async def list_evenings(self) -> list[Json]:
        """[{"id", "title", "game", "setup", "created_at", "last_at", "ended", "entries", "seats"}], the one played
        last first."""
        return await self._database.run(store.list_evenings)

    async def create_evening(self, setup: EveningSetup) -> TableActor:
        """A new evening, open and current. `SetupError` names the field to change."""
        checked = setup.checked()
        position = starting_position(checked)
        table_id = secrets.token_hex(6)
        now = self._now()
        data = {
            "board": checked.board,
            "length": checked.length,
            "cards": checked.cards,
            "dice": checked.dice,
            "money": checked.money,
        }
        first = chained(
            None,
            table_id=table_id,
            kind="start",
            version=ENTRY_VERSION,
            rules_revision=str(titles.revision(checked.game)),
            command={"do": "start", "seat": 0, "position": position},
            events=[],
            evidence=None,
            command_id="start",
            actor="bank",
            reason="",
            at=now,
        )
        evening = {
            "id": table_id,
            "title": checked.title,
            "game": checked.game,
            "setup": store.setup_text(data),
            "created_at": now,
            "last_at": now,
            "ended_at": now if position["result"] is not None else None,
        }

        seats = [
            {"seat": number, "name": seat.name, "colour": seat.colour, "bot": seat.bot}
            for number, seat in enumerate(checked.seats, 1)
        ]

        def work(connection: Connection) -> None:
            known = store.known_tags(connection)
            pieces = playable(checked.game).table.pieces(seats, position)
            tags = [TagRow(piece.id, piece.mark, known[piece.mark]) for piece in pieces if piece.mark in known]
            store.create(connection, evening, seats, first, tags)

        await self._database.run(work)
        return await self.open(table_id)

    async def open(self, table_id: str) -> TableActor:
        """Goes on with an evening: snapshot and tail, the chain verified. `UnknownEveningError`, `TamperedLogError`,
        `UnreadableEveningError`; the evening that was open stays open then."""
        async with self._switching:
            if self.current is not None and self.current.table_id == table_id:
                return self.current
            stored = await self._database.run(lambda connection: store.load(connection, table_id))
            with readable(stored):
                actor = TableActor(self._database, stored, self._settings)
            await self._leave()
            self.current = actor
            self.on_change(self.current)
            return self.current

    async def leave(self) -> None:
        """Closes the current evening; it can be opened again."""
        async with self._switching:
            await self._leave()

    async def _leave(self) -> None:
        if self.current is not None:
            actor, self.current = self.current, None
            await actor.close()
            self.on_change(None)

    async def rename(self, table_id: str, title: str) -> None:
        """Another title, 1–60 characters."""
        clean = plain_line(title)
        if not clean or len(clean) > MAX_TITLE:
            raise SetupError(f"A title has 1 to {MAX_TITLE} characters.", "title")
        await self._database.run(lambda connection: store.rename(connection, table_id, clean))
        if self.current is not None and self.current.table_id == table_id:
            self.current.title = clean
            self.current.touch()

    async def delete(self, table_id: str) -> None:
        """Everything of an evening, for good."""
        async with self._switching:
            if self.current is not None and self.current.table_id == table_id:
                await self._leave()
            await self._database.run(lambda connection: store.delete_evening(connection, table_id))

    async def forget_names(self, table_id: str) -> None:
        """Seats are called by their colour from now on, and the title says nothing. The log holds no names, so its
        chain stays whole."""

        def work(connection: Connection) -> None:
            store.rename(connection, table_id, FORGOTTEN_TITLE)
            for row in store.read_seats(connection, table_id):
                store.update_seat(connection, table_id, row["seat"], name=colour_name(row["colour"]))

        await self._database.run(work)
        await self._database.run_outside(store.wipe_deleted)
        if self.current is not None and self.current.table_id == table_id:
            self.current.title = FORGOTTEN_TITLE
            await self.current.read_again()

    async def backup(self, path: Path) -> Path:
        """A whole copy of the data file at `path` (a folder gets a file named by date). Never writes over a file."""
        target = path / f"cabstand-{self._settings.now():%Y-%m-%d-%H%M%S}.db" if path.is_dir() else path
        return await backup.make(self._database, target)

    async def restore(self, path: Path) -> Path:
        """Puts a back-up in the place of the data file, and the present one beside it; returns where that is now.
        The current evening is closed."""
        backup.check(path)
        async with self._switching:
            await self._leave()
            stamp = f"{self._settings.now():%Y-%m-%d-%H%M%S}"
            return await backup.restore(self._database, path, stamp=stamp)

    def _now(self) -> str:
        now: datetime = self._settings.now()
        return now.isoformat(timespec="milliseconds")


def starting_position(setup: EveningSetup) -> Json:
    """The whole position that an evening begins with, checked by the rules. `SetupError` says what does not fit."""
    title = playable(setup.game)
    boards = library.board_ids(setup.game)
    if setup.board not in boards:
        raise SetupError(f"There is no board “{setup.board}”. Boards: {', '.join(boards)}.", "board")
    if setup.position is not None:
        position = _entered(setup.position, setup)
    else:
        position = title.setup.position(setup)
    try:
        state = game.load_position(position)
    except PositionError as error:
        raise SetupError(f"{error.message} ({error.at})" if error.at else error.message, error.at) from error
    whole: Json = game.dump_position(state)
    return whole


def _entered(position: Any, setup: EveningSetup) -> Json:
    """A game in progress, with the seats' colours; names stay out of it."""
    if not isinstance(position, dict) or not isinstance(position.get("players"), list):
        raise SetupError("A position is an object with a list of players.", "position")
    if len(position["players"]) != len(setup.seats):
        raise SetupError(
            f"The position has {len(position['players'])} players, the table {len(setup.seats)} seats.", "seats"
        )
    players = []
    for player, seat in zip(position["players"], setup.seats, strict=True):
        if not isinstance(player, dict):
            raise SetupError("Each player of a position is an object.", "position")
        players.append({**player, **_plain(seat)})
    return {**position, "players": players}


def _plain(seat: SeatSetup) -> Json:
    return {"name": colour_name(seat.colour), "colour": seat.colour}
