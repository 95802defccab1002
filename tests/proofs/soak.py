"""Evenings of thirty trips at the virtual table, one after another, with a link drop and a crash in every trip.

`python -m tests.proofs.soak` plays six of them and writes docs/proofs/soak.md; `--evenings N`, `--seed N`.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "evening"))

from evening_checks import commands_give_the_events, device_origins, nothing_doubled  # noqa: E402
from virtual_evening import an_evening  # noqa: E402

from companion.virtual_table.clock import VirtualTimeLoop  # noqa: E402

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "soak.md"


@dataclass
class Figures:
    """One evening. `virtual_s` and `real_s` in seconds; `doubled` and `lost` are throws."""

    seed: int
    virtual_s: float
    real_s: float
    entries: int
    throws: int
    moves_seen: int
    crashes: int
    lost: int
    heap_free: float
    complaints: int


def one_evening(seed: int) -> Figures:
    """Plays it and checks all that the evening tests check; AssertionError with what is wrong."""
    begun = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="cabstand-soak-") as folder,
        asyncio.Runner(loop_factory=VirtualTimeLoop) as runner,
    ):
        evening = runner.run(an_evening(Path(folder), seed=seed, length="long"))
        virtual = runner.get_loop().time()
    commands_give_the_events(evening.record)
    nothing_doubled(evening.record)
    throws = len(device_origins(evening.record, "die"))
    return Figures(
        seed,
        virtual,
        time.monotonic() - begun,
        len(evening.record["entries"]),
        throws,
        len(device_origins(evening.record, "tag")),
        evening.companion.crashes,
        evening.people.presses - throws,
        evening.stats["heap"]["free_percent"],
        evening.stats["model_errors"],
    )


def report(figures: list[Figures], seed: int) -> str:
    """The page."""
    revision = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    rows = "\n".join(
        f"|{f.seed} | {f.virtual_s / 60:.0f} | {f.real_s:.0f} | {f.entries} | {f.throws} | {f.moves_seen} |{f.crashes} "
        f"| {f.lost} | {f.heap_free:.1f} % | {f.complaints} |"
        for f in figures
    )
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    return f"""# Evenings on end

{day}, revision {revision or "unknown"}, seed {seed}, CPython {platform.python_version()}. Made by `make soak`.

{len(figures)} evenings of thirty trips for four seats, played in virtual time on the unmodified firmware: dice
thrown on the device, taxis moved on readers and on the road, cards and bets by HTTP, every fifth button pressed
twice. In every trip the radio link drops once in the middle of a throw or move, and the companion crashes once:
application, link and data file are abandoned unclosed and opened again.

| seed | minutes | real seconds | entries | throws | moves seen | drops, crashes | lost | heap free | complaints |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{rows}

*Moves seen* by readers; *lost* are throws that were pressed and not played; *complaints* are those of the chip models.
At the end of each evening the stored events give the live position, every invariant held after every event, the
stored commands played again give exactly the stored events, and no fact of the device was played twice. An evening
that breaks any of this ends the run with its seed.
"""


def main() -> int:
    """Plays, prints a line an evening, writes the page."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--evenings", type=int, default=6)
    arguments.add_argument("--seed", type=int, default=100)
    given = arguments.parse_args()
    figures = []
    for seed in range(given.seed, given.seed + given.evenings):
        try:
            figures.append(one_evening(seed))
        except AssertionError as wrong:
            print(f"evening with seed {seed}: {wrong}")
            return 1
        print(figures[-1], flush=True)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(report(figures, given.seed), encoding="utf-8")
    print(f"wrote {REPORT.relative_to(ROOT)}")
    return 0 if all(f.lost == 0 for f in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
