"""Where a fault script is played: a virtual table in virtual time, one in a process of its own, or a real table with a
person as the hands. All of them are heard through the companion's own links.
"""

from __future__ import annotations

import asyncio
import inspect
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from companion.errors import CompanionError
from companion.fault_scripts.cables import cable_of
from companion.fault_scripts.script import Script
from companion.fault_scripts.watcher import Watcher
from companion.settings import Settings

FLASH_BYTES = 256 * 4096
CUT = "the power was cut"
"""In the virtual table's log, each time."""
FLASH_HEAP = "256wK"
"""Of a board whose flash can lose its power: its file system is in the interpreter here, beside the firmware."""


class TargetError(CompanionError):
    """The target is not to be had; the sentence says what to do."""

    code = "fault_target"


class RefusedError(CompanionError):
    """This target cannot play that script at all; the sentence says why. Nothing was done."""

    code = "fault_refused"


class CannotError(Exception):
    """This target has no hand for that; the text says so."""


class Target(Protocol):
    """`patience` stretches limits of time; `waits_for_people`: times are a person's, and limits mean nothing.
    `TargetBase` has what most targets have in common."""

    name: str
    patience: float
    waits_for_people: bool

    async def open(self, script: Script) -> Watcher:
        """Everything is set up; the companion is not started yet. `CompanionError`; `RefusedError` if it never can."""
        ...

    def adapted(self, script: Script) -> Script:
        """The script with what is different here."""
        ...

    def tell(self, text: str) -> None:
        """What goes on, for whoever stands at the table."""
        ...

    async def do(self, hand: str, arguments: dict[str, Any]) -> Any:
        """A hand does something. `CannotError`, `ValueError`."""
        ...

    async def complaints(self, *, of_chips: bool) -> list[str]:
        """Sentences about what went wrong at the target itself: what chips suffered, unless nobody wants to know, and
        faults that never came about."""
        ...

    async def close(self) -> None: ...


class TargetBase:
    """A target where nobody has to be told anything."""

    def adapted(self, script: Script) -> Script:
        return script

    def tell(self, text: str) -> None:
        """Nobody is there."""


class VirtualTarget(TargetBase):
    """A virtual table in this process: on a `VirtualTimeLoop` every run is the same to the microsecond. `code` is a
    folder with other firmware than that of this tree."""

    name = "virtual"
    patience = 1.0
    waits_for_people = False

    def __init__(self, code: Path | None = None) -> None:
        self._code = code
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._table: Any = None
        self._cuts = 0

    @property
    def table(self) -> Any:
        """The `VirtualTable`, while it is open."""
        return self._table

    async def open(self, script: Script) -> Watcher:
        _need_virtual_table()
        from companion.virtual_table.board import SOURCES, BoardSetup
        from companion.virtual_table.device import setup_of
        from companion.virtual_table.table import VirtualTable

        self._folder = tempfile.TemporaryDirectory(prefix="cabstand-fault-")
        flash = Path(self._folder.name) / "flash"
        littlefs = FLASH_BYTES if script.cuts_power else 0
        base = BoardSetup(flash, code=self._code or SOURCES, seed=script.seed, littlefs=littlefs)
        setup = setup_of(script.devices[0], flash, like=base)
        if script.cuts_power:
            setup = replace(setup, heap=FLASH_HEAP)
        self._table = VirtualTable(setup=setup, devices=script.devices)
        scanner, client = self._table.backend()
        self._table.start()
        names = {one.setup.device_id.hex(): name for name, one in self._table.devices.items()}
        settings = Settings(scanner_backend=scanner, client_backend=client, table="virtual")
        cables = [cable_of(self._table, name) for name in script.cables]
        return Watcher(settings, names, radio=True, ports=(), cables=cables)

    async def do(self, hand: str, arguments: dict[str, Any]) -> Any:
        from companion.virtual_table.control import HANDS

        self._cuts += hand == "power_cut"
        result = HANDS[hand](self._table, **arguments)
        return await result if inspect.isawaitable(result) else result

    async def complaints(self, *, of_chips: bool) -> list[str]:
        return _complaints(self._table.model_errors() if of_chips else [], self._cuts, self._table.log)

    async def close(self) -> None:
        if self._table is not None:
            await self._table.close()
        if self._folder is not None:
            self._folder.cleanup()


