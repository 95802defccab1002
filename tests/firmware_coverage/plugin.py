"""A pytest plugin: MicroPython processes run the instrumented copy that CABSTAND_FIRMWARE_COPY names, on a larger heap.

Boards of virtual tables that would run this tree's sources, and the device scripts of tests/firmware. What tests build
themselves (bytecode) is left alone.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HEAP = "8M"


def pytest_configure(config: Any) -> None:
    copy = os.environ.get("CABSTAND_FIRMWARE_COPY")
    if not copy:
        return
    from companion.virtual_table import board, interpreter

    spawn = interpreter.spawn

    def spawn_copy(setup: Any, *rest: Any) -> Any:
        if setup.code == interpreter.SOURCES and setup.entry.startswith("firmware."):
            setup = replace(setup, code=Path(copy), heap=HEAP)
        return spawn(setup, *rest)

    board.spawn = spawn_copy  # type: ignore[assignment]
    begin = subprocess.Popen.__init__

    def begin_copy(self: Any, args: Any, *rest: Any, **options: Any) -> None:
        env = options.get("env") or {}
        places = env.get("MICROPYPATH", "").split(":")
        if str(ROOT) in places:
            places = [copy if place == str(ROOT) else place for place in places]
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
