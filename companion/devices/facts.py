"""What a table's devices saw, for `companion.tables.facts_to_commands`: facts, never conclusions.

Each fact of the numbered kind carries its `origin` (device, boot, number), which names it for ever. Sockets are
reader numbers, uids hex text.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Origin:
    """Where a fact comes from: `seq` is the whole number of the event in this boot, which does not wrap."""

    device_id: str
    boot_id: int
    seq: int


@dataclass(frozen=True)
class Fact:
    """Something that happened at the table."""

    origin: Origin


@dataclass(frozen=True)
class TagAppeared(Fact):
    """A tag came to rest on a socket."""

    socket: int
    uid: str


@dataclass(frozen=True)
class TagGone(Fact):
    """A tag left a socket."""

    socket: int
    uid: str


@dataclass(frozen=True)
class DieSettled(Fact):
    """The die came to rest. `face` is physical (1–12), `value` what the face map `map_id` makes of it."""

    face: int
    map_id: int
    value: int
    tumbles: int
    duration_ms: int


@dataclass(frozen=True)
class DieStarted(Fact):
    """The die was set going."""

    map_id: int


@dataclass(frozen=True)
class DieRefused(Fact):
    """The die was pressed and gave no throw: 1 the radio was off (no entropy), 2 nobody has said what its faces
    mean."""

    reason: int


@dataclass(frozen=True)
class SocketTrouble(Fact):
    """A socket cannot be read for sure (`several`: more tags than can be told apart; `mute`: its reader is silent),
    or can again (`ok`)."""

    socket: int
    state: str


@dataclass(frozen=True)
class DeviceFault(Fact):
    """One of the device's tasks failed and was started again."""

    task: int
    error: str


@dataclass(frozen=True)
class EventsLost(Fact):
    """`lost` events are gone for good (the device's memory ran over); `origin.seq` is the last of them. A snapshot
    follows."""

    lost: int


@dataclass(frozen=True)
class OtherEvent(Fact):
    """A numbered event that says nothing about the game (the die was armed, say): it only counts as taken in."""

    name: str


@dataclass(frozen=True)
class TableSnapshot:
    """How the table lies now: after each connect, and whenever it is asked for. No event, so without a number."""

    device_id: str
    boot_id: int
    tags: dict[str, int] = field(default_factory=dict)
    """uid → socket"""
    troubles: dict[int, str] = field(default_factory=dict)
    """socket → `several` or `mute`"""