class ProcessTarget(TargetBase):
    """A virtual table in a process of its own, reached through its sockets, in real time."""

    name = "process"
    patience = 3.0
    waits_for_people = False

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: Any = None
        self._hands: Any = None
        self._central: Any = None
        self._cuts = 0

    async def open(self, script: Script) -> Watcher:
        _need_virtual_table()
        from companion.virtual_table.client import VirtualTableClient
        from companion.virtual_table.device import setup_of
        from companion.virtual_table.launch import start_virtual_table
        from companion.virtual_table.radio.bleak_backend import bleak_backend
        from companion.virtual_table.radio.central import Central

        self._folder = tempfile.TemporaryDirectory(prefix="cabstand-fault-")
        flash = Path(self._folder.name) / "flash"
        littlefs = FLASH_BYTES if script.cuts_power else 0
        heap = FLASH_HEAP if script.cuts_power else None
        self._running = await start_virtual_table(
            flash, devices=script.devices, seed=script.seed, littlefs=littlefs, heap=heap
        )
        self._hands = await VirtualTableClient.connect(self._running.control)
        self._central = Central.over_socket(self._running.hci_port)
        scanner, client = bleak_backend(self._central)
        names = {setup_of(name, flash).device_id.hex(): name for name in script.devices}
        settings = Settings(scanner_backend=scanner, client_backend=client, table="virtual")
        ports = tuple([await self._hands.serial_port(name) for name in script.cables])
        return Watcher(settings, names, radio=True, ports=ports)

    async def do(self, hand: str, arguments: dict[str, Any]) -> Any:
        self._cuts += hand == "power_cut"
        try:
            return await self._hands.do(hand, **arguments)
        except ConnectionError as error:
            raise TargetError(f"The virtual table's process is gone ({error}).") from error

    async def complaints(self, *, of_chips: bool) -> list[str]:
        errors = await self._hands.model_errors() if of_chips else []
        return _complaints(errors, self._cuts, await self._hands.do("log"))

    async def close(self) -> None:
        if self._central is not None:
            await self._central.close()
        if self._hands is not None:
            await self._hands.close()
        if self._running is not None:
            await self._running.stop()
        if self._folder is not None:
            self._folder.cleanup()


def target_named(name: str, table: str = "ble") -> Target:
    """`TargetError` for a name that no target has; `table` is where a person's table is, as --table says it."""
    from companion.fault_scripts.person import PersonTarget

    made: dict[str, Callable[[], Target]] = {
        "virtual": VirtualTarget,
        "process": ProcessTarget,
        "person": lambda: PersonTarget(table=table),
    }
    if name not in made:
        raise TargetError(f"there are the targets {', '.join(made)}, not {name!r}.")
    return made[name]()


def runner_for(target: Target) -> asyncio.Runner:
    """The loop on which that target's time passes."""
    if target.name == "virtual":
        from companion.virtual_table.clock import VirtualTimeLoop

        return asyncio.Runner(loop_factory=VirtualTimeLoop)
    return asyncio.Runner()


def _complaints(model_errors: list[str], cuts: int, log: Iterable[str]) -> list[str]:
    missed = cuts - sum(CUT in line for line in log)
    never = [f"{missed} of {cuts} power cuts never came: nothing was written then"] if missed > 0 else []
    return [f"a chip suffered: {text}" for text in model_errors] + never


def _need_virtual_table() -> None:
    from companion.virtual_table import missing

    if (reason := missing()) is not None:
        raise TargetError(reason)

