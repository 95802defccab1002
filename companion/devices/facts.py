"""What a table's devices saw, for `companion.tables.facts_to_commands`: facts, never conclusions.

Each fact of the numbered kind carries its `origin` (device, boot, number), which names it for ever. Sockets are those
of the layout: a controller's own number plus 32 for each controller before it. Uids are hex text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


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
    """A die came to rest; which one, its origin says. `face` is physical (1–12), `value` what the face map `map_id`
    makes of it. The rest is its receipt: the die's own count of rolls, how often it tumbled for how long, and a digest
    of the motion that it felt (0 where nothing moves). `invitation` is the number of the command that it answers, 0 for
    none; `invited_to` which throw of the evening that was (as `TableOutput` was told), None where nobody knows."""

    face: int
    map_id: int
    value: int
    tumbles: int
    duration_ms: int
    roll: int = 0
    digest: int = 0
    invitation: int = 0
    invited_to: int | None = None


@dataclass(frozen=True)
class DieStarted(Fact):
    """The die was set going."""

    map_id: int


@dataclass(frozen=True)
class DieCocked(Fact):
    """A thrown die came to rest against something and shows no face; `face` is the nearest one (0 for none), `tilt` how
    far it is from it, in degrees. No throw: the die asks for another by itself."""

    map_id: int
    face: int
    tilt: int


@dataclass(frozen=True)
class DiePlaced(Fact):
    """A die lies on another face without having been thrown. No throw."""

    face: int


@dataclass(frozen=True)
class DieSleeps(Fact):
    """A die goes to sleep (1 nobody used it, 2 it was asked to, 3 its battery is empty): it is not lost, and comes back
    when it is moved."""

    reason: int


@dataclass(frozen=True)
class DieCalibrated(Fact):
    """A calibration ended: `result` 0 stopped, 1 done, 2 failed; `residual` how far its measurements lie from a sphere,
    in mg; `faces` a bit for each face that was seen."""

    result: int
    residual: int
    faces: int


@dataclass(frozen=True)
class FaceMeasured(Fact):
    """A calibration goes on: the die lay still on this `face`; `faces` a bit for each that is done, this one too."""

    face: int
    faces: int


@dataclass(frozen=True)
class BatteryChanged(Fact):
    """A battery's level is another one now: `good`, `low` or `critical`."""

    level: str
    percent: int
    millivolts: int


@dataclass(frozen=True)
class Crosstalk(Fact):
    """One tag is read on two sockets at once: the field of one reaches into the other."""

    socket: int
    other: int


@dataclass(frozen=True)
class AccessRefused(Fact):
    """Somebody who has not proved to be the companion of this device asked it for what could do harm, and was refused:
    the kind of the command."""

    command: int


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
    """One of the device's tasks failed, and the device started anew; no event was lost by that."""

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
    """How one device's part of the table lies now: after each connect, and whenever it is asked for. No event, so
    without a number."""

    device_id: str
    boot_id: int
    tags: dict[str, int] = field(default_factory=dict)
    """uid → socket"""
    troubles: dict[int, str] = field(default_factory=dict)
    """socket → `several` or `mute`"""
    covers: range = range(32)
    """The sockets that it speaks for; of all others it says nothing."""
    die: str = ""
    """at_rest, invites, tumbles, handled, cocked or unknown; empty without a die"""
    die_face: int = 0


def in_layout(fact: Fact, first: int) -> Fact:
    """The same fact with the layout's numbers of sockets, for a controller whose socket 0 is number `first`."""
    if isinstance(fact, Crosstalk):
        return replace(fact, socket=fact.socket + first, other=fact.other + first)
    if isinstance(fact, (TagAppeared, TagGone, SocketTrouble)):
        return replace(fact, socket=fact.socket + first)
    return fact
