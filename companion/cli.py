"""The console script `cabstand`: play, simulate, odds, board check, doctor, fault, backup, restore."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from companion import terminal
from companion.errors import CompanionError
from companion.tables.wording import plain_line

# All else is imported where it is used: help is quick, and Ctrl-C in the first second ends quietly.

TABLES = (
    "virtual (started for you; virtual:table+table2+ring+die with these devices), none (by hand), ble (real devices), "
    "serial (over any USB cable), serial:PORT (over one; a path or a USB serial number), or "
    "hci:HOST:PORT,control:HOST:PORT:TOKEN; ble,serial:PORT uses both"
)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Runs one command and exits with its status: 0 done, 1 it could not be done (one sentence on standard error),
    2 wrong arguments."""
    terminal.prepare()
    status = _status_of(list(sys.argv[1:] if argv is None else argv))
    if why := terminal.complaint():
        print(f"cabstand: Not all could be printed ({why}).", file=sys.stderr)
        status = status or 1
    sys.exit(status)


def _status_of(argv: list[str]) -> int:
    try:
        return run(argv)
    except SystemExit as ended:  # argparse: help, or wrong arguments
        return ended.code if isinstance(ended.code, int) else 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        what = f"{plain_line(str(error.filename)[:200])}: " if error.filename else ""
        print(f"cabstand: {what}{error.strerror or error}.", file=sys.stderr)
    except Exception as error:
        if sys.flags.dev_mode:  # python -X dev: for whoever looks for the fault
            raise
        print(f"cabstand: Something broke inside; please report it ({type(error).__name__}: {error}).", file=sys.stderr)
    return 1


def run(argv: list[str]) -> int:
    """The same, with the status as the answer."""
    if argv[:1] == ["simulate"]:
        # Its own arguments, and processes that import as little as possible.
        from companion import simulate

        terminal.interruptible()
        return int(simulate.run(argv[1:]))
    if argv[:1] == ["record"]:
        from companion.records import command

        terminal.interruptible()
        arguments = command.parser(_data).parse_args(argv[1:] or ["--help"])
    else:
        arguments = parser().parse_args(argv or ["--help"])
    try:
        return int(arguments.work(arguments))
    except CompanionError as error:
        # Parts of names and files are told back: they may hold whatever moves a terminal's cursor.
        print(f"cabstand: {plain_line(str(error))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = argparse.ArgumentParser(prog="cabstand", description="A paper taxi game as an electronic table.")
    top.add_argument("--version", action="version", version=f"cabstand {_version()}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    play = _command(commands, "play", "start the companion and open the table")
    play.add_argument(
        "--port", type=_port, default=8000, help="where the pages are (default 8000, or the next free one)"
    )
    play.add_argument("--no-browser", action="store_true", help="do not open a browser")
    play.add_argument(
        "--phones", action="store_true", help="let phones in the house join at once (a page can do that later)"
    )
    play.add_argument("--table", default="virtual", help=f"{TABLES}; default: virtual")
    _data(play)
    play.set_defaults(work=_play)

    simulate = commands.add_parser("simulate", help="let bots play many games", add_help=False)
    simulate.set_defaults(work=lambda _arguments: 2)

    odds = _command(commands, "odds", "print the exact odds of what the seats can do now")
    source = "a position as JSON (- for standard input), or an evening by its id or title"
    odds.add_argument("source", metavar="FILE|-|EVENING", help=source)
    odds.add_argument("--seat", type=int, metavar="N", help="the odds of one seat (default: of those waited for)")
    odds.add_argument("--json", action="store_true", help="for other programs")
    _data(odds)
    odds.set_defaults(work=_odds)

    board = commands.add_parser("board", help="look at boards").add_subparsers(required=True, metavar="COMMAND")
    check = _command(board, "check", "check a board of any game, with figures")
    check.add_argument("board", nargs="?", default="fumbling", help="a shipped board's id or a board file")
    check.set_defaults(work=_check_board)

    record = commands.add_parser("record", help="show, replay, exchange, check and tell records", add_help=False)
    record.set_defaults(work=lambda _arguments: 2)

    doctor = _command(commands, "doctor", "say in plain words what is missing")
    doctor.add_argument("--table", default="ble", help=f"the table to look for: {TABLES}")
    _data(doctor)
    doctor.set_defaults(work=_doctor)

    from companion.fault_scripts.command import add_to

    add_to(commands)

    backup = _command(commands, "backup", "copy all evenings into one file")
    backup.add_argument(
        "path", type=_file, nargs="?", default=Path("."), help="a new file, or a folder (default: this one)"
    )
    _data(backup)
    backup.set_defaults(work=_backup)

    restore = _command(commands, "restore", "put a back-up in the place of all evenings")
    restore.add_argument("path", type=_file, help="the back-up")
    _data(restore)
    restore.set_defaults(work=_restore)
    return top


def _command(among: Any, name: str, what: str) -> argparse.ArgumentParser:
    """A command that says in its own help what it says in the list."""
    made: argparse.ArgumentParser = among.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    return made


def _play(arguments: argparse.Namespace) -> NoReturn:
    from companion.play import play
    from companion.settings import Settings

    settings = Settings(data_dir=arguments.data, table=arguments.table)
    play(settings, port=arguments.port, browser=not arguments.no_browser, phones=arguments.phones)


def _odds(arguments: argparse.Namespace) -> int:
    from companion import odds

    terminal.interruptible()
    return int(odds.run(arguments.source, arguments.seat, arguments.json, arguments.data))


def _check_board(arguments: argparse.Namespace) -> int:
    from companion import board_report

    terminal.interruptible()
    return int(board_report.run(arguments.board))


def _doctor(arguments: argparse.Namespace) -> int:
    import asyncio

    from companion.doctor import examine
    from companion.settings import Settings

    terminal.interruptible()
    return asyncio.run(examine(Settings(data_dir=arguments.data, table=arguments.table)))


def _backup(arguments: argparse.Namespace) -> int:
    import asyncio

    from companion.application import Application
    from companion.settings import Settings

    terminal.interruptible()

    async def work() -> Path:
        application = await Application.start(Settings(data_dir=arguments.data, resume=False))
        try:
            return await application.tables.backup(arguments.path)
        finally:
            await application.close()

    print(f"All evenings are in {asyncio.run(work())}.")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    import asyncio

    from companion.application import Application
    from companion.play import only_one
    from companion.settings import Settings

    terminal.interruptible()

    async def work() -> Path:
        application = await Application.start(Settings(data_dir=arguments.data, resume=False))
        try:
            return await application.tables.restore(arguments.path)
        finally:
            await application.close()

    with only_one(arguments.data):
        aside = asyncio.run(work())
    print(f"The evenings of {arguments.path} are in place. What was there before is in {aside}.")
    return 0


def _data(command: argparse.ArgumentParser) -> None:
    from companion.settings import default_data_dir

    command.add_argument(
        "--data",
        type=_folder,
        default=default_data_dir(),
        metavar="DIR",
        help="where evenings are kept (default: %(default)s)",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5) or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text[:20]!r}")
    return int(text)


def _file(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("the name of a file is missing")
    return Path(text)


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("the name of a folder is missing")
    return Path(text)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cabstand")
    except PackageNotFoundError:
        return "(not installed)"
