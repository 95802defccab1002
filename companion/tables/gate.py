"""What the table says before the rules are asked: the first answer again to a repeat, no to an old page, to a
stranger's hand, to a second chance."""

from __future__ import annotations

from collections import OrderedDict

from companion.event_log.hash_chain import canonical
from companion.tables.receipts import Json, Receipt, Refusal
from companion.tables.table_log import OUTCOMES, TableLog

REMEMBERED_REFUSALS = 1_000
"""Refusals are not stored; this many newest ones are remembered, so that a double post gets its first answer again."""

REUSED = Refusal("command_id_reused", "This command was sent before with other contents.")
STALE = Refusal("stale", "The table has moved on since this page was drawn. Look again, then decide.")


class Gate:
    """Of one table. `log` is always the newest one (it is another object after a reload)."""

    def __init__(self) -> None:
        self._refusals: OrderedDict[str, tuple[str, Refusal]] = OrderedDict()

    def answered(self, log: TableLog, command_id: str, request: str | None) -> Receipt | None:
        """The first answer to this command, None if there was none. `request` is its `fingerprint`; None for an
        undo or an overruling, which are known by their id alone."""
        seq = log.by_command.get(command_id)
        if seq is not None:
            entry = log.entry(seq)
            if request is not None:
                chosen = (entry.evidence or {}).get("kind") in ("rng", "kept")
                if entry.kind != "play" or fingerprint(entry.command, entry.actor, chosen) != request:
                    return Receipt(log.seq, [], REUSED)
            return Receipt(entry.seq, entry.events, None, repeated=True)
        if command_id in self._refusals:
            first, refusal = self._refusals[command_id]
            return Receipt(log.seq, [], refusal, repeated=True) if request == first else Receipt(log.seq, [], REUSED)
        return None

    def remember(self, command_id: str, request: str, refusal: Refusal) -> None:
        """A refusal, for its repeats."""
        self._refusals[command_id] = (request, refusal)
        while len(self._refusals) > REMEMBERED_REFUSALS:
            self._refusals.popitem(last=False)

    def refusal(
        self, log: TableLog, command: Json, actor: str, expected_seq: int | None, *, digital_decks: bool, chosen: bool
    ) -> Refusal | None:
        """Why the rules are not even asked, None if they are. `chosen`: the companion has answered chance itself."""
        if is_old(log, expected_seq):
            return STALE
        if actor.startswith("seat:"):
            if actor != f"seat:{command.get('seat')}":
                return Refusal("not_yours", "Only the banker's tablet may act for another seat.")
            drawn = "card" in log.title.table.CHANCE.get(str(command.get("do")), ())
            if drawn and digital_decks and not chosen:
                return Refusal(
                    "not_yours", "The decks of this table are digital: draw, and the companion picks the card."
                )
        if actor.startswith("bot:") and actor != f"bot:{command.get('seat')}":
            return Refusal("not_yours", "A bot acts for its own seat.")
        if _names_somebody(command):
            return Refusal("not_allowed", "Names are changed in the list of seats, not by a correction.")
        kept = log.kept_for(command)
        if kept is not None and any(command.get(key) != value for key, value in kept.fields.items()):
            shown = kept.fields.get("face") or kept.fields.get("faces") or "the same card"
            return Refusal("outcome_kept", f"This was thrown or drawn before it was taken back, and it stays: {shown}.")
        return None


def is_old(log: TableLog, expected_seq: int | None) -> bool:
    """Whether the page was drawn before the newest change of the game (notes do not age a page), or is from another
    world."""
    return expected_seq is not None and not log.last_change <= expected_seq <= log.seq


def fingerprint(command: Json, actor: str, chosen: bool) -> str:
    """What was asked, to tell a repeat from another command under the same id: without the outcome where the
    companion answered chance."""
    bare = {key: value for key, value in command.items() if not (chosen and key in OUTCOMES)}
    try:
        return canonical([bare, actor])
    except (TypeError, ValueError, RecursionError):
        return repr(bare)


def _names_somebody(command: Json) -> bool:
    changes = command.get("set") if command.get("do") == "correct" else None
    players = changes.get("players") if isinstance(changes, dict) else None
    return isinstance(players, list) and any(isinstance(player, dict) and "name" in player for player in players)
