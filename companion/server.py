"""The web server of `cabstand play`: this machine only at first, the house's phones when they are asked for, a
taken port replaced by the next free one.

The companion ends the servers itself (`uvicorn` would install handlers of its own), so that a signal ends
everything in one order.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from companion.application import Application
from companion.errors import CompanionError

LOCAL = "127.0.0.1"
PORTS_TRIED = 20
GRACE_SECONDS = 0.5


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to the command line."""
        yield


class WebServer:
    """Serves one ASGI application on this machine, and on the LAN while phones are asked for: the `phones` of an
    `Application`.

    `say` is told in one sentence what changed, for the terminal.
    """

    available = True

    def __init__(self, application: Application, app: Any, say: Callable[[str], None]) -> None:
        self._application = application
        self._app = app
        self._say = say
        self._running: list[tuple[_Server, asyncio.Task[None]]] = []
        self._lan: tuple[_Server, asyncio.Task[None]] | None = None
        self.port = 0
        self._url: str | None = None

    @property
    def url(self) -> str | None:
        """Where phones go, None while they cannot."""
        return self._url

    @property
    def local_url(self) -> str:
        """Where this machine's browser goes."""
        return f"http://{LOCAL}:{self.port}"

    async def start(self, port: int) -> None:
        """Listens on this machine, on `port` or the next one that is free."""
        listening = bind(LOCAL, port)
        self.port = listening.getsockname()[1]
        if self.port != port and port != 0:
            self._say(f"Port {port} is taken, so this is port {self.port}.")
        self._application.allowed_hosts |= {f"{LOCAL}:{self.port}", f"localhost:{self.port}"}
        self._running.append(await self._serve(listening))

    async def open(self) -> str:
        """Listens in the house too; the address for phones. `CompanionError` when this machine is in no network."""
        if self._url is not None:
            return self._url
        host = lan_address()
        if host is None:
            raise CompanionError("This machine is in no network that phones could reach. Join one, then ask again.")
        listening = bind(host, self.port)
        port = listening.getsockname()[1]
        self._application.allowed_hosts.add(f"{host}:{port}")
        self._lan = await self._serve(listening)
        self._url = f"http://{host}:{port}"
        self._say(f"Phones can join at {self._url}: everybody in this network can open it now.")
        self._application.touch()
        return self._url

    async def close(self) -> None:
        """Listens on this machine only, again."""
        if self._lan is not None:
            lan, self._lan = self._lan, None
            self._application.allowed_hosts.discard((self._url or "").removeprefix("http://"))
            self._url = None
            await _end(lan)
            if not self._application.stopping.is_set():
                self._say("Phones cannot join any more: only this machine can open the table.")
                self._application.touch()

    async def stop(self) -> None:
        """Ends all listening; open streams end by themselves with `Application.stopping`."""
        ends = [_end(running) for running in self._running]
        self._running.clear()
        await asyncio.gather(self.close(), *ends)

    async def _serve(self, listening: socket.socket) -> tuple[_Server, asyncio.Task[None]]:
        config = uvicorn.Config(
            self._app,
            log_level="warning",
            access_log=False,
            log_config=None,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        task = asyncio.get_running_loop().create_task(server.serve(sockets=[listening]), name="web server")
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if task.done():
            await task
        return server, task


async def _end(running: tuple[_Server, asyncio.Task[None]]) -> None:
    """Streams and answers get a moment to finish; half a request is no reason to stay."""
    server, task = running
    server.should_exit = True
    for force in (True, False):
        done, _ = await asyncio.wait([task], timeout=GRACE_SECONDS)
        if done:
            return
        server.force_exit = force
    task.cancel()


def bind(host: str, port: int) -> socket.socket:
    """A listening socket on `port` or one of the next 20 that are free. `CompanionError` if none is."""
    last: OSError | None = None
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            listening.listen(128)
        except OSError as error:
            listening.close()
            last = error
            continue
        return listening
    raise CompanionError(f"No port from {port} on is free on {host} ({last}). Choose another one with --port.")


def lan_address() -> str | None:
    """This machine's address in the house, None without a network. Asks the routing table; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # RFC 5737: an address that nobody has
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address
