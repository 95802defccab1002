"""How many confirmed commands a second the event log takes: one transaction each, on disk before the next begins."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from companion.event_log import store
from companion.event_log.database import Database
from companion.event_log.hash_chain import Entry, chained
from tests.bench.figures import Figure, percentile

APPENDS = 1_000
STAMP = "2026-01-01T20:00:00+00:00"
ROOT = Path(__file__).parents[2]
# A command of middling size with its receipts: a move of a few streets that spends a tablet.
COMMAND = {"do": "move", "seat": 3, "to": "X17", "green": 1, "white": 0}
EVENTS = [
    {"event": "TaxiMoved", "seat": 3, "from": "J04~J05", "to": "X17", "streets": 4, "rules": ["T-037", "T-075"]},
    {"event": "TabletMoved", "from": 3, "to": 0, "colour": "green", "count": 1, "rules": ["T-058", "T-077"]},
    {"event": "Arrived", "seat": 3, "trip": 4, "round": 2, "rules": ["T-108"]},
]


def entry(previous: Entry | None, number: int) -> Entry:
    """The entry that follows."""
    return chained(
        previous, table_id="bench", kind="play" if previous else "start", version=1, rules_revision="bench",
        command=COMMAND, events=EVENTS, evidence=None, command_id=f"c{number}", actor="seat:3", reason="", at=STAMP,
    )  # fmt: skip


async def appended(folder: Path, appends: int) -> list[float]:
    """Seconds of each append, in order."""
    database = await Database.open(folder)
    last = entry(None, 0)
    evening = {"id": "bench", "title": "Bench", "game": "taxi", "setup": "{}", "created_at": STAMP, "last_at": STAMP}
    await database.run(lambda connection: store.create(connection, evening, [], last))
    taken = []
    for number in range(1, appends + 1):
        start = time.perf_counter()
        following = entry(last, number)
        await database.run(lambda connection, following=following: store.append(connection, [following]))
        taken.append(time.perf_counter() - start)
        last = following
    await database.close()
    return taken


def run(appends: int = APPENDS, where: Path | None = ROOT) -> list[Figure]:
    """Appends in the folder of the repository, whose disk is the one that people use, or in another one (None: where
    passing files are)."""
    with tempfile.TemporaryDirectory(dir=where, prefix=".bench-") as folder:
        taken = asyncio.run(appended(Path(folder), appends))
    how = f"{appends:,} commands of {len(EVENTS)} events, hashed, each its own transaction, WAL, synchronous=FULL"
    median = statistics.median(taken)
    return [
        Figure("events appended", len(EVENTS) / median, "a second", method=f"from the median command; {how}"),
        Figure("commands confirmed", 1 / median, "a second", method="the same"),
        Figure("command confirmed, p95", 1000 * percentile(taken, 95), "ms", method=how),
    ]
