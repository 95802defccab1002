"""What there is to build: each device with the programme that starts it, its pins and its check."""

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Build:
    """`entry`: the module whose `main()` runs the device; `pins`: the file that becomes the module its programme takes
    its pins from (`pins_as`); `check`: the module that `self_test` runs on the board; `rom`: whether its bytecode runs
    from a ROM file system in flash, because it would not leave enough of the heap."""

    entry: str
    pins: str
    pins_as: str
    check: str
    rom: bool = False


BUILDS = {
    "table": Build("firmware.table.main", "pins.py", "pins.py", "firmware.checks.table"),
    "table_s3": Build("firmware.table.main", "pins_table_s3.py", "pins.py", "firmware.checks.table"),
    "table_die": Build(
        "firmware.die.table_die_main",
        "pins_table_die.py",
        "pins_table_die.py",
        "firmware.checks.table_die",
    ),
    "handheld_die": Build(
        "firmware.die.handheld_main",
        "pins_handheld.py",
        "pins_handheld.py",
        "firmware.checks.handheld",
        rom=True,
    ),
}


def file_of(module: str, root: Path = ROOT) -> Path | None:
    """The file of one of our modules, relative to `root`; None for what MicroPython brings along."""
    path = Path(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if (root / candidate).is_file():
            return candidate
    return None


def sources(build: Build, root: Path = ROOT) -> list[Path]:
    """Every file that the device needs, relative to `root`: what its entry and its check import, and what those do."""
    found: set[Path] = set()
    waiting = [build.entry, build.check]
    while waiting:
        module = waiting.pop()
        path = file_of(module, root)
        if path is None or path in found:
            continue
        found.add(path)
        parent = module.rpartition(".")[0]
        if parent:
            waiting.append(parent)
        waiting += _imported(root / path)
    return sorted(found)


def _imported(path: Path) -> list[str]:
    modules = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            modules += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.append(node.module)
            modules += [f"{node.module}.{name.name}" for name in node.names]
    return modules
