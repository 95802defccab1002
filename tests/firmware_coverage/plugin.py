"""A pytest plugin: MicroPython processes run the instrumented copy that CABSTAND_FIRMWARE_COPY names, on a larger heap.

Boards of virtual tables that would run this tree's sources, bytecode that tests build of them, and the device scripts
of the tests. Modules that a test imports itself, in Python, are those of the copy as well; what they run is told apart.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HEAP = "8M"
POINTS_MODULE = "_points.py"
HITS_IN_PYTHON = "hits_python.bin"


class _CopyLoader(importlib.machinery.SourceFileLoader):
    """Runs the copy's text; says that it is the original."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> Any:
        return compile(self._text, self.get_filename(fullname), "exec")


class _CopyFinder(importlib.abc.MetaPathFinder):
    def __init__(self, copy: Path) -> None:
        self._copy = copy

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if not fullname.startswith(("firmware", "shared_rules.wire")):
            return None
        place = Path(*fullname.split("."))
        for file, inside in ((place.with_suffix(".py"), None), (place / "__init__.py", [str(ROOT / place)])):
            if (self._copy / file).is_file():
                text = (self._copy / file).read_text(encoding="utf-8")
                loader = _CopyLoader(fullname, str(ROOT / file), text)
                return importlib.util.spec_from_file_location(
                    fullname, ROOT / file, loader=loader, submodule_search_locations=inside
                )
        return None


def _count_in_python(copy: Path) -> None:
    seen: set[int] = set()
    file = (copy / HITS_IN_PYTHON).open("ab", buffering=0)

    def hit(number: int) -> None:
        if number not in seen:
            seen.add(number)
            file.write(bytes((number & 255, number >> 8)))

    points = types.ModuleType("_points")
    points.hit = hit  # type: ignore[attr-defined]
    sys.modules["_points"] = points
    sys.meta_path.insert(0, _CopyFinder(copy))


def _build_the_copy(copy: Path) -> None:
    """`build` compiles the copy wherever it would compile this tree."""
    from firmware.tools import build as tool

    sources, build = tool.sources, tool.build

    def sources_of_copy(chosen: Any, root: Path = ROOT) -> list[Path]:
        return [*sources(chosen, root), *([Path(POINTS_MODULE)] if root == copy else [])]

    def build_copy(folder: Path, device: str = "table", root: Path = ROOT) -> list[Path]:
        return build(folder, device, copy if root == ROOT else root)

    tool.sources, tool.build = sources_of_copy, build_copy


def _run_the_copy(copy: Path) -> None:
    """Boards run the copy in place of this tree, and have the memory for it; what they say of it is no measure."""
    from companion.virtual_table import board, interpreter, table

    stats = table.VirtualTable.stats

    async def stats_but_memory(self: Any, *rest: Any, **named: Any) -> Any:
        told = await stats(self, *rest, **named)
        if told.get("heap"):
            told["heap"]["free_percent"] = 100.0
        return told

    table.VirtualTable.stats = stats_but_memory  # type: ignore[method-assign]
    spawn = interpreter.spawn

    def spawn_copy(setup: Any, *rest: Any) -> Any:
        if setup.code == interpreter.SOURCES and setup.entry.startswith("firmware."):
            setup = replace(setup, code=copy)
        return spawn(replace(setup, heap=HEAP), *rest)

    board.spawn = spawn_copy  # type: ignore[assignment]
    begin = subprocess.Popen.__init__

    def begin_copy(self: Any, args: Any, *rest: Any, **options: Any) -> None:
        env = options.get("env") or {}
        places = env.get("MICROPYPATH", "").split(":")
        if str(ROOT) in places:
            places = [str(copy) if place == str(ROOT) else place for place in places]
            options["env"] = {**env, "MICROPYPATH": ":".join([*places, str(ROOT)])}
            words = [str(word) for word in args]
            if "-X" in words:
                at = words.index("-X")
                words[at + 1] = f"heapsize={HEAP}"
            else:
                words[1:1] = ["-X", f"heapsize={HEAP}"]
            args = words
        begin(self, args, *rest, **options)

    subprocess.Popen.__init__ = begin_copy  # type: ignore[method-assign]


if _named := os.environ.get("CABSTAND_FIRMWARE_COPY"):
    _count_in_python(Path(_named))


def pytest_configure(config: Any) -> None:
    if _named:
        _build_the_copy(Path(_named))
        _run_the_copy(Path(_named))
