"""One task that does one job after another, for the table that it belongs to; a caller that goes away does not stop
its job."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from companion.errors import StorageError

T = TypeVar("T")


class Worker:
    """Starts with its making, ends with `close`."""

    def __init__(self, name: str) -> None:
        self._jobs: asyncio.Queue[tuple[Callable[[], Awaitable[Any]], asyncio.Future[Any]] | None] = asyncio.Queue()
        self._closing = False
        self.task = asyncio.get_running_loop().create_task(self._run(), name=name)

    async def do(self, job: Callable[[], Awaitable[T]]) -> T:
        """Queues the job and waits for what it returns or raises."""
        return await self._put(job)

    def later(self, job: Callable[[], Awaitable[Any]]) -> None:
        """Queues the job and waits for nothing: timers. What it raises is nobody's."""
        if not self._closing and not self.task.done():
            self._put(job).add_done_callback(lambda done: None if done.cancelled() else done.exception())

    async def close(self) -> None:
        """Finishes what is queued and ends the task."""
        self._closing = True
        self._jobs.put_nowait(None)
        await self.task

    def _put(self, job: Callable[[], Awaitable[T]]) -> asyncio.Future[T]:
        if self._closing or self.task.done():
            raise StorageError("This evening is closed. Open it again.")
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait((job, answer))
        return answer

    async def _run(self) -> None:
        while (item := await self._jobs.get()) is not None:
            job, answer = item
            try:
                result = await job()
            except Exception as error:  # handed to whoever asked
                if not answer.cancelled():
                    answer.set_exception(error)
            else:
                if not answer.cancelled():
                    answer.set_result(result)
