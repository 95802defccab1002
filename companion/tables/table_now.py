"""An open evening by its entry log and its set-up alone, for all that watches it: explanations, eyes, bots, pages."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.tables.table_log import KeptOutcome
from companion.tables.table_writer import TableWriter
from companion.tables.throws import WantedThrow, wanted_throw
from companion.titles import Title


class TableNow:
    """How the game of a table stands. Everything here is safe to call at any time and changes nothing."""

    setup: Json
    game: Title
    _writer: TableWriter

    @property
    def seq(self) -> int:
        """Number of the newest entry of the log, and the id of the event stream."""
        return self._writer.log.seq

    @property
    def last_change(self) -> int:
        """Number of the newest entry that changed the game; a page that has seen it may act."""
        return self._writer.log.last_change

    @property
    def state(self) -> Any:
        """The confirmed state of the rules core: read it through `view`; never change it."""
        return self._writer.state

    def seat_name(self, seat: int) -> str:
        """What people call this seat."""
        for row in self.setup["seats"]:
            if row["seat"] == seat:
                return str(row["name"])
        return "The bank" if seat == 0 else f"Seat {seat}"

    def bot_of(self, seat: int) -> str:
        """How well a bot plays this seat; empty where people do."""
        return next((str(row["bot"]) for row in self.setup["seats"] if row["seat"] == seat), "")

    @property
    def bots_hold(self) -> bool:
        """Whether bots hold still because something was taken back."""
        return self._writer.log.bots_hold

    def throw_wanted(self) -> WantedThrow | None:
        """The throw that the game waits for, with what lies there of it already; None for none."""
        return wanted_throw(self.state, self._writer.log)

    @property
    def throws_made(self) -> int:
        """Throws that were made so far, those that were taken back too: invitations belong to the next one."""
        return self._writer.log.throws_made

    def kept_for(self, command: Json) -> KeptOutcome | None:
        """The outcome that this throw or draw had before an undo."""
        return self._writer.log.kept_for(command)

    @property
    def kept_outcome(self) -> Json | None:
        """The throw that an undo has brought back, as fields of its command, while it is asked for again."""
        wanted = self.throw_wanted()
        if wanted is None:
            return None
        kept = self.kept_for({"do": "roll", "die": wanted.die, "seat": wanted.seat})
        return dict(kept.fields) if kept else None
