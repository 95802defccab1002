"""Whether phones in the house may join the table, for the pages' button and the command line."""

from __future__ import annotations

from typing import Protocol


class Phones(Protocol):
    """`available`: there is a server that can be opened to the house. `url`: where phones go
    (`http://192.168.1.20:8000`), None while it is closed."""

    @property
    def available(self) -> bool: ...

    @property
    def url(self) -> str | None: ...

    async def open(self) -> str:
        """Listens on this machine's address in the house from now on; the url. `CompanionError` says why not."""
        ...

    async def close(self) -> None:
        """Listens on this machine only, again."""
        ...

    async def stop(self) -> None:
        """Ends all listening, for the end of the companion."""
        ...


class NoPhones:
    """Without a server (tests, other programs)."""

    available = False
    url: str | None = None

    async def open(self) -> str:
        """There is nothing to open: says so as an empty address."""
        return ""

    async def close(self) -> None:
        """Nothing to do."""

    async def stop(self) -> None:
        """Nothing to do."""
