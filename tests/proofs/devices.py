"""`make devices-proof`: the figures of devices on the virtual table, from the real firmware and the companion's real
links: drops, bursts, spoiled frames, sweeps, memory, an hour. Writes docs/proofs/devices.md with `--write`.

In virtual time a run depends on its arguments and the revision alone, but for the seconds that an hour takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.fault_scripts.script import FORMAT, parse_script
from companion.fault_scripts.targets import VirtualTarget
from companion.fault_scripts.watcher import Watcher
from companion.virtual_table.board import BoardSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.device import setup_of
from companion.virtual_table.table import VirtualTable
from firmware.tools.build import build
from shared_rules.wire.messages import WireError, decode
from shared_rules.wire.serial_frames import FrameReader, encode_frame

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "devices.md"
VECTORS = ROOT / "tests" / "wire" / "golden_vectors.json"
FAILED = "does NOT hold"
SIZES = ("drops", "silences", "rate_seconds", "bursts", "moves", "flips", "hour_seconds")
"""The options that say how much is tried."""
D6 = (1, 2, 3, 4, 5, 6) * 2
Row = tuple[str, str, str]
"""What was measured, the figure, the limit."""


def uid(n: int) -> str:
    """The UID of tag n."""
    return f"04a1{n:04x}"


def on_a_table(
    work: Callable[[VirtualTable, Watcher], Awaitable[Any]], devices: str = '["table"]', seed: int = 4
) -> Any:
    """What `work` answers, with a table and a companion that is linked to all of it; in virtual time."""
    text = (
        f'format = "{FORMAT}"\nname = "proof"\ntitle = "proof"\nsource = "proof"\nlasts_ms = 1\ndevices = {devices}\n'
    )
    script = parse_script(text + f'seed = {seed}\n[[steps]]\ndo = "tags"\n[[never]]\nfact = "fault"\n'.replace(
        '"fault"', '"device_fault"'
    ))  # fmt: skip

    async def evening() -> Any:
        target = VirtualTarget()
        watcher = await target.open(script)
        try:
            await watcher.start()
            ready = await watcher.until(lambda: sum(f["fact"] == "snapshot" for f in watcher.heard) >= 1, 60)
            assert ready, "the table was not found"
            watcher.begin()
            return await work(target.table, watcher)
        finally:
            await watcher.close()
            await target.close()

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(evening())


def percentiles(values: list[float]) -> str:
    """Median, 95th percentile and most, in seconds."""
    row = sorted(values)
    at = [row[min(len(row) - 1, int(len(row) * part))] for part in (0.5, 0.95, 1.0)]
    return f"median {at[0]:.2f} s, p95 {at[1]:.2f} s, most {at[2]:.2f} s"


def p95(values: list[float]) -> float:
    row = sorted(values)
    return row[min(len(row) - 1, int(len(row) * 0.95))]


async def _drops(table: VirtualTable, watcher: Watcher, count: int) -> tuple[list[float], list[float]]:
    """(loss → noticed, noticed → back), in seconds, while taxis move and the die is pressed."""
    dice = random.Random(5)
    await watcher.ask("faces", {"map_id": 1, "faces": list(D6)})
    noticed, back = [], []
    for turn in range(count):
        table.place_tag(uid(turn % 9), dice.randrange(32))
        if turn % 3 == 0:
            table.press_button()
        await asyncio.sleep(dice.uniform(0.0, 1.5))
        before = len(watcher.heard)
        at = watcher.now
        table.drop_link()

        def came(what: str, before: int = before) -> list[float]:
            return [fact["at"] for fact in watcher.heard[before:] if fact["fact"] == what]

        assert await watcher.until(lambda: bool(came("unlinked")), 30)  # noqa: B023
        assert await watcher.until(lambda: bool(came("linked")), 60)  # noqa: B023
        noticed.append(came("unlinked")[0] - at)
        back.append(came("linked")[0] - came("unlinked")[0])
    await asyncio.sleep(12)
    return noticed, back


def drops(count: int) -> list[Row]:
    """Forced drops: what was lost or doubled, how soon it was noticed and mended."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        noticed, back = await _drops(table, watcher, count)
        waiting = watcher.hub.devices()[0].waiting
        events = [fact for fact in watcher.heard if fact["fact"] not in ("linked", "unlinked", "snapshot")]
        return noticed, back, len(events), len(watcher.faults) + watcher.lost + waiting, table.board.boots

    noticed, back, events, wrong, boots = on_a_table(work)
    assert boots == 1
    assert events > count
    assert wrong == 0
    assert max(noticed) <= 0.5
    assert p95(back) <= 3
    return [
        (f"events lost or doubled over {count:,} forced drops, {events:,} events", str(wrong), "0"),
        ("a loss that the stack reports is noticed", percentiles(noticed), "≤ 0.5 s"),
        ("and mended after that", percentiles(back), "p95 ≤ 3 s"),
    ]


