"""Run as a program: starts a virtual table, prints its process numbers, and waits to be killed."""

import asyncio
import time

import psutil

from companion.virtual_table.launch import start_virtual_table


async def start() -> None:
    running = await start_virtual_table()
    table = psutil.Process(running.process.pid)
    while not table.children():
        await asyncio.sleep(0.02)
    print(table.pid, table.children()[0].pid, flush=True)
    time.sleep(600)


asyncio.run(start())
