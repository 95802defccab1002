"""The fact in each event of the wire, for `companion.devices.dialogue`. A new kind of event is one row here and one
class in `companion.devices.facts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.devices import facts
from companion.devices.device_state import BATTERY_LEVELS
from companion.devices.facts import Fact, Origin
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import Message

DIE_STATES = ("at_rest", "invites", "tumbles", "handled", "cocked", "unknown")

Fields = dict[str, Any]


def as_fact(message: Message, origin: Origin) -> Fact:
    """The fact in an event, `OtherEvent` for one that says nothing about the game."""
    make = _FACTS.get(message.name)
    if make is not None:
        return make(origin, message.fields, message.ref)
    if message.name in _TROUBLES:
        return facts.SocketTrouble(origin, int(message.fields["socket"]), _TROUBLES[message.name])
    return facts.OtherEvent(origin, message.name)


def unknown(packet: bytes) -> Message:
    """A sound packet of a kind that a later version of the protocol has. If it is an event its number counts: what
    comes behind it waits for that one."""
    row = (packet[1], f"0x{packet[1]:02X}", TO_COMPANION, ())
    return Message(row, packet[0] & 15, packet[2] | packet[3] << 8, packet[4] | packet[5] << 8, {})


def events_lost(origin: Origin, lost: int) -> Fact:
    """What a GAP says: `lost` events up to this one are gone."""
    return facts.EventsLost(origin, lost)


def _settled(origin: Origin, fields: Fields, ref: int) -> Fact:
    return facts.DieSettled(
        origin,
        face=int(fields["face"]),
        map_id=int(fields["map_id"]),
        value=int(fields["value"]),
        tumbles=int(fields["tumbles"]),
        duration_ms=int(fields["duration"]),
        roll=int(fields["roll"]),
        digest=int(fields["digest"]),
        invitation=ref,
    )


def _battery(origin: Origin, fields: Fields, ref: int) -> Fact:
    level = BATTERY_LEVELS[int(fields["level"])]
    return facts.BatteryChanged(origin, level, int(fields["percent"]), int(fields["millivolts"]))


_FACTS: dict[str, Callable[[Origin, Fields, int], Fact]] = {
    "TAG_APPEARED": lambda origin, row, ref: facts.TagAppeared(origin, int(row["socket"]), bytes(row["uid"]).hex()),
    "TAG_GONE": lambda origin, row, ref: facts.TagGone(origin, int(row["socket"]), bytes(row["uid"]).hex()),
    "ROLL_STARTED": lambda origin, row, ref: facts.DieStarted(origin, int(row["map_id"])),
    "ROLL_SETTLED": _settled,
    "DIE_REFUSED": lambda origin, row, ref: facts.DieRefused(origin, int(row["reason"])),
    "DIE_COCKED": lambda origin, row, ref: facts.DieCocked(
        origin, int(row["map_id"]), int(row["face"]), int(row["tilt"])
    ),
    "DIE_PLACED": lambda origin, row, ref: facts.DiePlaced(origin, int(row["face"])),
    "DIE_SLEEPS": lambda origin, row, ref: facts.DieSleeps(origin, int(row["reason"])),
    "DIE_CALIBRATED": lambda origin, row, ref: facts.DieCalibrated(
        origin, int(row["result"]), int(row["residual"]), int(row["faces"])
    ),
    "FACE_MEASURED": lambda origin, row, ref: facts.FaceMeasured(origin, int(row["face"]), int(row["faces"])),
    "BATTERY": _battery,
    "CROSSTALK": lambda origin, row, ref: facts.Crosstalk(origin, int(row["socket"]), int(row["other"])),
    "ACCESS_REFUSED": lambda origin, row, ref: facts.AccessRefused(origin, int(row["command"])),
    "FAULT": lambda origin, row, ref: facts.DeviceFault(origin, int(row["task"]), str(row["error"])),
}

_TROUBLES = {"SEVERAL_UNREADABLE": "several", "SEVERAL_RESOLVED": "ok", "READER_MUTE": "mute", "READER_BACK": "ok"}
