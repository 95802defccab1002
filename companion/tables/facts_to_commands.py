"""What a fact of the table means: a command that fits the phase plays, anything else is left to be explained
(`companion.tables.explanations`).

Tags are judged by their *arrival*: only a taxi that comes to rest on another socket while its move is awaited is a
move. One that merely lies somewhere (after a restart, or forgotten after a settlement) is asked about, never
played. An arrival must lie still for `Settings.tag_settle` seconds, since a taxi that is pushed along passes over
sockets; a throw decides it at once. Until then neither it nor any later fact is acknowledged, so that a crash in
between brings it back from the table's own memory.

Throws count for whom chance is asked about now (`game.chance`); others are void, logged and explained.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.devices import facts
from companion.devices.facts import Fact, Origin, TableSnapshot
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from companion.settings import Settings
from companion.tables.receipts import Json
from shared_rules.engine import game

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor

RETRY_SECONDS = 2.0
"""After the disk refused a move that had settled."""

D6_MAP, D12_MAP = 1, 2
DICE = {D6_MAP: "d6", D12_MAP: "d12"}
"""The face maps that the companion gives a table: `map_id` → the game's die."""
D12_FACES = ("blank", "green", "white")


@dataclass
class _Arrival:
    """The taxi whose move is awaited came to rest, and may still be on its way."""

    seat: int
    uid: str
    socket: int
    place: str
    origin: Origin
    timer: asyncio.TimerHandle | None = None


