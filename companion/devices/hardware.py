"""Which table `--table` means: the machine's own radio, cables, the virtual table that is started for it, one that
runs elsewhere, or none.

none          play by hand; nothing is searched for
ble           real devices, through this machine's Bluetooth
serial        real devices, through every USB port where one answers
serial:PORT   a real device at /dev/ttyUSB0, or at whichever port has this USB serial number
virtual       the virtual table, started now and ended with the companion
virtual:table+table2+die   the same with these devices: controllers (table, table2), table dice (ring), handheld (die)
hci:HOST:PORT[,control:HOST:PORT:TOKEN]   a virtual table that runs already: its radio, and its hands

Several are joined by commas: ble,serial:/dev/ttyACM0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.devices.serial_port import ANY
from companion.errors import SetupError
from companion.settings import Settings

if TYPE_CHECKING:
    from companion.virtual_table.kept import KeptTable


@dataclass
class Hardware:
    """What was started. `settings` carry the backend classes of the radio; `bench` are the virtual table's hands;
    `trouble` says why there is less than was asked for."""

    settings: Settings
    has_radio: bool = False
    ports: tuple[str, ...] = ()
    """Cables: paths, USB serial numbers, `serial_port.ANY`."""
    world: str = "real"
    """`virtual` when the devices are: they are remembered apart from real ones."""
    bench: Any | None = None
    fresh: bool = False
    """A virtual table that was started just now: nothing lies on it yet."""
    virtual: KeptTable | None = None
    """The virtual table that was started for this companion."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Device id → number of that virtual table's controllers: its hands call them by name, the layout by number."""
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
        raise _refusal(table, f"write {wanted}")
    if len(hci[0]) != 3 or not hci[0][1] or not _is_port(hci[0][2]):
        raise _refusal(table, "the radio is hci:HOST:PORT, with a port from 1 to 65535")
    if not control:
        return Remote(hci[0][1], int(hci[0][2]))
    if len(control[0]) != 4 or not _is_port(control[0][2]):
        raise _refusal(table, "the hands are control:HOST:PORT:TOKEN, with a port from 1 to 65535")
    return Remote(hci[0][1], int(hci[0][2]), int(control[0][2]), control[0][3])


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536


@dataclass(frozen=True)
class Wanted:
    """What `--table` names: `base` is none, ble, virtual or remote; `devices` are those of a virtual table."""

    base: str
    ports: tuple[str, ...] = ()
    remote: Remote | None = None
    devices: tuple[str, ...] = ("table",)


def parse_table(table: str) -> Wanted:
    """`SetupError` if `--table` names no table."""
    parts = table.split(",")
    cables = [part for part in parts if part == "serial" or part.startswith("serial:")]
    rest = [part for part in parts if part not in cables]
    ports = tuple(ANY if part == "serial" else part[len("serial:") :] for part in cables)
    if not all(any(sign.isalnum() for sign in port) for port in ports):
        raise _refusal(table, "write serial:PORT, with a path or a USB serial number, or serial for every USB port")
    if rest and rest[0].startswith(("hci:", "control:")):
        return Wanted("remote", ports, parse_remote(",".join(rest)))
    if len(rest) == 1 and rest[0].startswith("virtual:"):
        return Wanted("virtual", ports, devices=_devices(table, rest[0].removeprefix("virtual:")))
    if rest in ([], ["none"], ["ble"], ["virtual"]):
        return Wanted(rest[0] if rest else "none", ports)
    raise _refusal(table, "choose virtual, none, ble, or hci:HOST:PORT; cables are serial:PORT")


def _refusal(table: str, what: str) -> SetupError:
    return SetupError(f"--table “{table[:200]}” names no table: {what}.", "table")


async def start_hardware(settings: Settings) -> Hardware:
    """Starts or finds the table that the settings name. A virtual table that cannot be started leaves play by hand,
    and says why."""
    wanted = parse_table(settings.table)
    hardware = await _radio(settings, wanted)
    hardware.ports = wanted.ports
    return hardware


async def _radio(settings: Settings, wanted: Wanted) -> Hardware:
    if settings.scanner_backend is not None:
        return Hardware(settings, has_radio=True, world="virtual")
    if wanted.base == "ble":
        return Hardware(settings, has_radio=True)
    if wanted.base == "virtual":
        return await _virtual(settings, wanted.devices)
    if wanted.remote is not None:
        return await _remote(settings, wanted.remote)
    return Hardware(settings)


def _devices(table: str, names: str) -> tuple[str, ...]:
    from companion.virtual_table import missing

    devices = tuple(names.split("+"))
    if missing() is not None:
        return devices  # there will be no virtual table, and a sentence that says why
    from companion.virtual_table.device import check_names

    try:
        return check_names(devices)
    except ValueError as error:
        raise _refusal(table, str(error)) from error


async def _virtual(settings: Settings, devices: tuple[str, ...]) -> Hardware:
    from companion.virtual_table import missing

    if (reason := missing()) is not None:
        return Hardware(settings, trouble=f"{reason} Meanwhile everything is played by hand.")
    from companion.virtual_table.device import controllers, device_id
    from companion.virtual_table.kept import KeptTable
    from companion.virtual_table.launch import VirtualTableNotStartedError

    kept = KeptTable(settings.data_dir / "virtual-table", devices)
    try:
        await kept.start()
    except VirtualTableNotStartedError as error:
        return Hardware(
            settings, trouble=f"The virtual table did not start: {error} Meanwhile everything is played by hand."
        )
    try:
        hardware = await _remote(settings, Remote("127.0.0.1", kept.running.hci_port))
    except BaseException:
        kept.kill()
        raise
    hardware.bench, hardware.fresh, hardware.virtual = kept.bench, True, kept
    hardware.numbers = {device_id(name).hex(): number for number, name in enumerate(controllers(devices))}
    leave = hardware.end

    async def end() -> None:
        if leave is not None:
            await leave()
        await kept.stop()

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
    return Hardware(with_radio, has_radio=True, world="virtual", bench=bench, end=end)
