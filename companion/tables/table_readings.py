"""What pages, devices and tests read of an open evening: the half of `TableActor` that changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

from companion.tables import records, undo
from companion.tables.bots import Bots
from companion.tables.explanations import Explanations
from companion.tables.facts_to_commands import TableEyes
from companion.tables.mailboxes import Mailboxes
from companion.tables.receipts import Audience, Json, LogRow
from companion.tables.table_now import TableNow
from companion.titles.contract import Piece
from shared_rules.engine import game


class TableReadings(TableNow):
    """An open evening as it stands, with what the table sees and what bots think. Safe to call at any time."""

    table_id: str
    title: str
    created_at: str
    explanations: Explanations
    eyes: TableEyes
    _mailboxes: Mailboxes
    _bots: Bots

    @property
    def pending_explanation(self) -> Json | None:
        """What the table saw and the rules cannot explain: see `Explanations.first`."""
        return self.explanations.first()

    @property
    def on_road(self) -> Json | None:
        """{"seat", "sentence"} while a piece that may move is off its socket and seen on no other."""
        return self.explanations.on_road()

    @property
    def misplaced(self) -> list[Json]:
        """Pieces to be put elsewhere: [{"seat", "piece", "seen", "expected", "sentence"}]."""
        return self.explanations.misplaced()

    @property
    def learning(self) -> str | None:
        """The piece whose tag the table waits to see on the base, or None."""
        return self.eyes.learning

    @property
    def pieces(self) -> list[Piece]:
        """Every piece that can have a tag, in the order in which they are learnt."""
        return list(self.explanations.glance.pieces.values())

    def piece(self, piece_id: str) -> Piece:
        """A piece by its id."""
        return self.explanations.glance.pieces[piece_id]

    def odds(self, seat: int) -> list[Json]:
        """The exact odds of what a seat can do now, from what that seat may know (`title.odds` of the rules)."""
        found: list[Json] = self.game.rules.odds(self.state, seat)
        return found

    def piece_of_seat(self, seat: int) -> str | None:
        """A seat's own (first) piece."""
        return next((piece.id for piece in self.pieces if piece.seat == seat), None)

    @property
    def bot_is_waited_for(self) -> bool:
        """Whether the game waits for a bot's seat."""
        return self._bots.waited_for()

    @property
    def bots_acting(self) -> list[int]:
        """The seats that the game waits for and that bots play in a moment, by themselves."""
        return self._bots.acting()

    def bot_thoughts(self, limit: int = 20) -> list[Json]:
        """What bots did last and why, the newest first: [{"seq", "seat", "level", "unit", "command", "ranked":
        [{"command", "score", "because"}]}]; without what is a secret of its seat until the game is over."""
        secret = frozenset() if self.explanations.glance.position["phase"] == "over" else self.game.table.SECRET
        found: list[Json] = []
        for seq in reversed(self._writer.log.effective):
            entry = self._writer.log.entry(seq)
            bot = (entry.evidence or {}).get("bot")
            if bot is None or entry.command["do"] in secret:
                continue
            ranked = [one for one in bot["ranked"] if one["command"]["do"] not in secret]
            found.append({**bot, "ranked": ranked, "seq": seq, "seat": entry.command["seat"], "command": entry.command})
            if len(found) == limit:
                break
        return found

    def view(self, audience: Audience) -> Json:
        """The rules core's white-listed view for one audience, with people's names in place."""
        view: Json = game.view_for(self.state, audience)
        for player in view["players"]:
            player["name"] = self.seat_name(player["seat"])
        return view

    def log(self, limit: int = 50, audience: Audience = "spectator") -> list[LogRow]:
        """The newest rows first, as this audience may see them."""
        return self._writer.shown.rows(self._writer.log, limit, audience)

    def undo_offer(self, actor: str) -> Json | None:
        """{"seq", "do", "seat", "free", "chance"}: what `undo` would take back and whether it needs no consent;
        None if there is nothing."""
        return undo.offer(self._writer.log, actor)

    def check(self) -> list[str]:
        """[] when everything adds up and the log replays to this position (rules T-142 to T-150), else sentences."""
        found: list[str] = game.check_invariants(self.state)
        if game.state_hash(records.replay(self.record())) != game.state_hash(self.state):
            found.append("Replaying the log gives another position (T-150).")
        return found

    def record(self) -> Json:
        """The whole evening with its secrets: header, and entries with commands and events (see
        `companion.tables.records`)."""
        return records.make(self._writer.log, self.table_id, self.title, self.created_at, self.setup)

    def subscribe(self) -> AsyncIterator[int]:
        """Yields `seq` at once and again after each change (newest wins); ends when the table is closed."""
        return self._mailboxes.listen(lambda: self.seq)

    def touch(self) -> None:
        """Something to look at has changed that is no entry (a taxi was lifted, the link came back)."""
        self._mailboxes.publish()
