"""What a SIGKILL leaves of an evening: all that was confirmed, each fact of the table once, a chain that holds.

A writer process plays as fast as it can, half by posts and half by facts of a table that goes on from where the file
says it was; it names each entry once it is confirmed, and is killed at a random moment. Then the file is opened as at a
start-up and compared with what was confirmed. `python -m tests.proofs.power_cut` does that 500 times and writes
docs/proofs/power_cut.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.application import Application
from companion.devices.facts import DieSettled, Origin
from companion.event_log import store
from companion.settings import Settings
from companion.tables import records
from companion.tables.setup import EveningSetup, SeatSetup
from companion.tables.table_actor import TableActor
from shared_rules.engine import game

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "power_cut.md"
KILLS = 500
KILLS_AN_EVENING = 20
DEVICE, BOOT = "table", 1
LONGEST_LIFE = 0.25


@dataclass
class Figures:
    """What was seen. `cut_short`: kills between a commit and its confirmation (an entry that nobody was told of)."""

    kills: int = 0
    confirmed: int = 0
    entries: int = 0
    facts: int = 0
    cut_short: int = 0


async def write(folder: Path, seed: int, told: int) -> None:
    """Plays until it is killed; `told` is the pipe for confirmations."""
    chance = random.Random(seed)
    application = await Application.start(Settings(folder, chance=random.Random(seed + 1), snapshot_every=25))
    table = application.current
    if table is None:
        setup = EveningSetup(
            [SeatSetup(name, colour) for name, colour in (("Ann", "red"), ("Ben", "blue"), ("Cy", "green"))]
        )
        table = await application.tables.create_evening(setup)
    number = await application.database.run(lambda connection: store.last_mark(connection, DEVICE, BOOT))
    os.write(told, b"ready\n")
    while True:
        if chance.random() < 0.5:
            number += 1
            await table.observe(DieSettled(Origin(DEVICE, BOOT, number), 1, 1 + number % 2, number % 3 + 1, 9, 900))
        else:
            await one_post(table, chance)
        os.write(told, f"{table.seq} {game.state_hash(table.state)}\n".encode())


async def one_post(table: TableActor, chance: random.Random) -> None:
    """Something lawful for whoever may act; an undo now and then."""
    command_id = f"post-{os.getpid()}-{chance.getrandbits(48):x}"
    if chance.random() < 0.1:
        await table.undo("bank", "a slip", True, command_id=command_id)
        return
    seats = [seat for seat in table.view("bank")["waiting_for"] if seat]
    templates = [
        t for seat in seats for t in game.legal_commands(table.state, seat) if t["do"] not in ("resign", "give")
    ]
    template = chance.choice(templates)
    if template["do"] == "roll":
        await table.throw(template["die"], seat=template["seat"], command_id=command_id, actor="bank")
    elif template["do"] == "draw_card":
        await table.draw(template["deck"], seat=template["seat"], command_id=command_id, actor="bank")
    else:
        command = {key: value[0] if isinstance(value, list) and value else value for key, value in template.items()}
        if template["do"] == "move":
            command["to"] = chance.choice(template["to"])[0]
        await table.submit(command, command_id=command_id, actor="bank")


def live_and_die(folder: Path, seed: int, life: float) -> list[tuple[int, str]]:
    """Starts a writer, kills it `life` seconds after its start-up; what it had confirmed: (seq, state hash)."""
    told, tell = os.pipe()
    writer = os.fork()
    if writer == 0:
        os.close(told)
        try:
            asyncio.run(write(folder, seed, tell))
        finally:
            os._exit(1)
    os.close(tell)
    said = bytearray()
    while b"ready\n" not in said:
        piece = os.read(told, 65536)
        if not piece:
            raise AssertionError("the writer ended by itself")
        said += piece
    time.sleep(life)
    os.kill(writer, signal.SIGKILL)
    _, status = os.waitpid(writer, 0)
    assert os.WIFSIGNALED(status), "the writer ended by itself"
    while piece := os.read(told, 65536):
        said += piece
    os.close(told)
    lines = said.decode().split("\n")[1:-1]  # a torn last line was not confirmed
    return [(int(line.split()[0]), line.split()[1]) for line in lines]


async def inspect(folder: Path, confirmed: list[tuple[int, str]], figures: Figures) -> None:
    """Opens the file as a start-up does and holds it against what was confirmed. AssertionError says what is wrong."""
    application = await Application.start(Settings(folder, database_on_loop=True))
    try:
        assert not application.trouble, application.trouble
        table = application.current
        if table is None:
            return  # the game was over, and its file opened without trouble
        record = table.record()
        assert game.state_hash(table.state) == game.state_hash(records.replay(record)), "snapshot and tail differ"
        assert game.check_invariants(table.state) == []
        if confirmed:
            seq, state = confirmed[-1]
            assert table.seq >= seq, f"entry {seq} was confirmed, the log ends at {table.seq}"
            assert table.seq <= seq + 1, "more than one entry was under way"
            if table.seq == seq:
                assert game.state_hash(table.state) == state, "the confirmed state is another one now"
            else:
                figures.cut_short += 1
        mark = await application.database.run(lambda connection: store.last_mark(connection, DEVICE, BOOT))
        log = await application.database.run(lambda connection: store.read_log(connection, table.table_id))
        ids = [entry.command_id for entry in log]
        assert len(ids) == len(set(ids)), "a command stands in the log twice"
        facts = sorted(int(name.split(":")[3]) for name in ids if name.startswith("fact:"))
        assert len(facts) == len(set(facts)), "a fact stands in the log twice"
        newest = facts[-1] if facts else mark
        assert newest == mark, f"the table was heard up to {mark}, the log holds facts up to {newest}"
        assert facts == list(range(facts[0], mark + 1) if facts else []), "a fact is missing"
        figures.facts = mark
    finally:
        await application.close()
    figures.kills += 1
    figures.confirmed += len(confirmed)
    figures.entries = table.seq


def prove(folder: Path, kills: int, seed: int) -> Figures:
    """`kills` kills on evenings in `folder`; raises AssertionError at the first thing that is not right."""
    chance = random.Random(seed)
    figures = Figures()
    for number in range(kills):
        data = folder / str(number // KILLS_AN_EVENING)
        confirmed = live_and_die(data, chance.getrandbits(32), chance.uniform(0, LONGEST_LIFE))
        try:
            asyncio.run(inspect(data, confirmed, figures))
        except AssertionError as wrong:
            raise AssertionError(f"after kill {number} of seed {seed}: {wrong}") from wrong
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {kills}", end="", file=sys.stderr)
    return figures


def report(figures: Figures, seed: int, seconds: float) -> str:
    """The page for docs/proofs."""
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    return f"""# Killed in the middle of writing

`make test-long` or `python -m tests.proofs.power_cut`; see that module for how.
{datetime.now(UTC):%Y-%m-%d}, revision {revision}, seed {seed}, {platform.machine()}, {os.cpu_count()} cores,
{seconds:.0f} s.

| what | figure |
| --- | --- |
| kills (SIGKILL at a random moment of play) | {figures.kills} |
| entries confirmed before the kills | {figures.confirmed} |
| confirmed entries lost | 0 |
| facts of the table lost or doubled | 0 |
| kills between a commit and its confirmation | {figures.cut_short} |
| files whose hash chain broke | 0 |
| start-ups from snapshot and tail that differ from a whole replay | 0 |

A kill of the process is no power cut: what the disk itself promises about a finished `fsync` is not tested here.
"""


def main() -> int:
    """The proof with its report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        figures = prove(Path(folder), arguments.kills, arguments.seed)
    page = report(figures, arguments.seed, time.monotonic() - begun)
    REPORT.write_text(page, encoding="utf-8")
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
