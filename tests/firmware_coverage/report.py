"""What was run and what was not, as a page: by module, and every line that is missing, with the reason where one is
given in `exclusions.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from instrument import ROOT, Point

EXCLUSIONS = Path(__file__).with_name("exclusions.toml")


@dataclass
class Module:
    """Counts of one module: [run, all] without what is excluded; lines that were missed."""

    statements: list[int] = field(default_factory=lambda: [0, 0])
    arms: list[int] = field(default_factory=lambda: [0, 0])
    missed: set[int] = field(default_factory=set)
    missed_arms: set[tuple[int, str]] = field(default_factory=set)


def exclusions() -> list[dict[str, str]]:
    """Rows with file, reason, and `text`: a piece of the source line; without it the whole file."""
    rows: list[dict[str, str]] = tomllib.loads(EXCLUSIONS.read_text(encoding="utf-8")).get("exclude", [])
    return rows


def excluded(point: Point, line: str, rows: list[dict[str, str]]) -> bool:
    """Whether a reason is given for not running it."""
    return any(row["file"] == point.file and row.get("text", "") in line for row in rows)


def count(points: list[Point], hits: set[int], root: Path = ROOT) -> tuple[dict[str, Module], int]:
    """Module → its counts, and how many points were excluded though nothing hit them."""
    rows = exclusions()
    lines = {point.file: (root / point.file).read_text(encoding="utf-8").splitlines() for point in points}
    modules: dict[str, Module] = {}
    left_out = 0
    for number, point in enumerate(points):
        module = modules.setdefault(point.file, Module())
        is_hit = number in hits
        if not is_hit and excluded(point, lines[point.file][point.line - 1], rows):
            left_out += 1
            continue
        pair = module.statements if point.kind == "statement" else module.arms
        pair[0] += is_hit
        pair[1] += 1
        if not is_hit and point.kind == "statement":
            module.missed.add(point.line)
        elif not is_hit:
            module.missed_arms.add((point.line, point.kind))
    return modules, left_out


def page(modules: dict[str, Module], left_out: int, words: list[str]) -> str:
    """The report in Markdown."""
    all_statements, all_arms = _total(modules, "statements"), _total(modules, "arms")
    lines = [
        "# Coverage of the firmware",
        "",
        "Made by `python -m tests.firmware_coverage --write`: an instrumented copy of what runs on devices, in",
        "MicroPython, under the device scripts of `tests/firmware`, the virtual table's tests and the fault scripts.",
        "An arm is a side of an `if`, the regular end of a loop, an `except`, or a value of a conditional expression.",
        "",
        *words,
        "",
        "| module | statements | arms | statements not run | arms not taken |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in sorted(modules):
        one = modules[name]
        arms = ", ".join(f"{line} {kind}" for line, kind in sorted(one.missed_arms) if line not in one.missed)
        missed = _ranges(sorted(one.missed))
        lines.append(f"| `{name}` | {_part(one.statements)} | {_part(one.arms)} | {missed} | {arms} |")
    lines.append(f"| **all** | **{_part(all_statements)}** | **{_part(all_arms)}** | | |")
    lines += ["", f"## Left out ({left_out} points)", "", "| file | line | why |", "| --- | --- | --- |"]
    lines += [f"| `{row['file']}` | {row.get('text', 'all')} | {row['reason']} |" for row in exclusions()]
    return "\n".join(lines) + "\n"


def _total(modules: dict[str, Module], what: str) -> list[int]:
    pairs = [getattr(one, what) for one in modules.values()]
    return [sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)]


def _part(pair: list[int]) -> str:
    return f"{100 * pair[0] / pair[1]:.1f} % ({pair[0]}/{pair[1]})" if pair[1] else "–"


def _ranges(lines: list[int]) -> str:
    out: list[list[int]] = []
    for line in lines:
        if out and line == out[-1][1] + 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in out)
