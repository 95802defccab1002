"""Virtual time: it jumps, it waits for boards, and it is the same in every run."""

import asyncio
from math import inf

from companion.virtual_table.clock import VirtualTimeLoop


def run(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


def test_an_hour_passes_at_once():
    async def sleepers():
        loop = asyncio.get_running_loop()
        order = []

        async def sleeper(name, seconds):
            await asyncio.sleep(seconds)
            order.append((name, loop.time()))

        await asyncio.gather(sleeper("a", 3600), sleeper("b", 0.5), sleeper("c", 1800))
        return order

    assert run(sleepers()) == [("b", 0.5), ("c", 1800.0), ("a", 3600.0)]


def test_timeouts_use_it_too():
    async def impatient():
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 30)
        except TimeoutError:
            return asyncio.get_running_loop().time()

    assert run(impatient()) == 30.0


class Clockwork:
    """A board that does something every `period` seconds until `end`."""

    def __init__(self, loop, period, end, heard):
        self.loop, self.period, self.end, self.heard = loop, period, end, heard
        self.next = period

    def waits_until(self):
        return self.next

    def step(self):
        self.heard.append(("board", self.loop.time()))
        later = self.loop.time() + self.period
        self.next = later if later <= self.end else inf


def test_boards_and_timers_take_turns_in_the_order_of_time():
    async def both():
        loop = asyncio.get_running_loop()
        heard = []
        loop.boards.append(Clockwork(loop, 2.0, 6.0, heard))
        for _ in range(3):
            await asyncio.sleep(1.5)
            heard.append(("loop", loop.time()))
        await asyncio.sleep(5)
        return heard

    assert run(both()) == [
        ("loop", 1.5),
        ("board", 2.0),
        ("loop", 3.0),
        ("board", 4.0),
        ("loop", 4.5),
        ("board", 6.0),
    ]


def test_a_board_with_an_event_works_before_time_moves():
    async def eager():
        loop = asyncio.get_running_loop()
        heard = []
        board = Clockwork(loop, 1.0, 1.0, heard)
        board.next = -inf
        loop.boards.append(board)
        await asyncio.sleep(10)
        return heard

    assert run(eager())[0] == ("board", 0.0)
