"""`make replay-fuzz`: ten minutes of spoiled lines of all titles for the replay program; docs/proofs/replay_fuzz.md.

Positions from the middle of golden games and commands from anywhere in them are spoiled (values, keys, lists, bytes)
and given to the program on CPython in batches, each batch a process of its own; every batch in so many also to the
program on MicroPython, whose bytes must be the same. A traceback, a fault, a missing line, another exit status than 0
is a failure. Lines follow from the seed; how many there are is a matter of time.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "shared_rules"))

from spoiling import Spoiler  # noqa: E402

from shared_rules import games  # noqa: E402

REPORT = ROOT / "docs" / "proofs" / "replay_fuzz.md"
MICROPYTHON = Path(sys.executable).with_name("micropython")
BATCH = 150


class Tally:
    """What came of the lines of a title."""

    def __init__(self) -> None:
        self.lines = 0
        self.both = 0
        self.errors: collections.Counter[str] = collections.Counter()
        self.refusals: collections.Counter[str] = collections.Counter()
        self.events = 0
        self.failures: list[str] = []


def run(interpreter: list[str], data: bytes) -> tuple[list[bytes], str]:
    """(answers, what is wrong with the run, "" if nothing is)."""
    done = subprocess.run(
        [*interpreter, "-m", "shared_rules.replay"], input=data, capture_output=True, cwd=ROOT, timeout=600
    )
    wrong = ""
    if done.returncode != 0 or done.stderr:
        wrong = f"status {done.returncode}, {done.stderr.decode('utf-8', 'replace')[-400:]}"
    return done.stdout.split(b"\n")[:-1], wrong


def batch(tally: Tally, spoiler: Spoiler, both: bool) -> None:
    """One batch of lines of a title."""
    lines = [spoiler.line() for _ in range(BATCH)]
    data = b"".join(line + b"\n" for line in lines)
    answers, wrong = run([sys.executable], data)
    if wrong or len(answers) != len(lines):
        tally.failures.append(wrong or f"{len(lines)} lines were answered with {len(answers)}")
    for line, answer in zip(lines, answers, strict=False):
        out = json.loads(answer)
        tally.lines += 1
        if "error" in out:
            tally.errors[out["error"]["code"]] += 1
            if out["error"]["code"] == "fault":
                tally.failures.append(f"{out['error']['message']}: {line[:2000].decode('utf-8', 'replace')}")
        else:
            tally.events += len(out["events"])
            tally.refusals.update(no["code"] for no in out["refused"])
    if both:
        others, wrong = run([str(MICROPYTHON), "-X", "heapsize=64m"], data)
        tally.both += len(others)
        if wrong or others != answers:
            at = next((i for i, pair in enumerate(zip(answers, others, strict=False)) if pair[0] != pair[1]), -1)
            tally.failures.append(f"MicroPython: {wrong} first other answer to: {lines[at][:2000]!r}")


def report(tallies: dict[str, Tally], options: argparse.Namespace, seconds: float) -> str:
    """The page."""
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    total = sum(tally.lines for tally in tallies.values())
    failures = [text for tally in tallies.values() for text in tally.failures]
    lines = [
        "# Fuzzing the replay program",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, revision {revision.stdout.strip() or 'unknown'}, seed {options.seed}, "
        f"{platform.python_implementation()} {platform.python_version()} and MicroPython, one process at a time, "
        f"{seconds / 60:.1f} minutes. Made by `make replay-fuzz`.",
        "",
        f"{total:,} spoiled lines, **{len(failures)} failures**: no traceback, no fault, no line without its answer, "
        "exit status 0 throughout; where both Pythons were asked, the same bytes."
        if not failures
        else f"{total:,} spoiled lines, **{len(failures)} failures**.",
        "",
        "| game | lines | on both Pythons | no position | played | events | refused commands | codes refused with |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, tally in tallies.items():
        bad = tally.errors.total()
        lines.append(
            f"| {name} | {tally.lines:,} | {tally.both:,} | {bad:,} | {tally.lines - bad:,} | {tally.events:,} | "
            f"{tally.refusals.total():,} | {len(tally.refusals)} |"
        )
    lines += ["", "| error of a position | lines |", "| --- | ---: |"]
    errors: collections.Counter[str] = collections.Counter()
    for tally in tallies.values():
        errors.update(tally.errors)
    lines += [f"| `{code}` | {count:,} |" for code, count in errors.most_common()]
    lines += ["", *(f"- {text}" for text in failures[:20])] if failures else []
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Fuzz and write the report; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.replay_fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--both", type=int, default=8, help="every so many batches also on MicroPython (default 8)")
    parser.add_argument("--no-report", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    os.nice(5)
    spoilers = {name: Spoiler(name, options.seed) for name in games.names()}
    tallies = {name: Tally() for name in spoilers}
    begun = time.monotonic()
    number = 0
    while time.monotonic() - begun < 60 * options.minutes:
        for name, spoiler in spoilers.items():
            batch(tallies[name], spoiler, number % options.both == 0)
        number += 1
    text = report(tallies, options, time.monotonic() - begun)
    print(text, end="")
    if not options.no_report:
        REPORT.write_text(text, "utf-8")
    return 1 if any(tally.failures for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