def silences(count: int) -> list[Row]:
    """The table's radio takes no notification for some seconds, of which no stack tells the companion: how soon that
    is noticed and mended."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        dice = random.Random(6)
        noticed, back = [], []
        for _ in range(count):
            await asyncio.sleep(dice.uniform(4, 8))
            before = len(watcher.heard)
            at = watcher.now
            table.notify_enomem(90)

            def came(what: str, before: int = before) -> list[float]:
                return [fact["at"] for fact in watcher.heard[before:] if fact["fact"] == what]

            assert await watcher.until(lambda: bool(came("unlinked")), 30)  # noqa: B023
            table.notify_enomem(0)
            assert await watcher.until(lambda: bool(came("linked")), 60)  # noqa: B023
            noticed.append(came("unlinked")[0] - at)
            back.append(came("linked")[0] - came("unlinked")[0])
        return noticed, back

    noticed, back = on_a_table(work)
    assert round(max(noticed), 2) <= 3, f"a silence was noticed after {max(noticed):.2f} s"
    assert p95(back) <= 3, f"p95 back {p95(back):.2f} s"
    return [
        (f"a silence that nobody reports ({count} radios that take nothing) is noticed", percentiles(noticed), "≤ 3 s"),
        ("and mended after that", percentiles(back), "p95 ≤ 3 s"),
    ]


def rate(seconds: int) -> list[Row]:
    """Ten events a second through a radio that fails below 50 ms spacing: what waits in the end."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        table.set_notify_spacing(50)
        heard = [0, 0]
        for part, moves_of_it in enumerate((25, seconds * 5)):  # the first five seconds only fill the table
            for n in range(moves_of_it):  # each move is two events
                turn = n + 25 * part
                table.place_tag(uid(turn % 16), turn % 16 + (16 if turn // 16 % 2 else 0))
                await asyncio.sleep(0.2)
            heard[part] = sum(fact["fact"].startswith("tag_") for fact in watcher.heard)
        await asyncio.sleep(6)
        table.set_notify_spacing(0)
        in_the_end = sum(fact["fact"].startswith("tag_") for fact in watcher.heard)
        return heard[1] - heard[0], in_the_end - heard[1], len(watcher.faults) + watcher.lost

    heard, late, wrong = on_a_table(work)
    assert wrong == 0
    a_second = heard / seconds
    assert a_second >= 9.5
    return [
        (f"events a second sustained for {seconds} s, radio fails below 50 ms spacing", f"{a_second:.1f}", "10"),
        ("heard after the last move", str(late), "few"),
        ("lost, doubled or out of order", str(wrong), "0"),
    ]


def bursts(count: int) -> list[Row]:
    """200 events that wait while nobody hears, and come at once."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        table.set_notify_spacing(50)
        took = []
        for _ in range(count):
            before = sum(fact["fact"].startswith("tag_") for fact in watcher.heard)
            table.drop_link(out_of_range_s=20)
            for n in range(100):
                table.place_tag(uid(n), n % 32)
            await asyncio.sleep(8)
            for n in range(100):
                table.lift_tag(uid(n))
            await asyncio.sleep(8)
            begun = watcher.now

            def news(before: int = before) -> int:
                return sum(fact["fact"].startswith("tag_") for fact in watcher.heard) - before

            assert await watcher.until(lambda: news() >= 200, 90), news()  # noqa: B023
            took.append(watcher.now - begun)
            await asyncio.sleep(5)
            assert news() == 200
        return took, len(watcher.faults) + watcher.lost

    took, wrong = on_a_table(work)
    assert wrong == 0
    return [(f"lost, doubled or out of order in {count} bursts of 200 events", str(wrong), "0")]


def time_moves(count: int) -> tuple[list[float], int]:
    """How soon a taxi that was moved is told, in seconds, with taxis on the other sockets; the sweep in ms."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        dice = random.Random(7)
        for n in range(12):
            table.place_tag(uid(100 + n), 2 * n)
        await asyncio.sleep(5)
        took = []
        for _ in range(count):
            goal = 2 * dice.randrange(16) + 1
            if table.tags().get(uid(1)) == goal:
                continue
            before, at = len(watcher.heard), watcher.now
            table.place_tag(uid(1), goal)

            def told(before: int = before, goal: int = goal) -> list[float]:
                rows = watcher.heard[before:]
                return [f["at"] for f in rows if f["fact"] == "tag_appeared" and f["socket"] == goal]

            assert await watcher.until(lambda: bool(told()), 10)  # noqa: B023
            took.append(told()[0] - at)
            await asyncio.sleep(dice.uniform(1, 3))
        await asyncio.sleep(3)
        return took, watcher.hub.devices()[0].sweep

    timed: tuple[list[float], int] = on_a_table(work)
    return timed


def moves(count: int) -> list[Row]:
    """Sweeps and moved taxis within their limits."""
    took, sweep = time_moves(count)
    assert sweep <= 600
    assert max(took) <= 1.0
    return [
        ("sweep of 32 sockets, 13 taxis on them, by the timing model", f"{sweep} ms", "≤ 600 ms"),
        (f"a moved taxi is told ({len(took)} moves)", percentiles(took), "≤ 1 s"),
    ]


def flips(count: int) -> list[Row]:
    """Frames with turned bits: on the cable (CRC-32), and over the air (CRC-16)."""
    dice = random.Random(9)
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    packets = [bytes.fromhex(one["hex"]) for one in vectors]
    frames = [bytes(encode_frame(packet)) for packet in packets]
    on_cable = few = many = many_tried = 0
    for n in range(count):
        good = packets[n % len(packets)]
        frame = _spoiled(frames[n % len(frames)], dice.randint(1, 12), dice)
        on_cable += any(packet != good for packet in FrameReader().feed(b"\0" + frame + b"\0"))
        if n % 2:
            few += _accepted(_spoiled(good, dice.randint(1, 3), dice))
        else:
            many_tried += 1
            many += _accepted(_spoiled(good, dice.randint(4, 12), dice))
    assert on_cable == 0
    assert few == 0
    return [
        (f"spoiled frames accepted on the cable, of {count:,} with 1 to 12 turned bits", str(on_cable), "0"),
        (f"packets over the air accepted, of {count - many_tried:,} with 1 to 3 turned bits", str(few), "0"),
        (
            f"packets over the air accepted, of {many_tried:,} with 4 to 12 turned bits (behind the radio's "
            "own CRC-24; CRC-16 alone lets through one in 65,536, and fields and order refuse most of those)",
            str(many),
            "–",
        ),
    ]


def _spoiled(data: bytes, bits: int, dice: random.Random) -> bytes:
    out = bytearray(data)
    for place in dice.sample(range(8 * len(out)), min(bits, 8 * len(out))):
        out[place >> 3] ^= 1 << (place & 7)
    return bytes(out)


def _accepted(packet: bytes) -> bool:
    try:
        decode(packet)
    except WireError:
        return False
    return True


def time_scanning(seconds: int) -> tuple[float, float]:
    """Real seconds that so many virtual ones with 32 sockets scanned take; sweeps a virtual second."""

    async def work(table: VirtualTable, watcher: Watcher) -> Any:
        for n in range(12):
            table.place_tag(uid(n), n)
        await asyncio.sleep(5)
        first, begun = await table.stats(), time.monotonic()
        await asyncio.sleep(seconds)
        took, last = time.monotonic() - begun, await table.stats()
        return took, (last["sweeps"] - first["sweeps"]) / seconds, table.model_errors()

    took, sweeps, errors = on_a_table(work)
    assert errors == []
    return took, sweeps


def hour(seconds: int) -> list[Row]:
    """A virtual hour with 32 sockets scanned, as always: within its limit."""
    took, sweeps = time_scanning(seconds)
    assert sweeps > 1.5
    assert took * 3600 / seconds <= 240, f"{took * 3600 / seconds:.0f} s"
    what = f"real seconds of a virtual hour with 32 sockets scanned, 12 taxis ({sweeps:.1f} sweeps a second)"
    return [(what, f"{took * 3600 / seconds:.0f} s" + ("" if seconds >= 3600 else " (from a part of it)"), "≤ 240 s")]


def free_heap() -> dict[str, tuple[str, float]]:
    """Device → heap that it has, and percent of it that are free with its bytecode after a minute of work."""
    found = {}
    for name, device in (("table", "table"), ("die", "handheld_die"), ("ring", "table_die")):
        with tempfile.TemporaryDirectory(prefix="cabstand-heap-") as folder:
            code, flash = Path(folder) / "code", Path(folder) / "flash"
            code.mkdir()
            build(code, device)

            async def work(name: str = name, code: Path = code, flash: Path = flash) -> Any:
                setup = setup_of(name, flash, like=BoardSetup(flash, code=code, seed=3))
                async with VirtualTable(setup=setup, devices=(name,)) as table:
                    for n in range(12 if name == "table" else 0):
                        table.place_tag(uid(n), n)
                    await asyncio.sleep(60)
                    return setup.heap, (await table.stats())["heap"]["free_percent"]

            with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
                found[device] = runner.run(work())
    return found


def heap() -> list[Row]:
    """A quarter of each device's heap is free."""
    rows = []
    for device, (size, free) in free_heap().items():
        assert free >= 25, (device, free)
        rows.append((f"free heap of the {device.replace('_', ' ')}, bytecode, {size}", f"{free} %", "≥ 25 %"))
    return rows


def revision() -> str:
    """What the figures are of; it says so when the tree has changed since that commit."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty= and changes"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return told.stdout.strip()


def page(rows: list[Row], arguments: argparse.Namespace) -> str:
    """The report in Markdown."""
    sizes = ", ".join(f"{name.replace('_', ' ')} {size:,}" for name, size in vars(arguments).items() if name in SIZES)
    lines = [
        "# Devices",
        "",
        "The real firmware on the virtual table, heard through the companion's real links, by `make devices-proof`:",
        f"{sizes}. Times are virtual but for the hour's, of a machine that runs nothing else. Heap is",
        "what is free after a collection, of the size that is named; the modules that stand in for the chip's own take",
        "their memory beside it. The handheld die's bytecode lies in ROM, as on the chip, that of the table and of the",
        "table die in the heap. Rolls have a page of their own, [rolls.md](rolls.md).",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, revision {revision()}, {platform.python_implementation()} "
        f"{platform.python_version()}, {os.cpu_count()} cores.",
        "",
        "| measured | figure | limit |",
        "| --- | --- | --- |",
        *(f"| {what} | {figure} | {limit} |" for what, figure, limit in rows),
        "",
        "None of it says anything about a real radio, coil or supply: that is",
        "[the bench plan](../../hardware/bench_plan.md).",
    ]
    return "\n".join(lines) + "\n"


def measure(arguments: argparse.Namespace, say: Callable[[str], None] = print) -> list[Row]:
    """All rows; one that says so where a limit does not hold."""
    rows: list[Row] = []
    for part in (
        lambda: drops(arguments.drops),
        lambda: silences(arguments.silences),
        lambda: rate(arguments.rate_seconds),
        lambda: bursts(arguments.bursts),
        lambda: moves(arguments.moves),
        lambda: flips(arguments.flips),
        heap,
        lambda: hour(arguments.hour_seconds),
    ):
        try:
            found = part()
        except AssertionError as wrong:
            found = [(f"a part of the proof: {wrong or 'a limit'}", FAILED, "")]
        for what, figure, limit in found:
            say(f"{what}: {figure} (limit {limit})")
        rows += found
    return rows


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.devices", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--drops", type=int, default=1000)
    parser.add_argument("--silences", type=int, default=100)
    parser.add_argument("--rate-seconds", type=int, default=300)
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--flips", type=int, default=1_000_000)
    parser.add_argument("--hour-seconds", type=int, default=3600)
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    arguments = parse(sys.argv[1:] if argv is None else argv)
    rows = measure(arguments, lambda line: print(line, flush=True))
    if arguments.write:
        REPORT.write_text(page(rows, arguments), encoding="utf-8")
    return 1 if any(figure == FAILED for _, figure, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
