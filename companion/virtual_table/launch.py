"""Starts a virtual table in a process of its own, which never outlives this one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import CompanionError
from companion.virtual_table import missing
from companion.virtual_table.client import ControlAddress

_log = logging.getLogger(__name__)

_START_S = 20.0
_MARK = "virtual table: "
"""Begins whatever the process logs; what follows without it are details, a traceback say."""
_LAST_WORDS = 60


class VirtualTableNotStartedError(CompanionError):
    """No virtual table came up; the text says why and what to do."""

    code = "virtual_table"


@dataclass
class RunningTable:
    """A virtual table's process: where its radio and its hands are reached."""

    hci_port: int
    control: ControlAddress
    process: asyncio.subprocess.Process
    words: asyncio.Task[None] = field(repr=False)
    """Passes on what the process has to complain about, until it has nothing more to say."""
    last_words: deque[str] = field(default_factory=lambda: deque(maxlen=_LAST_WORDS), repr=False)
    """The newest lines of that."""

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    async def stop(self) -> None:
        """Ends it; returns when it is gone."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 2)
        except TimeoutError:
            self.kill()
            await self.process.wait()

    def kill(self) -> None:
        """Ends it without any good-bye, as a test of what happens then."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)


async def start_virtual_table(
    flash: Path | None = None,
    *,
    devices: tuple[str, ...] = ("table",),
    code: Path | None = None,
    entry: str | None = None,
    heap: str | None = None,
    seed: int | None = None,
    littlefs: int = 0,
    accelerometer: str = "lis2dw12",
    air_time_ms: float = 0.0,
    hci_port: int = 0,
) -> RunningTable:
    """A running table; `flash` keeps what the firmware stores from one evening to the next.

    `devices` as in `table.VirtualTable`; `entry` and `heap` are the first one's, by default those of its kind. The rest
    as in `board.BoardSetup`. `hci_port` is where its radio is reached; 0 takes a free one.
    """
    if reason := missing():
        raise VirtualTableNotStartedError(reason)
    command = [sys.executable, "-m", "companion.virtual_table", "--with-parent"]
    command += ["--devices", ",".join(devices), "--air-time-ms", str(air_time_ms)]
    command += ["--hci-port", str(hci_port)]
    command += ["--littlefs", str(littlefs), "--accelerometer", accelerometer]
    if entry is not None:
        command += ["--entry", entry]
    if heap is not None:
        command += ["--heap", heap]
    if flash is not None:
        command += ["--flash", str(flash)]
    if code is not None:
        command += ["--code", str(code)]
    if seed is not None:
        command += ["--seed", str(seed)]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for whoever started us; that one ends us in its own order
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), _START_S)
        reached = json.loads(line)
    except (TimeoutError, ValueError):
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        said = (await process.stderr.read()).decode(errors="replace").strip()
        await process.wait()
        raise VirtualTableNotStartedError(said or "the virtual table's process said nothing") from None
    except BaseException:  # given up (Ctrl-C); it would load its modules to the end before it noticed
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    words: deque[str] = deque(maxlen=_LAST_WORDS)
    drain = asyncio.create_task(_forward(process.stderr, words), name="virtual table's words")
    control = ControlAddress(reached["control_port"], reached["token"])
    return RunningTable(reached["hci_port"], control, process, drain, words)


async def _forward(stderr: asyncio.StreamReader, last_words: deque[str]) -> None:
    """Sentences are warnings, which people see; details go to the log alone."""
    while True:
        try:
            line = (await stderr.readline()).decode(errors="replace")
        except ValueError:  # longer than the reader takes: the rest of it comes as lines of their own
            continue
        if not line:
            return
        line = line.rstrip()
        last_words.append(line)
        if line.startswith(_MARK):
            _log.warning("The virtual table: %s", line.removeprefix(_MARK))
        else:
            _log.info("%s", line)
