"""The table's task: jobs in order, errors to whoever asked, nobody left waiting at the end."""

import asyncio

import pytest

from companion.errors import StorageError
from companion.tables.worker import Worker


def test_jobs_are_done_one_after_another_and_errors_come_back():
    async def work():
        worker, seen = Worker("test"), []

        async def job(number):
            seen.append(f"{number} begins")
            await asyncio.sleep(0)
            seen.append(f"{number} ends")
            if number == 1:
                raise ValueError("one")
            return number

        answers = await asyncio.gather(*(worker.do(lambda n=n: job(n)) for n in range(3)), return_exceptions=True)
        await worker.close()
        return answers, seen

    answers, seen = asyncio.run(work())
    assert answers[0] == 0
    assert answers[2] == 2
    assert isinstance(answers[1], ValueError)
    assert seen == [f"{n} {what}" for n in range(3) for what in ("begins", "ends")]


def test_what_is_queued_is_done_and_what_comes_late_is_refused():
    async def work():
        worker = Worker("test")

        async def job():
            await asyncio.sleep(0.01)
            return "done"

        queued = [asyncio.create_task(worker.do(job)) for _ in range(3)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(worker.close())
        await asyncio.sleep(0)
        with pytest.raises(StorageError):
            await worker.do(job)
        worker.later(job)  # a timer that is too late is nothing
        await closing
        return await asyncio.gather(*queued)

    assert asyncio.run(work()) == ["done"] * 3
