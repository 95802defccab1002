"""What a fact of the table means: a command that fits the phase plays, anything else is left to be explained
(`companion.tables.explanations`).

Tags are judged by their *arrival*: only a piece that comes to rest on another socket while its move is awaited is a
move (which command, its title says). One that merely lies somewhere (after a restart, or forgotten after a change) is
asked about, never played. An arrival must lie still for `Settings.tag_settle` seconds, since a piece that is pushed
along passes over sockets; a throw decides it at once. Until then neither it nor any later fact is acknowledged, so
that a crash in between brings it back from the table's own memory.

Throws count for whom chance is asked about now (`game.chance`); others are void, logged and explained. Where several
dice are thrown together, each throw but the last is a note in the log, from which it is remembered. Every die that is
connected is invited; the first that is thrown counts, and one that was thrown for the same throw is void.

Several controllers are one table: sockets have the layout's numbers, and marks are kept for each device.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from companion.devices import facts
from companion.devices.facts import Fact, Origin, TableSnapshot
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from companion.settings import Settings
from companion.tables.alike import best_swap
from companion.tables.explanations import Explanations
from companion.tables.receipts import Json, Receipt
from companion.tables.table_now import TableNow
from companion.tables.table_plan import FIRST
from shared_rules.engine import game

RETRY_SECONDS = 2.0
"""After the disk refused a move that had settled."""

Boot = tuple[str, int]
"""A device, and the start of it that its events are numbered from."""


@dataclass
class _Arrival:
    """A piece that may move came to rest, and may still be on its way."""

    piece: str
    uid: str
    socket: int
    place: str
    origin: Origin
    timer: asyncio.TimerHandle | None = None


class TableHands(Protocol):
    """What the eyes of a table have done, in its task: `TableActor` says more of each."""

    def touch(self) -> None: ...
    def in_task(self, job: Callable[[], Awaitable[None]]) -> None: ...
    async def take_in(self, mark: InboxMark) -> None: ...
    async def note_in_task(self, what: Json, command_id: str, actor: str, mark: InboxMark) -> None: ...
    async def assign_tag_in_task(self, uid: str, piece: str | None, *, swap: bool = False) -> None: ...
    async def submit_in_task(
        self, command: Json, command_id: str, actor: str, evidence: Json, mark: InboxMark | None
    ) -> Receipt: ...


class TableEyes:
    """What one table sees. Runs in the table's task."""

    def __init__(self, table: TableNow, shown: Explanations, hands: TableHands, settings: Settings) -> None:
        self.learning: str | None = None
        """The piece whose tag is being learnt."""
        self._table = table
        self._hands = hands
        self._settings = settings
        self._shown = shown
        self._glance = shown.glance
        self._plan = shown.plan
        self._presence = shown.presence
        self._arrivals: dict[str, _Arrival] = {}
        """uid → its arrival, in the order in which they came to rest."""
        self._held: dict[Boot, InboxMark] = {}
        """With an arrival: everything of its device up to here is taken in when all of that device are decided."""
        self._new_boots: set[Boot] = set()
        """Devices that have started while nobody watched, until their first snapshot: what they see first lay there
        before."""
        self._shown.on_change = self._game_changed

    async def take(self, fact: Fact) -> None:
        """One numbered fact, in order. Returns when it has been taken in or is held back with a pending arrival.
        `StorageError`: it was not."""
        mark = InboxMark(fact.origin.device_id, fact.origin.boot_id, fact.origin.seq)
        if fact.origin.seq == 1:
            self._new_boots.add(_boot(fact.origin))
        if isinstance(fact, facts.TagAppeared):
            await self._tag_appeared(fact, mark)
        elif isinstance(fact, facts.TagGone):
            await self._tag_gone(fact, mark)
        elif isinstance(fact, facts.DieSettled):
            await self._decide_arrivals()
            await self._die_settled(fact, mark)
        elif isinstance(fact, facts.EventsLost):
            await self._decide_arrivals()
            await self._note({"do": "events_lost", "lost": fact.lost}, mark)
            self._shown.lost += fact.lost
        else:
            if isinstance(fact, facts.SocketTrouble):
                self._presence.trouble(fact.socket, fact.state)
            elif isinstance(fact, facts.DieRefused):
                self._shown.void = self._shown.refused_die(_command_id(fact.origin), fact.reason)
            elif isinstance(fact, facts.DieCocked):
                self._shown.cocked = self._shown.cocked_die(_command_id(fact.origin))
            elif isinstance(fact, (facts.DieStarted, facts.DiePlaced)):
                self._shown.cocked = None
            elif isinstance(fact, facts.AccessRefused):
                self._shown.access = self._shown.access_refused(f"access:{_command_id(fact.origin)}")
            await self._take_in(mark)
        self._hands.touch()

    async def see(self, snapshot: TableSnapshot) -> None:
        """How the table lies now. Plays nothing: what changed unseen is asked about."""
        self._shown.touched |= self._presence.replace(snapshot)
        self._shown.lies_at_rest(*snapshot.tags)
        self._new_boots.discard((snapshot.device_id, snapshot.boot_id))
        for arrival in list(self._arrivals.values()):
            if self._presence.tags.get(arrival.uid) != arrival.socket:
                self._forget_arrival(arrival.uid)
        for boot in list(self._held):
            if not self._pending(boot):
                await self._release(boot)
        if snapshot.die == "cocked" and self._shown.cocked is None:
            self._shown.cocked = self._shown.cocked_die(f"cocked:{snapshot.device_id}:{self._table.seq}")
        await self._learn_from(list(snapshot.tags))
        await self._sort_alike()
        self._hands.touch()

    async def controllers(self, here: Mapping[int, bool]) -> None:
        """Which controllers there are: number → whether it is there now."""
        self._plan.serve(here)
        self._presence.controllers({FIRST: True, **here} if FIRST not in here else here)
        self._hands.touch()

    async def learn(self, piece: str | None) -> None:
        """The next tag on the base that is nobody's is this piece; None stops it."""
        self.learning = piece
        if piece is not None:
            await self._learn_from(list(self._presence.tags))

    def tags_changed(self) -> None:
        """Another tag is another piece now: an arrival of the old one is decided (and found to be none) at once."""
        for arrival in self._arrivals.values():
            if self._glance.piece_of(arrival.uid) != arrival.piece:
                self._set_timer(arrival, 0)

    def close(self) -> None:
        """No timer goes on. What was held back stays with the device."""
        for uid in list(self._arrivals):
            self._forget_arrival(uid)

    # Tags

    async def _tag_appeared(self, fact: facts.TagAppeared, mark: InboxMark) -> None:
        unknown = _boot(fact.origin) in self._new_boots and not self._presence.has_seen(fact.uid)
        moved = self._presence.appeared(fact.uid, fact.socket) and not unknown
        await self._learn_from([fact.uid])
        piece = self._glance.piece_of(fact.uid)
        arrival = self._arrivals.get(fact.uid)
        if arrival is not None and arrival.socket != fact.socket:
            self._forget_arrival(fact.uid)
        if moved:
            self._shown.touched.add(fact.uid)
            await self._sort_alike()
            self._shown.lies_at_rest(fact.uid)
            piece = self._glance.piece_of(fact.uid)
        place = self._plan.place_of(fact.socket)
        if moved and piece is not None and place is not None and self._could_be_move(piece, place):
            arrival = _Arrival(piece, fact.uid, fact.socket, place, fact.origin)
            self._arrivals[fact.uid] = arrival
            self._shown.arriving.add(fact.uid)
            self._held[_boot(fact.origin)] = mark
            self._set_timer(arrival, self._settings.tag_settle)
            return
        await self._take_in(mark)

    async def _tag_gone(self, fact: facts.TagGone, mark: InboxMark) -> None:
        if self._presence.gone(fact.uid, fact.socket):
            self._shown.touched.add(fact.uid)
        arrival = self._arrivals.get(fact.uid)
        if arrival is not None and arrival.socket == fact.socket:
            self._forget_arrival(fact.uid)
        await self._take_in(mark)

    async def _learn_from(self, uids: list[str]) -> None:
        if self.learning is None:
            return
        unknown = [
            uid
            for uid in uids
            if self._glance.piece_of(uid) is None
            and self._plan.base is not None
            and self._plan.place_of(self._presence.tags[uid]) == self._plan.base
        ]
        if len(unknown) == 1:
            piece, self.learning = self.learning, None
            await self._hands.assign_tag_in_task(unknown[0], piece)

    async def _sort_alike(self) -> None:
        """Pieces that nobody can tell apart may lie in one another's places, or carry one another's riders: then their
        tags change places, whichever exchange puts most right first."""
        glance, shown = self._glance, self._shown
        while (swap := best_swap(glance, shown.presence, shown.lies_right, self._groups())) is not None:
            one, other = swap
            uid = glance.tag(one) or glance.tag(other)
            assert uid is not None
            await self._hands.assign_tag_in_task(uid, other if glance.tag(one) else one, swap=True)

    def _groups(self) -> list[list[str]]:
        return self._table.game.table.alike(self._glance.position)

    def _game_changed(self) -> None:
        if len(self._presence.tags) > 1 and self._groups():
            self._hands.in_task(self._sort_alike)

    # Arrivals

    def _could_be_move(self, piece: str, place: str) -> bool:
        """Whether this piece may move now, and this is another place than its own."""
        return piece in self._glance.awaited and place != self._glance.where.get(piece)

    def _set_timer(self, arrival: _Arrival, seconds: float) -> None:
        if arrival.timer is not None:
            arrival.timer.cancel()
        uid = arrival.uid
        loop = asyncio.get_running_loop()
        arrival.timer = loop.call_later(seconds, self._hands.in_task, lambda: self._settled(uid))

    async def _settled(self, uid: str) -> None:
        arrival = self._arrivals.get(uid)
        if arrival is None:
            return
        try:
            await self._decide(arrival)
        except StorageError:
            self._set_timer(arrival, RETRY_SECONDS)
        self._hands.touch()

    def _forget_arrival(self, uid: str) -> None:
        arrival = self._arrivals.pop(uid, None)
        if arrival is not None and arrival.timer is not None:
            arrival.timer.cancel()
        self._shown.arriving.discard(uid)

    def _pending(self, boot: Boot) -> list[_Arrival]:
        return [arrival for arrival in self._arrivals.values() if _boot(arrival.origin) == boot]

    async def _release(self, boot: Boot) -> None:
        """No arrival of this device is pending any more: what was held back is taken in."""
        if boot in self._held:
            await self._hands.take_in(self._held[boot])
            del self._held[boot]

    async def _decide_arrivals(self) -> None:
        """Decides all that are pending, the first first. `StorageError`: the rest is still pending."""
        for arrival in list(self._arrivals.values()):
            await self._decide(arrival)

    async def _decide(self, arrival: _Arrival) -> None:
        """Plays the move, or leaves it to be explained. `StorageError`: nothing has happened, it is still pending."""
        boot = _boot(arrival.origin)
        last = len(self._pending(boot)) == 1
        command = None
        if self._glance.piece_of(arrival.uid) == arrival.piece and self._could_be_move(arrival.piece, arrival.place):
            command = self._table.game.table.arrived(self._shown.sight(), arrival.piece, arrival.place)
        if command is not None:
            evidence = {**_evidence("tag", arrival.origin), "socket": arrival.socket}
            # With others pending the device keeps everything: a repeat of this one gets its first answer again.
            receipt = await self._hands.submit_in_task(
                command,
                _command_id(arrival.origin),
                _actor(arrival.origin),
                evidence,
                self._held.get(boot) if last else None,
            )
            _raise_if_not_stored(receipt.refusal)
            if receipt.accepted and not receipt.repeated:
                if last:
                    self._held.pop(boot, None)
                self._forget_arrival(arrival.uid)
                return
        if last:
            await self._release(boot)
        self._forget_arrival(arrival.uid)

    async def _take_in(self, mark: InboxMark) -> None:
        boot = (mark.device_id, mark.boot_id)
        if self._pending(boot):
            self._held[boot] = mark
        else:
            await self._hands.take_in(mark)
            self._held.pop(boot, None)

    # Throws

    async def _die_settled(self, fact: facts.DieSettled, mark: InboxMark) -> None:
        dice = self._table.game.table.dice(self._glance.position)
        die, found = next(((die, one) for die, one in dice.items() if one.map_id == fact.map_id), (None, None))
        face: Any = found.faces.get(fact.value) if found is not None else fact.value
        wanted = self._table.throw_wanted()
        late = fact.invited_to is not None and fact.invited_to < self._table.throws_made
        self._shown.cocked = None
        if die is not None and wanted is not None and wanted.die == die and not late:
            thrown = [*wanted.faces, face]
            if len(thrown) < wanted.count:
                await self._note({"do": "first_throw", "seat": wanted.seat, "die": die, "face": face}, mark)
                return
            command = wanted.command(thrown)
            evidence: Json = {**_evidence("die", fact.origin), **_receipt(fact)}
            kept = self._table.kept_for(command)
            if kept is not None:
                command.update(kept.fields)
                evidence = {**evidence, "kind": "kept", "seq": kept.seq}
            receipt = await self._hands.submit_in_task(
                command, _command_id(fact.origin), _actor(fact.origin), evidence, mark
            )
            _raise_if_not_stored(receipt.refusal)
            if receipt.accepted:
                return
        seat = self._glance.position["turn"]
        await self._note({"do": "void_throw", "seat": seat, "die": die or "unknown", "face": face}, mark)
        self._shown.void = self._shown.void_throw(die, face, game.chance(self._table.state), late=late)

    async def _note(self, what: Json, mark: InboxMark) -> None:
        origin = Origin(mark.device_id, mark.boot_id, mark.seq)
        await self._hands.note_in_task(what, f"{_command_id(origin)}:note", _actor(origin), mark)


def _raise_if_not_stored(refusal: Any) -> None:
    if refusal is not None and refusal.code == "storage":
        raise StorageError(refusal.message)


def _command_id(origin: Origin) -> str:
    return f"fact:{origin.device_id}:{origin.boot_id}:{origin.seq}"


def _receipt(fact: facts.DieSettled) -> Json:
    """What the die says of its throw: what it counted, how long it tumbled, the digest of what it felt."""
    return {
        "roll": fact.roll,
        "face": fact.face,
        "tumbles": fact.tumbles,
        "ms": fact.duration_ms,
        "digest": f"{fact.digest:08x}",
    }


def _boot(origin: Origin) -> Boot:
    return (origin.device_id, origin.boot_id)


def _actor(origin: Origin) -> str:
    return f"device:{origin.device_id}"


def _evidence(kind: str, origin: Origin) -> Json:
    return {"kind": kind, "device": origin.device_id, "boot": origin.boot_id, "event": origin.seq}
