"""`cabstand doctor`: what is there, what is missing and what to do about it, in plain words."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from bleak import BleakScanner

from companion.devices.hardware import Wanted, parse_table
from companion.devices.reconnect import explain
from companion.devices.serial_port import ANY, PortError, SerialPort, missing_port, path_of, usb_ports
from companion.errors import CompanionError
from companion.event_log import store
from companion.event_log.database import FILE_NAME, Database
from companion.server import lan_address
from companion.settings import Settings
from shared_rules.wire.messages import PROTOCOL_MAJOR, SERVICE_UUID

LOOK_SECONDS = 6.0
ROOM_NEEDED = 50_000_000
"""Bytes of free disk that an evening should find."""

Finding = tuple[bool, str, str]
"""(good, what was looked at, what was found or what to do)"""


async def examine(settings: Settings) -> int:
    """Prints one line for each thing that a table needs; 0 when nothing stands in the way of playing, else 1."""
    wanted = parse_table(settings.table)
    looks: list[Callable[[], Awaitable[Finding]]] = [
        _python,
        lambda: _data(settings.data_dir),
        lambda: _room(settings.data_dir),
        _house,
        _virtual_table,
    ]
    if wanted.base == "ble":
        looks.append(_bluetooth)
    if wanted.ports:
        looks.append(lambda: _cables(wanted))
    bad = 0
    for look in looks:
        good, what, text = await look()
        bad += not good
        print(f"{'ok  ' if good else 'LOOK'}  {what}: {text}", flush=True)
    print("Everything is there." if not bad else "The lines marked LOOK say what to do; the rest works without it.")
    return 1 if bad else 0


async def _python() -> Finding:
    return (
        sys.version_info >= (3, 11),
        "Python",
        f"{platform.python_version()} on {platform.system()} {platform.machine()}",
    )


async def _data(folder: Path) -> Finding:
    if not (folder / FILE_NAME).exists():  # also below a file
        return True, "evenings", f"none yet; they will be kept in {folder}"
    try:
        database = await Database.open(folder)
    except CompanionError as error:
        return False, "evenings", str(error)
    try:
        rows = await database.run(store.list_evenings)
        for row in rows:
            table_id = row["id"]
            await database.run(lambda connection, table_id=table_id: store.load(connection, table_id))  # type: ignore[misc]
    except CompanionError as error:
        return False, "evenings", str(error)
    finally:
        await database.close()
    return True, "evenings", f"{len(rows)} in {folder}, every log whole"


async def _room(folder: Path) -> Finding:
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not there.is_dir():
        return False, "disk", f"{there} is no folder. Choose another one with --data."
    if not os.access(there, os.W_OK):
        return False, "disk", f"{there} may not be written. Choose another folder with --data."
    free = shutil.disk_usage(there).free
    if free < ROOM_NEEDED:
        return (
            False,
            "disk",
            f"only {free // 1_000_000} MB are free at {there}. Make room, or choose another folder with --data.",
        )
    return True, "disk", f"{free // 1_000_000} MB free"


async def _house() -> Finding:
    address = lan_address()
    if address is None:
        return True, "phones", "this machine is in no network, so phones cannot join; the tablet can do everything"
    return True, "phones", f"they can join at {address} when you ask for it"


async def _virtual_table() -> Finding:
    from companion.virtual_table import missing

    if (reason := missing()) is None:
        return True, "virtual table", "installed"
    return True, "virtual table", reason


async def _bluetooth() -> Finding:
    found: list[str] = []
    others: list[str] = []

    def seen(device: object, advertised: object) -> None:
        uuids = getattr(advertised, "service_uuids", [])
        name = str(getattr(device, "name", None) or getattr(device, "address", "?"))
        if SERVICE_UUID in uuids and name not in found:
            found.append(name)
        elif any(uuid.startswith("cab57a4d-") for uuid in uuids) and name not in found + others:
            others.append(name)

    try:
        async with BleakScanner(seen):
            await asyncio.sleep(LOOK_SECONDS)
    except Exception as error:  # whatever a radio throws is told in a sentence
        return False, "Bluetooth", explain(error)
    if found:
        return True, "Bluetooth", f"in sight: {', '.join(found)}"
    if others:
        return (
            False,
            "Bluetooth",
            f"{', '.join(others)} speaks another protocol than version {PROTOCOL_MAJOR}. Update its firmware.",
        )
    return (
        False,
        "Bluetooth",
        "works, but no table is in sight. Switch it on, bring it near, and close other companions.",
    )


async def _cables(wanted: Wanted) -> Finding:
    """Whether the ports that are asked for are there and may be opened; opening one says nothing to the device."""
    if sentence := missing_port(wanted.ports):
        return False, "cables", sentence
    paths = usb_ports() if ANY in wanted.ports else []
    paths += [path for port in wanted.ports if port != ANY and (path := path_of(port)) is not None]
    for path in dict.fromkeys(paths):
        try:
            SerialPort(path).close()
        except PortError as error:
            return False, "cables", str(error)
    return True, "cables", f"can be used: {', '.join(dict.fromkeys(paths))}"