class TableEyes:
    """What one table sees. Lives in its actor and runs in its task."""

    def __init__(self, actor: TableActor, settings: Settings) -> None:
        self.learning: int | None = None
        self._actor = actor
        self._settings = settings
        self._shown = actor.explanations
        self._glance = actor.explanations.glance
        self._plan = actor.explanations.plan
        self._presence = actor.explanations.presence
        self._arrival: _Arrival | None = None
        self._held: InboxMark | None = None
        """With an arrival: everything up to here is taken in when it is decided."""
        self._new_boot: tuple[str, int] | None = None
        """A table that has started while nobody watched, until its first snapshot: what it sees first lay there
        before."""

    async def take(self, fact: Fact) -> None:
        """One numbered fact, in order. Returns when it has been taken in or is held back with a pending arrival.
        `StorageError`: it was not."""
        mark = InboxMark(fact.origin.device_id, fact.origin.boot_id, fact.origin.seq)
        if fact.origin.seq == 1:
            self._new_boot = (fact.origin.device_id, fact.origin.boot_id)
        if isinstance(fact, facts.TagAppeared):
            await self._tag_appeared(fact, mark)
        elif isinstance(fact, facts.TagGone):
            await self._tag_gone(fact, mark)
        elif isinstance(fact, facts.DieSettled):
            await self._decide_arrival()
            await self._die_settled(fact, mark)
        elif isinstance(fact, facts.EventsLost):
            await self._decide_arrival()
            await self._note({"do": "events_lost", "lost": fact.lost}, mark)
            self._shown.lost += fact.lost
        else:
            if isinstance(fact, facts.SocketTrouble):
                self._presence.trouble(fact.socket, fact.state)
            elif isinstance(fact, facts.DieRefused):
                self._shown.void = self._shown.refused_die(_command_id(fact.origin), fact.reason)
            await self._take_in(mark)
        self._actor.touch()

    async def see(self, snapshot: TableSnapshot) -> None:
        """How the table lies now. Plays nothing: what changed unseen is asked about."""
        self._shown.touched |= self._presence.replace(snapshot)
        self._new_boot = None
        arrival = self._arrival
        if arrival is not None and self._presence.tags.get(arrival.uid) != arrival.socket:
            await self._drop_arrival()
        await self._learn_from(list(snapshot.tags))
        self._actor.touch()

    async def learn(self, seat: int | None) -> None:
        """The next tag on the base that is nobody's is this seat's taxi; None stops it."""
        self.learning = seat
        if seat is not None:
            await self._learn_from(list(self._presence.tags))

    def tags_changed(self) -> None:
        """Another tag is another taxi now: an arrival of the old one is decided (and found to be none) at once."""
        arrival = self._arrival
        if arrival is not None and self._glance.seat_of(arrival.uid) != arrival.seat:
            self._set_timer(0)

    def close(self) -> None:
        """No timer goes on. What was held back stays with the device."""
        self._forget_arrival()

    # Tags

    async def _tag_appeared(self, fact: facts.TagAppeared, mark: InboxMark) -> None:
        unknown = self._new_boot is not None and not self._presence.has_seen(fact.uid)
        moved = self._presence.appeared(fact.uid, fact.socket) and not unknown
        await self._learn_from([fact.uid])
        seat = self._glance.seat_of(fact.uid)
        arrival = self._arrival
        if arrival is not None and arrival.uid == fact.uid and arrival.socket != fact.socket:
            self._forget_arrival()
        if moved:
            self._shown.touched.add(fact.uid)
        place = self._plan.place_of(fact.socket)
        if (
            moved
            and seat is not None
            and place is not None
            and self._glance.awaits_move(seat)
            and place != self._glance.at(seat)
        ):
            self._arrival = _Arrival(seat, fact.uid, fact.socket, place, fact.origin)
            self._shown.arriving = fact.uid
            self._held = mark
            self._set_timer(self._settings.tag_settle)
            return
        await self._take_in(mark)

    async def _tag_gone(self, fact: facts.TagGone, mark: InboxMark) -> None:
        if self._presence.gone(fact.uid, fact.socket):
            self._shown.touched.add(fact.uid)
        arrival = self._arrival
        if arrival is not None and arrival.uid == fact.uid and arrival.socket == fact.socket:
            self._forget_arrival()
        await self._take_in(mark)

    async def _learn_from(self, uids: list[str]) -> None:
        if self.learning is None:
            return
        unknown = [
            uid
            for uid in uids
            if self._glance.seat_of(uid) is None
            and self._plan.base is not None
            and self._plan.place_of(self._presence.tags[uid]) == self._plan.base
        ]
        if len(unknown) == 1:
            seat, self.learning = self.learning, None
            await self._actor.assign_tag_in_task(unknown[0], seat)

    # Arrivals

    def _set_timer(self, seconds: float) -> None:
        arrival = self._arrival
        if arrival is not None:
            if arrival.timer is not None:
                arrival.timer.cancel()
            arrival.timer = asyncio.get_running_loop().call_later(seconds, self._actor.in_task, self._settled)

    async def _settled(self) -> None:
        try:
            await self._decide_arrival()
        except StorageError:
            self._set_timer(RETRY_SECONDS)
        self._actor.touch()

    def _forget_arrival(self) -> None:
        if self._arrival is not None and self._arrival.timer is not None:
            self._arrival.timer.cancel()
        self._arrival = None
        self._shown.arriving = None

    async def _drop_arrival(self) -> None:
        """No move after all: what was held back is taken in."""
        if self._held is not None:
            await self._actor.take_in(self._held)
        self._held = None
        self._forget_arrival()

    async def _decide_arrival(self) -> None:
        """Plays the move, or leaves it to be explained. `StorageError`: nothing has happened, it is still pending."""
        arrival, mark = self._arrival, self._held
        if arrival is None or mark is None:
            return
        still = self._glance.seat_of(arrival.uid) == arrival.seat and self._glance.awaits_move(arrival.seat)
        if still and arrival.place != self._glance.at(arrival.seat):
            command = {"do": "move", "seat": arrival.seat, "to": arrival.place}
            evidence = {**_evidence("tag", arrival.origin), "socket": arrival.socket}
            receipt = await self._actor.submit_in_task(
                command, _command_id(arrival.origin), _actor(arrival.origin), evidence, mark
            )
            _raise_if_not_stored(receipt.refusal)
            if receipt.accepted and not receipt.repeated:
                self._held = None
                self._forget_arrival()
                return
        await self._drop_arrival()

    async def _take_in(self, mark: InboxMark) -> None:
        if self._arrival is not None:
            self._held = mark
        else:
            await self._actor.take_in(mark)
            self._held = None

    # Throws

    async def _die_settled(self, fact: facts.DieSettled, mark: InboxMark) -> None:
        die = DICE.get(fact.map_id)
        face: Any = fact.value
        if die == "d12":
            face = D12_FACES[fact.value] if fact.value < len(D12_FACES) else "blank"
        wanted = game.chance(self._actor.state)
        if die is not None and wanted and wanted.get("kind") == "die" and wanted.get("die") == die:
            command: Json = {"do": "roll", "seat": wanted["seat"], "die": die, "face": face}
            evidence: Json = {
                **_evidence("die", fact.origin),
                "face": fact.face,
                "tumbles": fact.tumbles,
                "ms": fact.duration_ms,
            }
            kept = self._actor.kept_for(command)
            if kept is not None:
                command.update(kept.fields)
                evidence = {**evidence, "kind": "kept", "seq": kept.seq}
            receipt = await self._actor.submit_in_task(
                command, _command_id(fact.origin), _actor(fact.origin), evidence, mark
            )
            _raise_if_not_stored(receipt.refusal)
            if receipt.accepted:
                return
        seat = self._glance.position["turn"]
        await self._note({"do": "void_throw", "seat": seat, "die": die or "unknown", "face": face}, mark)
        self._shown.void = self._shown.void_throw(die, face, wanted)

    async def _note(self, what: Json, mark: InboxMark) -> None:
        origin = Origin(mark.device_id, mark.boot_id, mark.seq)
        await self._actor.note_in_task(what, f"{_command_id(origin)}:note", _actor(origin), mark)


def _raise_if_not_stored(refusal: Any) -> None:
    if refusal is not None and refusal.code == "storage":
        raise StorageError(refusal.message)


def _command_id(origin: Origin) -> str:
    return f"fact:{origin.device_id}:{origin.boot_id}:{origin.seq}"


def _actor(origin: Origin) -> str:
    return f"device:{origin.device_id}"


def _evidence(kind: str, origin: Origin) -> Json:
    return {"kind": kind, "device": origin.device_id, "boot": origin.boot_id, "event": origin.seq}
