"""One device that the companion knows: what pages see of it, its key, and the talk with it while there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.devices.device_state import BATTERY_LEVELS, KINDS, READERS, DeviceState, SocketState, State
from companion.devices.dialogue import CommandNumbers, Dialogue
from companion.event_log.store import Row
from shared_rules.wire.battery_level import level_after
from shared_rules.wire.messages import MODE_SAFE, NO_BATTERY, RESET_CAUSES, SOCKET_MUTE, SOCKET_SEVERAL, Message

NAMES = {"table": "Table", "table_die": "Table die", "handheld_die": "Die"}
SOCKET_STATES = {SOCKET_SEVERAL: "several", SOCKET_MUTE: "mute"}


class Cable(Protocol):
    """The cable that a device is on."""

    def end(self) -> None:
        """Its talk is over."""
        ...


class Lead(Protocol):
    """A cable over which a device was refused: who holds it in their hands may give it a new key."""

    def pair_anew(self) -> None:
        """Gives the device its key at once."""
        ...


@dataclass
class KnownDevice:
    """`met`: this companion has talked with it, now or at another time. `key` is its key, empty for none; it counts
    as paired once `state.paired`, before that the key was only offered. `asleep`: it has said good night.
    `forgotten`: it may be in sight, but it is left alone. `unsaved`: what the data file keeps of it has changed.
    `readers`: which chip was found in each of its own sockets, over its restarts: one that is not found again has
    fallen silent. `safe_since`: the boot in which it was asked to start in safe mode. `asked`: kind of a command of
    ours that was not carried out (yet) → the loop's time when it was sent. `calibrating`: its calibration was started,
    and has not ended."""

    state: DeviceState
    key: bytes = b""
    met: bool = False
    asleep: bool = False
    forgotten: bool = False
    numbers: CommandNumbers = field(default_factory=CommandNumbers)
    dialogue: Dialogue | None = None
    unsaved: bool = False
    readers: dict[int, str] = field(default_factory=dict)
    safe_since: int | None = None
    asked: dict[int, float] = field(default_factory=dict)
    calibrating: bool = False
    access_refused: str = ""
    crosstalk: str = ""
    air: asyncio.Task[float | None] | None = None
    cable: Cable | None = None
    lead: Lead | None = None
    on_change: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        return self.state.id

    @property
    def nameless(self) -> str:
        """What it is called while nobody knows what it is."""
        return f"Device {self.id[-4:].upper()}"

    def change(self, state: State, error: str = "") -> None:
        """Another state, or another sentence about it."""
        mine = self.state
        if (state, error) == (mine.state, mine.error):
            return
        if state != mine.state:
            mine.since = asyncio.get_running_loop().time()
            if state == "lost" and mine.state == "connected":
                mine.counters["losses"] = mine.counters.get("losses", 0) + 1
        mine.state, mine.error = state, error
        if state != "connected":
            mine.way = ""
        self.on_change()

    def lost(self, error: str) -> None:
        """Its link is over: it sleeps, if it said so."""
        if self.asleep:
            self.change("asleep")
        else:
            self.change("lost", error)

    def says_hello(self, hello: Message) -> None:
        """What it tells of itself at the beginning of a talk."""
        fields, state = hello.fields, self.state
        state.kind = KINDS.get(int(fields["device_kind"]), "table")
        if state.name in ("", self.nameless):
            state.name = f"{NAMES[state.kind]} {self.id[-4:].upper()}"
        if state.boot_id != int(fields["boot_id"]):
            state.sockets = []
            state.heap_low = state.heap_free = 0
            self.calibrating = False
        state.boot_id = int(fields["boot_id"])
        state.protocol_minor = int(fields["protocol_minor"])
        state.firmware = f"{fields['firmware_major']}.{fields['firmware_minor']}.{fields['firmware_patch']}"
        cause = int(fields["reset_cause"])
        state.reset_cause = RESET_CAUSES[cause] if cause < len(RESET_CAUSES) else RESET_CAUSES[0]
        state.mode = "safe" if fields["mode"] == MODE_SAFE else "normal"
        state.socket_count, state.leds = int(fields["sockets"]), int(fields["leds"])
        state.die_faces = int(fields["die_faces"])
        if state.mode == "safe":  # nobody there looks at readers or a die
            state.sockets, state.die, state.die_face, state.invited = [], "", 0, False
        elif self.safe_since != state.boot_id:
            self.safe_since = None

    def hears_news(self, name: str, fields: dict[str, Any]) -> None:
        """HEARTBEAT, TELEMETRY, SOCKET_HEALTH."""
        state = self.state
        if name == "SOCKET_HEALTH":
            if state.mode != "safe":
                self._socket(fields)
            return
        if name == "TELEMETRY":
            left_out = {"battery"}
            if state.mode == "safe":  # it measures no battery: what was known of it stays
                left_out.add("millivolts")
            else:
                self._battery(int(fields["battery"]))
            fields = {key: value for key, value in fields.items() if key not in left_out}
            fields["heap_low"] = min(int(fields["heap_low"]), state.heap_low or int(fields["heap_low"]))
        for key, value in fields.items():
            setattr(state, key, int(value))
        if state.heap_low and state.heap_free:  # what is free is told more often than the least
            state.heap_low = min(state.heap_low, state.heap_free)

    def _battery(self, percent: int) -> None:
        state, before = self.state, self.state.battery_level
        if percent == NO_BATTERY:
            state.battery, state.battery_level = None, ""
        else:
            state.battery, state.battery_level = min(percent, 100), level_of(percent, before)
        if state.battery_level != before:
            self.unsaved = True
            self.on_change()

    def _socket(self, fields: dict[str, Any]) -> None:
        own = int(fields["socket"])
        number = self.state.first_socket + own
        found, said = READERS.get(int(fields["reader"]), "none"), SOCKET_STATES.get(int(fields["state"]), "ok")
        if found != "none":
            self.unsaved = self.unsaved or self.readers.get(own) != found
            self.readers[own] = found
        elif own in self.readers:
            found, said = self.readers[own], "mute"
        fresh = SocketState(
            number,
            found,
            int(fields["version"]),
            said,
            int(fields["polls"]),
            int(fields["corrupt"]),
            int(fields["restarts"]),
            int(fields["crosstalk"]),
        )
        rest = [one for one in self.state.sockets if one.socket != number]
        self.state.sockets = sorted([*rest, fresh], key=lambda one: one.socket)

    def row(self) -> Row:
        """What the data file keeps of it."""
        state = self.state
        return {
            "id": state.id,
            "kind": state.kind,
            "name": state.name,
            "firmware": state.firmware,
            "last_seen": state.last_seen,
            "number": state.number,
            "key": self.key.hex(),
            "paired": int(state.paired),
            "battery": state.battery,
            "battery_level": state.battery_level,
            "forgotten": int(self.forgotten),
            "readers": " ".join(f"{socket}:{chip}" for socket, chip in sorted(self.readers.items())),
        }


def level_of(percent: int, before: str) -> str:
    """A battery's level at this charge, where it was `before`: good, low or critical, empty while it is not known."""
    return BATTERY_LEVELS[level_after(percent, BATTERY_LEVELS.index(before or "good"))]


def remembered(row: Row) -> KnownDevice:
    """A device as the data file keeps it."""
    state = DeviceState(
        row["id"],
        kind=row["kind"] if row["kind"] in NAMES else "table",
        name=row["name"],
        number=row["number"],
        firmware=row["firmware"],
        last_seen=row["last_seen"],
        paired=bool(row["paired"]),
        battery=row["battery"],
        battery_level=row["battery_level"] if row["battery_level"] in BATTERY_LEVELS else "",
    )
    readers = dict(_reader(word) for word in str(row["readers"]).split())
    return KnownDevice(
        state, bytes.fromhex(row["key"]), met=True, forgotten=bool(row["forgotten"]), readers=readers
    )


def _reader(word: str) -> tuple[int, str]:
    """A socket of the device's own and the chip in it, as `row` writes them."""
    socket, chip = word.split(":")
    return int(socket), chip
