"""What the table answers, for pages, devices and tests: receipts, refusals and the rows of the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
"""A plain dict that survives JSON: a command, an event, a position or a view."""

Audience = int | Literal["spectator", "bank"]
"""Who looks: a seat number, the banker, or anybody."""


@dataclass(frozen=True)
class Refusal:
    """Why nothing happened: a stable code, a sentence for people, and the rule numbers that it rests on.

    Codes are those of the rules, and of the table itself: `stale` (the page was old), `command_id_reused`,
    `consent_needed`, `nothing_to_undo`, `outcome_kept` (this throw or card was seen before an undo), `storage` (the
    disk did not take it).
    """

    code: str
    message: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Receipt:
    """The answer to a command. `seq` is the newest entry of the log after it; `events` are raw: show people
    `TableActor.log` or `view` instead, since events hold what other seats may not know. `repeated` tells a double
    post from a first one."""

    seq: int
    events: list[Json] = field(default_factory=list)
    refusal: Refusal | None = None
    repeated: bool = False

    @property
    def accepted(self) -> bool:
        """Whether it was carried out (now or, for a repeat, the first time)."""
        return self.refusal is None


@dataclass(frozen=True)
class LogRow:
    """A row of the log as one audience may see it.

    `kind` is `play`, `undo` or `note`; `do` names the command or the note; `events` hold white-listed keys only and
    keep their receipts (`rules`); `undone` rows no longer count. `at` is an ISO time in UTC, `actor` who gave the
    command (`bank`, `seat:2`, `device:table`), `evidence` what a throw or card rests on (`die`, `rng` or `typed`,
    or None).
    """

    seq: int
    at: str
    kind: str
    actor: str
    do: str
    seat: int
    events: list[Json]
    undone: bool
    evidence: str | None = None
    reason: str = ""
    asked: Json = field(default_factory=dict)
    """Open fields of the command: die, face, deck, to, on, count, …; `seq` of what an undo took back."""
