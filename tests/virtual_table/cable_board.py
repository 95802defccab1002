"""A handheld die with the small firmware of `boards/small/cable.py`, and somebody who talks to it through its cable."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

from small_board import BOARDS

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.device import setup_of
from companion.virtual_table.table import VirtualTable


class Talker:
    """Lines to and from a device's cable."""

    def __init__(self, end) -> None:
        self.end = end
        self.came = b""

    async def line(self, seconds=60) -> str:
        async with asyncio.timeout(seconds):
            while b"\n" not in self.came:
                self.came += await self.end.read()
        line, _, self.came = self.came.partition(b"\n")
        return line.decode(errors="replace")

    async def ask(self, words: str) -> str:
        self.end.write(words.encode() + b"\n")
        return await self.line()


def talking_setup(name, flash, **options):
    like = BoardSetup(flash, code=BOARDS, seed=1)
    return replace(setup_of(name, flash, like=like), entry="small.cable", **options)


@asynccontextmanager
async def talking_die(flash, accelerometer="lis2dw12", **options):
    """(the table, a talker) with the die up."""
    table = VirtualTable(devices=("die",), setup=talking_setup("die", flash, **options), accelerometer=accelerometer)
    talker = Talker(table.serial_pair("die"))
    async with table:
        assert await talker.line() == "up 1 0"
        yield table, talker
