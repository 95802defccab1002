"""Puts a device's firmware on its board: `python -m firmware.tools.flash [--device NAME] [PORT]`.

MicroPython 1.28 must be on the board already. A handheld die's must have a ROM partition, where its bytecode goes: a
partition table like `partitions-4MiB-romfs.csv` of MicroPython's ESP32 port.

Looks for the board, builds, stops the device before its watchdog runs (by a reset and the two seconds that main.py
waits), copies, resets.
Every step has a hard limit in seconds after which its process is ended, because a board that talks without end, or one
that is gone, can hold `mpremote` for ever.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware.tools.advice import AUTO, advice, port, trouble_with
from firmware.tools.build import FOLDER, IMAGE, BuildError, build
from firmware.tools.builds import BUILDS

_NO_START = "import os\nif 'main.py' in os.listdir(): os.remove('main.py')"

Runner = Callable[[list[str], float], "subprocess.CompletedProcess[str]"]


class FlashError(RuntimeError):
    """The board does not hold the firmware; the text says at which step, why, and what to do."""


def run(command: list[str], limit_s: float) -> "subprocess.CompletedProcess[str]":
    """One step, ended after its limit."""
    return subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)


Step = tuple[str, float, list[str]]
"""(what, limit in seconds, mpremote's arguments)"""


def first_step(port: str) -> Step:
    """Whether there is a board that listens."""
    return ("reach the board", 20, ["connect", port, "exec", "import sys; print(sys.implementation)"])


def steps(folder: Path, port: str) -> list[Step]:
    """What follows then, in order."""
    connect = ["connect", port]
    folders = [str(entry) for entry in sorted(folder.iterdir()) if entry.is_dir()]
    copying = ["fs", "cp", "-r", *folders, ":"]
    if (folder / IMAGE).exists():
        copying = ["romfs", "deploy", str(folder / IMAGE)]
    return [
        ("take the old start away", 20, [*connect, "reset", "sleep", "1", "exec", _NO_START]),
        ("copy the firmware", 180, [*connect, *copying]),
        ("copy the start", 30, [*connect, "fs", "cp", str(folder / "main.py"), ":main.py"]),
        ("reset", 20, [*connect, "reset"]),
    ]


def flash(
    make: Callable[[], Path], port: str, runner: Runner = run, say: Callable[[str], None] = partial(print, flush=True)
) -> None:
    """Looks for the board, has the firmware made in a folder, and does every step with it, main.py last, so that a
    half-copied board starts nothing. `FlashError` at the first failure, and whatever `make` raises."""
    if trouble := trouble_with(port):
        raise FlashError(trouble)
    _do(first_step(port), runner, say)
    for step in steps(make(), port):
        _do(step, runner, say)


def _do(step: Step, runner: Runner, say: Callable[[str], None]) -> None:
    what, limit, arguments = step
    say(f"{what} ...")
    try:
        done = runner([sys.executable, "-m", "mpremote", *arguments], limit)
    except subprocess.TimeoutExpired as expired:
        raise FlashError(
            f"{what}: no end after {limit} s. Is the port right and free? Press the board's reset and try again."
        ) from expired
    if done.returncode:
        told = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise FlashError(f"{what}: {advice(told) or told}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.flash", description="Put the firmware on a board.")
    parser.add_argument(
        "port", nargs="?", type=port, default=AUTO, help="serial port, default: the first board that is found"
    )
    parser.add_argument("--device", choices=sorted(BUILDS), default="table", help="what the board is, default table")
    options = parser.parse_args(arguments)
    try:
        flash(lambda: build(FOLDER / options.device, options.device)[-1].parent, options.port)
    except (BuildError, FlashError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The board may hold half of it: run it again.", file=sys.stderr)
        return 130
    check = f"{sys.executable} -m firmware.tools.self_test --device {options.device} {options.port}"
    print(f"The device starts in about three seconds. `{check}` shows what works on it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
