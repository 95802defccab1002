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

PERSON = {
    "place_tag": "Put the taxi with tag {uid} on socket {socket}.",
    "lift_tag": "Take the taxi with tag {uid} off the table.",
    "press_button": "Press the die's button and let it go.",
    "throw_die": "Throw the die ({kind}).",
    "handle_die": "Take the die and move it about ({kind}) for {seconds} s, without a throw.",
    "bring_die": "Lay the die down with face {face} up.",
    "place_die": "Turn the die so that face {face} is up, without a throw.",
    "power_cycle": "Pull the table's plug, wait a moment, put it back.",
    "brown_out": "Pull the table's plug and put it back as fast as you can.",
    "drop_link": "Carry the companion out of reach (or wrap the table's antenna) until the link is lost.",
    "plug_cable": "Pull the plug of the cable, or put it back ({plugged}).",
    "switch_off": "Switch {device} off.",
    "switch_on": "Switch {device} on.",
    "set_charging": "Put the die on its charger, or take it off ({charging}).",
    "lights": "Look at the lights ({strip}).",
    "tags": "",
    "stats": "",
    "links": "",
}
"""Hand → what a person is told to do at a real table; an empty text: nothing, it only looks."""
