"""What is known of one device, for pages and the doctor, and the error of whoever asked a device for something that it
cannot do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.errors import CompanionError
from shared_rules.wire.messages import HANDHELD_DIE, READER_MFRC522, READER_PN5180, TABLE_CONTROLLER, TABLE_DIE

State = Literal["searching", "connected", "lost", "asleep", "refused"]
"""`searching`: not met since the companion started; `lost`: it went away; `asleep`: it said good night, and comes back
when it is moved; `refused`: it is there, but it may not or cannot take part (`error` says why)."""

BATTERY_LEVELS = ("good", "low", "critical")
"""In the order of BATTERY_… of `shared_rules.wire.messages`."""
KINDS = {TABLE_CONTROLLER: "table", TABLE_DIE: "table_die", HANDHELD_DIE: "handheld_die"}
READERS = {READER_MFRC522: "mfrc522", READER_PN5180: "pn5180"}
SOCKETS_EACH = 32
"""Numbers of a layout's sockets that one controller takes up."""
LEDS_EACH = 64
"""Numbers of a layout's lights that one controller takes up."""


class DeviceError(CompanionError):
    """A device was asked for what it cannot or will not do; the sentence says what to do instead."""

    code = "device"
    status = 0
    """What the device answered, where it was the device that refused."""


@dataclass
class SocketState:
    """One reader's health as the controller reported it last: `socket` is the layout's number, `reader` its chip
    (`none`, `mfrc522`, `pn5180`) with its `version`, `state` ok, several or mute; counters since the controller's
    start."""

    socket: int
    reader: str
    version: int
    state: str
    polls: int
    corrupt: int
    restarts: int
    crosstalk: int


@dataclass
class DeviceState:
    """One device. `kind` is table, table_die or handheld_die; `number` a controller's number (None for dice); `way`
    air or cable while it is connected, else empty; `since` the loop's time of the last change of `state`; `error` a
    sentence with what to do. Figures are those of the last heartbeat and telemetry: seconds, bytes, milliseconds."""

    id: str
    kind: str = "table"
    name: str = ""
    number: int | None = None
    way: str = ""
    state: State = "searching"
    since: float = 0.0
    error: str = ""
    firmware: str = ""
    protocol_minor: int = 0
    boot_id: int = 0
    reset_cause: str = ""
    mode: str = "normal"
    """normal, or safe: only its link works, since it failed again and again, or was asked to"""
    paired: bool = False
    takes_key: bool = False
    """It is refused, and on a cable: `pair` gives it a new key."""
    battery: int | None = None
    """percent; None without a battery, or while it is not known"""
    millivolts: int = 0
    battery_level: str = ""
    """good, low or critical; empty while it is not known"""
    uptime: int = 0
    waiting: int = 0
    sweep: int = 0
    heap_free: int = 0
    heap_low: int = 0
    loop_worst: int = 0
    lost_writes: int = 0
    faults: int = 0
    last_fault: str = ""
    """the name of the error that started it anew"""
    die: str = ""
    """of a device with a die: at_rest, invites, tumbles, handled, cocked or unknown"""
    die_face: int = 0
    invited: bool = False
    """whether its die has an invitation that no throw has used up and nobody has taken back"""
    calibration: str = ""
    """a sentence about the last calibration since the companion started"""
    last_seen: str = ""
    """ISO time in UTC"""
    socket_count: int = 0
    leds: int = 0
    die_faces: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    """events, repeats, holes, refused, unknown, losses, silences, commands_repeated, …"""
    sockets: list[SocketState] = field(default_factory=list)

    @property
    def unheard(self) -> int:
        """How many of its readers have not told yet how they are; those are in `sockets` as soon as they have."""
        if self.kind != "table" or self.mode == "safe":
            return 0
        return max(0, self.socket_count - len(self.sockets))

    @property
    def first_socket(self) -> int:
        """The layout's number of its socket 0."""
        return SOCKETS_EACH * (self.number or 0)

    @property
    def first_led(self) -> int:
        """The layout's number of its light 0."""
        return LEDS_EACH * (self.number or 0)

    def lies(self) -> None:
        """Its die is at rest: it asks for a throw if it is invited to one."""
        self.die = "invites" if self.invited else "at_rest"

    def uninvited(self) -> None:
        """Its die waits for no throw any more."""
        self.invited = False
        if self.die == "invites":
            self.die = "at_rest"


@dataclass(frozen=True)
class DeviceNote:
    """Something quiet that people should know of a device: `kind` battery, refused, access, safe_mode, crosstalk or
    number."""

    id: str
    kind: str
    sentence: str
