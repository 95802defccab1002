"""One task owns one table: commands come in one at a time, each is answered once, and events are on disk before
anybody sees them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from companion import titles
from companion.devices.facts import Fact, TableSnapshot
from companion.errors import StorageError
from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.store import InboxMark, StoredEvening
from companion.settings import Settings
from companion.tables import chance, undo
from companion.tables.bots import HANDS_BACK, TAKES, Bots, Thought, operators_step
from companion.tables.explanations import Explanations
from companion.tables.facts_to_commands import TableEyes
from companion.tables.gate import STALE, Gate, fingerprint, is_old
from companion.tables.mailboxes import Mailboxes
from companion.tables.receipts import Json, Receipt, Refusal
from companion.tables.table_log import AUTOMATIC, GO_ON, OUTCOMES
from companion.tables.table_seats import TableSeats
from companion.tables.table_writer import TableWriter
from companion.tables.throws import CHOSEN, dice_bounds
from companion.tables.worker import Worker
from shared_rules.engine import game

logger = logging.getLogger(__name__)


class TableActor(TableSeats):
    """An open evening. Made by `Evenings.open` and `Evenings.create_evening`; ended by `close`.

    `setup` is {"game", "board", "length", "cards", "dice", "money", "seats": [{"seat", "name", "colour", "bot", "tag":
    uid or None}], "tags": {piece: uid}}; a seat's `tag` is that of its first piece. `game` is the companion's part of
    what is played. `on_taken_in(mark)` is told after the commit that an event of a device has been taken in and may be
    acknowledged; `on_published(events)` what was new, so that the table's lights and die follow the game.
    """

    def __init__(self, database: Database, stored: StoredEvening, settings: Settings) -> None:
        self.table_id = stored.id
        self.title = stored.title
        self.created_at = stored.created_at
        self.game = titles.find(stored.game)
        self.setup: Json = {**stored.setup, "game": stored.game, "seats": stored.seats, "tags": {}}
        self.on_taken_in: Callable[[InboxMark], None] = lambda mark: None
        self.on_published: Callable[[list[Json]], None] = lambda events: None
        self._database = database
        self._settings = settings
        self._writer = TableWriter(database, stored, settings)
        self._writer.after_commit = self._published
        self._writer.on_taken_in = lambda mark: self.on_taken_in(mark)
        self._gate = Gate()
        self._mailboxes = Mailboxes()
        self.explanations = Explanations(self)
        self._know_tags(stored.tags)
        self.eyes = TableEyes(self, self.explanations, self, settings)
        self._bots = Bots(self, self.play_bot, settings)
        self._worker = Worker(f"table {self.table_id}")
        self.task = self._worker.task
        """Ends with `close`; a test that plays a crash cancels it."""
        self.task.add_done_callback(lambda done: self._bots.close())
        self._worker.later(self._go_on)

    # What people and devices do

    async def submit(
        self,
        command: Json,
        *,
        command_id: str,
        actor: str,
        expected_seq: int | None = None,
        evidence: Json | None = None,
    ) -> Receipt:
        """Carries out one command of the rules (corrections included), once. A repeated `command_id` gives the
        first answer again; a page that is older than the newest change is refused (`stale`). `actor` is `bank`,
        `seat:N` or `device:ID`. Refusals change nothing."""
        return await self._worker.do(lambda: self._submit(command, command_id, actor, expected_seq, evidence))

    async def throw(
        self,
        die: str,
        *,
        seat: int,
        command_id: str,
        actor: str,
        expected_seq: int | None = None,
        dice: int | None = None,
    ) -> Receipt:
        """A digital throw of a die (of `dice` dice, where the game lets choose) for a seat, from the companion's
        random numbers; visible as such in the log."""
        command: Json = {"do": "roll", "seat": seat, "die": die}
        if dice is not None:
            command["dice"] = dice
        return await self.by_chance(command, command_id=command_id, actor=actor, expected_seq=expected_seq)

    async def draw(
        self, deck: str, *, seat: int, command_id: str, actor: str, expected_seq: int | None = None
    ) -> Receipt:
        """A card from a digital deck: one of those still in it, chosen when it is drawn."""
        command: Json = {"do": "draw_card", "seat": seat, "deck": deck}
        return await self.by_chance(command, command_id=command_id, actor=actor, expected_seq=expected_seq)

    async def by_chance(
        self, command: Json, *, command_id: str, actor: str, expected_seq: int | None = None
    ) -> Receipt:
        """A command whose outcome the companion picks when it is carried out: a throw, a card."""
        return await self._worker.do(lambda: self._chance(command, command_id, actor, expected_seq))

    async def choose_dice(self, count: int, *, seat: int, command_id: str, actor: str) -> Receipt:
        """How many dice this seat throws together now; what lies there of another number does not count."""

        async def job() -> Receipt:
            bounds = dice_bounds(self.state, seat)
            if bounds is None or not bounds[0] <= count <= bounds[1]:
                return self._writer.refused(Refusal("not_allowed", "That many dice cannot be thrown now."))
            if command_id in self._writer.log.by_command:
                return Receipt(self.seq, repeated=True)
            note = {"do": CHOSEN, "seat": seat, "count": count}
            return await self._writer.note(note, command_id=command_id, actor=actor)

        return await self._worker.do(job)

    async def undo(
        self, actor: str, reason: str = "", consent: bool = False, *, command_id: str, expected_seq: int | None = None
    ) -> Receipt:
        """Takes back the newest command that counts. Refused with `consent_needed` where the table must agree: ask,
        then pass `consent`."""

        async def job() -> Receipt:
            seat = int(actor[5:]) if actor.startswith("seat:") and actor[5:].isdigit() else 0
            known = self._gate.answered(self._writer.log, command_id, None)
            if known is not None:
                return known
            log = self._writer.log
            refusal = STALE if is_old(log, expected_seq) else undo.refusal(log, actor, consent)
            if refusal is not None:
                # Not remembered: the same button is pressed again once the table has agreed.
                return self._writer.refused(refusal)
            receipt = self._writer.refused(STALE)
            run = log.undo_run()
            for seq in run:
                known_as = command_id if seq == run[-1] else f"{command_id}:{seq}"
                receipt = await self._writer.undo(
                    seq, seat=seat, command_id=known_as, actor=actor, reason=reason, consent=consent
                )
                if receipt.refusal is not None:
                    break
            await self._go_on()
            return receipt

        return await self._worker.do(job)

    async def overrule(self, explanation_id: str, why: str, *, command_id: str, actor: str) -> Receipt:
        """The banker says that a taxi is right as it lies: a correction with a reason, and if it was its move, the
        move ends there."""
        return await self._worker.do(lambda: self._overrule(explanation_id, why, command_id, actor))

    async def dismiss(self, explanation_id: str) -> None:
        """The explanation was read; it comes back if the table sees something new."""
        self.explanations.dismiss(explanation_id)
        self.touch()

    async def set_bot(self, seat: int, level: str, *, command_id: str, actor: str) -> Receipt:
        """Hands a seat to a bot (`random`, `greedy`, `strong`), or back to people (empty). The banker may for every
        seat, a seat for itself; it stands in the log."""

        async def job() -> Receipt:
            if command_id in self._writer.log.by_command:
                return Receipt(self.seq, repeated=True)
            if all(row["seat"] != seat for row in self.setup["seats"]):
                return self._writer.refused(Refusal("unknown_seat", f"There is no seat {seat} at this table."))
            if level and level not in self.game.rules.bots():
                known = ", ".join(self.game.rules.bots())
                return self._writer.refused(Refusal("unknown_bot", f"There is no bot “{level}”. Bots: {known}."))
            if actor not in ("bank", f"seat:{seat}"):
                return self._writer.refused(Refusal("not_yours", "Only the banker's tablet may act for another seat."))
            receipt = await self._writer.note(
                {"do": TAKES if level else HANDS_BACK, "seat": seat},
                command_id=command_id,
                actor=actor,
                also=lambda connection: store.update_seat(connection, self.table_id, seat, bot=level),
            )
            if receipt.refusal is None:
                for row in self.setup["seats"]:
                    if row["seat"] == seat:
                        row["bot"] = level
                self.touch()
            self._bots.wake()
            return receipt

        return await self._worker.do(job)

    async def let_bots_go_on(self, *, command_id: str, actor: str) -> Receipt:
        """Bots that hold still after an undo act again."""

        async def job() -> Receipt:
            if command_id in self._writer.log.by_command:
                return Receipt(self.seq, repeated=True)
            receipt = await self._writer.note({"do": GO_ON, "seat": 0}, command_id=command_id, actor=actor)
            self._bots.wake()
            return receipt

        return await self._worker.do(job)

    async def play_bot(self, seat: int, thought: Thought, seen: int) -> Receipt:
        """A bot's command: what chance must answer the companion answers, and the log keeps why."""
        command_id, actor = f"bot:{seat}:{seen}", f"bot:{seat}"
        wanted = game.chance(self.state, thought.command)
        bot = thought.noted()

        async def job() -> Receipt:
            if wanted is not None:
                return await self._chance(thought.command, command_id, actor, seen, bot=bot)
            evidence = {"kind": "bot", "bot": bot}
            return await self._submit(thought.command, command_id, actor, seen, evidence)

        return await self._worker.do(job)

    async def observe(self, fact: Fact) -> None:
        """A fact of a device: plays, is explained, or is just taken in. `on_taken_in` tells when it is on disk.
        `StorageError` if it could not be; the device then keeps it."""
        await self._worker.do(lambda: self.eyes.take(fact))

    async def see(self, snapshot: TableSnapshot) -> None:
        """How the table lies now."""
        await self._worker.do(lambda: self.eyes.see(snapshot))

    def controllers(self, here: Mapping[int, bool]) -> None:
        """Which table controllers there are: number → whether it is there now. Never waits."""
        self._worker.later(lambda: self.eyes.controllers(here))

    async def close(self) -> None:
        """Finishes what was begun and ends the task; streams end."""
        self.eyes.close()
        self._bots.close()
        self._mailboxes.close()
        await self._worker.close()

    # For the table's eyes, which run in its task

    async def submit_in_task(
        self, command: Json, command_id: str, actor: str, evidence: Json, mark: InboxMark | None
    ) -> Receipt:
        """`submit`, with the inbox position of the fact that caused it."""
        return await self._submit(command, command_id, actor, None, evidence, mark=mark)

    async def note_in_task(self, what: Json, command_id: str, actor: str, mark: InboxMark) -> None:
        """A row that changes no game, once. `StorageError`: it is not there."""
        if command_id in self._writer.log.by_command:
            return
        receipt = await self._writer.note(what, command_id=command_id, actor=actor, mark=mark)
        if receipt.refusal is not None:
            raise StorageError(receipt.refusal.message)

    async def take_in(self, mark: InboxMark) -> None:
        """A fact without consequences: only the device's position moves. `StorageError`: it did not."""
        await self._writer.take_in(mark)

    def in_task(self, job: Callable[[], Awaitable[None]]) -> None:
        """Queues `job` without waiting for it: timers."""
        self._worker.later(job)

    # The table's task

    async def _go_on(self) -> None:
        """What goes by itself: while only the operator may go on and chance alone has to answer, it does; then bots
        may be waited for."""
        while self.setup.get("cards") == "digital" and (command := operators_step(self._writer.working)) is not None:
            receipt = await self._chance(command, f"auto:{self.seq}", AUTOMATIC, None)
            if not receipt.accepted or receipt.repeated:
                break
        self._bots.wake()

    async def _chance(
        self, command: Json, command_id: str, actor: str, expected_seq: int | None, bot: Json | None = None
    ) -> Receipt:
        """Completes a command with what chance says now, or with what it had said before an undo."""
        working = self._writer.working
        wanted = game.chance(working, command)
        if wanted is None:
            return await self._submit(command, command_id, actor, expected_seq, None)
        if wanted["kind"] == "card" and self.setup.get("cards") == "paper":
            return self._writer.refused(
                Refusal("paper_deck", "The decks of this table are of paper: draw the card, and say which it is.")
            )
        whole = {**command, wanted["field"]: chance.answer(working, wanted, self._settings.chance)}
        evidence: Json = {"kind": "rng", "draw": self._writer.log.random_draws + 1}
        kept = self.kept_for(command)
        if kept is not None and chance.is_left(working, wanted, kept.fields):
            whole, evidence = {**command, **kept.fields}, {"kind": "kept", "seq": kept.seq}
        elif kept is not None:
            self._writer.log.forget_kept(command)
        if bot is not None:
            evidence["bot"] = bot
        return await self._submit(whole, command_id, actor, expected_seq, evidence, chosen=True)

    async def _submit(
        self,
        command: Json,
        command_id: str,
        actor: str,
        expected_seq: int | None,
        evidence: Json | None,
        *,
        mark: InboxMark | None = None,
        chosen: bool = False,
    ) -> Receipt:
        """`chosen`: chance was answered by the companion, so a repeat is known by what was asked, not by what was
        answered."""
        log = self._writer.log
        request = fingerprint(command, actor, chosen)
        known = self._gate.answered(log, command_id, request)
        if known is not None:
            return known
        digital = self.setup.get("cards") == "digital"
        refusal = self._gate.refusal(log, command, actor, expected_seq, digital_decks=digital, chosen=chosen)
        if refusal is None:
            if evidence is None and any(name in command for name in OUTCOMES) and self._asks_chance(command):
                evidence = {"kind": "typed", "by": actor}
            receipt = await self._writer.play(command, command_id=command_id, actor=actor, evidence=evidence, mark=mark)
            refusal = receipt.refusal
            if refusal is None and actor != AUTOMATIC:
                await self._go_on()
            if refusal is None or refusal.code in ("storage", "internal"):
                return receipt
        self._gate.remember(command_id, request, refusal)
        return self._writer.refused(refusal)

    def _asks_chance(self, command: Json) -> bool:
        return self._writer.log.chance_kind(command) is not None

    async def _overrule(self, explanation_id: str, why: str, command_id: str, actor: str) -> Receipt:
        known = self._gate.answered(self._writer.log, command_id, None)
        if known is not None:
            return known
        if actor != "bank":
            return self._writer.refused(Refusal("not_yours", "Only the banker's tablet may overrule the table."))
        if not why.strip():
            return self._writer.refused(Refusal("why_missing", "Say why: everybody can read it in the log."))
        case = self.explanations.overrulable(explanation_id)
        if case is None:
            return self._writer.refused(STALE)
        sight = self.explanations.sight()
        first, *more = self.game.table.overruled(sight, case["piece"], case["seen"], case["was_move"], why.strip())
        evidence = {"kind": "overrule", "seen": case["seen"]}
        receipt = await self._writer.play(first, command_id=command_id, actor=actor, evidence=evidence)
        for command in more if receipt.accepted else ():
            then = await self._writer.play(
                command, command_id=f"{command_id}:{command['do']}", actor=actor, evidence=evidence
            )
            if not then.accepted:
                break
            receipt = Receipt(then.seq, receipt.events + then.events)
        await self._go_on()
        return receipt

    def _published(self, events: list[Json]) -> None:
        self.explanations.game_changed()
        self._mailboxes.publish()
        try:
            self.on_published(events)
        except Exception:  # the entry is on disk and counts, whatever the lights make of it
            logger.exception("what follows from entry %d failed", self.seq)
