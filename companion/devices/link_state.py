"""How the link to the table is, for pages and the doctor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["none", "searching", "connected", "safe", "lost"]
"""`safe`: a device is there, but in safe mode, in which it sees nothing of the game."""


@dataclass
class LinkState:
    """`state`, the loop's time since when, what the device says of itself (id, firmware, sockets, leds, and from
    its heartbeats uptime, heap_free, waiting, sweep), the last error as a sentence, and counters (events, repeats,
    holes, refused, unknown, losses, …)."""

    state: State = "none"
    since: float = 0.0
    device: dict[str, Any] | None = None
    error: str = ""
    counters: dict[str, int] = field(default_factory=dict)
