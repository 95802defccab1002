"""The words of fault scripts: the facts to wait for, what the companion can be asked for, what pages know."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from companion.devices import facts
from companion.devices.device_state import DeviceState, SocketState

LINKED, UNLINKED, SNAPSHOT = "linked", "unlinked", "snapshot"


def snake(name: str) -> str:
    """TagAppeared → tag_appeared."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _names(kind: Any) -> set[str]:
    return {one.name for one in dataclasses.fields(kind)} - {"origin"} | {"device"}


FACTS: dict[str, set[str]] = {
    **{snake(kind.__name__): _names(kind) for kind in facts.Fact.__subclasses__()},
    LINKED: {"device", "way", "reset_cause", "new_boot", "mode"},
    UNLINKED: {"device", "state"},
    SNAPSHOT: {"device", "tags", "troubles", "die", "die_face"},
}
"""Fact → its fields. Besides the facts of `companion.devices.facts`: `linked` (the companion has resumed with a
device), `unlinked` (its link is over; `state` is lost, asleep or refused), `snapshot` (how many tags and troubles)."""

ASKS: dict[str, tuple[set[str], set[str]]] = {
    "faces": ({"map_id", "faces"}, {"style"}),
    "invite": ({"map_id"}, {"seat"}),
    "rest": (set(), set()),
    "light": ({"look", "leds"}, {"seconds"}),
    "pair": (set(), {"device"}),
    "unpair": (set(), {"device"}),
    "identify": (set(), {"device"}),
    "restart": (set(), {"device", "safe"}),
    "sleep": ({"device"}, set()),
    "calibrate": ({"device", "action"}, set()),
    "snapshots": (set(), set()),
    "forget_events": (set(), set()),
    "lose_key": (set(), {"device"}),
}
"""What the companion is asked for → (arguments it needs, arguments it may have)."""

OUTCOMES = ("works", "fails", "either")
"""What must become of what is asked for: `fails` is refused or not heard, `either` where a fault comes in between."""

ON_CABLES = ("plug_cable", "serial_noise")
"""Hands on the cable of a device, which has to be on one."""

STATE_FIELDS = {
    "device": {one.name for one in dataclasses.fields(DeviceState)},
    "socket": {one.name for one in dataclasses.fields(SocketState)},
}

BY_CHANCE = {"die_settled": {"face", "value", "tumbles", "duration_ms", "digest"}}
"""Fact → fields that are the same in each run of a virtual table, and another with each throw of a person."""
