"""`python -m companion.virtual_table`: one virtual table in a process of its own, until it is told to end.

It writes one JSON object to standard output (and to `--port-file`): `hci_port`, `control_port`, `token`, `pid`. With
`--with-parent` it ends as soon as its standard input is closed, which happens by itself when whoever started it dies.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.virtual_table import missing


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m companion.virtual_table", description=__doc__)
    parser.add_argument(
        "--devices",
        default="table",
        help="devices in the room, with commas between: table, table2, … (controllers), die, … (handheld dice), "
        "ring, … (table dice)",
    )
    parser.add_argument(
        "--readers", type=_sockets, help="sockets that hold a reader, 16 or 0-7,16 say; by default all do"
    )
    parser.add_argument("--flash", type=_path, help="folder that is the first board's flash; without it, a passing one")
    parser.add_argument("--code", type=_path, help="folder with firmware and shared_rules, sources or .mpy")
    parser.add_argument("--entry", help="module that starts the first device's firmware, if not the one of its kind")
    parser.add_argument(
        "--heap",
        type=_text,
        help="the first device's heap; 110wK stands for 110 KB on an ESP32; by default by its kind",
    )
    parser.add_argument(
        "--littlefs", type=int, default=0, metavar="BYTES", help="real LittleFS on a modelled flash chip of that size"
    )
    parser.add_argument("--accelerometer", default="lis2dw12", choices=("lis2dw12", "lis3dh"), help="of handheld dice")
    parser.add_argument("--seed", type=int, help="makes the table's random bytes repeatable")
    parser.add_argument("--air-time-ms", type=_milliseconds, default=0.0, help="how long a radio packet is under way")
    parser.add_argument("--hci-port", type=_port, default=0, help="default: a free one")
    parser.add_argument("--control-port", type=_port, default=0, help="default: a free one")
    parser.add_argument("--port-file", type=_path, help="where to write how to reach it, readable by its owner only")
    parser.add_argument("--with-parent", action="store_true", help="end when standard input is closed")
    parser.add_argument("--debug", action="store_true", help="show what the firmware prints")
    return parser.parse_args()


def _sockets(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not all(one.isascii() and one.isdigit() and len(one) < 4 for one in (first, last or first)):
            raise argparse.ArgumentTypeError(f"sockets are numbers, 16 or 0-7,16 say, not {text[:40]!r}")
        one = range(int(first), int(last or first) + 1)
        if not one:
            raise argparse.ArgumentTypeError(f"the lower socket comes first, not {part.strip()}")
        found += one
    return found


def _text(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("nothing stands there; leave it out for its default")
    return text


def _path(text: str) -> Path:
    return Path(_text(text))


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, or 0 for a free one, not {text[:20]!r}")
    return int(text)


def _milliseconds(text: str) -> float:
    if not text.isascii() or not text.replace(".", "", 1).isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"a time is a number from 0, not {text[:20]!r}")
    return float(text)


def _write_privately(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        beside.unlink()
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as f:
        f.write(text)
    os.replace(beside, path)


def _note_fault(_: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
    """A fault in one of many tasks: in one line, then with all details."""
    error = what.get("exception")
    logging.error("Something broke inside (%s); it goes on.", error or what["message"], exc_info=error)


async def _serve(arguments: argparse.Namespace) -> None:
    from companion.virtual_table.board import SOURCES, BoardSetup
    from companion.virtual_table.control import ControlServer
    from companion.virtual_table.device import check_names, setup_of
    from companion.virtual_table.radio.hci_server import serve_hci
    from companion.virtual_table.table import VirtualTable

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_note_fault)
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    if arguments.with_parent:
        loop.add_reader(sys.stdin.fileno(), lambda: over.set() if not os.read(sys.stdin.fileno(), 4096) else None)
    passing = contextlib.ExitStack()
    flash = arguments.flash
    if flash is None:
        import tempfile

        flash = Path(passing.enter_context(tempfile.TemporaryDirectory(prefix="cabstand-flash-"))) / "flash"
    names = check_names(tuple(name.strip() for name in arguments.devices.split(",")))
    like = BoardSetup(flash, code=arguments.code or SOURCES, seed=arguments.seed, littlefs=arguments.littlefs)
    setup = setup_of(names[0], flash, like=like)
    setup = replace(setup, entry=arguments.entry or setup.entry, heap=arguments.heap or setup.heap)
    token = secrets.token_urlsafe(24)
    table = VirtualTable(
        setup=setup, devices=names, accelerometer=arguments.accelerometer, air_time_ms=arguments.air_time_ms
    )
    if arguments.readers is not None:
        table.readers.set_readers("none")
        for socket in arguments.readers:
            table.readers.set_reader(socket, "mfrc522")
    control = ControlServer(table, token)
    table.on_change = control.publish
    hci_server = await serve_hci(table.air, arguments.hci_port)
    control_server = await control.serve(arguments.control_port)
    try:
        table.start()
        reached = json.dumps(
            {
                "hci_port": hci_server.sockets[0].getsockname()[1],
                "control_port": control_server.sockets[0].getsockname()[1],
                "token": token,
                "pid": os.getpid(),
            }
        )
        if arguments.port_file is not None:
            _write_privately(arguments.port_file, reached + "\n")
        print(reached, flush=True)
        await over.wait()
    finally:
        hci_server.close()
        control_server.close()
        await control.close()
        await table.close()
        passing.close()
        if arguments.port_file is not None:
            arguments.port_file.unlink(missing_ok=True)


def main() -> int:
    arguments = _arguments()
    logging.basicConfig(level=logging.WARNING, format="virtual table: %(message)s")
    if arguments.debug:
        logging.getLogger("companion.virtual_table").setLevel(logging.DEBUG)
    if reason := missing():
        print(reason, file=sys.stderr)
        return 2
    from companion.virtual_table.board import VirtualTableError

    try:
        asyncio.run(_serve(arguments))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"The virtual table cannot start: {where}{error.strerror or error}. Name another one.", file=sys.stderr)
        return 1
    except (VirtualTableError, ValueError) as error:
        print(f"The virtual table cannot start: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    except Exception as error:
        logging.exception("Something broke inside (%s: %s); it cannot go on.", type(error).__name__, error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
