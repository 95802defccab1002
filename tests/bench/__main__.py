"""Runs the benches of this folder one after the other and prints every figure with its method.

`python -m tests.bench [NAME …] [--write]`: all benches, or the named ones; `--write` puts the table into
docs/proofs/bench.md with date, revision and machine. Ends with 1 if a bench could not run; a missed goal is printed as
such and is no failure, since figures belong to the machine they were taken on.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figures import Figure, MissingPartError

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REPORT = ROOT / "docs" / "proofs" / "bench.md"
NO_BENCH = {"__init__", "__main__", "figures"}


def bench_names() -> list[str]:
    """The benches of this folder: every module that offers `run`."""
    modules = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NO_BENCH)
    return [name for name in modules if "\ndef run(" in (HERE / f"{name}.py").read_text("utf-8")]


def machine() -> str:
    """Processor, cores and Python, in one line."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = models[0].split(":", 1)[1].strip() if models else processor
    return f"{processor}, {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}"


def revision() -> str:
    """The commit that is measured; says so if files differ from it."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return asked.stdout.strip().replace("-dirty", " with changes") or "unknown"


def shown(figure: Figure) -> str:
    """The figure in as many digits as it is worth."""
    value = figure.figure
    places = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    number = f"{value:,.{places}f}"
    return f"{number} {figure.unit}".rstrip()


def judged(figure: Figure) -> str:
    """The goal and whether it is reached."""
    return f"{figure.goal}: {'reached' if figure.met else 'MISSED'}" if figure.met is not None else "no goal"


def report(taken: list[tuple[str, list[Figure]]], failed: list[tuple[str, str]]) -> str:
    """The page for docs/proofs."""
    lines = [
        "# Bench",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, revision {revision()}, {machine()}, load {os.getloadavg()[2]:.1f} meanwhile.",
        "Made by `make bench`; every figure is a median unless its method says otherwise, and holds for this machine.",
        "",
        "| figure | value | goal | how it was taken |",
        "| --- | ---: | --- | --- |",
    ]
    for _, figures in taken:
        lines += [f"| {f.name} | {shown(f)} | {judged(f)} | {f.method} |" for f in figures]
    lines += ["", *[f"Could not run: {name}: {why}" for name, why in failed]] if failed else []
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Take figures, and say how.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which benches: {', '.join(bench_names())}")
    parser.add_argument("--write", action="store_true", help="write docs/proofs/bench.md")
    asked = parser.parse_args()
    unknown = [name for name in asked.names if name not in bench_names()]
    if unknown:
        parser.error(f"no bench {', '.join(unknown)}; there are {', '.join(bench_names())}")
    print(f"Revision {revision()} on {machine()}.", flush=True)
    taken: list[tuple[str, list[Figure]]] = []
    failed: list[tuple[str, str]] = []
    for name in asked.names or bench_names():
        start = time.monotonic()
        print(f"\n{name} …", flush=True)
        try:
            figures = [Figure(*figure) for figure in importlib.import_module(f"tests.bench.{name}").run()]
        except MissingPartError as missing:
            failed.append((name, str(missing)))
            print(f"  could not run: {missing}")
            continue
        taken.append((name, figures))
        for figure in figures:
            print(f"  {figure.name}: {shown(figure)} ({judged(figure)})\n      {figure.method}")
        print(f"  took {time.monotonic() - start:.0f} s")
    if asked.write:
        REPORT.write_text(report(taken, failed), encoding="utf-8")
        print(f"\nWritten to {REPORT.relative_to(ROOT)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
