"""What was run and what was not, as a page: by module, and every line that is missing, with the reason where one is
given in `exclusions.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from instrument import ROOT, Point

EXCLUSIONS = Path(__file__).with_name("exclusions.toml")


@dataclass
class Module:
    """Counts of one module without what is excluded: [run under MicroPython, run there or in Python, all]; what was
    missed under MicroPython: lines, and arms as (line, kind)."""

    statements: list[int] = field(default_factory=lambda: [0, 0, 0])
    arms: list[int] = field(default_factory=lambda: [0, 0, 0])
    missed: set[int] = field(default_factory=set)
    missed_arms: set[tuple[int, str]] = field(default_factory=set)


@dataclass
class Counts:
    """All modules by path; `left_out`: points that a reason is given for and that nothing hit under MicroPython, by
    row of the exclusions."""

    modules: dict[str, Module]
    left_out: list[int]


def exclusions() -> list[dict[str, str]]:
    """Rows with file, reason; `text`: a piece of the source line, without it the whole file; `arm`: one kind only."""
    rows: list[dict[str, str]] = tomllib.loads(EXCLUSIONS.read_text(encoding="utf-8")).get("exclude", [])
    return rows


def _is_meant(row: dict[str, str], point: Point, line: str) -> bool:
    return row["file"] == point.file and row.get("text", "") in line and row.get("arm", point.kind) == point.kind


def count(
    points: list[Point],
    on_device: set[int],
    in_python: set[int],
    rows: list[dict[str, str]] | None = None,
    root: Path = ROOT,
) -> Counts:
    """Counts of what was hit under MicroPython and in Python."""
    rows = exclusions() if rows is None else rows
    lines = {point.file: (root / point.file).read_text(encoding="utf-8").splitlines() for point in points}
    modules: dict[str, Module] = {}
    left_out = [0] * len(rows)
    for number, point in enumerate(points):
        module = modules.setdefault(point.file, Module())
        is_hit = number in on_device
        if not is_hit:
            line = lines[point.file][point.line - 1]
            reasons = [at for at, row in enumerate(rows) if _is_meant(row, point, line)]
            if reasons:
                left_out[reasons[0]] += 1
                continue
        numbers = module.statements if point.kind == "statement" else module.arms
        numbers[0] += is_hit
        numbers[1] += is_hit or number in in_python
        numbers[2] += 1
        if not is_hit and point.kind == "statement":
            module.missed.add(point.line)
        elif not is_hit:
            module.missed_arms.add((point.line, point.kind))
    return Counts(modules, left_out)


def page(
    counts: Counts, results: Mapping[str, Mapping[str, object]], nothing_in_them: Mapping[str, str], made: str
) -> str:
    """The report in Markdown. `results`: part → `seconds`, `said`; `nothing_in_them`: files of tests that are no
    part → why; `made`: when and of what."""
    modules = counts.modules
    statements, arms = _total(modules, "statements"), _total(modules, "arms")
    left_out = sum(counts.left_out)
    lines = [
        "# Coverage of the firmware",
        "",
        f"{made}.",
        "",
        f"**Under MicroPython: {_part(statements)} of statements, {_part(arms)} of branch arms**, without the",
        f"{left_out} points that are left out for a reason (below; with them, had they all been missed:",
        f"{_percent(statements[0] + arms[0], statements[2] + arms[2] + left_out)} of statements and arms).",
        "",
        "Made by `make firmware-coverage`: an instrumented copy of what runs on devices, in MicroPython, as sources",
        "and as bytecode, on the virtual table's boards and in the device scripts of the tests. An arm is a side of an",
        "`if`, the regular end of a loop, an `except`, or a value of a conditional expression.",
        "",
        "Some tests import a module of the firmware themselves, in Python, for instance to drive a real driver on the",
        "model of a chip step by step. What only these run is *not* in the figures above; the two columns *and in",
        "Python* are those figures with it.",
        "",
        "| module | statements | arms | statements, and in Python | arms, and in Python | lines not run in MicroPython "
        "| arms not taken there |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in sorted(modules):
        one = modules[name]
        missed_arms = ", ".join(f"{line} {kind}" for line, kind in sorted(one.missed_arms) if line not in one.missed)
        lines.append(f"| `{name}` | {_row(one.statements, one.arms)} | {_ranges(sorted(one.missed))} | {missed_arms} |")
    lines.append(f"| **all** | {_row(statements, arms)} | | |")
    lines += ["", f"## Left out: {left_out} points", ""]
    lines += ["| module | line | points | why |", "| --- | --- | --- | --- |"]
    for row, number in zip(exclusions(), counts.left_out, strict=True):
        what = f"`{row['text']}`" if "text" in row else "all"
        what += f" ({row['arm']})" if "arm" in row else ""
        lines.append(f"| `{row['file']}` | {what} | {number} | {row['reason']} |")
    lines += [
        "",
        "`if MYPY:` blocks, `firmware/tools` (runs on computers) and `firmware/stubs_overlay` have no points at all.",
        "",
        "## Tests that ran on the copy",
        "",
        "Deselected there: measures of memory, which a copy would spoil, and long runs that repeat what short ones do.",
        "",
        "| tests | result |",
        "| --- | --- |",
    ]
    lines += [f"| `{part}` | {result['said']} |" for part, result in sorted(results.items())]
    lines += ["", "No part of it:", ""]
    lines += [f"- `{name}`: {why}" for name, why in sorted(nothing_in_them.items())]
    return "\n".join(lines) + "\n"


def _total(modules: dict[str, Module], what: str) -> list[int]:
    every = [getattr(one, what) for one in modules.values()]
    return [sum(numbers[at] for numbers in every) for at in range(3)]


def _row(statements: list[int], arms: list[int]) -> str:
    both = [_percent(numbers[1], numbers[2]) for numbers in (statements, arms)]
    return " | ".join([_part(statements), _part(arms), *both])


def _percent(part: int, whole: int) -> str:
    return f"{int(1000 * part / whole) / 10:.1f} %" if whole else "–"


def _part(numbers: list[int]) -> str:
    return f"{_percent(numbers[0], numbers[2])} ({numbers[0]}/{numbers[2]})" if numbers[2] else "–"


def _ranges(lines: list[int]) -> str:
    out: list[list[int]] = []
    for line in lines:
        if out and line == out[-1][1] + 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in out)
