"""Everything that `Application.start` can be told, with defaults for a table at home. Tests inject database mode,
radio, clock and chance."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def default_data_dir() -> Path:
    """Where evenings are kept: `$XDG_DATA_HOME/cabstand`, or `~/.local/share/cabstand`."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share") / "cabstand"


def utc_now() -> datetime:
    """Wall time, for the stamps of the log and nothing else."""
    return datetime.now(UTC)


@dataclass
class Settings:
    """How the companion runs. Times in seconds."""

    data_dir: Path = field(default_factory=default_data_dir)
    table: str = "none"
    """`none`, or parts joined by commas: `virtual`, `ble`, `serial` (every USB port that answers), `serial:PORT` (a
    path or a USB serial number), `hci:HOST:PORT[,control:HOST:PORT:TOKEN]`."""

    database_on_loop: bool = False
    """Database calls on the loop's own thread: for virtual time, where threads are invisible."""
    scanner_backend: type[Any] | None = None
    """A bleak scanner backend class in place of the machine's radio."""
    client_backend: type[Any] | None = None
    """A bleak client backend class in place of the machine's radio."""
    now: Callable[[], datetime] = utc_now
    """Stamps of the log."""
    chance: random.Random = field(default_factory=secrets.SystemRandom)
    """Digital dice and decks."""

    resume: bool = True
    """Whether `Application.start` goes on with the evening that was not finished."""
    heartbeat_timeout: float = 3.0
    """Silence of a device that counts as a loss."""
    look_again: float = 4.0
    """How long the radio rests between two looks round for new devices, while nothing is missed."""
    tag_settle: float = 0.6
    """How long a taxi must lie still on a socket before it counts as a move: it may be sliding over."""
    bot_pause: float = 1.2
    """How long a bot waits before it acts, so that people can follow."""
    snapshot_every: int = 100
    """Entries of the log between two stored positions."""
