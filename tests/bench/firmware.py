"""The firmware on the virtual table in virtual time: memory that is left after play, SPI transfers a sweep."""

from __future__ import annotations

import asyncio
import importlib.util
import tempfile
from pathlib import Path

from tests.bench.figures import Figure, MissingPartError

TAXIS = [f"04a1b2c{number}" for number in range(6)]
MINUTES = 10


async def measure(minutes: int) -> list[Figure]:
    """An idle table, then six taxis, a companion and a throw every ten seconds."""
    from companion.application import Application
    from companion.settings import Settings
    from companion.virtual_table.table import VirtualTable

    async def transfers(table: VirtualTable, seconds: float) -> float:
        before = await table.stats()
        await asyncio.sleep(seconds)
        after = await table.stats()
        return float((after["spi_transfers"] - before["spi_transfers"]) / (after["sweeps"] - before["sweeps"]))

    with tempfile.TemporaryDirectory() as folder:
        async with VirtualTable() as table:
            await asyncio.sleep(5)
            empty = await transfers(table, 20)
            for number, taxi in enumerate(TAXIS):
                table.place_tag(taxi, 4 * number)
            await asyncio.sleep(5)
            laid = await transfers(table, 20)
            scanner, client = table.backend()
            settings = Settings(
                data_dir=Path(folder), database_on_loop=True, scanner_backend=scanner, client_backend=client
            )
            companion = await Application.start(settings)
            for throw in range(6 * minutes):
                table.press_button()
                table.place_tag(TAXIS[throw % 6], 24 + throw % 5)
                await asyncio.sleep(10)
                table.place_tag(TAXIS[throw % 6], 4 * (throw % 6))
            link = companion.link.state
            heap = (await table.stats())["heap"]
            await companion.close()
    if link != "connected":
        raise RuntimeError(f"the companion did not reach the table: {link}")
    how = f"chip models count chip selects, 29 readers, mean of 40 sweeps in virtual time, {table.setup.heap} of heap"
    played = (
        f"after {minutes} virtual minutes with the link up, a throw and a moved taxi every 10 s, after a collection; "
        f"-X heapsize={table.setup.heap} (words of 8 bytes here, of 4 on the ESP32)"
    )
    return [
        Figure("firmware heap left", heap["free_percent"], "%", "at least 25", played),
        Figure("firmware heap used", heap["used"] / 1024, "KiB", method=played),
        Figure("SPI transfers a sweep, empty table", empty, "", method=how),
        Figure("SPI transfers a sweep, six taxis", laid, "", method=how),
    ]


def run(minutes: int = MINUTES) -> list[Figure]:
    """All of it in virtual time, so that the figures are the same in every run."""
    if importlib.util.find_spec("micropython_unix") is None:
        raise MissingPartError("the extra `virtual` is not installed: make setup")
    from companion.virtual_table.clock import VirtualTimeLoop

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(measure(minutes))
