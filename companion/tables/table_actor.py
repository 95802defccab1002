"""One task owns one table: commands come in one at a time, events are on disk before anybody sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol

from companion.tables.receipts import Audience, Json, LogRow, Receipt


class TableActor(Protocol):
    """The table's face towards pages and devices (signatures of the real thing, which takes this name)."""

    table_id: str
    title: str
    seq: int
    """Number of the newest entry of the log; the id of the event stream."""
    state: Any
    """The confirmed state of the rules core: read it through `view`; never change it."""
    setup: Json
    """{"game", "board", "length", "cards", "dice", "money", "seats": [{"seat", "name", "colour", "tag": uid or None}]}"""
    pending_explanation: Json | None
    """What the table saw and the rules cannot explain:
    {"id", "kind": "wrong_place" | "unreachable" | "wrong_throw" | "unknown_tag" | "lost_events", "seat", "seen", "expected",
    "needs": [[streets, green, white], ...], "sentence", "can_overrule": bool}"""
    on_road: Json | None
    """{"seat", "since": seq, "sentence": "Where did Red stop?"} while a taxi that may move is off its socket."""
    misplaced: list[Json]
    """[{"seat", "seen": place or None, "expected": place, "sentence"}]: taxis to be put elsewhere (after a settlement, say)."""
    kept_outcome: Json | None
    """The throw or card that an undo has brought back, as the command's fields, while it is asked for again."""

    async def submit(
        self, command: Json, *, command_id: str, actor: str, expected_seq: int | None = None, evidence: Json | None = None
    ) -> Receipt: ...

    async def throw(self, die: str, *, seat: int, command_id: str, actor: str, expected_seq: int | None = None) -> Receipt:
        """A digital throw: the companion's random numbers, visible as such in the log."""
        ...

    async def draw(self, deck: str, *, seat: int, command_id: str, actor: str, expected_seq: int | None = None) -> Receipt:
        """A card from a digital deck."""
        ...

    async def undo(
        self, actor: str, reason: str = "", consent: bool = False, *, command_id: str, expected_seq: int | None = None
    ) -> Receipt:
        """Takes back the last thing that counts. Refused with `consent_needed` where the table must agree (then ask, and pass consent)."""
        ...

    def undo_offer(self, actor: str) -> Json | None:
        """{"seq", "do", "seat", "free": bool, "sentence"}: what `undo` would take back, None if there is nothing."""
        ...

    async def overrule(self, explanation_id: str, why: str, *, command_id: str, actor: str) -> Receipt:
        """The banker says that it is right as it lies: a correction with a reason (and the move ends there)."""
        ...

    async def dismiss(self, explanation_id: str) -> None:
        """The explanation was read; the state stays as it is."""
        ...

    async def assign_tag(self, uid: str, seat: int | None, *, actor: str = "bank") -> None:
        """Which tag is whose taxi; None takes a tag back."""
        ...

    async def learn_tag(self, seat: int | None) -> None:
        """The next unknown tag on the base is this seat's taxi; None stops learning. `learning` tells the seat."""
        ...

    async def rename_seat(self, seat: int, name: str) -> None: ...

    def view(self, audience: Audience) -> Json:
        """view_for(...) with people's names in place."""
        ...

    def log(self, limit: int = 50, audience: Audience = "spectator") -> list[LogRow]:
        """Newest first."""
        ...

    def subscribe(self) -> AsyncIterator[int]:
        """Yields `seq` at once and again after each change (newest wins, nothing queues up); ends when the table is closed."""
        ...

    def record(self) -> Json:
        """The whole evening: header, entries with commands and events. Secrets included: for the owner, after the game."""
        ...
