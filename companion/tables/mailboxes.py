"""One waker per page: the newest number wins and nothing queues up, so a stalled reader costs one flag."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable


class Mailboxes:
    """Listeners of a table. `publish` never waits; a listener that was away gets one wake-up for all it missed."""

    def __init__(self) -> None:
        self._boxes: set[asyncio.Event] = set()
        self._closed = False

    def publish(self) -> None:
        """Wakes everybody."""
        for box in self._boxes:
            box.set()

    def close(self) -> None:
        """Ends all iterators."""
        self._closed = True
        self.publish()

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._boxes)

    async def listen(self, current: Callable[[], int]) -> AsyncIterator[int]:
        """`current()` at once and again after each publish."""
        box = asyncio.Event()
        self._boxes.add(box)
        try:
            while not self._closed:
                box.clear()
                yield current()
                await box.wait()
        finally:
            self._boxes.discard(box)
