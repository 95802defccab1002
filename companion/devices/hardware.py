"""Which table `--table` means: the machine's own radio, the virtual table that is started for it, one that runs
elsewhere, or none.

none        play by hand; nothing is searched for
ble         a real table, through this machine's Bluetooth
virtual     the virtual table, started now and ended with the companion
hci:HOST:PORT[,control:HOST:PORT:TOKEN]   a virtual table that runs already: its radio, and its hands
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from companion.errors import SetupError
from companion.settings import Settings


@dataclass
class Hardware:
    """What was started. `settings` carry the backend classes of the radio; `bench` are the virtual table's hands;
    `trouble` says why there is less than was asked for."""

    settings: Settings
    has_radio: bool = False
    bench: Any | None = None
    trouble: str = ""
    end: Callable[[], Awaitable[None]] | None = None

    async def close(self) -> None:
        """Ends what was started."""
        if self.end is not None:
            await self.end()


@dataclass(frozen=True)
class Remote:
    """Where a virtual table that runs already is reached."""

    host: str
    hci_port: int
    control_port: int | None = None
    token: str = ""


def parse_remote(table: str) -> Remote:
    """`hci:HOST:PORT[,control:HOST:PORT:TOKEN]`. `SetupError` says what is wrong."""
    parts = [part.split(":") for part in table.split(",")]
    hci = [part for part in parts if part[0] == "hci"]
    control = [part for part in parts if part[0] == "control"]
    wanted = "hci:HOST:PORT, or hci:HOST:PORT,control:HOST:PORT:TOKEN"
    if len(hci) != 1 or len(hci) + len(control) != len(parts) or len(control) > 1:
        raise SetupError(f"--table {table}: write {wanted}.", "table")
    if len(hci[0]) != 3 or not _is_port(hci[0][2]):
        raise SetupError(f"--table {table}: the radio is hci:HOST:PORT.", "table")
    if not control:
        return Remote(hci[0][1], int(hci[0][2]))
    if len(control[0]) != 4 or not _is_port(control[0][2]):
        raise SetupError(f"--table {table}: the hands are control:HOST:PORT:TOKEN.", "table")
    return Remote(hci[0][1], int(hci[0][2]), int(control[0][2]), control[0][3])


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536


def checked(table: str) -> None:
    """`SetupError` if `--table` names no table."""
    if table.startswith(("hci:", "control:")):
        parse_remote(table)
    elif table not in ("virtual", "none", "ble"):
        raise SetupError(f"--table {table}: choose virtual, none, ble, or hci:HOST:PORT.", "table")


async def start_hardware(settings: Settings) -> Hardware:
    """Starts or finds the table that the settings name. A virtual table that cannot be started leaves play by hand,
    and says why."""
    checked(settings.table)
    if settings.scanner_backend is not None or settings.table == "ble":
        return Hardware(settings, has_radio=True)
    if settings.table == "none":
        return Hardware(settings)
    if settings.table == "virtual":
        return await _virtual(settings)
    return await _remote(settings, parse_remote(settings.table))


async def _virtual(settings: Settings) -> Hardware:
    from companion.virtual_table import missing

    if (reason := missing()) is not None:
        return Hardware(settings, trouble=f"{reason} Meanwhile everything is played by hand.")
    from companion.virtual_table.launch import VirtualTableNotStartedError, start_virtual_table

    try:
        running = await start_virtual_table(settings.data_dir / "virtual-table")
    except VirtualTableNotStartedError as error:
        return Hardware(
            settings, trouble=f"The virtual table did not start: {error} Meanwhile everything is played by hand."
        )
    try:
        remote = Remote("127.0.0.1", running.hci_port, running.control.port, running.control.token)
        hardware = await _remote(settings, remote)
    except BaseException:
        running.kill()
        raise
    leave = hardware.end

    async def end() -> None:
        running.words.cancel()  # whatever it still says is about us going
        if leave is not None:
            await leave()
        await running.stop()

    hardware.end = end
    return hardware


async def _remote(settings: Settings, remote: Remote) -> Hardware:
    from companion.virtual_table import missing

    if (reason := missing()) is not None:
        return Hardware(settings, trouble=f"{reason} Meanwhile everything is played by hand.")
    from companion.virtual_table.client import ControlAddress, VirtualTableClient, VirtualTableGoneError
    from companion.virtual_table.radio.bleak_backend import bleak_backend
    from companion.virtual_table.radio.central import Central

    bench = None
    if remote.control_port is not None:
        try:
            bench = await VirtualTableClient.connect(ControlAddress(remote.control_port, remote.token))
        except VirtualTableGoneError as error:
            raise SetupError(f"The virtual table cannot be reached: {error}. Is it running?", "table") from error
    central = Central.over_socket(remote.hci_port, remote.host)
    scanner, client = bleak_backend(central)

    async def end() -> None:
        await central.close()
        if bench is not None:
            await bench.close()

    with_radio = dataclasses.replace(settings, scanner_backend=scanner, client_backend=client)
    return Hardware(with_radio, has_radio=True, bench=bench, end=end)
