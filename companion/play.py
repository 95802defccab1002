"""`cabstand play`: an evening from the first line in the terminal to Ctrl-C, after which nothing of it runs any
more."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import segno

from companion.application import Application
from companion.devices.hardware import parse_table
from companion.devices.serial_port import ANY, missing_port
from companion.errors import StorageError
from companion.server import WebServer
from companion.settings import Settings
from companion.terminal import keep_log

LAST_RESORT_SECONDS = 2.5
"""After a signal; whatever still runs then is ended the hard way."""


def play(settings: Settings, *, port: int, browser: bool, phones: bool) -> NoReturn:
    """Runs until a signal, then ends the process. `CompanionError` before anything was started."""
    with only_one(settings.data_dir) as say_where:
        keep_log(settings.data_dir)
        status = asyncio.run(_evening(settings, port, browser, phones, say_where))
        # All is closed by now, and what the interpreter still tidies up takes longer than all of that together.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


@contextmanager
def only_one(data_dir: Path) -> Iterator[Callable[[str], None]]:
    """One companion for a data folder; the lock ends with the process, however that ends. `StorageError` names the
    other one and, once that has said so by what this yields, where it is reached."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        handle = open(data_dir / "companion.lock", "a+", encoding="ascii")  # noqa: SIM115 - held for the whole evening
        os.fchmod(handle.fileno(), 0o600)  # whoever knows the start address is the banker
    except (FileExistsError, NotADirectoryError) as error:
        raise StorageError(f"{data_dir} is no folder. Choose another one with --data.") from error
    except OSError as error:
        raise StorageError(f"{data_dir}: {error.strerror or error}. Choose another folder with --data.") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            handle.seek(0)
            other, _, where = handle.read().strip().partition(" ")
            raise StorageError(
                f"A companion (process {other or 'unknown'}) is already running on {data_dir}"
                f"{f': {where} opens it on this machine' if where else ''}. Use that one, end it, or choose another "
                "folder with --data."
            ) from error

        def say_where(url: str = "") -> None:
            handle.truncate(0)
            handle.write(f"{os.getpid()} {url}")
            handle.flush()

        say_where()
        yield say_where


async def _evening(settings: Settings, port: int, browser: bool, phones: bool, say_where: Callable[[str], None]) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def ask_to_stop() -> None:
        if stop.is_set():
            os._exit(130)
        stop.set()
        threading.Thread(target=_last_resort, daemon=True).start()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ask_to_stop)
    starting = asyncio.create_task(Application.start(settings))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.wait({starting}, timeout=1)
        return 0
    application = starting.result()
    beside: list[asyncio.Task[Any]] = [stopping]
    try:
        from companion.web.app import create_app, start_path

        app = create_app(application)
        server = WebServer(application, app, say=lambda sentence: print(sentence, flush=True))
        application.phones = server
        await server.start(port)
        if application.trouble:
            print(application.trouble, flush=True)
        path = start_path(app, lasting=True)
        say_where(server.local_url + path)
        _welcome(application, (await server.open() if phones else server.local_url) + path, phones)
        beside.append(asyncio.create_task(_say_troubles(application, settings)))
        if browser:
            # Its own address: everybody on this machine can read a browser's command line.
            open_browser(server.local_url + start_path(app))
        await stop.wait()
        print(f"\nGood night. {_next_time(application)}", flush=True)
    finally:
        for task in beside:
            task.cancel()
        application.stopping.set()
        application.touch()
        await application.close()
    return 0


def _welcome(application: Application, home: str, phones: bool) -> None:
    going_on = f" “{application.current.title}” goes on." if application.current is not None else ""
    print(f"Cabstand is at {home} (Ctrl-C ends it).{going_on}", flush=True)
    if phones:
        segno.make(home, micro=False).terminal(compact=True, border=2)
        sys.stdout.flush()
    else:  # no code to scan: where it leads to, no phone can go
        print("Only this machine can open it so far. Ask for phones on the page, or start with --phones.", flush=True)


async def _say_troubles(application: Application, settings: Settings) -> None:
    """Why no device can be found, each sentence once, as the doctor says it. Of cables that are named and of those that
    are plugged in their links tell by themselves."""
    said: set[str] = set()
    ports = parse_table(settings.table).ports
    no_port = missing_port(ports) if ports == (ANY,) else ""
    async for _ in application.subscribe():
        for sentence in (no_port, application.devices.radio_trouble):
            if sentence and sentence not in said:
                said.add(sentence)
                print(sentence, flush=True)


def _next_time(application: Application) -> str:
    """How to go on."""
    if application.current is None:
        return "The same command opens the table again."
    return f"“{application.current.title}” is kept: the same command goes on with it."


def open_browser(url: str) -> bool:
    """Opens the page in a browser with windows, if there is one; never one that would take over the terminal."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    threading.Thread(target=found.open, args=(url,), daemon=True).start()
    return True


def _last_resort() -> None:
    time.sleep(LAST_RESORT_SECONDS)
    os._exit(1)
